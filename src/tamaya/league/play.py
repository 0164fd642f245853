"""Play one chunk, in a worker. Teams of policies play compiled if possible; other bots see only views."""

from __future__ import annotations

import json
import time
import traceback
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tamaya.bots import BOT_NAMES, Bot, BotSeat, Policy, import_bot
from tamaya.bots.protocol import illegal_choice
from tamaya.bots.random_play import random_bits
from tamaya.engine import Game
from tamaya.engine.instances import instance_of
from tamaya.engine.kernel.hands import EVERYBODY, see
from tamaya.engine.kernel.turn import legal
from tamaya.engine.layout import layout_of
from tamaya.league.matches import Chunk, Match
from tamaya.league.statistics import Totals
from tamaya.record import Record, native
from tamaya.rules import Action, Ending, LeagueError, Message, MissingPartError, Rules, TamayaError, action_of, say
from tamaya.sim.deals import seed_of

MAX_ERROR_LENGTH = 200


@dataclass(frozen=True)
class ChunkResult:
    """A chunk's totals, the CPU time spent on it, the score of each game, and the records if requested."""

    totals: Totals
    nanoseconds: int = field(compare=False)
    scores: bytes = field(default=b"", repr=False)
    records: str = field(default="", repr=False)


def play_chunk(chunk: Chunk) -> ChunkResult:
    """Play a chunk; return its totals and scores."""
    return _play_compiled(chunk) if chunk.match.is_compiled else _play(chunk, recorded=False)


def record_chunk(chunk: Chunk) -> ChunkResult:
    """Play a chunk; return its totals, its scores and the games' records, one per line."""
    return _play(chunk, recorded=True)


def _play_compiled(chunk: Chunk) -> ChunkResult:
    """Play thousands of games per second, with the scores that views would give. The time excludes compiling."""
    from tamaya.sim.team import team

    match, names = chunk.match, tuple(sorted(set(chunk.match.lineup)))
    players = team(match.rules, names)
    players.play(match.lineup, match.seed, chunk.first, chunk.first)
    start = time.process_time_ns()
    results = players.play(match.lineup, match.seed, chunk.first, chunk.end)
    nanoseconds = time.process_time_ns() - start
    if results.illegal.any():
        play_game(match, chunk.first + int(results.illegal.argmax()))  # raises too, naming the game
        raise AssertionError("an action was legal in the interpreted game and not in the compiled one")
    scores = bytes(results.scores.tolist())
    lost = int((results.endings >= Ending.MISTAKES).sum())
    histogram = tuple(map(scores.count, range(match.rules.maximum + 1)))
    return ChunkResult(Totals(histogram, lost, int(results.turns.sum())), nanoseconds, scores)


def _play(chunk: Chunk, recorded: bool) -> ChunkResult:
    start = time.process_time_ns()
    totals, scores, lines = Totals.none(chunk.match.rules), bytearray(), []
    for number in chunk.numbers:
        game = play_game(chunk.match, number)
        totals += Totals.of(game)
        scores.append(game.score)
        if recorded:
            record = Record.of(game, BOT_NAMES[: chunk.match.rules.players], chunk.match.seats(number))
            lines.append(json.dumps(native.to_json(record), ensure_ascii=False) + "\n")
    return ChunkResult(totals, time.process_time_ns() - start, bytes(scores), "".join(lines))


def play_game(match: Match, number: int) -> Game:
    """Play one game of a match to its end, with a fresh bot at each seat; it is the same on every worker."""
    seed = seed_of(match.seed, number)
    game = Game(match.rules, seed=seed)
    try:
        names = match.seats(number)
        seats = [_seat(seat, names, match.rules) for seat in range(len(names))]
        while game.to_move is not None:
            for seat in seats:
                seat.look(game)
            game.act(seats[game.to_move].act(game, seed))
    except MissingPartError:
        raise
    except (Exception, SystemExit) as problem:
        raise _bot_failed(match, number, game, problem) from problem
    return game


class SeeingSeat:
    """The seat of a policy that sees more than a player may, such as `cheat`: it reads the state of the game."""

    def __init__(self, policy: Policy[Any], seat: int, rules: Rules) -> None:
        self._policy, self._seat, self._layout = policy, seat, layout_of(rules)
        self._functions = instance_of(policy.setting(rules))
        self._memory = policy.named(rules, memoryview(array("q", bytes(policy.size(rules) * array("q").itemsize))))
        self._sight = bytearray()

    def look(self, game: Game) -> None:
        """Update the policy's memory after any move."""
        before, self._sight = self._sight, bytearray(self._layout.size)
        self._functions(see)(bytearray(game.state), EVERYBODY, self._sight)
        if before:
            self._functions(self._policy.update)(self._memory, self._seat, before, self._sight)
        else:
            self._functions(self._policy.start)(self._memory, self._sight)

    def act(self, game: Game, seed: int) -> Action:
        """Return the policy's action."""
        mask = bytearray(self._layout.actions)
        self._functions(legal)(self._sight, mask)
        bits = self._functions(random_bits)(game.turn, *divmod(seed, 1 << 32))
        number = self._functions(self._policy.choose)(self._memory, self._sight, mask, bits)
        action = action_of(number, game.rules, self._seat)
        if action not in game.legal_actions():
            raise illegal_choice(str(action))
        return action


class ViewingSeat:
    """The seat of any other bot: it gets views, as at any table."""

    def __init__(self, bot: Bot, seat: int, names: Sequence[str]) -> None:
        self._bot, self._seat = BotSeat(bot, names), seat

    def look(self, game: Game) -> None:
        """Do nothing: the view of the next turn holds all changes."""

    def act(self, game: Game, seed: int) -> Action:
        """Return the bot's action."""
        return self._bot.act(game.view(self._seat))


def _seat(seat: int, names: Sequence[str], rules: Rules) -> SeeingSeat | ViewingSeat:
    entry = import_bot(names[seat])
    if entry.plays_fair or entry.policy is None:
        return ViewingSeat(entry.make(), seat, names)
    return SeeingSeat(entry.policy, seat, rules)


def _bot_failed(match: Match, number: int, game: Game, problem: BaseException) -> LeagueError:
    """Return an error that names the bot, the game and the turn, so that the bot's author can replay that game."""
    return LeagueError(
        "bot_failed",
        say(
            "The bot {bot} failed with {players} players in game {number} of seed {seed}, turn {turn}: {problem}",
            bot=match.bot,
            players=match.rules.players,
            number=number,
            seed=match.seed,
            turn=game.turn + 1,
            problem=_describe(problem),
        ),
    )


def _describe(problem: BaseException) -> Message | str:
    if isinstance(problem, TamayaError):
        return problem.message
    place = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{type(problem).__name__}: {problem}"[:MAX_ERROR_LENGTH] + f" ({Path(place.filename).name}:{place.lineno})"
