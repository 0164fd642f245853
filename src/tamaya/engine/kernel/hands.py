"""Hands: drawing cards, taking them out, marking what clues tell of them, and what each seat sees."""

from __future__ import annotations

from tamaya.engine.instances import Options, Row
from tamaya.engine.layout import (
    DRAWN,
    LAST_TURNS,
    NAMED,
    NO_CARD,
    NUMBER,
    POSSIBLE_COLOURS,
    POSSIBLE_VALUES,
    SLOT,
    layout,
)

OPTIONS = Options("inline")
EVERYBODY = -1
"""In place of a seat: every hand is seen, for cheating bots that serve as a yardstick."""


def hand_count(state: Row, seat: int) -> int:
    """The number of cards in a hand, counted from the right because most hands are full."""
    count = layout.hand_size
    while count > 0 and state[layout.hands + seat * layout.hand_bytes + (count - 1) * SLOT + NUMBER] == NO_CARD:
        count -= 1
    return count


def number_at(state: Row, seat: int, slot: int) -> int:
    """The number of the card in a slot."""
    return state[layout.hands + (seat * layout.hand_size + slot) * SLOT + NUMBER] + 0


def card_at(state: Row, seat: int, slot: int) -> int:
    """The card in a slot, where it is seen."""
    return state[layout.deck + number_at(state, seat, slot)] + 0


def put_top_card(state: Row, at: int) -> None:
    """Move the top card of the deck into the slot whose bytes begin at `at`."""
    for byte in range(at, at + SLOT):
        state[byte] = 0
    state[at + NUMBER] = state[DRAWN]
    state[at + POSSIBLE_COLOURS] = layout.every_colour
    state[at + POSSIBLE_VALUES] = layout.every_value
    state[DRAWN] += 1


def draw(state: Row, seat: int) -> None:
    """Draw the top card of the deck, if any, as the rightmost of the hand; the last one starts the last turns."""
    if state[DRAWN] == layout.deck_size:
        return
    put_top_card(state, layout.hands + seat * layout.hand_bytes + hand_count(state, seat) * SLOT)
    if state[DRAWN] == layout.deck_size and not layout.all_or_nothing:
        state[LAST_TURNS] = layout.players


def take(state: Row, seat: int, slot: int) -> int:
    """Remove a card from a hand, close the gap, and return the card's number."""
    first = layout.hands + seat * layout.hand_bytes + slot * SLOT
    last = layout.hands + (seat + 1) * layout.hand_bytes - SLOT
    number = state[first + NUMBER]
    for at in range(first, last):
        state[at] = state[at + SLOT]
    for at in range(last, last + SLOT):
        state[at] = 0
    state[last + NUMBER] = NO_CARD
    return number


def tell(state: Row, seat: int, trait: int, named: int, matching: int) -> int:
    """Tell a hand one colour or value (`trait` says which): touched cards match it, the others do not.

    Returns the set of touched slots.
    """
    touched = 0
    for slot in range(hand_count(state, seat)):
        at = layout.hands + seat * layout.hand_bytes + slot * SLOT
        card = state[layout.deck + state[at + NUMBER]]
        kind = card // layout.values if trait == POSSIBLE_COLOURS else card % layout.values
        if (matching >> kind) & 1:
            state[at + trait] &= matching
            state[at + trait + NAMED] |= 1 << named
            touched |= 1 << slot
        else:
            state[at + trait] &= ~matching & 0xFF
    return touched


def see(state: Row, seat: int, sight: Row) -> None:
    """Copy the public information into `sight`, with the cards that left the deck for other hands or the table.

    The deck is never seen, not even by `EVERYBODY`.
    """
    for at in range(layout.deck):
        sight[at] = state[at]
    for at in range(layout.hands, layout.size):
        sight[at] = state[at]
    drawn = state[DRAWN] + 0
    for number in range(drawn):
        sight[layout.deck + number] = state[layout.deck + number]
    for number in range(drawn, layout.deck_size):
        sight[layout.deck + number] = NO_CARD
    if seat != EVERYBODY:
        for slot in range(layout.hand_size):
            number = state[layout.hands + seat * layout.hand_bytes + slot * SLOT + NUMBER]
            if number != NO_CARD:
                sight[layout.deck + number] = NO_CARD
