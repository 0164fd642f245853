"""What the plot of a game shows: points and the best still possible, turn by turn, with a dot at each slip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tamaya.review.coaching import Coaching, MoveVerdict
from tamaya.review.facts import GameFacts
from tamaya.review.findings import Finding, slips
from tamaya.review.verdicts import flagged


@dataclass(frozen=True, slots=True)
class Plot:
    """The lines of a plot, by turn from 0 on, and the slips to mark. `expected` is what each position was worth, as far as the
    coach has worked that out; then the slips are those that it names, and `blunders` are the turns of the worst."""

    top: int
    points: tuple[int, ...]
    best: tuple[int, ...]
    slips: tuple[Finding, ...]
    expected: tuple[float, ...] = ()
    blunders: frozenset[int] = frozenset()

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


def coached_plot(plot: Plot, coaching: Coaching, names: Sequence[str], reader: int | None = None) -> Plot:
    """The plot with what the coach found out, which may be nothing yet."""
    if not coaching.judgements:
        return plot
    worst = frozenset(one.turn for one in coaching.judgements if one.verdict is MoveVerdict.BLUNDER)
    return replace(plot, expected=coaching.expected, slips=flagged(coaching, names, reader), blunders=worst)
