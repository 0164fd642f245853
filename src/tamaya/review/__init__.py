"""Reviews of finished games: facts, the analysis of moves, winnability, and sentences about them."""

from tamaya.review.fact_sentences import FactSentence, about_move, about_pace, slips, summary
from tamaya.review.facts import DropReason, FactMark, GameFacts, MarkKind, facts_of

__all__ = [
    "DropReason",
    "FactMark",
    "FactSentence",
    "GameFacts",
    "MarkKind",
    "about_move",
    "about_pace",
    "facts_of",
    "slips",
    "summary",
]
