"""A policy at a table, playing from views, and the sights retraced from views.

A view has the log and the cards that its seat may see. From these the kernel replays the game, with the seat's own cards
unknown until they leave the hand. Each sight equals, byte for byte, what `tamaya.engine.kernel.hands.see` would have written at
that time.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from tamaya.bots.policy import Policy
from tamaya.bots.protocol import illegal_choice
from tamaya.engine import Arranged, Clued, Discarded, Event, Played, View
from tamaya.engine.game import rearrange
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel.deal import begin
from tamaya.engine.kernel.hands import hand_count
from tamaya.engine.kernel.turn import apply
from tamaya.engine.layout import NO_CARD, NUMBER, SLOT, layout_of
from tamaya.rules import Action, Card, Clue, Colour, Discard, Message, Play, Rules, action_of, number_of

SeenTurn: TypeAlias = tuple[bytearray, bytearray]
"""An action as a seat saw it: its sights before and after."""


class SightTracker:
    """What one seat has seen of one game; `now` is its current sight."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None, "a spectator has no sights"
        self.rules, self.seat = view.rules, view.seat
        functions = instance_of(Setting(view.rules))
        self.layout = layout = layout_of(view.rules)
        self._repeat, self._hand_count = functions(apply), functions(hand_count)
        self._heard: tuple[Event, ...] = ()
        self.now = bytearray(layout.size)
        self.now[layout.deck : layout.hands] = bytes([NO_CARD]) * layout.deck_size
        functions(begin)(self.now)
        faces = _faces(view, view.log)
        for number in range(layout.players * layout.hand_size):
            if number // layout.hand_size != self.seat:
                self.now[layout.deck + number] = faces[number]

    def lead_to(self, view: View) -> bool:
        """Whether a view shows the same seat and game, now or later, as far as the seat can tell."""
        heard = len(self._heard)
        if view.seat != self.seat or view.rules != self.rules or view.log[:heard] != self._heard:
            return False
        shown = ((self.now[self.layout.deck + number], card) for number, card in _faces(view, view.log[heard:]).items())
        return all(known in (card, NO_CARD) for known, card in shown)

    def follow(self, view: View) -> list[SeenTurn]:
        """The actions since the last call, in a later view. A rearranged hand is no action; it shows in the next sight."""
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
        """Reveal a card to all, and the one drawn for it to all but the player."""
        deck = self.layout.deck
        self.now[deck + event.number] = faces[event.number]
        slot = event.slot
        self._apply(event.seat, Discard(slot) if isinstance(event, Discarded) else Play(slot, event.announced))
        if event.drew is not None and event.seat != self.seat:
            self.now[deck + event.drew] = faces[event.drew]

    def _clue(self, event: Clued) -> None:
        """Apply a clue; in the seat's own hand, stand-ins that the clue touches in the same way replace the unknown cards."""
        layout, hidden = self.layout, []
        if event.target == self.seat:
            touched, missed = _placeholder_cards(self.rules, event.hint)
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
    return SightTracker(view).follow(view)


def _faces(view: View, events: tuple[Event, ...]) -> dict[int, int]:
    """The cards in these events that the seat saw in hands or leaving them, by their numbers in the deal."""
    cards = _numbers(view.rules)
    faces = {seen.number: cards[seen.card] for hand in view.hands for seen in hand if seen.card}
    return faces | {event.number: cards[event.card] for event in events if isinstance(event, (Played, Discarded))}


@lru_cache(maxsize=256)
def _numbers(rules: Rules) -> dict[Card, int]:
    return {card: number for number, card in enumerate(rules.cards)}


@lru_cache(maxsize=1024)
def _placeholder_cards(rules: Rules, hint: Colour | int) -> tuple[int, int]:
    """A card that a clue touches, and one that it does not; if it touches every card, the second is never needed."""
    touches = [rules.matches(hint, card) for card in rules.cards]
    return touches.index(True), touches.index(False) if False in touches else NO_CARD


class PolicyBot:
    """A policy in one seat of one game. It keeps its memory between turns, and starts afresh for another game or past."""

    def __init__(self, policy: Policy[Any]) -> None:
        self._policy = policy
        self._memory = _blank(0)
        self._sights: SightTracker | None = None

    def act(self, view: View) -> Action:
        """The policy's choice."""
        self._policy.check_rules(view.rules)
        functions = instance_of(self._policy.setting(view.rules))
        sights, self._sights = self._sights, None  # if anything fails, the next turn starts afresh
        begins = sights is None or not sights.lead_to(view)
        if sights is None or begins:
            sights, self._memory = SightTracker(view), _blank(self._policy.size(view.rules))
        # A memoryview, so that parts of it can be passed on and written into.
        memory = self._policy.named(view.rules, memoryview(self._memory))
        if begins:
            functions(self._policy.start)(memory, sights.now)
        for before, after in sights.follow(view):
            functions(self._policy.update)(memory, sights.seat, before, after)
        mask, random_bits = bytearray(sights.layout.actions), zlib.crc32(sights.now)
        for legal in view.legal_actions:
            mask[number_of(legal, view.rules, sights.seat) or 0] = 1
        number = functions(self._policy.choose)(memory, sights.now, mask, random_bits)
        action = action_of(number, view.rules, sights.seat)
        if action not in view.legal_actions:
            raise illegal_choice(str(action))
        self._sights = sights
        return action

    @property
    def memory(self) -> Sequence[int]:
        """What the policy remembers after its last choice."""
        return self._memory

    def explain(self) -> Message | None:
        """The reason for the last choice, if the policy has an explanation."""
        if self._policy.explain is None or self._sights is None:
            return None
        rules = self._sights.rules
        return self._policy.explain(rules, self._policy.named(rules, memoryview(self._memory)))


def _blank(size: int) -> array[int]:
    return array("q", bytes(size * array("q").itemsize))
