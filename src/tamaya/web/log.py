"""The log: what happened, turn by turn, as it is told to the reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tamaya.bots import DEFAULT_BOT
from tamaya.engine import Arranged, Played
from tamaya.i18n import Catalogue, catalogue, concerns, reason_in_words, tell
from tamaya.rules import Message, Rules, say
from tamaya.table import ClueMemory
from tamaya.web.changes import TurnEvent, is_lost, losses
from tamaya.web.kept import SHELF, kept, text_in
from tamaya.web.moment import Moment
from tamaya.web.pages import draw, drawn_once
from tamaya.web.parts import Log, LogLine
from tamaya.web.second_thoughts import annotated, own_note


def draw_log(moment: Moment, language: str) -> Markup:
    """What happened, newest first."""
    log = Log(
        lines=_draw_lines(moment, language),
        by_agreements=DEFAULT_BOT if moment.meanings else "",
        turn=moment.view.turn,
        writes=moment.writes_notes,
        note=own_note(moment, turn=moment.view.turn),
    )
    return draw(log, language)


def turns_of(moment: Moment) -> list[TurnEvent]:
    """The events that took a turn."""
    return [event for event in moment.view.log if not isinstance(event, Arranged)]


def log_lines(events: Sequence[TurnEvent], moment: Moment, language: str) -> Iterator[LogLine]:
    """What is said of each of these events."""
    speak, names, rules = catalogue(language), moment.names, moment.view.rules
    lost = losses(moment.view) if any(map(is_lost, events)) else {}
    failed, replay = moment.facts.failed_turns, moment.replay
    for event in events:
        why = moment.why(event)
        reader = moment.seat if why or concerns(event, moment.seat) else None
        yield _log_line(event, names, rules, reader, event.turn in failed, lost.get(event.turn), why, replay, speak)


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines as they were drawn of these turns, and what else they depend on."""

    turns: tuple[TurnEvent, ...]
    besides: tuple[object, ...]
    drawn: Markup


def _draw_lines(moment: Moment, language: str) -> Markup:
    """The lines. While a game goes on, those of earlier turns are as they were in the last drawing for the same seat, unless
    there is more to say of them: what was noted or taken back, who took advice, and why bots acted as they did."""
    turns = _shown_turns(moment)
    more_to_say = moment.notes or moment.undone or moment.advised or moment.explanations or moment.meanings or moment.verdicts
    if not moment.live or moment.ended or more_to_say:
        return _draw_new(turns, moment, language)
    slot = "log", moment.facts.code, moment.seat, language
    besides = moment.names, moment.view.rules, moment.facts.failed_turns, moment.replay
    before: _Lines | None = SHELF.get(slot)
    old = len(before.turns) if before else 0
    if before is None or before.besides != besides or before.turns != (*turns[:old],):
        drawn = _draw_new(turns, moment, language)
    else:
        drawn = _draw_new(turns[old:], moment, language, before.drawn)
    SHELF.put(slot, _Lines(tuple(turns), besides, drawn), text_in(drawn))
    return drawn


def _shown_turns(moment: Moment) -> list[TurnEvent]:
    """The turns that the log tells of; at a table that remembers nothing, the last of each player."""
    turns = turns_of(moment)
    forgets = moment.facts.memory is ClueMemory.NOTHING and not moment.ended
    return turns[-moment.view.rules.players :] if forgets else turns


def _draw_new(turns: Sequence[TurnEvent], moment: Moment, language: str, older: str = "") -> Markup:
    lines = annotated(log_lines(turns[::-1], moment, language), moment, language)
    return Markup("".join([*(drawn_once(line, language) for line in lines), older]))


@kept
def _log_line(
    event: TurnEvent,
    names: tuple[str, ...],
    rules: Rules,
    reader: int | None,
    failed: bool,
    loss: Message | None,
    why: Message | None,
    replay: str,
    speak: Catalogue,
) -> LogLine:
    sentences = tell(event, names, rules, reader)
    if failed:
        sentences += (say("The bot could not decide; a safe action was taken for it."),)
    if loss:
        sentences += (loss,)
    mistake = isinstance(event, Played) and not event.placed
    link = f"{replay}?turn={event.turn}" if replay else ""
    return LogLine(event.turn, speak.text(sentences), mistake, reason_in_words(speak, why, names, reader), link)
