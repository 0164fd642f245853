"""What a player may choose from, each choice with the sentence it stands for and, if it cannot be had, why."""

from __future__ import annotations

from dataclasses import dataclass

from tamaya.engine import View
from tamaya.engine.refusals import why_illegal
from tamaya.rules import VALUES, Action, Clue, Colour, Discard, Message, Play, say, say_n


@dataclass(frozen=True, slots=True)
class Choice:
    """One action: its text, what it says, which slots of the receiver it touches, and why it is refused, if it is."""

    action: str
    kind: str
    colour: Colour | None
    value: int | None
    sentence: Message
    touches: tuple[int, ...] = ()
    refusal: Message | None = None


def clue_choices(view: View, seat: int, name: str) -> list[Choice]:
    """Every clue that can be thought of for a teammate."""
    hints: tuple[Colour | int, ...] = (*view.rules.named_colours, *VALUES)
    return [_clue(view, Clue(seat, hint), name) for hint in hints]


def _clue(view: View, clue: Clue, name: str) -> Choice:
    cards = [seen.card for seen in view.hands[clue.seat]]
    touches = tuple(slot for slot, card in enumerate(cards) if card and view.rules.matches(clue.hint, card))
    colour = clue.hint if isinstance(clue.hint, Colour) else None
    hint = colour.word if colour else str(clue.hint)
    words = say_n(
        "Tell {player} “{hint}”: {n} card.", "Tell {player} “{hint}”: {n} cards.", len(touches), player=name, hint=hint
    )
    value = None if isinstance(clue.hint, Colour) else clue.hint
    return Choice(str(clue), "clue", colour, value, words, touches, _refusal(view, clue))


def card_choices(view: View, slot: int) -> list[Choice]:
    """What can be done with one of the player's own cards in their turn."""
    choices = [
        _act(view, "play", Play(slot), say("Play your card {slot}.", slot=slot + 1)),
        _act(view, "discard", Discard(slot), say("Discard your card {slot}.", slot=slot + 1)),
    ]
    if view.rules.announced_plays:
        choices += [_announced(view, Play(slot, colour)) for colour in view.rules.suits]
    return choices


def _act(view: View, kind: str, action: Action, sentence: Message) -> Choice:
    return Choice(str(action), kind, None, None, sentence, (), _refusal(view, action))


def _announced(view: View, play: Play) -> Choice:
    assert play.announced is not None
    words = say("Announce {colour} and play your card {slot}.", colour=play.announced.word, slot=play.slot + 1)
    return Choice(str(play), "announce", play.announced, None, words, (), _refusal(view, play))


def _refusal(view: View, action: Action) -> Message | None:
    if action in view.legal_actions:
        return None
    assert view.seat is not None
    return why_illegal(action, view.rules, view.seat, len(view.hand), view.clue_tokens).message
