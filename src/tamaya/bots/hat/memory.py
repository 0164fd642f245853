"""What the hat bot remembers, and the numbers to which it is tuned."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from tamaya.bots.policy import PER_CARD, PER_COLOUR, PER_HAND_SLOT, PER_NUMBER, PER_SEAT, PER_SLOT, Memory, Scratch, exactly
from tamaya.engine.instances import Row, per_rules
from tamaya.engine.layout import Layout
from tamaya.rules import Rules

TRACKED = 4
"""The number of different needed cards that the endgame search tracks from the deck to the player who draws them."""
CACHE_SIZE = 1 << 11
"""The number of positions that the search can cache."""


def per_move(layout: Layout) -> int:
    """One for each move of the endgame search: a play of each colour, a clue, a discard."""
    return layout.colours + 2


def twice_per_slot(layout: Layout) -> int:
    """Two for each slot of one hand."""
    return 2 * layout.hand_size


class HatMemory(Memory):
    """Public knowledge, the same for all seats; then scratch. The set of cards that a card can be is its *options*."""

    possible: Annotated[Row, PER_NUMBER]  # the public options of each card, by its number
    left: Annotated[Row, PER_CARD]  # copies neither played nor discarded
    unlocated: Annotated[Row, PER_CARD]  # those that are not publicly known to be in some slot
    code_broken: int  # 1 once a card was not among its public options: some player does not follow the code
    scratch: Scratch

    own_hand: Annotated[Row, PER_SLOT]  # the options of the player's own cards, from all that it sees
    unseen: Annotated[Row, PER_CARD]  # copies that the player does not see
    playable_next: Annotated[Row, PER_SEAT]  # the cards that will be playable on the seat's next turn
    learned: Annotated[Row, PER_HAND_SLOT]  # options of each card once the questions about its hand are answered
    chances: Annotated[Row, PER_SLOT]  # how likely each card that a question asks about is playable
    listed: Annotated[Row, twice_per_slot]  # the slots that a question asks about, in order

    known_by: Annotated[Row, PER_CARD]  # the seats that hold the card and know it, one bit each
    held_by: Annotated[Row, PER_CARD]  # the seats that hold it and do not know it yet
    reaches: Annotated[Row, PER_COLOUR]  # how high each firework can still get
    unseen_list: Annotated[Row, PER_NUMBER]  # the cards that the player does not see, one after another
    tracked: Annotated[Row, exactly(TRACKED)]  # needed cards in the deck, or `NOT_TRACKED`
    tracked_copies: Annotated[Row, exactly(TRACKED)]  # the number of copies of each in the deck
    move_values: Annotated[Row, per_move]  # the worth of each move
    budget: int  # the positions that the search may still visit

    cache_size: int  # the positions that this search has cached
    cache_index: Annotated[Row, exactly(CACHE_SIZE)]  # by the hash of a position, its index in the cache
    cached_positions: Annotated[Row, exactly(CACHE_SIZE)]
    cached_values: Annotated[Row, exactly(CACHE_SIZE)]

    reason: int  # the reason for the last choice: a `HatReason`
    subject: int  # the slot that it is about, or the number that a clue stands for
    amount: int  # out of how many numbers, or the chance in percent, or the options of the card
    looked_ahead: int  # 1 if the endgame search changed the decision


class HatWeights(NamedTuple):
    """Numbers tuned by playing many games with each value; `docs/hat.md` says how."""

    discards_few: int
    """With at most one clue token, useless cards are discarded while the pace is at most this far below a round of turns."""
    discards_some: int
    """The same with two or three clue tokens."""
    discards_many: int
    """The same with more."""
    reserve: int
    """With nothing better to do, a clue is given while there are more clue tokens than this."""
    risk: int
    """A card that is either playable or useless is played if its chance to be playable exceeds this percentage."""
    last_cards: int
    """The endgame is searched with at most this many cards in the deck."""
    budget: int
    """The number of positions that the search may visit."""


WEIGHTS = {
    2: HatWeights(discards_few=2, discards_some=1, discards_many=1, reserve=2, risk=60, last_cards=5, budget=2000),
    3: HatWeights(discards_few=2, discards_some=2, discards_many=1, reserve=0, risk=60, last_cards=5, budget=2000),
    4: HatWeights(discards_few=2, discards_some=2, discards_many=1, reserve=1, risk=60, last_cards=5, budget=2000),
    5: HatWeights(discards_few=2, discards_some=2, discards_many=1, reserve=2, risk=75, last_cards=5, budget=2000),
}
"""By number of players."""


def has_weights(rules: Rules) -> bool:
    """Whether the bot is tuned for this many players."""
    return rules.players in WEIGHTS


weights: HatWeights = per_rules(lambda rules: WEIGHTS[rules.players])
