"""A position as the solver sees it, who knows the whole deck.

Only what the future depends on is kept: which cards are on the fireworks, which needed cards each seat holds, tokens,
mistakes, whose turn it is, and how the end of the deck stands. A set of cards is a number with one bit a card. A card that
is on its firework already, or that the same hand holds twice, is *spare*: which one it is makes no difference, so spare
cards are not named at all, and positions that differ in nothing else are one.

While it is worked on, a position is spread over a small array, one number a place; kept, it is packed into two to four words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import CLUES, LAST_TURNS, MISTAKES, NO_CARD, NUMBER, SEAT, SLOT, Layout

# The places of a position that is worked on.
PLACED = 0  # the cards on the fireworks
TOKENS = 1  # clue tokens available
MISSED = 2  # mistakes made
MOVER = 3  # whose turn it is
LAST = 4  # turns left once the deck is empty; 0 before
HANDS = 5  # the needed cards in each hand
HELD = 10  # how many cards each hand holds
PLACES = 15

SET = 30
"""Bits of a set of cards."""

NEVER = 255
"""Where a card comes next that does not come any more."""


def words_of(rules: Layout) -> int:
    """How many words a packed position has."""
    return 1 + (rules.players + 1) // 2


class DeckTables(NamedTuple):
    """Where the tables about a deck begin: its cards from the top lie at 0."""

    below: int
    nexts: int
    size: int


def deck_tables(rules: Layout) -> DeckTables:
    """Where the tables about a deck lie by these rules."""
    places = rules.deck_size + 1
    return DeckTables(below=places, nexts=2 * places, size=(2 + 5 * rules.colours) * places)


def build_bits(jit: Jit) -> Parts:
    """Sets of at most 32 cards."""

    @jit
    def count(cards: int) -> int:
        """How many cards are in a set."""
        cards = cards - ((cards >> 1) & 0x55555555)
        cards = (cards & 0x33333333) + ((cards >> 2) & 0x33333333)
        cards = (cards + (cards >> 4)) & 0x0F0F0F0F
        return ((cards * 0x01010101) >> 24) & 0xFF

    @jit
    def lowest(cards: int) -> int:
        """The number of the first card in a set that is not empty."""
        first: int = count((cards & -cards) - 1)
        return first

    return Parts(count=count, lowest=lowest)


def build_packing(rules: Layout, jit: Jit) -> Parts:
    """Positions into words and back."""
    players, every_card = rules.players, (1 << SET) - 1

    @jit
    def pack(position: Any, rows: Any, at: int) -> None:
        """Write a position into its words."""
        first = position[PLACED] | position[TOKENS] << 30 | position[MISSED] << 35 | position[MOVER] << 39
        first |= position[LAST] << 42
        for seat in range(players):
            first |= position[HELD + seat] << (45 + 3 * seat)
        rows[at] = first
        for seat in range(0, players, 2):
            word = position[HANDS + seat]
            if seat + 1 < players:
                word |= position[HANDS + seat + 1] << SET
            rows[at + 1 + seat // 2] = word

    @jit
    def unpack(rows: Any, at: int, position: Any) -> None:
        """Spread the words of a position out."""
        first = rows[at]
        position[PLACED] = first & every_card
        position[TOKENS] = first >> 30 & 31
        position[MISSED] = first >> 35 & 15
        position[MOVER] = first >> 39 & 7
        position[LAST] = first >> 42 & 7
        for seat in range(players):
            position[HELD + seat] = first >> (45 + 3 * seat) & 7
            position[HANDS + seat] = rows[at + 1 + seat // 2] >> (SET * (seat % 2)) & every_card

    return Parts(pack=pack, unpack=unpack)


def build_reading(rules: Layout, jit: Jit) -> Parts:
    """A position and what is known of the deck, out of the array of a game."""
    players, hand_size, colours, deck_size = rules.players, rules.hand_size, rules.colours, rules.deck_size
    deck, hands, fireworks, cards = rules.deck, rules.hands, rules.fireworks, 5 * rules.colours
    below, nexts, _ = deck_tables(rules)

    @jit
    def read(state: Any, position: Any) -> None:
        """The position of a running game."""
        placed = 0
        for colour in range(colours):
            placed |= ((1 << state[fireworks + colour]) - 1) << (5 * colour)
        position[PLACED] = placed
        position[TOKENS] = state[CLUES] + 0
        position[MISSED] = state[MISTAKES] + 0
        position[MOVER] = state[SEAT] + 0
        position[LAST] = state[LAST_TURNS] + 0
        for seat in range(players):
            held, needed = 0, 0
            for slot in range(hand_size):
                number = state[hands + (seat * hand_size + slot) * SLOT + NUMBER]
                if number != NO_CARD:
                    held += 1
                    needed |= 1 << state[deck + number]
            position[HELD + seat] = held
            position[HANDS + seat] = needed & ~placed

    @jit
    def survey(state: Any, tables: Any) -> None:
        """The deck from top to bottom; the set of cards from each place down; where each card comes next from each place."""
        for place in range(deck_size):
            tables[place] = state[deck + place] + 0
        tables[below + deck_size] = 0
        for card in range(cards):
            tables[nexts + deck_size * cards + card] = NEVER
        for place in range(deck_size - 1, -1, -1):
            tables[below + place] = tables[below + place + 1] | 1 << tables[place]
            for card in range(cards):
                tables[nexts + place * cards + card] = tables[nexts + (place + 1) * cards + card]
            tables[nexts + place * cards + tables[place]] = place

    return Parts(read=read, survey=survey)
