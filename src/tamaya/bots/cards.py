"""What a sight says of cards: which can be played, which are dead, what clues told, and what a clue touches.

What policies share. Sets of cards are numbers, one bit each.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import COLOURS, NAMED_COLOURS, NAMED_VALUES, NUMBER, SLOT, VALUES


def build_cards(kernel: Kernel, jit: Jit, table: Table) -> Parts:
    """The functions that look at cards."""
    plan = kernel.layout
    players, hand_size, colours, kinds = plan.players, plan.hand_size, plan.colours, plan.colours * 5
    fireworks, discards, deck, hands = plan.fireworks, plan.discards, plan.deck, plan.hands
    copies, reach, hand_count = table(plan.copies), kernel.reach, kernel.hand_count
    colour_action, value_action, named_colours = plan.colour_action, plan.value_action, plan.named_colours
    play_action, announce_action, announced_plays = plan.play_action, plan.announce_action, plan.announced_plays
    multicolour_cards = 31 << plan.multicolour * 5 if plan.multicolour >= 0 else 0
    one_value = sum(1 << 5 * colour for colour in range(colours))

    @jit
    def number_at(sight: Any, seat: int, slot: int) -> int:
        """The number of the card in a slot."""
        number: int = sight[hands + (seat * hand_size + slot) * SLOT + NUMBER] + 0
        return number

    @jit
    def face_at(sight: Any, seat: int, slot: int) -> int:
        """The card in a slot, where it is seen."""
        card: int = sight[deck + number_at(sight, seat, slot)] + 0
        return card

    @jit
    def is_clued(sight: Any, seat: int, slot: int) -> bool:
        """Whether a clue has touched the card in a slot."""
        at = hands + (seat * hand_size + slot) * SLOT
        return bool(sight[at + NAMED_COLOURS] + sight[at + NAMED_VALUES] > 0)

    @jit
    def playable_cards(sight: Any) -> int:
        """The next card of each firework, if there is still one."""
        found = 0
        for colour in range(colours):
            height = sight[fireworks + colour] + 0
            if height < 5 and sight[discards + colour * 5 + height] < copies[colour * 5 + height]:
                found |= 1 << (colour * 5 + height)
        return found

    @jit
    def dead_cards(sight: Any) -> int:
        """Cards that can never be placed any more."""
        found = 0
        for colour in range(colours):
            height, end = sight[fireworks + colour] + 0, reach(sight, colour)
            found |= (31 & ~(((1 << end) - 1) & ~((1 << height) - 1))) << (colour * 5)
        return found

    @jit
    def spare_cards(sight: Any, dead: int) -> int:
        """Cards that can be done without: dead ones, and those of which more than one copy is left."""
        found = dead
        for card in range(kinds):
            if copies[card] - sight[discards + card] > 1:
                found |= 1 << card
        return found

    @jit
    def seen_cards(sight: Any, me: int) -> int:
        """The cards in the other hands."""
        found = 0
        for seat in range(players):
            if seat != me:
                for slot in range(hand_count(sight, seat)):
                    found |= 1 << face_at(sight, seat, slot)
        return found

    @jit
    def holders_of(sight: Any, card: int) -> int:
        """In how many hands a card is seen."""
        found = 0
        for seat in range(players):
            for slot in range(hand_count(sight, seat)):
                if face_at(sight, seat, slot) == card:
                    found += 1
                    break
        return found

    @jit
    def told_cards(sight: Any, seat: int, slot: int) -> int:
        """The cards that clues leave open for a slot."""
        at = hands + (seat * hand_size + slot) * SLOT
        found, values = 0, sight[at + VALUES] + 0
        for colour in range(colours):
            if (sight[at + COLOURS] >> colour) & 1:
                found |= values << (colour * 5)
        return found

    @jit
    def index_of(one: int) -> int:
        """Which card it is that the only bit stands for."""
        index = 0
        for step in (16, 8, 4, 2, 1):
            if one >> step:
                index += step
                one >>= step
        return index

    @jit
    def count_cards(some: int) -> int:
        """How many cards these are: the bits that are set, added up in pairs, fours and so on."""
        some -= (some >> 1) & 0x55555555
        some = (some & 0x33333333) + ((some >> 2) & 0x33333333)
        some = (some + (some >> 4)) & 0x0F0F0F0F
        return ((some * 0x01010101) >> 24) & 63

    @jit
    def count_out(memory: Any, sight: Any, weights: int) -> None:
        """Write how many copies of each card are neither placed nor thrown away."""
        for colour in range(colours):
            height = sight[fireworks + colour] + 0
            for value in range(5):
                card = colour * 5 + value
                memory[weights + card] = copies[card] - sight[discards + card] - (1 if value < height else 0)

    @jit
    def weigh(memory: Any, weights: int, options: int) -> int:
        """How many copies there are of these cards."""
        total = 0
        for card in range(kinds):
            if (options >> card) & 1:
                total += max(memory[weights + card], 0)
        return total

    @jit
    def target_of(giver: int, action: int) -> int:
        """The seat a clue goes to."""
        if action < value_action:
            return (giver + 1 + (action - colour_action) // named_colours) % players
        return (giver + 1 + (action - value_action) // 5) % players

    @jit
    def matching(action: int) -> int:
        """The cards that a clue touches."""
        if action < value_action:
            return 31 << ((action - colour_action) % named_colours * 5) | multicolour_cards
        return one_value << ((action - value_action) % 5)

    @jit
    def play(slot: int, fitting: int) -> int:
        """The action of playing a slot that is one of these cards if it fits; where that earns a token, with its colour."""
        if announced_plays:
            for colour in range(colours):
                if fitting and fitting & ~(31 << (colour * 5)) == 0:
                    return announce_action + slot * colours + colour
        return play_action + slot

    return Parts(
        is_clued=is_clued, target_of=target_of, matching=matching, play=play, one_value=one_value,
        multicolour_cards=multicolour_cards,
        number_at=number_at, face_at=face_at, playable_cards=playable_cards, dead_cards=dead_cards, spare_cards=spare_cards,
        seen_cards=seen_cards, holders_of=holders_of, told_cards=told_cards, index_of=index_of,
        count_cards=count_cards, count_out=count_out, weigh=weigh,
    )  # fmt: skip
