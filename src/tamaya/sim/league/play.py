"""Playing a chunk: all that a worker does. Compiled policies play where they can; else bots see views and nothing else."""

from __future__ import annotations

import json
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from tamaya.bots import BOT_NAMES
from tamaya.engine import Game
from tamaya.record import Record, own
from tamaya.rules import Message, MissingPartError, TamayaError, say
from tamaya.sim.league.errors import LeagueError
from tamaya.sim.league.run import Chunk, Run
from tamaya.sim.league.seats import Table
from tamaya.sim.league.totals import Totals
from tamaya.sim.seeds import seed_of

LONGEST_QUOTE = 200


@dataclass(frozen=True)
class Played:
    """What comes of a chunk: its totals, the time a core spent on it, each game's score, and records if they were wanted."""

    totals: Totals
    nanoseconds: int = field(compare=False)
    scores: bytes = field(default=b"", repr=False)
    records: str = field(default="", repr=False)


def play_chunk(chunk: Chunk) -> Played:
    """The totals and scores of a chunk's games."""
    if not chunk.run.is_fast:
        return _play(chunk, recorded=False)
    from tamaya.sim.league.fast import play_fast

    totals, scores, nanoseconds = play_fast(chunk)
    return Played(totals, nanoseconds, scores)


def record_chunk(chunk: Chunk) -> Played:
    """The same with the games' records, one a line."""
    return _play(chunk, recorded=True)


def _play(chunk: Chunk, recorded: bool) -> Played:
    start = time.process_time_ns()
    totals, scores, lines = Totals.none(chunk.run.rules), bytearray(), []
    for number in chunk.numbers:
        game = play_game(chunk.run, number)
        totals += Totals.of(game)
        scores.append(game.score)
        if recorded:
            record = Record.of(game, BOT_NAMES[: chunk.run.rules.players], chunk.run.seats(number))
            lines.append(json.dumps(own.to_json(record), ensure_ascii=False) + "\n")
    return Played(totals, time.process_time_ns() - start, bytes(scores), "".join(lines))


def play_game(run: Run, number: int) -> Game:
    """One game of a run to its end, with a fresh bot at each seat, so that it is the same wherever it is played."""
    seed = seed_of(run.seed, number)
    game = Game(run.rules, seed=seed)
    try:
        table = Table(game, seed, run.seats(number))
        while game.to_move is not None:
            table.take_turn(game.to_move)
    except MissingPartError:
        raise
    except (Exception, SystemExit) as problem:
        raise _failure(run, number, game, problem) from problem
    return game


def _failure(run: Run, number: int, game: Game, problem: BaseException) -> LeagueError:
    """Which bot failed and where, so that its author can play that game again."""
    return LeagueError(
        "bot_failed",
        say(
            "The bot {bot} failed with {players} players in game {number} of seed {seed}, turn {turn}: {problem}",
            bot=run.bot,
            players=run.rules.players,
            number=number,
            seed=run.seed,
            turn=game.turn + 1,
            problem=_told(problem),
        ),
    )


def _told(problem: BaseException) -> Message | str:
    if isinstance(problem, TamayaError):
        return problem.message
    place = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{type(problem).__name__}: {problem}"[:LONGEST_QUOTE] + f" ({Path(place.filename).name}:{place.lineno})"
