"""What the plot of a game shows: points and the best still possible, turn by turn, with a dot at each slip."""

from __future__ import annotations

from dataclasses import dataclass

from tamaya.review.facts import GameFacts
from tamaya.review.findings import Finding, slips


@dataclass(frozen=True, slots=True)
class Plot:
    """The lines of a plot, by turn from 0 on, and the slips to mark. `expected` has room for what each position was worth; it
    is empty as long as nobody has worked that out."""

    top: int
    points: tuple[int, ...]
    best: tuple[int, ...]
    slips: tuple[Finding, ...]
    expected: tuple[float, ...] = ()

    @property
    def turns(self) -> int:
        """The last turn that is shown."""
        return len(self.points) - 1


def plot_of(facts: GameFacts, reader: int | None = None) -> Plot:
    """The plot of a game, as far as the facts go."""
    points = tuple(standing.points for standing in facts.turns)
    best = tuple(standing.maximum for standing in facts.turns)
    wrong = {play.turn for play in facts.mistakes} | {loss.turn for loss in facts.losses}
    return Plot(facts.rules.maximum, points, best, tuple(slip for slip in slips(facts, reader) if slip.turn in wrong))
