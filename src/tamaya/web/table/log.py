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
    request = snapshot.table.question if snapshot.live and not snapshot.ended else None
    if request is None:
        return Markup()
    names, asks = snapshot.names, request.seat == snapshot.seat
    event = next(event for event in snapshot.view.log if event.turn == request.turn and not isinstance(event, Arranged))
    what = tell(event, names, snapshot.view.rules, snapshot.seat)[0]
    words = (
        say("You would like to take back: {what}", what=what)
        if asks
        else say("{player} would like to take back: {what}", player=names[request.seat], what=what)
    )
    waiting = say("Waiting for {names}", names=tuple(names[seat] for seat in request.waits_for))
    panel = TakeBackPanel(snapshot.table.code, request.number, words, waiting, snapshot.seat in request.waits_for, asks)
    return render_cached(panel, language)


def newest_take_back_line(snapshot: GameSnapshot, language: str) -> Iterator[LogLine]:
    """The last take-back, until another turn is taken."""
    if snapshot.live and snapshot.undone and snapshot.undone[-1].turn == snapshot.view.turn:
        yield _take_back_line(snapshot, len(snapshot.undone), snapshot.undone[-1], language)


def _take_back_line(snapshot: GameSnapshot, number: int, undone: Undone, language: str) -> LogLine:
    """A take-back in words that were public when it happened."""
    names, own = snapshot.names, undone.seat == snapshot.seat
    what = tell(undone.events[0], names, snapshot.view.rules, snapshot.seat)[0]
    sentences = [
        say("You took back: {what}", what=what)
        if own
        else say("{player} took back: {what}", player=names[undone.seat], what=what)
    ]
    later = sum(not isinstance(event, Arranged) for event in undone.events[1:])
    if later:
        sentences.append(say_n("The turn after it went as well.", "The {n} turns after it went as well.", later))
    if undone.take_back.seen:
        sentences.append(say("A card had been seen."))
    return LogLine(undone.turn, catalogue(language).text(sentences), mistake=False, back=number)


def annotate(lines: Iterable[LogLine], snapshot: GameSnapshot, language: str) -> Iterator[LogLine]:
    """The lines of a log, newest first, with take-backs between them, and with notes and the coach's verdicts."""
    take_backs = [_take_back_line(snapshot, number, take_back, language) for number, take_back in enumerate(snapshot.undone, 1)]
    notes, oldest = _notes_by(lambda note: note.turn, snapshot, language), snapshot.view.turn + 1
    advised = {taken.turn for taken in snapshot.advised if taken.seat == (taken.turn - 1) % len(snapshot.players)}
    for line in lines:
        while take_backs and take_backs[-1].turn >= line.turn:
            yield take_backs.pop()
        note, verdict, helped = notes.get(line.turn, ""), snapshot.verdicts.get(line.turn), line.turn in advised
        yield replace(line, note=note, verdict=verdict, advised=helped) if note or verdict or helped else line
        oldest = line.turn
    yield from (take_back for take_back in reversed(take_backs) if take_back.turn >= oldest - 1)
    if 0 in notes and oldest == 1:
        yield LogLine(0, catalogue(language)(say("The cards are dealt.")), mistake=False, note=notes[0])


def take_back_words(snapshot: GameSnapshot) -> tuple[Message, ...]:
    """How often something was taken back in a game."""
    undone = snapshot.undone
    seen = sum(take_back.take_back.seen for take_back in undone)
    times = say_n("Something was taken back once.", "Something was taken back {n} times.", len(undone))
    faces = say_n("Once a card had been seen.", "A card had been seen {n} times.", seen)
    return (*([times] if undone else []), *([faces] if seen else []))


def card_notes(snapshot: GameSnapshot, language: str) -> Mapping[int, str]:
    """The notes on each card, by its number."""
    return _notes_by(lambda note: note.card, snapshot, language)


def own_note(snapshot: GameSnapshot, card: int | None = None, turn: int | None = None) -> str:
    """The viewer's own note on a card or a turn."""
    texts = (note.text for note in snapshot.notes if note.seat == snapshot.seat and (note.card, note.turn) == (card, turn))
    return next(texts, "")


def others_notes(snapshot: GameSnapshot, card: int, language: str) -> str:
    """The notes of others on a card, if they show them."""
    return _notes_in_words(
        (note for note in snapshot.notes if note.card == card and note.seat != snapshot.seat), snapshot, language
    )


def _notes_by(key: Callable[[Note], int | None], snapshot: GameSnapshot, language: str) -> Mapping[int, str]:
    notes_by = defaultdict[int, list[Note]](list)
    for note in snapshot.notes:
        about = key(note)
        if about is not None:
            notes_by[about].append(note)
    return {about: _notes_in_words(notes, snapshot, language) for about, notes in notes_by.items()}


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
    key = "log", snapshot.table.code, snapshot.seat, language
    depends_on = snapshot.names, snapshot.view.rules, snapshot.table.failed_turns, snapshot.replay
    cached_lines: _CachedLines | None = RENDER_CACHE.get(key)
    old = len(cached_lines.turns) if cached_lines else 0
    if cached_lines is None or cached_lines.depends_on != depends_on or cached_lines.turns != (*turns[:old],):
        html = _render_new_lines(turns, snapshot, language)
    else:
        html = _render_new_lines(turns[old:], snapshot, language, cached_lines.html)
    RENDER_CACHE.put(key, _CachedLines(tuple(turns), depends_on, html), text_size(html))
    return html


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
