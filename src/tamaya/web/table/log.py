"""The log of a game turn by turn, with animations, losses, take-backs and notes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from tamaya.bots import DEFAULT_BOT
from tamaya.engine import Arranged, Clued, Discarded, Played, SeenCard, View
from tamaya.i18n import Catalogue, catalogue, concerns, reason_in_words, tell
from tamaya.record import Undone
from tamaya.rules import VALUES, Card, Message, Rules, say, say_n
from tamaya.table import Note
from tamaya.web.rendering.cache import RENDER_CACHE, cached, text_size
from tamaya.web.rendering.templates import render_cached, render_component
from tamaya.web.table.components import Animation, Log, LogLine
from tamaya.web.table.snapshot import GameSnapshot

TurnEvent = Clued | Played | Discarded


def animations(events: Sequence[TurnEvent]) -> Iterator[Animation]:
    """The animations of these turns, in order."""
    for event in events:
        match event:
            case Clued():
                yield Animation("clue", event.turn, event.numbers)
            case Played():
                yield Animation("play" if event.placed else "mistake", event.turn, (event.number,), event.card)
            case Discarded():
                yield Animation("discard", event.turn, (event.number,), event.card)


def is_lost(event: TurnEvent) -> bool:
    """Whether the card was discarded or misplayed."""
    return isinstance(event, Discarded) or (isinstance(event, Played) and not event.placed)


def losses(view: View) -> Mapping[int, Message]:
    """The turns after which a firework could no longer be completed as high as before, with the sentence on it."""
    rules, gone, lost = view.rules, Counter[Card](), dict[int, Message]()
    if not view.dead_fireworks:
        return lost
    reach = {suit: len(VALUES) for suit in rules.suits}
    for event in view.log:
        if isinstance(event, Played | Discarded) and is_lost(event):
            card = event.card
            gone[card] += 1
            if gone[card] == rules.copies(card) and card.value <= reach[card.colour]:
                reach[card.colour] = card.value - 1
                lost[event.turn] = _loss(card)
    return lost


def _loss(card: Card) -> Message:
    colour = card.colour.word
    if card.value == 1:
        return say("That was the last one: {colour} cannot begin any more.", colour=colour)
    return say("That was the last one: {colour} now ends at {value}.", colour=colour, value=card.value - 1)


def newest_card(hand: Sequence[SeenCard], view: View) -> int | None:
    """The number of the card drawn last; None before the first draw."""
    dealt = view.rules.players * view.rules.hand_size
    return max((seen.number for seen in hand if seen.number >= dealt), default=None)


@dataclass(frozen=True, slots=True)
class TakeBackPanel:
    """A player's request to take back their last action. The viewer can answer if they are `asked`, and withdraw it if they
    `ask`."""

    code: str
    number: int
    words: Message
    waiting: Message
    asked: bool
    asks: bool


def render_take_back_panel(snapshot: GameSnapshot, language: str) -> Markup:
    """The open take-back request, if any."""
    asked = snapshot.table.question if snapshot.live and not snapshot.ended else None
    if asked is None:
        return Markup()
    names, asks = snapshot.names, asked.seat == snapshot.seat
    event = next(event for event in snapshot.view.log if event.turn == asked.turn and not isinstance(event, Arranged))
    what = tell(event, names, snapshot.view.rules, snapshot.seat)[0]
    words = (
        say("You would like to take back: {what}", what=what)
        if asks
        else say("{player} would like to take back: {what}", player=names[asked.seat], what=what)
    )
    waiting = say("Waiting for {names}", names=tuple(names[seat] for seat in asked.waits_for))
    panel = TakeBackPanel(snapshot.table.code, asked.number, words, waiting, snapshot.seat in asked.waits_for, asks)
    return render_cached(panel, language)


def newest_take_back_line(snapshot: GameSnapshot, language: str) -> Iterator[LogLine]:
    """The last take-back, until another turn is taken."""
    if snapshot.live and snapshot.undone and snapshot.undone[-1].turn == snapshot.view.turn:
        yield _take_back_line(snapshot, len(snapshot.undone), snapshot.undone[-1], language)


def _take_back_line(snapshot: GameSnapshot, place: int, back: Undone, language: str) -> LogLine:
    """A take-back in words that were public when it happened."""
    names, own = snapshot.names, back.seat == snapshot.seat
    what = tell(back.events[0], names, snapshot.view.rules, snapshot.seat)[0]
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


def annotate(lines: Iterable[LogLine], snapshot: GameSnapshot, language: str) -> Iterator[LogLine]:
    """The lines of a log, newest first, with take-backs between them, and with notes and the coach's verdicts."""
    backs = [_take_back_line(snapshot, place, back, language) for place, back in enumerate(snapshot.undone, 1)]
    notes, oldest = _notes_by(lambda note: note.turn, snapshot, language), snapshot.view.turn + 1
    advised = {taken.turn for taken in snapshot.advised if taken.seat == (taken.turn - 1) % len(snapshot.players)}
    for line in lines:
        while backs and backs[-1].turn >= line.turn:
            yield backs.pop()
        note, verdict, helped = notes.get(line.turn, ""), snapshot.verdicts.get(line.turn), line.turn in advised
        yield replace(line, note=note, verdict=verdict, advised=helped) if note or verdict or helped else line
        oldest = line.turn
    yield from (back for back in reversed(backs) if back.turn >= oldest - 1)
    if 0 in notes and oldest == 1:
        yield LogLine(0, catalogue(language)(say("The cards are dealt.")), mistake=False, note=notes[0])


