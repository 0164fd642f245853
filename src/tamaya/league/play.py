"""Playing a chunk: all that a worker does. Compiled policies play where they can; else bots see views and nothing else."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tamaya.bots import BOT_NAMES, Blueprint, Bot, SeatedBot, load_bot
from tamaya.bots.chance import build_lots
from tamaya.bots.policy import interpreted_policy
from tamaya.bots.protocol import illegal_choice
from tamaya.engine import Game
from tamaya.engine.kernel import EVERYBODY, interpreted, interpreted_kernel
from tamaya.league.matches import Chunk, Run
from tamaya.league.statistics import Totals
from tamaya.record import Record, native
from tamaya.rules import Action, Ending, Message, MissingPartError, Rules, TamayaError, action_of, say
from tamaya.rules.errors import LeagueError
from tamaya.sim.seeds import seed_of

LONGEST_QUOTE = 200


@dataclass(frozen=True)
class ChunkResult:
    """What comes of a chunk: its totals, the time a core spent on it, each game's score, and records if they were wanted."""

    totals: Totals
    nanoseconds: int = field(compare=False)
    scores: bytes = field(default=b"", repr=False)
    records: str = field(default="", repr=False)


def play_chunk(chunk: Chunk) -> ChunkResult:
    """The totals and scores of a chunk's games."""
    return _play_compiled(chunk) if chunk.run.is_compiled else _play(chunk, recorded=False)


def record_chunk(chunk: Chunk) -> ChunkResult:
    """The same with the games' records, one a line."""
    return _play(chunk, recorded=True)


def _play_compiled(chunk: Chunk) -> ChunkResult:
    """Thousands of games a second, with the scores that bots shown views would have. The time does not include compiling, which
    is done before the first game."""
    from tamaya.sim.team import team

    run, names = chunk.run, tuple(sorted(set(chunk.run.lineup)))
    players = team(run.rules, names)
    players.play(run.lineup, run.seed, chunk.first, chunk.first)
    start = time.process_time_ns()
    results = players.play(run.lineup, run.seed, chunk.first, chunk.end)
    nanoseconds = time.process_time_ns() - start
    if results.illegal.any():
        play_game(run, chunk.first + int(results.illegal.argmax()))  # which fails too, and can say where
        raise AssertionError("an action was legal in the interpreted game and not in the compiled one")
    scores = bytes(results.scores.tolist())
    lost = int((results.endings >= Ending.MISTAKES).sum())
    histogram = tuple(map(scores.count, range(run.rules.maximum + 1)))
    return ChunkResult(Totals(histogram, lost, int(results.turns.sum())), nanoseconds, scores)


def _play(chunk: Chunk, recorded: bool) -> ChunkResult:
    start = time.process_time_ns()
    totals, scores, lines = Totals.none(chunk.run.rules), bytearray(), []
    for number in chunk.numbers:
        game = play_game(chunk.run, number)
        totals += Totals.of(game)
        scores.append(game.score)
        if recorded:
            record = Record.of(game, BOT_NAMES[: chunk.run.rules.players], chunk.run.seats(number))
            lines.append(json.dumps(native.to_json(record), ensure_ascii=False) + "\n")
    return ChunkResult(totals, time.process_time_ns() - start, bytes(scores), "".join(lines))


def play_game(run: Run, number: int) -> Game:
    """One game of a run to its end, with a fresh bot at each seat, so that it is the same wherever it is played."""
    seed = seed_of(run.seed, number)
    game = Game(run.rules, seed=seed)
    try:
        names = run.seats(number)
        seats = [_seated(seat, names, run.rules) for seat in range(len(names))]
        while game.to_move is not None:
            for seat in seats:
                seat.look(game)
            game.act(seats[game.to_move].act(game, seed))
    except MissingPartError:
        raise
    except (Exception, SystemExit) as problem:
        raise _failure(run, number, game, problem) from problem
    return game


class SeeingSeat:
    """The seat of a policy that sees more than a player may, and so is shown the game itself."""

    def __init__(self, blueprint: Blueprint, seat: int, rules: Rules) -> None:
        self._policy, self._functions, self._seat = interpreted_policy(blueprint, rules), interpreted_kernel(rules), seat
        self._lots, self._memory = build_lots(self._functions, interpreted), [0] * self._policy.words
        self._sight = bytearray()

    def look(self, game: Game) -> None:
        """Take a note of what has changed."""
        before, self._sight = self._sight, bytearray(self._functions.layout.size)
        self._functions.see(bytearray(game.state), EVERYBODY, self._sight)
        if before:
            self._policy.notice(self._memory, self._seat, before, self._sight)
        else:
            self._policy.begin(self._memory, self._sight)

    def act(self, game: Game, seed: int) -> Action:
        """The policy's choice."""
        mask = bytearray(self._functions.layout.actions)
        self._functions.legal(self._sight, mask)
        luck = self._lots.luck(game.turn, *divmod(seed, 1 << 32))
        action = action_of(self._policy.choose(self._memory, self._sight, mask, luck), game.rules, self._seat)
        if action not in game.legal_actions():
            raise illegal_choice(str(action))
        return action


class ViewingSeat:
    """The seat of any other bot, which is asked as at any table."""

    def __init__(self, bot: Bot, seat: int, names: Sequence[str]) -> None:
        self._bot, self._seat = SeatedBot(bot, names), seat

    def look(self, game: Game) -> None:
        """It hears of what has changed when it is asked."""

    def act(self, game: Game, seed: int) -> Action:
        """The bot's choice."""
        return self._bot.act(game.view(self._seat))


def _seated(seat: int, names: Sequence[str], rules: Rules) -> SeeingSeat | ViewingSeat:
    entry = load_bot(names[seat])
    if entry.is_honest or entry.blueprint is None:
        return ViewingSeat(entry.make(), seat, names)
    return SeeingSeat(entry.blueprint, seat, rules)


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
            problem=_in_words(problem),
        ),
    )


def _in_words(problem: BaseException) -> Message | str:
    if isinstance(problem, TamayaError):
        return problem.message
    place = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{type(problem).__name__}: {problem}"[:LONGEST_QUOTE] + f" ({Path(place.filename).name}:{place.lineno})"
