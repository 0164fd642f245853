"""What was taken back or may be, and what people have noted, as a page shows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from tamaya.engine import Arranged
from tamaya.i18n import catalogue, tell
from tamaya.record import Undone
from tamaya.rules import Message, say, say_n
from tamaya.table import Note
from tamaya.web.moment import Moment
from tamaya.web.pages import drawn_once
from tamaya.web.parts import LogLine


@dataclass(frozen=True, slots=True)
class BackPanel:
    """Whether a player may take back their last action: what it was, and who has yet to answer. The reader can answer if they
    are asked, and give up if they `ask`."""

    code: str
    number: int
    words: Message
    waiting: Message
    asked: bool
    asks: bool


def draw_question(moment: Moment, language: str) -> Markup:
    """The question that is open at a table, if there is one."""
    asked = moment.facts.question if moment.live and not moment.ended else None
    if asked is None:
        return Markup()
    names, asks = moment.names, asked.seat == moment.seat
    event = next(event for event in moment.view.log if event.turn == asked.turn and not isinstance(event, Arranged))
    what = tell(event, names, moment.view.rules, moment.seat)[0]
    words = (
        say("You would like to take back: {what}", what=what)
        if asks
        else say("{player} would like to take back: {what}", player=names[asked.seat], what=what)
    )
    waiting = say("Waiting for {names}", names=tuple(names[seat] for seat in asked.waits_for))
    panel = BackPanel(moment.facts.code, asked.number, words, waiting, moment.seat in asked.waits_for, asks)
    return drawn_once(panel, language)


def newest_back_line(moment: Moment, language: str) -> Iterator[LogLine]:
    """That something was taken back, while nothing else has happened since."""
    if moment.live and moment.undone and moment.undone[-1].turn == moment.view.turn:
        yield _back_line(moment, len(moment.undone), moment.undone[-1], language)


def _back_line(moment: Moment, place: int, back: Undone, language: str) -> LogLine:
    """What was taken back, in words that everybody had read when it happened."""
    names, own = moment.names, back.seat == moment.seat
    what = tell(back.events[0], names, moment.view.rules, moment.seat)[0]
    sentences = [
        say("You took back: {what}", what=what)
        if own
        else say("{player} took back: {what}", player=names[back.seat], what=what)
    ]
    later = sum(not isinstance(event, Arranged) for event in back.events[1:])
    if later:
        sentences.append(say_n("The turn after it went as well.", "The {n} turns after it went as well.", later))
    if back.take_back.seen:
        sentences.append(say("A card had been seen."))
    return LogLine(back.turn, catalogue(language).text(sentences), mistake=False, back=place)


def annotated(lines: Iterable[LogLine], moment: Moment, language: str) -> Iterator[LogLine]:
    """The lines of a log, newest first, with what was taken back between them, what is noted of their turns, and what the coach
    says of them."""
    backs = [_back_line(moment, place, back, language) for place, back in enumerate(moment.undone, 1)]
    notes, oldest = _by(lambda note: note.turn, moment, language), moment.view.turn + 1
    advised = {taken.turn for taken in moment.advised if taken.seat == (taken.turn - 1) % len(moment.players)}
    for line in lines:
        while backs and backs[-1].turn >= line.turn:
            yield backs.pop()
        note, verdict, helped = notes.get(line.turn, ""), moment.verdicts.get(line.turn), line.turn in advised
        yield replace(line, note=note, verdict=verdict, advised=helped) if note or verdict or helped else line
        oldest = line.turn
    yield from (back for back in reversed(backs) if back.turn >= oldest - 1)
    if 0 in notes and oldest == 1:
        yield LogLine(0, catalogue(language)(say("The cards are dealt.")), mistake=False, note=notes[0])


def taken_back_words(moment: Moment) -> tuple[Message, ...]:
    """What is said of a game in which something was taken back."""
    backs = moment.undone
    seen = sum(back.take_back.seen for back in backs)
    times = say_n("Something was taken back once.", "Something was taken back {n} times.", len(backs))
    faces = say_n("Once a card had been seen.", "A card had been seen {n} times.", seen)
    return (*([times] if backs else []), *([faces] if seen else []))


def card_notes(moment: Moment, language: str) -> Mapping[int, str]:
    """What is noted of each card, by its number."""
    return _by(lambda note: note.card, moment, language)


def own_note(moment: Moment, card: int | None = None, turn: int | None = None) -> str:
    """The reader's own note on a card or a turn."""
    found = (note.text for note in moment.notes if note.seat == moment.seat and (note.card, note.turn) == (card, turn))
    return next(found, "")


def others_notes(moment: Moment, card: int, language: str) -> str:
    """What others have noted of a card, as far as they show it."""
    return _in_words((note for note in moment.notes if note.card == card and note.seat != moment.seat), moment, language)


def _by(key: Callable[[Note], int | None], moment: Moment, language: str) -> Mapping[int, str]:
    found = defaultdict[int, list[Note]](list)
    for note in moment.notes:
        about = key(note)
        if about is not None:
            found[about].append(note)
    return {about: _in_words(notes, moment, language) for about, notes in found.items()}


def _in_words(notes: Iterable[Note], moment: Moment, language: str) -> str:
    """Notes as one text; those of others with their names."""
    speak = catalogue(language)
    return " · ".join(
        note.text
        if note.seat == moment.seat
        else speak(say("{player}: {note}", player=moment.names[note.seat], note=note.text))
        for note in notes
    )
