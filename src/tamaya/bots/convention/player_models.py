"""What each player believes in one position of a game, as far as the reader can tell."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from tamaya.bots.cards import is_clued
from tamaya.bots.convention import CONVENTION
from tamaya.bots.convention.beliefs import update_beliefs
from tamaya.bots.convention.finesses import finessed_slot
from tamaya.bots.convention.memory import ANYTHING, board_of, chop_of, newest_unclued
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel.hands import card_at, hand_count, number_at
from tamaya.engine.kernel.turn import may_discard
from tamaya.engine.layout import NO_CARD, layout
from tamaya.rules import Card, Message, Rules


@dataclass(frozen=True, slots=True)
class Finesse:
    """A prompt or finesse: a clue to `owner` makes no sense unless the player at `seat` holds this card in this slot.

    `focus` is the number of the card that the clue was about; `clued` says that it is a prompt.
    """

    seat: int
    slot: int
    card: int
    owner: int
    focus: int
    clued: bool


class PlayerModels:
    """Each player's beliefs, worked out from one sight. Cards are sets, one bit for each.

    A card is known where the sight shows it. Players' beliefs are those that they would form themselves, except for conclusions
    from the `hidden` hands.
    """

    def __init__(self, rules: Rules, memory: Sequence[int], sight: bytearray, hidden: frozenset[int] = frozenset()) -> None:
        self.rules, self.sight, self._hidden = rules, sight, hidden
        self._memory = CONVENTION.named(rules, memoryview(array("q", memory)))
        self._own = own = instance_of(Setting(rules))
        self._layout = own.value(layout)
        self._hand_count, self._number_at = own(hand_count), own(number_at)
        self._card_at, self._is_clued = own(card_at), own(is_clued)
        self.board = own(board_of)(sight)
        own(update_beliefs)(self._memory, sight, self.board)

    @property
    def last_focus(self) -> int:
        """The slot that the last clue was about; -1 if it was about none."""
        return self._memory.last_focus

    @property
    def may_discard(self) -> bool:
        """Whether a discard would be allowed."""
        return self._own(may_discard)(self.sight)

    def slots(self, seat: int) -> range:
        """The slots of a hand."""
        return range(self._hand_count(self.sight, seat))

    def number(self, seat: int, slot: int) -> int:
        """The number of a card."""
        return self._number_at(self.sight, seat, slot)

    def is_clued(self, seat: int, slot: int) -> bool:
        """Whether a clue has touched a card."""
        return self._is_clued(self.sight, seat, slot)

    def chop(self, seat: int) -> int:
        """The slot that is discarded next; -1 if every card is clued."""
        return self._own(chop_of)(self.sight, seat, 0)

    def newest(self, seat: int) -> int:
        """The slot of the newest unclued card; -1 if every card is clued."""
        return self._own(newest_unclued)(self.sight, seat, 0)

    def face(self, seat: int, slot: int) -> int:
        """A card's face; no card where it is hidden."""
        face = self._card_at(self.sight, seat, slot)
        return 0 if face == NO_CARD else 1 << face

    def belief(self, seat: int, slot: int) -> int:
        """What a card's owner believes it to be."""
        return self._memory.belief[seat * self.rules.hand_size + slot]

    def proven(self, seat: int, slot: int) -> int:
        """What a card can be by clues and by what its owner sees, whatever the conventions say."""
        return self._memory.possible[self.number(seat, slot)] & ~self._memory.all_seen[seat]

    def saved(self, seat: int, slot: int) -> int:
        """What a card may have been saved as; nothing if no clue may have saved it."""
        saves = self._memory.saves[self.number(seat, slot)]
        return 0 if saves == ANYTHING else saves & self.belief(seat, slot)

    def was_meant(self, seat: int, slot: int) -> bool:
        """Whether a clue was about a card."""
        return self._memory.saves[self.number(seat, slot)] != ANYTHING

    def waits_for(self, seat: int, slot: int, other: int) -> bool:
        """Whether another player may have to play blind before a card can be played."""
        return bool(self._memory.waiting_for[self.number(seat, slot)] >> other & 1)

    def hidden_from_here(self, seat: int) -> list[int]:
        """The hands that a player sees and the reader does not."""
        return [other for other in self._hidden if other != seat]

    def may_connect(self, seat: int, slot: int) -> bool:
        """Whether hidden hands may hold what is missing below a visible card: clued cards, and one newest card to play
        blind."""
        colour, value = divmod(self.face(seat, slot).bit_length() - 1, self._layout.values)
        hidden, clued, newest, spent = self.hidden_from_here(seat), self._memory.clued_elsewhere[seat], 0, False
        for other in hidden:
            for place in self.slots(other):
                clued |= self.proven(other, place) if self.is_clued(other, place) else 0
            if self.waits_for(seat, slot, other) and self.newest(other) >= 0:
                newest |= self.proven(other, self.newest(other))
        for own in self.slots(seat):
            if own != slot and self.is_clued(seat, own) and self.takes_for_one(seat, own):
                clued |= self.belief(seat, own)
        for missing in range(self._memory.heights[colour], value):
            card = 1 << colour * self._layout.values + missing
            if not card & clued:
                if spent or not card & newest:
                    return False
                spent = True
        return bool(hidden) and not self.face(seat, slot) & self.board.useless

    def fits(self, cards: int) -> bool:
        """Whether all of these cards can be played now."""
        return cards != 0 and cards & ~self.board.playable == 0

    def may_fit(self, seat: int, slot: int) -> bool:
        """Whether a card may be playable now, as far as the reader sees."""
        return not self.face(seat, slot) or self.fits(self.face(seat, slot))

    def takes_to_fit(self, seat: int, slot: int) -> bool:
        """Whether a card's owner believes that it can be played now."""
        return self.fits(self.belief(seat, slot))

    def takes_to_be_useless(self, seat: int, slot: int) -> bool:
        """Whether a card's owner believes that it is useless."""
        excluded = self._memory.excluded[seat * self.rules.hand_size + slot]
        return self.belief(seat, slot) & ~(self.board.useless | excluded) == 0

    def takes_for_one(self, seat: int, slot: int) -> bool:
        """Whether a card's owner believes it to be exactly one."""
        return is_single(self.belief(seat, slot))

    def is_needed(self, seat: int, face: int) -> bool:
        """Whether a card of a hand, if it is seen, can still be placed, and is clued in no other hand."""
        return face & ~(self.board.useless | self._memory.clued_elsewhere[seat]) != 0

    def finesse(self, seat: int) -> Finesse | None:
        """The prompt or finesse that a player must answer."""
        slot = self._own(finessed_slot)(self._memory, self.sight, seat, self.board)
        if slot < 0:
            return None
        memory = self._memory
        clued = self.is_clued(seat, slot)
        return Finesse(seat, slot, 1 << memory.finesse_card, memory.finesse_owner, memory.finesse_focus, clued)

    def slot_of(self, seat: int, number: int) -> int:
        """The slot of a card in a hand."""
        return next(slot for slot in self.slots(seat) if self.number(seat, slot) == number)

    def card(self, one: int) -> Card:
        """The only card of a set."""
        return self.rules.cards[one.bit_length() - 1]

    def word(self, one: int) -> Message:
        """The name of the only card of a set."""
        return self.card(one).word


def is_single(cards: int) -> bool:
    """Whether a set has one card."""
    return cards != 0 and cards & (cards - 1) == 0
