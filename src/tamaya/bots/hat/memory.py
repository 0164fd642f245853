"""Where the hat bot writes down what it knows: places in one row of whole numbers."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from tamaya.bots.memory import NOTHING, ONE, PER_CARD, PER_COLOUR, PER_HAND_SLOT, PER_NUMBER, PER_SEAT, PER_SLOT, exactly
from tamaya.engine.layout import Layout

FOLLOWED = 4
"""How many of the needed cards in the deck the search for the end follows to whoever draws them."""
REMEMBERED = 1 << 11
"""How many positions that search remembers."""


def per_option(layout: Layout) -> int:
    """One for each option of the search for the end: a play of each colour, a clue, a discard."""
    return layout.colours + 2


def twice_per_slot(layout: Layout) -> int:
    """Two for each slot of one hand."""
    return 2 * layout.hand_size


class HatMemory(NamedTuple):
    """First the public picture, kept through a game and the same for all seats; then what is worked out each time."""

    picture: Annotated[int, PER_NUMBER]  # the cards it can be, as far as everybody knows
    left: Annotated[int, PER_CARD]  # copies that are neither placed nor discarded
    loose: Annotated[int, PER_CARD]  # those of them that nobody knows the place of
    broken: Annotated[int, ONE]  # 1 once it has shown that somebody does not keep to the code
    scratch: Annotated[int, NOTHING]

    own_hand: Annotated[int, PER_SLOT]  # what the player's own cards can be, with all that it sees
    unseen: Annotated[int, PER_CARD]  # copies that the player does not see
    playable_next: Annotated[int, PER_SEAT]  # the cards that can be played on that seat's next turn
    learnt: Annotated[int, PER_HAND_SLOT]  # what a card can be once the questions about its hand are answered
    chances: Annotated[int, PER_SLOT]  # how likely a card can be played
    listed: Annotated[int, twice_per_slot]  # the slots that a question is about, in order

    known_by: Annotated[int, PER_CARD]  # the seats that hold the card and know it, one bit each
    held_by: Annotated[int, PER_CARD]  # the seats that hold it and do not know it yet
    reach: Annotated[int, PER_COLOUR]  # how high a firework can still get
    unseen_list: Annotated[int, PER_NUMBER]  # the cards that the player does not see, one after the other
    followed: Annotated[int, exactly(FOLLOWED)]  # needed cards in the deck, or -1
    followed_copies: Annotated[int, exactly(FOLLOWED)]  # and how many of each
    worths: Annotated[int, per_option]  # how good each option is
    places: Annotated[int, exactly(REMEMBERED)]  # which of the remembered positions was the last that belongs here
    remembered: Annotated[int, ONE]  # how many positions this search remembers
    positions: Annotated[int, exactly(REMEMBERED)]  # those positions, one after the other
    position_worths: Annotated[int, exactly(REMEMBERED)]  # and what they are worth
    budget: Annotated[int, ONE]  # how many positions may still be looked at

    reason: Annotated[int, ONE]  # why the last choice was made: a `HatReason`
    subject: Annotated[int, ONE]  # the slot it is about, or the number that a clue stands for
    amount: Annotated[int, ONE]  # out of how many numbers, or the chance in percent, or what the card can be
    looked_ahead: Annotated[int, ONE]  # 1 if the search for the end changed the choice
    words: Annotated[int, NOTHING]
