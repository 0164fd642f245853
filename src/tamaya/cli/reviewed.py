"""What ``tamaya review`` found out about a game, for people's pages and as one line for programs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from msgspec import to_builtins

from tamaya.engine.events import plain
from tamaya.i18n import Catalogue
from tamaya.record import Entry
from tamaya.review import GameFacts
from tamaya.review.coaching import Coaching
from tamaya.review.winning import Winning
from tamaya.rules import Message


@dataclass(frozen=True)
class Reviewed:
    """One game of a file: what was found out about it, as far as it could be read. `refused` says why there is no coaching."""

    entry: Entry
    facts: GameFacts | None
    winning: Winning | None
    coaching: Coaching | None = None
    refused: Message | None = None

    @property
    def problem(self) -> Message | None:
        """What is wrong with the game."""
        return self.entry.error.message if self.entry.error else None


def as_json_line(game: Reviewed, speak: Catalogue) -> str:
    """Everything about a game as one line of JSON."""
    return json.dumps(_row(game, speak), ensure_ascii=False, default=_fraction)


def _row(game: Reviewed, speak: Catalogue) -> dict[str, Any]:
    """Everything about a game, for programs; chances are fractions, written "3/8"."""
    facts: dict[str, Any] = plain(game.facts) if game.facts else {}
    if game.facts:
        facts |= {"clues_per_card": game.facts.clues_per_card, "marks": plain(game.facts.marks)}
    winning = game.winning
    if winning:
        facts["winning"] = plain(winning) | {"reason": speak(winning.reason) if winning.reason else None}
    if game.coaching:
        facts["coaching"] = _coaching_row(game.coaching)
    if game.refused:
        facts["coaching_refused"] = speak(game.refused)
    return {"id": game.entry.id, "error": speak(game.problem) if game.problem else None, **facts}


def _coaching_row(coaching: Coaching) -> dict[str, Any]:
    """All judgements, and what they come to."""
    seats = sorted({judgement.seat for judgement in coaching.judgements})
    return {
        "judgements": to_builtins(coaching.judgements),
        "expected": coaching.expected,
        "lost": {seat + 1: coaching.lost(seat) for seat in seats},
        "luck": [coaching.luck(judgement.turn) for judgement in coaching.judgements],
        "accuracy": {seat + 1: coaching.accuracy(seat) for seat in seats},
        "costliest": [judgement.turn for judgement in coaching.costliest()],
        "score": coaching.score,
    }


def _fraction(value: object) -> str:
    """How JSON writes a chance."""
    assert isinstance(value, Fraction)
    return str(value)
