"""What is played: a run of games, cut into chunks that any worker can play by itself.

The totals of a run do not depend on how it is cut, and every team gets the same deals: game ``n`` of a run is
``Game(run.rules, seed=seed_of(run.seed, n))``.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from tamaya.bots import load_bot
from tamaya.engine.game import checked_seed
from tamaya.rules import MalformedError, Rules, say
from tamaya.rules.validation import checked_rules
from tamaya.sim.sources import sources

CHUNK = 20
"""The games of a chunk: enough that handing it out costs nothing beside them, few enough that losing it costs little."""

FAST_CHUNK = 500
"""The same for compiled policies, which play a thousand times as fast. Fewer games than that are not worth a compiler."""

MOST_GAMES = 10**12


@dataclass(frozen=True)
class Run:
    """One team for a number of games by given rules, dealt from a seed. A team is a bot, or several joined with ``+``."""

    bot: str
    rules: Rules
    seed: int = 0
    games: int = 1000

    def __post_init__(self) -> None:
        checked_rules(self.rules)
        checked_team(self.bot, self.rules)
        checked_seed(self.seed)
        if type(self.games) is not int or not 1 <= self.games <= MOST_GAMES:
            raise MalformedError("bad_games", say("A run has from 1 to {most} games.", most=MOST_GAMES))

    @property
    def lineup(self) -> tuple[str, ...]:
        """The bot at each seat in game 0."""
        return lineup(self.bot, self.rules.players)

    def seats(self, number: int) -> tuple[str, ...]:
        """The bot at each seat in a game. Everybody moves up by one seat from game to game, so that each begins as often."""
        turn = number % self.rules.players
        return self.lineup[turn:] + self.lineup[:turn]

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code plays it here; the games are the same either way."""
        return self.games >= FAST_CHUNK and is_compiled(self.bot)

    def chunks(self, done: Iterable[range] = ()) -> Iterator[Chunk]:
        """The run's games except those that are done, each in one chunk, in the order of their numbers."""
        size = FAST_CHUNK if self.is_compiled else CHUNK
        for gap in _gaps(self.games, done):
            for first in range(gap.start, gap.stop, size):
                yield Chunk(self, first, min(first + size, gap.stop))


def _gaps(games: int, done: Iterable[range]) -> Iterator[range]:
    """What lies between ranges of which no two overlap."""
    at = 0
    for piece in sorted(done, key=lambda piece: piece.start):
        if at < piece.start:
            yield range(at, piece.start)
        at = piece.stop
    if at < games:
        yield range(at, games)


@dataclass(frozen=True)
class Chunk:
    """Some games of a run that follow each other: what one worker is given at a time.

    One without any game is there for the worker to compile what the run needs.
    """

    run: Run
    first: int
    end: int

    @property
    def numbers(self) -> range:
        """The numbers of its games."""
        return range(self.first, self.end)


def chunks_of(runs: Iterable[Run], done: Mapping[Run, Iterable[range]] | None = None) -> Iterator[Chunk]:
    """All chunks of several runs that are to be played, one run after the other.

    First come empty ones, one for each loop that must be compiled: that takes a core half a minute, so each core begins with
    another one, and whoever needs it later finds it on disk.
    """
    left = [(run, (done or {}).get(run, ())) for run in runs]
    compiled: dict[object, Chunk] = {}
    for run, pieces in left:
        if run.is_compiled and next(run.chunks(pieces), None):
            compiled.setdefault((run.rules, frozenset(run.lineup)), Chunk(run, 0, 0))
    yield from compiled.values()
    for run, pieces in left:
        yield from run.chunks(pieces)


JOINT = "+"


def checked_team(team: str, rules: Rules) -> str:
    """A team of bots that exist and know the rules, and not more of them than there are players."""
    names = team.split(JOINT)
    if len(names) > 1 and not all(names):
        message = say("“{team}” is no team; write its bots with a + between them: {example}.",
                      team=team[:80], example="hat+simple")  # fmt: skip
        raise MalformedError("bad_team", message)
    for name in dict.fromkeys(names):
        load_bot(name).check_rules(rules)
    if len(names) > rules.players:
        message = say("The team {team} has {bots} bots, too many for {players} players; leave bots out, or seat more players.",
                      team=team[:80], bots=len(names), players=rules.players)  # fmt: skip
        raise MalformedError("team_too_large", message)
    return team


def lineup(team: str, players: int) -> tuple[str, ...]:
    """The bot at each seat: those of the team in turn, until every seat is taken."""
    return tuple(islice(cycle(team.split(JOINT)), players))


def is_compiled(team: str) -> bool:
    """Whether compiled code plays a team here: its bots are all policies, and NumPy and Numba are installed."""
    return can_compile() and all(load_bot(name).is_compiled for name in team.split(JOINT))


@cache
def can_compile() -> bool:
    """Whether there is a compiler. It is not loaded by asking."""
    return all(map(find_spec, ("numpy", "numba")))


def fingerprint(teams: Iterable[str]) -> str:
    """What plays these teams, as one number: the source of this package, the files that other bots come from, and
    what they play with."""
    digest = hashlib.sha256(sources().encode())
    for name in sorted({name for team in teams for name in team.split(JOINT)}):
        entry = load_bot(name)
        source: Any = entry.blueprint.build if entry.blueprint else entry.from_views
        with suppress(TypeError, OSError):  # no file, or a maker that is none of a file
            digest.update(Path(inspect.getfile(source)).read_bytes())
        if entry.blueprint:
            digest.update(entry.blueprint.plays_with.encode())
    return digest.hexdigest()
