"""A game as one seat saw it, sight by sight, retraced from a view: what policies, which read sights, need at a table.

A view has the log and the faces that its seat may see. From these the kernel plays the game once more, with the seat's own
cards unknown until they leave the hand. Each sight is what `Kernel.see` would have written at that time, byte for byte.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from tamaya.engine import Arranged, Clued, Discarded, Event, Played, View
from tamaya.engine.game import rearrange
from tamaya.engine.kernel import interpreted_kernel
from tamaya.engine.layout import NO_CARD, NUMBER, SLOT
from tamaya.rules import Action, Card, Clue, Colour, Discard, Play, Rules, number_of

SeenTurn: TypeAlias = tuple[bytearray, bytearray]
"""An action as a seat saw it: its sight before and its sight after."""


class Sights:
    """What one seat has seen of one game so far; `now` is what it sees at present."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None, "who only watches has no sights"
        self.rules, self.seat = view.rules, view.seat
        kernel = interpreted_kernel(view.rules)
        self.layout = layout = kernel.layout
        self._repeat, self._hand_count = kernel.apply, kernel.hand_count
        self._heard: tuple[Event, ...] = ()
        self.now = bytearray(layout.size)
        self.now[layout.deck : layout.hands] = bytes([NO_CARD]) * layout.deck_size
        kernel.begin(self.now)
        faces = _faces(view, view.log)
        for number in range(layout.players * layout.hand_size):
            if number // layout.hand_size != self.seat:
                self.now[layout.deck + number] = faces[number]

    def lead_to(self, view: View) -> bool:
        """Whether a view is of the same seat and the same game, now or later, as far as the seat can tell."""
        heard = len(self._heard)
        if view.seat != self.seat or view.rules != self.rules or view.log[:heard] != self._heard:
            return False
        shown = ((self.now[self.layout.deck + number], card) for number, card in _faces(view, view.log[heard:]).items())
        return all(known in (card, NO_CARD) for known, card in shown)

    def follow(self, view: View) -> list[SeenTurn]:
        """The actions since the last time, in a view that these sights lead to. A hand laid out anew in between is no action,
        and shows in the sight before the next."""
        news, self._heard = view.log[len(self._heard) :], view.log
        faces, turns = _faces(view, news), []
        for event in news:
            before = self.now.copy()
            match event:
                case Arranged(_, seat, order, turned):
                    rearrange(self.layout, self.now, seat, order, turned)
                    continue
                case Clued():
                    self._clue(event)
                case Played() | Discarded():
                    self._take(event, faces)
            turns.append((before, self.now.copy()))
        return turns

    def _take(self, event: Played | Discarded, faces: dict[int, int]) -> None:
        """The card is shown to all, and the one drawn for it to all but the player."""
        deck = self.layout.deck
        self.now[deck + event.number] = faces[event.number]
        slot = event.slot
        self._apply(event.seat, Discard(slot) if isinstance(event, Discarded) else Play(slot, event.announced))
        if event.drew is not None and event.seat != self.seat:
            self.now[deck + event.drew] = faces[event.drew]

    def _clue(self, event: Clued) -> None:
        """For a clue to the seat itself, any cards that the clue touches as it did touch them stand in for the unknown ones."""
        layout, hidden = self.layout, []
        if event.target == self.seat:
            touched, missed = _stand_ins(self.rules, event.hint)
            for slot in range(self._hand_count(self.now, self.seat)):
                at = layout.deck + self.now[layout.hands + (self.seat * layout.hand_size + slot) * SLOT + NUMBER]
                self.now[at] = touched if slot in event.slots else missed
                hidden.append(at)
        self._apply(event.seat, Clue(event.target, event.hint))
        for at in hidden:
            self.now[at] = NO_CARD

    def _apply(self, seat: int, action: Action) -> None:
        number = number_of(action, self.rules, seat)
        assert number is not None
        self._repeat(self.now, number)


def retrace(view: View) -> list[SeenTurn]:
    """All actions of a game, as the seat of a view saw them."""
    return Sights(view).follow(view)


def _faces(view: View, events: tuple[Event, ...]) -> dict[int, int]:
    """The cards that the seat sees in hands or that left one in these events, by their numbers in the deal."""
    cards = _numbers(view.rules)
    faces = {seen.number: cards[seen.card] for hand in view.hands for seen in hand if seen.card}
    return faces | {event.number: cards[event.card] for event in events if isinstance(event, (Played, Discarded))}


@lru_cache(maxsize=256)
def _numbers(rules: Rules) -> dict[Card, int]:
    return {card: number for number, card in enumerate(rules.cards)}


@lru_cache(maxsize=1024)
def _stand_ins(rules: Rules, hint: Colour | int) -> tuple[int, int]:
    """A card that a clue touches and one that it does not; where it touches all cards, none is missed."""
    touches = [rules.matches(hint, card) for card in rules.cards]
    return touches.index(True), touches.index(False) if False in touches else NO_CARD
