"""What the players have in mind in one position of a game, as far as some eyes can tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamaya.bots.convention.memory import ANYTHING
from tamaya.bots.convention.understanding import interpreted_understanding
from tamaya.engine.kernel import interpreted_kernel
from tamaya.engine.layout import CLUES, HEIGHT, NO_CARD
from tamaya.rules import Card, Message, Rules


@dataclass(frozen=True, slots=True)
class BlindCall:
    """A clue to `owner` makes no sense unless the player at `seat` holds this card in this slot. `focus` is the number of the
    card that the clue was about."""

    seat: int
    slot: int
    card: int
    owner: int
    focus: int
    clued: bool


class Minds:
    """The notes of everybody and the conclusions of each, worked out from one sight. Cards are sets, one bit for each.

    A face is known where the sight shows it. Players' conclusions are those that they would draw themselves, but for what
    follows from the `hidden` hands.
    """

    def __init__(self, rules: Rules, memory: Sequence[int], sight: bytearray, hidden: frozenset[int] = frozenset()) -> None:
        self.rules, self.sight, self._memory, self._hidden = rules, sight, list(memory), hidden
        self._notes, self._cards, self._picture, _, beliefs, self._calls = interpreted_understanding(rules)
        self._hand_count = interpreted_kernel(rules).hand_count
        self.board = self._picture.board_of(sight)
        beliefs.look(self._memory, sight, self.board)

    @property
    def last_focus(self) -> int:
        """The slot that the last clue was about; -1 if it was about none."""
        return self._memory[self._notes.last_focus]

    @property
    def may_discard(self) -> bool:
        """Whether a discard would be allowed."""
        return self.sight[CLUES] < self.rules.clue_tokens

    def slots(self, seat: int) -> range:
        """The slots of a hand."""
        return range(self._hand_count(self.sight, seat))

    def number(self, seat: int, slot: int) -> int:
        """The number of a card."""
        return self._cards.number_at(self.sight, seat, slot)

    def is_clued(self, seat: int, slot: int) -> bool:
        """Whether a clue has touched a card."""
        return self._cards.is_clued(self.sight, seat, slot)

    def chop(self, seat: int) -> int:
        """The slot that is discarded next; -1 if every card is clued."""
        return self._picture.chop_of(self.sight, seat, 0)

    def newest(self, seat: int) -> int:
        """The slot of the newest unclued card; -1 if every card is clued."""
        return self._picture.newest_unclued(self.sight, seat, 0)

    def face(self, seat: int, slot: int) -> int:
        """What a card is; no card where it is hidden."""
        face = self._cards.face_at(self.sight, seat, slot)
        return 0 if face == NO_CARD else 1 << face

    def belief(self, seat: int, slot: int) -> int:
        """What its owner takes a card for."""
        return self._memory[self._notes.belief + seat * self.rules.hand_size + slot]

    def proven(self, seat: int, slot: int) -> int:
        """What a card can be by clues and by what its owner sees, whatever the conventions say."""
        return self._memory[self._notes.picture + self.number(seat, slot)] & ~self._memory[self._notes.gone + seat]

    def saved(self, seat: int, slot: int) -> int:
        """What a card may have been saved as; nothing if no clue may have saved it."""
        loose = self._memory[self._notes.loose + self.number(seat, slot)]
        return 0 if loose == ANYTHING else loose & self.belief(seat, slot)

    def was_meant(self, seat: int, slot: int) -> bool:
        """Whether a clue was about a card."""
        return self._memory[self._notes.loose + self.number(seat, slot)] != ANYTHING

    def waits_for(self, seat: int, slot: int, other: int) -> bool:
        """Whether another player may have to play blind before a card can be played."""
        return bool(self._memory[self._notes.waiting + self.number(seat, slot)] >> other & 1)

    def hidden_from_here(self, seat: int) -> list[int]:
        """The hands that a player sees and these eyes do not."""
        return [other for other in self._hidden if other != seat]

    def may_connect(self, seat: int, slot: int) -> bool:
        """Whether hands that a player sees and these eyes do not may hold what is missing below a card that is seen: clued
        cards, and one newest card of somebody who may have to play blind for it."""
        colour, value = divmod(self.face(seat, slot).bit_length() - 1, HEIGHT)
        hidden, clued, newest, spent = self.hidden_from_here(seat), self._memory[self._notes.taken + seat], 0, False
        for other in hidden:
            for place in self.slots(other):
                clued |= self.proven(other, place) if self.is_clued(other, place) else 0
            if self.waits_for(seat, slot, other) and self.newest(other) >= 0:
                newest |= self.proven(other, self.newest(other))
        for own in self.slots(seat):
            if own != slot and self.is_clued(seat, own) and self.takes_for_one(seat, own):
                clued |= self.belief(seat, own)
        for missing in range(self._memory[self._notes.heights + colour], value):
            card = 1 << colour * HEIGHT + missing
            if not card & clued:
                if spent or not card & newest:
                    return False
                spent = True
        return bool(hidden) and not self.face(seat, slot) & self.board.dead

    def fits(self, cards: int) -> bool:
        """Whether all of these cards can be played now."""
        return cards != 0 and cards & ~self.board.playable == 0

    def may_fit(self, seat: int, slot: int) -> bool:
        """Whether a card can be played now, for all that is seen of it."""
        return not self.face(seat, slot) or self.fits(self.face(seat, slot))

    def takes_to_fit(self, seat: int, slot: int) -> bool:
        """Whether its owner takes a card for one that can be played now."""
        return self.fits(self.belief(seat, slot))

    def takes_to_be_useless(self, seat: int, slot: int) -> bool:
        """Whether its owner takes a card for one that nobody needs."""
        barred = self._memory[self._notes.barred + seat * self.rules.hand_size + slot]
        return self.belief(seat, slot) & ~(self.board.dead | barred) == 0

    def takes_for_one(self, seat: int, slot: int) -> bool:
        """Whether its owner takes a card for just one."""
        return is_single(self.belief(seat, slot))

    def is_needed(self, seat: int, face: int) -> bool:
        """Whether a card of a hand, if it is seen, can still be placed, and is clued in no other hand."""
        return face & ~(self.board.dead | self._memory[self._notes.taken + seat]) != 0

    def call(self, seat: int) -> BlindCall | None:
        """The card that a player must play, as a clue makes no sense otherwise."""
        slot = self._calls.called_slot(self._memory, self.sight, seat, self.board)
        if slot < 0:
            return None
        card, focus, owner = (
            self._memory[place] for place in (self._notes.call_card, self._notes.call_focus, self._notes.call_owner)
        )
        return BlindCall(seat, slot, 1 << card, owner, focus, self.is_clued(seat, slot))

    def slot_of(self, seat: int, number: int) -> int:
        """Where a card lies in a hand."""
        return next(slot for slot in self.slots(seat) if self.number(seat, slot) == number)

    def card(self, one: int) -> Card:
        """The only card of a set."""
        return self.rules.cards[one.bit_length() - 1]

    def word(self, one: int) -> Message:
        """What the only card of a set is called."""
        return self.card(one).word


def is_single(cards: int) -> bool:
    """Whether a set has one card."""
    return cards != 0 and cards & (cards - 1) == 0
