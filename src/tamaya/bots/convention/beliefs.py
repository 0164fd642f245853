"""What each player believes its own cards to be, by the readings of clues and by what it sees.

The observing player does not see its own hand; where another player would see it, public knowledge stands in.
"""

from __future__ import annotations

from tamaya.bots import cards
from tamaya.bots.convention.memory import ANYTHING, CAN_DISCARD, CAN_PLAY, IDLE, BoardFacts, ConventionMemory, newest_unclued
from tamaya.bots.convention.reading import note_table, reachable_cards
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.hands import card_at, hand_count, number_at
from tamaya.engine.layout import NO_CARD, layout

OPTIONS = Options()


def update_beliefs(memory: ConventionMemory, sight: Row, board: BoardFacts) -> None:
    """Work out what each player believes its cards to be and knows to do."""
    note_table(memory, sight)
    survey_hands(memory, sight)
    exhausted = 0
    for card in range(layout.cards):
        if memory.left[card] <= memory.seen[card]:
            exhausted |= 1 << card
    for seat in range(layout.players):
        memory.all_seen[seat] = exhausted & ~memory.held[seat]
        elsewhere = 0
        for other in range(layout.players):
            if other != seat:
                elsewhere |= memory.clued[other]
        memory.clued_elsewhere[seat] = elsewhere
        update_hand(memory, sight, seat, board)


def survey_hands(memory: ConventionMemory, sight: Row) -> None:
    """Note which cards each hand holds, and which of them are clued."""
    for card in range(layout.cards):
        memory.seen[card] = 0
    marks = 0
    for seat in range(layout.players):
        held, clued = 0, 0
        for slot in range(hand_count(sight, seat)):
            number = number_at(sight, seat, slot)
            face, card = sight[layout.deck + number] + 0, memory.inferred[number]
            if face != NO_CARD:
                card = 1 << face
                memory.seen[face] += 1
                held |= card
            if card & (card - 1) == 0 and cards.is_clued(sight, seat, slot):
                clued |= card
                memory.mark_card[marks] = card
                memory.mark_since[marks] = memory.since[number]
                memory.mark_seat[marks] = seat
                marks += 1
        memory.newest[seat] = newest_card(sight, seat, 0)
        memory.held[seat] = held
        memory.clued[seat] = clued
    memory.marks = marks


def update_hand(memory: ConventionMemory, sight: Row, seat: int, board: BoardFacts) -> None:
    """Work out what a player now believes its cards to be."""
    for slot in range(hand_count(sight, seat)):
        number, place = number_at(sight, seat, slot), seat * layout.hand_size + slot
        memory.new_possible[slot] = memory.possible[number]
        memory.new_inferred[slot] = memory.inferred[number]
        memory.new_saves[slot] = memory.saves[number]
        memory.new_waiting_for[slot] = memory.waiting_for[number]
        memory.new_clued[slot] = 1 if cards.is_clued(sight, seat, slot) else 0
        memory.new_excluded[slot] = excluded_cards(memory, sight, seat, slot)
        memory.excluded[place] = memory.new_excluded[slot]
    infer_hand(memory, sight, seat, board.useless)
    known, busy = 0, IDLE
    for slot in range(hand_count(sight, seat)):
        options = memory.new_belief[slot]
        memory.belief[seat * layout.hand_size + slot] = options
        if options & (options - 1) == 0 and memory.new_clued[slot]:
            known |= options
        if options & ~board.playable == 0:
            busy = CAN_PLAY
        elif busy == IDLE and options & ~(board.useless | memory.new_excluded[slot]) == 0:
            busy = CAN_DISCARD
    memory.known[seat] = known
    memory.busy[seat] = busy


def excluded_cards(memory: ConventionMemory, sight: Row, seat: int, slot: int) -> int:
    """What a clued card cannot be, because its owner sees that card in another hand, clued before."""
    if not cards.is_clued(sight, seat, slot):
        return 0
    found, since = 0, memory.since[number_at(sight, seat, slot)]
    for mark in range(memory.marks):
        if memory.mark_since[mark] < since and memory.mark_seat[mark] != seat:
            found |= memory.mark_card[mark]
    return found


def infer_hand(memory: ConventionMemory, sight: Row, seat: int, useless: int) -> None:
    """Work out a player's beliefs from the new readings of its hand: the cards in focus, then the others, then all again."""
    held, known = hand_count(sight, seat), known_from_focus(memory, sight, seat)
    memory.connected[seat] = reachable_cards(memory, memory.clued_elsewhere[seat] | known, 0)
    for turn in range(3):
        more = known
        for slot in range(held):
            signalled = memory.new_saves[slot] != ANYTHING
            if signalled == (turn == 1):
                continue
            options = memory.new_belief[slot]
            if turn < 2 or options & (options - 1):
                options = options_of(memory, sight, seat, slot, known, useless)
                memory.new_belief[slot] = options
                if options & (options - 1) == 0 and memory.new_clued[slot]:
                    more |= options
        if more != known:
            known = more
            memory.connected[seat] = reachable_cards(memory, memory.clued_elsewhere[seat] | known, 0)
        elif turn == 1:
            break


def known_from_focus(memory: ConventionMemory, sight: Row, seat: int) -> int:
    """Start the beliefs of a hand from the readings, and return the known cards that clues were about."""
    known = 0
    for slot in range(hand_count(sight, seat)):
        options = memory.new_inferred[slot]
        memory.new_belief[slot] = options
        if options & (options - 1) == 0 and memory.new_saves[slot] != ANYTHING:
            known |= options
    return known


def options_of(memory: ConventionMemory, sight: Row, seat: int, slot: int, known: int, useless: int) -> int:
    """What a player believes one of its cards to be: if possible useful, not clued elsewhere, and connected."""
    options, saves = memory.new_inferred[slot] & ~memory.all_seen[seat], memory.new_saves[slot]
    if options == 0:
        options = memory.new_inferred[slot]
    if not memory.new_clued[slot]:
        return options
    good = options & ~memory.new_excluded[slot]
    if saves == ANYTHING:
        good &= ~useless & ~known
        if good:
            return good
        discardable = memory.new_possible[slot] & useless & ~memory.all_seen[seat]
        return discardable if discardable else options
    if options & (options - 1):
        good &= ~known
    if good == 0:
        return options
    others = saves | useless  # another player may since have played what a play clue referred to
    fits, waiting = good & (memory.connected[seat] | others), memory.new_waiting_for[slot]
    if waiting and good & ~fits:
        blind = blind_cards(memory, sight, seat, waiting, seat, 0)
        fits = good & (reachable_cards(memory, memory.clued_elsewhere[seat] | known, blind) | others)
    return fits if fits else good


def newest_card(sight: Row, seat: int, touched: int) -> int:
    """The newest unclued card of a seat if these slots are clued too; none if it is not seen."""
    slot = newest_unclued(sight, seat, touched)
    if slot < 0:
        return 0
    face = card_at(sight, seat, slot)
    return 0 if face == NO_CARD else 1 << face


def blind_cards(memory: ConventionMemory, sight: Row, viewer: int, waiting: int, target: int, touched: int) -> int:
    """The newest unclued cards of the seats waited for, if the viewer sees them and these slots of the target are clued too."""
    found = 0
    for seat in range(layout.players):
        if (waiting >> seat) & 1 and seat != viewer:
            found |= newest_card(sight, seat, touched) if touched and seat == target else memory.newest[seat]
    return found