def take_back_words(snapshot: GameSnapshot) -> tuple[Message, ...]:
    """How often something was taken back in a game."""
    backs = snapshot.undone
    seen = sum(back.take_back.seen for back in backs)
    times = say_n("Something was taken back once.", "Something was taken back {n} times.", len(backs))
    faces = say_n("Once a card had been seen.", "A card had been seen {n} times.", seen)
    return (*([times] if backs else []), *([faces] if seen else []))


def card_notes(snapshot: GameSnapshot, language: str) -> Mapping[int, str]:
    """The notes on each card, by its number."""
    return _notes_by(lambda note: note.card, snapshot, language)


def own_note(snapshot: GameSnapshot, card: int | None = None, turn: int | None = None) -> str:
    """The viewer's own note on a card or a turn."""
    found = (note.text for note in snapshot.notes if note.seat == snapshot.seat and (note.card, note.turn) == (card, turn))
    return next(found, "")


def others_notes(snapshot: GameSnapshot, card: int, language: str) -> str:
    """The notes of others on a card, if they show them."""
    return _notes_in_words(
        (note for note in snapshot.notes if note.card == card and note.seat != snapshot.seat), snapshot, language
    )


def _notes_by(key: Callable[[Note], int | None], snapshot: GameSnapshot, language: str) -> Mapping[int, str]:
    found = defaultdict[int, list[Note]](list)
    for note in snapshot.notes:
        about = key(note)
        if about is not None:
            found[about].append(note)
    return {about: _notes_in_words(notes, snapshot, language) for about, notes in found.items()}


def _notes_in_words(notes: Iterable[Note], snapshot: GameSnapshot, language: str) -> str:
    """Notes as one text; those of others with their names."""
    speak = catalogue(language)
    return " · ".join(
        note.text
        if note.seat == snapshot.seat
        else speak(say("{player}: {note}", player=snapshot.names[note.seat], note=note.text))
        for note in notes
    )


def render_log(snapshot: GameSnapshot, language: str) -> Markup:
    """The log panel."""
    log = Log(
        lines=_render_lines(snapshot, language),
        by_agreements=DEFAULT_BOT if snapshot.meanings else "",
        turn=snapshot.view.turn,
        writes=snapshot.writes_notes,
        note=own_note(snapshot, turn=snapshot.view.turn),
    )
    return render_component(log, language)


def turns_of(snapshot: GameSnapshot) -> list[TurnEvent]:
    """The events that took a turn."""
    return [event for event in snapshot.view.log if not isinstance(event, Arranged)]


def log_lines(events: Sequence[TurnEvent], snapshot: GameSnapshot, language: str) -> Iterator[LogLine]:
    """A line for each of these events."""
    speak, names, rules = catalogue(language), snapshot.names, snapshot.view.rules
    lost = losses(snapshot.view) if any(map(is_lost, events)) else {}
    failed, replay = snapshot.table.failed_turns, snapshot.replay
    for event in events:
        why = snapshot.explanation(event)
        reader = snapshot.seat if why or concerns(event, snapshot.seat) else None
        yield _log_line(event, names, rules, reader, event.turn in failed, lost.get(event.turn), why, replay, speak)


@dataclass(frozen=True, slots=True)
class _CachedLines:
    """The rendered lines of these turns, and everything else they depend on."""

    turns: tuple[TurnEvent, ...]
    depends_on: tuple[object, ...]
    html: Markup


def _render_lines(snapshot: GameSnapshot, language: str) -> Markup:
    """The lines of the log. While a game goes on, earlier lines are reused, unless notes, take-backs, advice or reasons could
    change them."""
    turns = _shown_turns(snapshot)
    more_to_say = (
        snapshot.notes or snapshot.undone or snapshot.advised or snapshot.explanations or snapshot.meanings or snapshot.verdicts
    )
    if not snapshot.live or snapshot.ended or more_to_say:
        return _render_new_lines(turns, snapshot, language)
    slot = "log", snapshot.table.code, snapshot.seat, language
    besides = snapshot.names, snapshot.view.rules, snapshot.table.failed_turns, snapshot.replay
    before: _CachedLines | None = RENDER_CACHE.get(slot)
    old = len(before.turns) if before else 0
    if before is None or before.depends_on != besides or before.turns != (*turns[:old],):
        drawn = _render_new_lines(turns, snapshot, language)
    else:
        drawn = _render_new_lines(turns[old:], snapshot, language, before.html)
    RENDER_CACHE.put(slot, _CachedLines(tuple(turns), besides, drawn), size_of(drawn))
    return drawn


def _shown_turns(snapshot: GameSnapshot) -> list[TurnEvent]:
    """The turns in the log; at a table that remembers nothing, the last one of each player."""
    turns = turns_of(snapshot)
    is_whole = snapshot.table.memory.keeps_history or snapshot.ended
    return turns if is_whole else turns[-snapshot.view.rules.players :]


def _render_new_lines(turns: Sequence[TurnEvent], snapshot: GameSnapshot, language: str, older: str = "") -> Markup:
    lines = annotate(log_lines(turns[::-1], snapshot, language), snapshot, language)
    return Markup("".join([*(render_cached(line, language) for line in lines), older]))


@cached
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
