"""Looking back at a game that is over: its facts, what was possible, and a few sentences about it."""

from tamaya.review.facts import FactMark, FallReason, GameFacts, MarkKind
from tamaya.review.findings import Finding, about_move, about_pace, slips, summary
from tamaya.review.gathering import facts_of
from tamaya.review.plot import Plot, plot_of

__all__ = [
    "FactMark",
    "FallReason",
    "Finding",
    "GameFacts",
    "MarkKind",
    "Plot",
    "about_move",
    "about_pace",
    "facts_of",
    "plot_of",
    "slips",
    "summary",
]
