"""What each player takes its own cards for, going by the readings and by what it sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.convention.memory import ANYTHING, CAN_DISCARD, CAN_PLAY, IDLE, BoardFacts, ConventionMemory, ConventionPicture
from tamaya.bots.convention.reading import Reading
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import NO_CARD


class Beliefs(NamedTuple):
    """The functions that look at the table with another player's eyes."""

    look: Callable[[Row, Row, BoardFacts], None]
    judge_slots: Callable[[Row, Row, int, int, int], None]
    blind_cards: Callable[[Row, Row, int, int, int, int], int]


def build_beliefs(
    kernel: Kernel, jit: Jit, notes: ConventionMemory, cards: Cards, picture: ConventionPicture, reading: Reading
) -> Beliefs:
    """The functions that look at the table with another player's eyes.

    The looking player does not see its own hand; where another would see it, what is publicly known of it stands in.
    """
    layout = kernel.layout

    @jit
    def look(memory: Row, sight: Row, board: BoardFacts) -> None:
        """See the table as each player does."""
        reading.measure(memory, sight)
        look_at_hands(memory, sight)
        exhausted = 0
        for card in range(layout.cards):
            if memory[notes.left + card] <= memory[notes.seen + card]:
                exhausted |= 1 << card
        for seat in range(layout.players):
            memory[notes.gone + seat] = exhausted & ~memory[notes.faces + seat]
            elsewhere = 0
            for other in range(layout.players):
                if other != seat:
                    elsewhere |= memory[notes.clued + other]
            memory[notes.taken + seat] = elsewhere
            judge_hand(memory, sight, seat, board)

    @jit
    def look_at_hands(memory: Row, sight: Row) -> None:
        """Write down which cards each hand holds, and which of them are clued."""
        for card in range(layout.cards):
            memory[notes.seen + card] = 0
        marks = 0
        for seat in range(layout.players):
            held, clued = 0, 0
            for slot in range(kernel.hand_count(sight, seat)):
                number = cards.number_at(sight, seat, slot)
                face, card = sight[layout.deck + number] + 0, memory[notes.meant + number]
                if face != NO_CARD:
                    card = 1 << face
                    memory[notes.seen + face] += 1
                    held |= card
                if card & (card - 1) == 0 and cards.is_clued(sight, seat, slot):
                    clued |= card
                    memory[notes.mark_card + marks] = card
                    memory[notes.mark_since + marks] = memory[notes.since + number]
                    memory[notes.mark_seat + marks] = seat
                    marks += 1
            memory[notes.newest + seat] = newest_card(sight, seat, 0)
            memory[notes.faces + seat] = held
            memory[notes.clued + seat] = clued
        memory[notes.marks] = marks

    @jit
    def judge_hand(memory: Row, sight: Row, seat: int, board: BoardFacts) -> None:
        """What a player takes its own cards for, as things are."""
        for slot in range(kernel.hand_count(sight, seat)):
            number, place = cards.number_at(sight, seat, slot), seat * layout.hand_size + slot
            memory[notes.new_picture + slot] = memory[notes.picture + number]
            memory[notes.new_meant + slot] = memory[notes.meant + number]
            memory[notes.new_loose + slot] = memory[notes.loose + number]
            memory[notes.new_waiting + slot] = memory[notes.waiting + number]
            memory[notes.new_barred + slot] = barred_cards(memory, sight, seat, slot)
            memory[notes.barred + place] = memory[notes.new_barred + slot]
        judge_slots(memory, sight, seat, 0, board.dead)
        known, busy = 0, IDLE
        for slot in range(kernel.hand_count(sight, seat)):
            options = memory[notes.new_belief + slot]
            memory[notes.belief + seat * layout.hand_size + slot] = options
            if options & (options - 1) == 0 and cards.is_clued(sight, seat, slot):
                known |= options
            if options & ~board.playable == 0:
                busy = CAN_PLAY
            elif busy == IDLE and options & ~(board.dead | memory[notes.new_barred + slot]) == 0:
                busy = CAN_DISCARD
        memory[notes.known + seat] = known
        memory[notes.busy + seat] = busy

    @jit
    def barred_cards(memory: Row, sight: Row, seat: int, slot: int) -> int:
        """What a clued card cannot be, as the player sees it elsewhere, clued before; for a card nobody spoke of, nothing."""
        if not cards.is_clued(sight, seat, slot):
            return 0
        found, since = 0, memory[notes.since + cards.number_at(sight, seat, slot)]
        for mark in range(memory[notes.marks]):
            if memory[notes.mark_since + mark] < since and memory[notes.mark_seat + mark] != seat:
                found |= memory[notes.mark_card + mark]
        return found

    @jit
    def judge_slots(memory: Row, sight: Row, seat: int, touched: int, dead: int) -> None:
        """What a player takes its own cards for, these slots being clued too."""
        held, known = kernel.hand_count(sight, seat), 0
        for slot in range(held):
            options = memory[notes.new_meant + slot]
            memory[notes.new_belief + slot] = options
            if options & (options - 1) == 0 and memory[notes.new_loose + slot] != ANYTHING:
                known |= options
        memory[notes.connected + seat] = reading.chain(memory, memory[notes.taken + seat] | known, 0)
        for turn in range(3):
            more = known
            for slot in range(held):
                signalled = memory[notes.new_loose + slot] != ANYTHING
                if signalled == (turn == 1):
                    continue  # the cards in focus first, then the others, then again those in focus
                options = memory[notes.new_belief + slot]
                marked = (touched >> slot) & 1 == 1 or cards.is_clued(sight, seat, slot)
                if turn < 2 or options & (options - 1):
                    options = options_of(memory, sight, seat, slot, marked, known, dead)
                    memory[notes.new_belief + slot] = options
                    if options & (options - 1) == 0 and marked:
                        more |= options
            if more != known:
                known = more
                memory[notes.connected + seat] = reading.chain(memory, memory[notes.taken + seat] | known, 0)
            elif turn == 1:
                break

    @jit
    def options_of(memory: Row, sight: Row, seat: int, slot: int, marked: bool, known: int, dead: int) -> int:
        """What a player takes one of its cards for: useful, not clued elsewhere, and connected, as far as that can be."""
        options, loose = memory[notes.new_meant + slot] & ~memory[notes.gone + seat], memory[notes.new_loose + slot]
        if options == 0:
            options = memory[notes.new_meant + slot]
        if not marked:
            return options
        good = options & ~memory[notes.new_barred + slot]
        if loose == ANYTHING:
            good &= ~dead & ~known
            if good:
                return good
            useless = memory[notes.new_picture + slot] & dead & ~memory[notes.gone + seat]
            return useless if useless else options
        if options & (options - 1):
            good &= ~known
        if good == 0:
            return options
        others = loose | dead  # what a play clue spoke of may since have been played by another
        fits, waiting = good & (memory[notes.connected + seat] | others), memory[notes.new_waiting + slot]
        if waiting and good & ~fits:
            blind = blind_cards(memory, sight, seat, waiting, seat, 0)
            fits = good & (reading.chain(memory, memory[notes.taken + seat] | known, blind) | others)
        return fits if fits else good

    @jit
    def newest_card(sight: Row, seat: int, touched: int) -> int:
        """The newest unclued card of a seat, these slots being clued too; nothing if it is not seen."""
        slot = picture.newest_unclued(sight, seat, touched)
        if slot < 0:
            return 0
        face = cards.face_at(sight, seat, slot)
        return 0 if face == NO_CARD else 1 << face

    @jit
    def blind_cards(memory: Row, sight: Row, viewer: int, waiting: int, target: int, touched: int) -> int:
        """The newest unclued cards of the seats that are waited for, as far as the viewer sees them; of the target's hand
        these slots are clued too."""
        found = 0
        for seat in range(layout.players):
            if (waiting >> seat) & 1 and seat != viewer:
                found |= newest_card(sight, seat, touched) if touched and seat == target else memory[notes.newest + seat]
        return found

    return Beliefs(look, judge_slots, blind_cards)
