"""Matches: a team, rules, a seed and a number of games, cut into chunks that any worker can play.

The totals of a match do not depend on how it is cut, and every team gets the same deals: game ``n`` of a match is
``Game(match.rules, seed=seed_of(match.seed, n))``.
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

import tamaya
from tamaya.bots import import_bot
from tamaya.engine.game import checked_seed
from tamaya.rules import MalformedError, Rules, say
from tamaya.rules.ruleset import checked_rules

CHUNK = 20
"""The games of a chunk: enough to make scheduling cheap, few enough that losing a chunk costs little."""

FAST_CHUNK = 500
"""The same for compiled policies, which play a thousand times as fast. Fewer games than that are not worth compiling for."""

MAX_GAMES = 10**12
JOINT = "+"
COMPILED_PACKAGES = ("rules", "engine", "sim", "bots", "league", "solver")


@dataclass(frozen=True)
class Match:
    """One team for a number of games under given rules, dealt from a seed. A team is a bot, or several joined with ``+``."""

    bot: str
    rules: Rules
    seed: int = 0
    games: int = 1000

    def __post_init__(self) -> None:
        checked_rules(self.rules)
        checked_team(self.bot, self.rules)
        checked_seed(self.seed)
        if type(self.games) is not int or not 1 <= self.games <= MAX_GAMES:
            raise MalformedError("bad_games", say("A run has from 1 to {most} games.", most=MAX_GAMES))

    @property
    def lineup(self) -> tuple[str, ...]:
        """The bot at each seat in game 0."""
        return lineup(self.bot, self.rules.players)

    def seats(self, number: int) -> tuple[str, ...]:
        """Return the bot at each seat in a game. Bots move up by one seat per game, so that each starts equally often."""
        turn = number % self.rules.players
        return self.lineup[turn:] + self.lineup[:turn]

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code plays the match here; the games are the same either way."""
        return self.games >= FAST_CHUNK and is_compiled(self.bot)

    def chunks(self, completed: Iterable[range] = ()) -> Iterator[Chunk]:
        """Yield the match's games except those completed, in chunks, in the order of their numbers."""
        size = FAST_CHUNK if self.is_compiled else CHUNK
        for gap in _gaps(self.games, completed):
            for first in range(gap.start, gap.stop, size):
                yield Chunk(self, first, min(first + size, gap.stop))


def _gaps(games: int, completed: Iterable[range]) -> Iterator[range]:
    """Yield the ranges of games between the completed ones, which do not overlap."""
    at = 0
    for part in sorted(completed, key=lambda part: part.start):
        if at < part.start:
            yield range(at, part.start)
        at = part.stop
    if at < games:
        yield range(at, games)


@dataclass(frozen=True)
class Chunk:
    """Consecutive games of a match, the unit of work. An empty chunk makes the worker compile what the match needs."""

    match: Match
    first: int
    end: int

    @property
    def numbers(self) -> range:
        """The numbers of its games."""
        return range(self.first, self.end)


def chunks_of(matches: Iterable[Match], completed: Mapping[Match, Iterable[range]] | None = None) -> Iterator[Chunk]:
    """Yield the remaining chunks of several matches, one match after another.

    Empty chunks come first, one for each loop: compiling takes a core half a minute, so each core starts with a different loop.
    """
    open_matches = [(match, (completed or {}).get(match, ())) for match in matches]
    to_compile: dict[object, Chunk] = {}
    for match, parts in open_matches:
        if match.is_compiled and next(match.chunks(parts), None):
            to_compile.setdefault((match.rules, frozenset(match.lineup)), Chunk(match, 0, 0))
    yield from to_compile.values()
    for match, parts in open_matches:
        yield from match.chunks(parts)


def checked_team(team: str, rules: Rules) -> str:
    """Return a team of known bots that support the rules; raise `MalformedError` for anything else."""
    names = team.split(JOINT)
    if len(names) > 1 and not all(names):
        message = say("“{team}” is no team; write its bots with a + between them: {example}.",
                      team=team[:80], example="hat+simple")  # fmt: skip
        raise MalformedError("bad_team", message)
    for name in dict.fromkeys(names):
        import_bot(name).check_rules(rules)
    if len(names) > rules.players:
        message = say("The team {team} has {bots} bots, too many for {players} players; leave bots out, or seat more players.",
                      team=team[:80], bots=len(names), players=rules.players)  # fmt: skip
        raise MalformedError("team_too_large", message)
    return team


def lineup(team: str, players: int) -> tuple[str, ...]:
    """Return the bot at each seat: those of the team in turn, until every seat is taken."""
    return tuple(islice(cycle(team.split(JOINT)), players))


def is_compiled(team: str) -> bool:
    """Whether compiled code plays a team here: its bots are all policies, and NumPy and Numba are installed."""
    return can_compile() and all(import_bot(name).is_compiled for name in team.split(JOINT))


@cache
def can_compile() -> bool:
    """Whether NumPy and Numba are installed; imports neither."""
    return all(map(find_spec, ("numpy", "numba")))


@cache
def sources() -> str:
    """Hash every file whose functions may be compiled: two programs with the same hash play alike."""
    root = Path(tamaya.__file__).parent
    digest = hashlib.sha256()
    for package in COMPILED_PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def fingerprint(teams: Iterable[str]) -> str:
    """Hash the code and data that play these teams: this package, the files of other bots, and networks that they load."""
    digest = hashlib.sha256(sources().encode())
    for name in sorted({name for team in teams for name in team.split(JOINT)}):
        entry = import_bot(name)
        source: Any = entry.policy.choose if entry.policy else entry.from_views
        with suppress(TypeError, OSError):  # no file, or an object that no file defines
            digest.update(Path(inspect.getfile(source)).read_bytes())
        if entry.policy:
            digest.update(entry.policy.plays_with.encode())
    return digest.hexdigest()
