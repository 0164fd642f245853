"""What a turn changed on the board, for pages that show it move; everybody at the table has seen all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tamaya.engine import Clued, Discarded, Played, SeenCard, View
from tamaya.rules import VALUES, Card, Message, say
from tamaya.web.parts import Movement

TurnEvent = Clued | Played | Discarded


def movements(events: Sequence[TurnEvent]) -> Iterator[Movement]:
    """The turns as a page moves them, in the order given."""
    for event in events:
        match event:
            case Clued():
                yield Movement("clue", event.turn, event.numbers)
            case Played():
                yield Movement("play" if event.placed else "mistake", event.turn, (event.number,), event.card)
            case Discarded():
                yield Movement("discard", event.turn, (event.number,), event.card)


def is_lost(event: TurnEvent) -> bool:
    """Whether a card went to the discard pile."""
    return isinstance(event, Discarded) or (isinstance(event, Played) and not event.placed)


def losses(view: View) -> Mapping[int, Message]:
    """The turns after which a firework could no longer get as high as before, and what to say about it."""
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


def newest(hand: Sequence[SeenCard], view: View) -> int | None:
    """The number of the card of a hand that was drawn last; nothing before anybody has drawn."""
    dealt = view.rules.players * view.rules.hand_size
    return max((seen.number for seen in hand if seen.number >= dealt), default=None)
