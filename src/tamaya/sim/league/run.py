"""What is played: a run of games, cut into chunks that any worker can play by itself.

A chunk has the same games whatever the number of workers, and every bot gets the same deals: game ``n`` of a run is
``Game(run.rules, seed=seed_of(run.seed, n))``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tamaya.bots import load_bot
from tamaya.engine.game import checked_seed
from tamaya.rules import MalformedError, Rules, say
from tamaya.sim.basics import rules

CHUNK = 20
"""The games of a chunk: enough that handing it out costs nothing beside them, few enough that losing it costs little."""

MOST_GAMES = 10**12


@dataclass(frozen=True)
class Run:
    """One bot in every seat, for a number of games by given rules, dealt from a seed."""

    bot: str
    rules: Rules
    seed: int = 0
    games: int = 1000

    def __post_init__(self) -> None:
        load_bot(self.bot)
        rules(self.rules)
        checked_seed(self.seed)
        if type(self.games) is not int or not 1 <= self.games <= MOST_GAMES:
            raise MalformedError("bad_games", say("A run has from 1 to {most} games.", most=MOST_GAMES))

    @property
    def seats(self) -> tuple[str, ...]:
        """The bot at each seat."""
        return (self.bot,) * self.rules.players

    def chunks(self) -> Iterator[Chunk]:
        """The run's games, each in one chunk, in the order of their numbers."""
        for first in range(0, self.games, CHUNK):
            yield Chunk(self, first, min(first + CHUNK, self.games))


@dataclass(frozen=True)
class Chunk:
    """Some games of a run that follow each other: what one worker is given at a time."""

    run: Run
    first: int
    end: int

    @property
    def numbers(self) -> range:
        """The numbers of its games."""
        return range(self.first, self.end)


def chunks_of(runs: Iterable[Run]) -> Iterator[Chunk]:
    """All chunks of several runs, one run after the other."""
    for run in runs:
        yield from run.chunks()
