"""What a player may choose from, each choice with the sentence it stands for and, if it cannot be had, why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tamaya.engine import View
from tamaya.engine.refusals import why_illegal
from tamaya.rules import VALUES, Action, Card, Clue, Colour, Discard, Message, Play, Rules, say, say_n

ANOTHER = -1
"""The seat of whoever gives a clue: any but the receiver's."""


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


class Receiver(NamedTuple):
    """All that the clues for a teammate depend on: the cards, which hints are legal, and whether a token is left."""

    rules: Rules
    seat: int
    name: str
    cards: tuple[Card | None, ...]
    legal: tuple[Colour | int, ...]
    token_left: bool


def receivers(view: View, names: Sequence[str]) -> list[Receiver]:
    """The teammates of the player whose view this is."""
    legal: dict[int, list[Colour | int]] = {seat: [] for seat in range(len(names)) if seat != view.seat}
    for action in view.legal_actions:
        if isinstance(action, Clue):
            legal[action.seat].append(action.hint)
    return [
        Receiver(
            view.rules, seat, names[seat], tuple(seen.card for seen in view.hands[seat]), tuple(hints), view.clue_tokens > 0
        )
        for seat, hints in legal.items()
    ]


def clue_choices(to: Receiver) -> list[Choice]:
    """Every clue that can be thought of for a teammate."""
    hints: tuple[Colour | int, ...] = (*to.rules.named_colours, *VALUES)
    return [_clue(to, hint) for hint in hints]


def _clue(to: Receiver, hint: Colour | int) -> Choice:
    clue = Clue(to.seat, hint)
    touches = tuple(slot for slot, card in enumerate(to.cards) if card and to.rules.matches(hint, card))
    colour, value = (hint, None) if isinstance(hint, Colour) else (None, hint)
    words = say_n(
        "Tell {player} “{hint}”: {n} card.",
        "Tell {player} “{hint}”: {n} cards.",
        len(touches),
        player=to.name,
        hint=colour.word if colour else str(value),
    )
    refusal = None if hint in to.legal else why_illegal(clue, to.rules, ANOTHER, 0, to.token_left).message
    return Choice(str(clue), "clue", colour, value, words, touches, refusal)


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
