"""The output of ``tamaya review``: sentences for people, or one JSON line a game for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from msgspec import to_builtins

from tamaya.cli.grids import Grid, as_text
from tamaya.engine import Arranged, Clued, Event
from tamaya.engine.events import plain
from tamaya.i18n import Catalogue, move_words, tell, tenths, with_names
from tamaya.record import Entry, Record, play_again
from tamaya.review import GameFacts, slips, summary
from tamaya.review.analysis import GameAnalysis, MoveAnalysis, MoveGrade
from tamaya.review.analysis_sentences import SIGNS, VERDICTS, costly_move, overview
from tamaya.review.winnability import Winnability, line_of, winnability_sentences
from tamaya.rules import Message, read_action, say
from tamaya.rules.message import quote


@dataclass(frozen=True)
class ReviewedGame:
    """The review of one game of a file, as far as it could be read. `coach_error` says why there is no analysis."""

    entry: Entry
    facts: GameFacts | None
    winnability: Winnability | None
    analysis: GameAnalysis | None = None
    coach_error: Message | None = None

    @property
    def problem(self) -> Message | None:
        """The error of the game's file entry."""
        return self.entry.error.message if self.entry.error else None


def as_json_line(game: ReviewedGame, speak: Catalogue) -> str:
    """The review of a game as one line of JSON."""
    return json.dumps(_json_row(game, speak), ensure_ascii=False, default=_fraction)


def _json_row(game: ReviewedGame, speak: Catalogue) -> dict[str, Any]:
    """The review of a game for programs; chances are fractions, written "3/8"."""
    facts: dict[str, Any] = plain(game.facts) if game.facts else {}
    if game.facts:
        facts |= {"clues_per_card": game.facts.clues_per_card, "marks": plain(game.facts.marks)}
    winning = game.winnability
    if winning:
        facts["winning"] = plain(winning) | {"reason": speak(winning.reason) if winning.reason else None}
    if game.analysis:
        facts["coaching"] = _coaching_row(game.analysis)
    if game.coach_error:
        facts["coaching_refused"] = speak(game.coach_error)
    return {"id": game.entry.id, "error": speak(game.problem) if game.problem else None, **facts}


def _coaching_row(coaching: GameAnalysis) -> dict[str, Any]:
    seats = sorted({judgement.seat for judgement in coaching.judgements})
    return {
        "judgements": to_builtins(coaching.judgements),
        "expected": coaching.expected,
        "lost": {seat + 1: coaching.points_lost(seat) for seat in seats},
        "luck": [coaching.luck(judgement.turn) for judgement in coaching.judgements],
        "accuracy": {seat + 1: coaching.accuracy(seat) for seat in seats},
        "costliest": [judgement.turn for judgement in coaching.costliest()],
        "score": coaching.score,
    }


def _fraction(value: object) -> str:
    assert isinstance(value, Fraction)
    return str(value)


NEGLIGIBLE_LOSS = 0.05
"""A loss up to this size would be printed as 0.0 points."""


def lines_of(game: ReviewedGame, facts: GameFacts, speak: Catalogue) -> Iterator[str]:
    """The sentences for people, then the winning line and what the coach says."""
    yield game.entry.id
    for finding in (*summary(facts), *slips(facts)):
        yield f"  {speak.text(finding.words)}"
    if game.winnability and game.entry.replay:
        record = game.entry.replay.record
        yield f"  {speak.text(winnability_sentences(game.winnability, record.names))}"
        yield from _continuation(line_of(record, game.winnability), record, speak)
    if game.analysis and game.analysis.judgements and game.entry.replay:
        yield from _moves(game.entry.replay.record, game.analysis, speak)
        yield from _coached(game.entry.replay.record, game.analysis, speak)
    if game.coach_error:
        yield f"  {speak(game.coach_error)}"


def _moves(record: Record, coaching: GameAnalysis, speak: Catalogue) -> Iterator[str]:
    """A line for every move, before the summary, which then stays in view on a terminal."""
    title = say("Every move, the points to be expected after it, and what it cost:")
    yield f"  {speak(title)}"
    events = [event for event in play_again(record).game.log if not isinstance(event, Arranged)]
    rows: Grid = [_row(*both, record, speak) for both in zip(coaching.judgements, events, strict=True)]
    yield from (f"  {line}" for line in as_text(rows, names=4))


def _row(judgement: MoveAnalysis, event: Event, record: Record, speak: Catalogue) -> tuple[str, ...]:
    """A move as a row: turn, player, move, grade, value, and points lost."""
    verdict = judgement.verdict
    return (
        str(judgement.turn).rjust(len(str(len(record.moves)))),
        speak(quote(record.names[judgement.seat])),
        speak(with_names(_move_with_card(judgement, event), record.names)),
        f"{SIGNS[verdict]:2} {speak(VERDICTS[verdict])}",
        speak(tenths(judgement.value)),
        f"−{speak(tenths(judgement.loss))}" if verdict is not MoveGrade.BEST and judgement.loss > NEGLIGIBLE_LOSS else "",
    )


def _move_with_card(judgement: MoveAnalysis, event: Event) -> Message:
    """The move, with its card: the reader has no board to look at."""
    move = move_words(read_action(judgement.played))
    if isinstance(event, Arranged | Clued):
        return move
    return say("{move}: {card}", move=move, card=event.card.word)


def _coached(record: Record, coaching: GameAnalysis, speak: Catalogue) -> Iterator[str]:
    """What the coach says of the game; under each costly moment, how the better move might have continued."""
    for message in overview(record, coaching):
        yield f"  {speak(message)}"
    for judgement in coaching.costliest():
        costly = costly_move(record, judgement)
        yield f"  {speak.text(filter(None, (costly.cost, costly.better, costly.agreements)))}"
        yield from _continuation(costly.line[1:], record, speak)


def _continuation(events: Iterable[Event], record: Record, speak: Catalogue) -> Iterator[str]:
    for event in events:
        yield f"    {event.turn:3}. {speak.text(tell(event, record.names, record.rules))}"
