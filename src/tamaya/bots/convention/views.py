"""What each player takes its own cards for, going by the readings and by what it sees."""

from __future__ import annotations

from typing import Any

from tamaya.bots.convention.memory import ANYTHING, Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import NO_CARD


def build_views(kernel: Kernel, jit: Jit, notes: Memory, picture: Parts) -> Parts:
    """The functions that look at the table with another player's eyes.

    The looking player does not see its own hand; where another would see it, what is publicly known of it stands in.
    """
    plan = kernel.layout
    players, hand_size, colours, cards = plan.players, plan.hand_size, plan.colours, plan.colours * 5
    deck, fireworks = plan.deck, plan.fireworks
    hand_count, reach, number_at, is_clued = kernel.hand_count, kernel.reach, picture.number_at, picture.is_clued
    meant, loose, waiting, left, view = notes.meant, notes.loose, notes.waiting, notes.left, notes.view
    picture_row, new_picture = notes.picture, notes.new_picture
    now, new_meant, new_loose, new_waiting = notes.now, notes.new_meant, notes.new_loose, notes.new_waiting
    known_cards, busy = notes.known, notes.busy
    since, barred, new_barred = notes.since, notes.barred, notes.new_barred
    told, anybody, fronts = notes.told, notes.anybody, notes.fronts
    ends, heights, meanings = notes.ends, notes.heights, notes.meanings
    faces, clued, taken, gone, direct, seen = notes.faces, notes.clued, notes.taken, notes.gone, notes.direct, notes.seen

    @jit
    def look_at_hands(memory: Any, sight: Any) -> None:
        """Write down which cards each hand holds, and which of them are clued."""
        for card in range(cards):
            memory[seen + card] = 0
        entry = told + 1
        for seat in range(players):
            held, marked = 0, 0
            for slot in range(hand_count(sight, seat)):
                number = number_at(sight, seat, slot)
                face, card = sight[deck + number] + 0, memory[meant + number]
                if face != NO_CARD:
                    card = 1 << face
                    memory[seen + face] += 1
                    held |= card
                if card & (card - 1) == 0 and is_clued(sight, seat, slot):
                    marked |= card
                    memory[entry], memory[entry + 1], memory[entry + 2] = card, memory[since + number], seat
                    entry += 3
            memory[fronts + seat] = front_card(sight, seat, 0)
            memory[faces + seat] = held
            memory[clued + seat] = marked
        memory[told] = entry

    @jit
    def measure(memory: Any, sight: Any) -> None:
        """Write down the fireworks, and what the clued cards of each hand can be."""
        for colour in range(colours):
            memory[heights + colour] = sight[fireworks + colour]
            memory[ends + colour] = reach(sight, colour)
        waits = 0
        for seat in range(players):
            found = 0
            for slot in range(hand_count(sight, seat)):
                number = number_at(sight, seat, slot)
                waits |= memory[waiting + number]
                if is_clued(sight, seat, slot):
                    found |= memory[meant + number]
            memory[meanings + seat] = found
        memory[anybody] = waits

    @jit
    def chain(memory: Any, connected: int, blind: int) -> int:
        """The cards that can be placed now, or once those connected, and at most one of the blind ones of each colour, are."""
        found = 0
        for colour in range(colours):
            height, end, spent = memory[heights + colour], memory[ends + colour], False
            while height < end:
                card = 1 << (colour * 5 + height)
                found |= card
                if not card & connected:
                    if spent or not card & blind:
                        break
                    spent = True
                height += 1
        return found

    @jit
    def look(memory: Any, sight: Any, playable: int, dead: int) -> None:
        """See the table as each player does."""
        measure(memory, sight)
        look_at_hands(memory, sight)
        exhausted = 0
        for card in range(cards):
            if memory[left + card] <= memory[seen + card]:
                exhausted |= 1 << card
        for seat in range(players):
            memory[gone + seat] = exhausted & ~memory[faces + seat]
            elsewhere = 0
            for other in range(players):
                if other != seat:
                    elsewhere |= memory[clued + other]
            memory[taken + seat] = elsewhere
            view_hand(memory, sight, seat, playable, dead)

    @jit
    def view_hand(memory: Any, sight: Any, seat: int, playable: int, dead: int) -> None:
        """What a player takes its own cards for, as things are."""
        for slot in range(hand_count(sight, seat)):
            number = number_at(sight, seat, slot)
            memory[new_picture + slot] = memory[picture_row + number]
            memory[new_meant + slot] = memory[meant + number]
            memory[new_loose + slot] = memory[loose + number]
            memory[new_waiting + slot] = memory[waiting + number]
            memory[new_barred + slot] = barred_cards(memory, sight, seat, slot)
            memory[barred + seat * hand_size + slot] = memory[new_barred + slot]
        view_slots(memory, sight, seat, 0, dead)
        sure, busy_with = 0, 0
        for slot in range(hand_count(sight, seat)):
            options = memory[now + slot]
            memory[view + seat * hand_size + slot] = options
            if options & (options - 1) == 0 and is_clued(sight, seat, slot):
                sure |= options
            if options & ~playable == 0:
                busy_with = 2
            elif busy_with == 0 and options & ~(dead | memory[new_barred + slot]) == 0:
                busy_with = 1
        memory[known_cards + seat] = sure
        memory[busy + seat] = busy_with

    @jit
    def barred_cards(memory: Any, sight: Any, seat: int, slot: int) -> int:
        """What a clued card cannot be, as the player sees it elsewhere, clued before; for a card nobody spoke of, nothing."""
        if not is_clued(sight, seat, slot):
            return 0
        found, turn = 0, memory[since + number_at(sight, seat, slot)]
        for entry in range(told + 1, memory[told], 3):
            if memory[entry + 1] < turn and memory[entry + 2] != seat:
                found |= memory[entry]
        return found

    @jit
    def view_slots(memory: Any, sight: Any, seat: int, touched: int, dead: int) -> None:
        """What a player takes its own cards for, these slots being clued too."""
        held, known = hand_count(sight, seat), 0
        for slot in range(held):
            options = memory[new_meant + slot]
            memory[now + slot] = options
            if options & (options - 1) == 0 and memory[new_loose + slot] != ANYTHING:
                known |= options
        memory[direct + seat] = chain(memory, memory[taken + seat] | known, 0)
        for turn in range(3):
            more = known
            for slot in range(held):
                signalled = memory[new_loose + slot] != ANYTHING
                if signalled == (turn == 1):
                    continue  # the cards in focus first, then the others, then again those in focus
                options = memory[now + slot]
                marked = (touched >> slot) & 1 == 1 or is_clued(sight, seat, slot)
                if turn < 2 or options & (options - 1):
                    options = options_of(memory, sight, seat, slot, marked, known, dead)
                    memory[now + slot] = options
                    if options & (options - 1) == 0 and marked:
                        more |= options
            if more != known:
                known = more
                memory[direct + seat] = chain(memory, memory[taken + seat] | known, 0)
            elif turn == 1:
                break

    @jit
    def options_of(memory: Any, sight: Any, seat: int, slot: int, marked: bool, known: int, dead: int) -> int:
        """What a player takes one of its cards for: useful, not clued elsewhere, and connected, as far as that can be."""
        options, loose_cards = memory[new_meant + slot] & ~memory[gone + seat], memory[new_loose + slot]
        if options == 0:
            options = memory[new_meant + slot]
        if not marked:
            return options
        if loose_cards == ANYTHING:
            good = options & ~memory[new_barred + slot] & ~dead & ~known
            if good:
                return good
            useless = memory[new_picture + slot] & dead & ~memory[gone + seat]
            return useless if useless else options
        good = options & ~memory[new_barred + slot]
        if options & (options - 1):
            good &= ~known
        if good == 0:
            return options
        others = loose_cards | dead  # what a play clue spoke of may since have been played by another
        fits, waits = good & (memory[direct + seat] | others), memory[new_waiting + slot]
        if waits and good & ~fits:
            fits = good & (
                chain(memory, memory[taken + seat] | known, blind_cards(memory, sight, seat, waits, seat, 0)) | others
            )
        return fits if fits else good

    @jit
    def newest_unclued(sight: Any, seat: int, touched: int) -> int:
        """The slot that a finesse speaks of, these slots being clued too; -1 if every card is clued."""
        best, newest = -1, -1
        for slot in range(hand_count(sight, seat)):
            number = number_at(sight, seat, slot)
            if number > newest and not (touched >> slot) & 1 and not is_clued(sight, seat, slot):
                best, newest = slot, number
        return best

    @jit
    def chop_of(sight: Any, seat: int) -> int:
        """The slot that is discarded next: the oldest unclued card; -1 if every card is clued."""
        best, oldest = -1, NO_CARD
        for slot in range(hand_count(sight, seat)):
            number = number_at(sight, seat, slot)
            if number < oldest and not is_clued(sight, seat, slot):
                best, oldest = slot, number
        return best

    @jit
    def front_card(sight: Any, seat: int, touched: int) -> int:
        """The newest unclued card of a seat, these slots being clued too; nothing if it is not seen."""
        slot = newest_unclued(sight, seat, touched)
        if slot < 0:
            return 0
        face = sight[deck + number_at(sight, seat, slot)] + 0
        return 0 if face == NO_CARD else 1 << face

    @jit
    def blind_cards(memory: Any, sight: Any, viewer: int, waits: int, target: int, touched: int) -> int:
        """The newest unclued cards of the seats that may still have to play blind, as far as they are seen."""
        found = 0
        for seat in range(players):
            if (waits >> seat) & 1 and seat != viewer:
                found |= front_card(sight, seat, touched) if touched and seat == target else memory[fronts + seat]
        return found

    return Parts(
        look=look, measure=measure, view_slots=view_slots, chain=chain, newest_unclued=newest_unclued, chop_of=chop_of,
        blind_cards=blind_cards,
    )  # fmt: skip
