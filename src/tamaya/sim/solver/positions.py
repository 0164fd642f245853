"""A position as the solver sees it, who knows the whole deck.

Only what the future depends on is kept: which cards are on the fireworks, which needed cards each seat holds, tokens,
mistakes, whose turn it is, and how the end of the deck stands. A set of cards is a number with one bit a card. A card that
is on its firework already, or that the same hand holds twice, is *spare*: which one it is makes no difference, so spare
cards are not named at all, and positions that differ in nothing else are one.

While it is worked on, a position is spread over a small row, one number a place; kept, it is packed into two to four words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.engine.kernel import Jit, Row
from tamaya.engine.layout import CLUES, HEIGHT, LAST_TURNS, MISTAKES, NO_CARD, NUMBER, SEAT, SLOT, Layout
from tamaya.rules import RulesError, say

MOST_PLAYERS = 5

# The places of a position that is worked on.
PLACED = 0  # the cards on the fireworks
TOKENS = 1  # clue tokens available
MISTAKES_MADE = 2
TO_MOVE = 3  # whose turn it is
TURNS_LEFT = 4  # turns left once the deck is empty; 0 before
HANDS = 5  # the needed cards in each hand
HELD = HANDS + MOST_PLAYERS  # how many cards each hand holds
PLACES = HELD + MOST_PLAYERS

# Bits of a packed position: two hands share a word, all the rest is in the first.
SET_BITS = 30  # of a set of cards
TOKEN_BITS, MISTAKE_BITS, SEAT_BITS, TURN_BITS, HELD_BITS = 5, 4, 3, 3, 3
TOKENS_AT = SET_BITS
MISTAKES_AT = TOKENS_AT + TOKEN_BITS
TO_MOVE_AT = MISTAKES_AT + MISTAKE_BITS
TURNS_AT = TO_MOVE_AT + SEAT_BITS
HELD_AT = TURNS_AT + TURN_BITS

NEVER = 255
"""Where a card comes next that does not come any more."""


class Packing(NamedTuple):
    """Positions into words and back: where the words lie, then at which place the first one is."""

    pack: Callable[[Row, Row, int], None]
    unpack: Callable[[Row, int, Row], None]


class PositionReader(NamedTuple):
    """The functions that read the state of a game."""

    read_position: Callable[[Row, Row], None]
    read_deck: Callable[[Row, Row], None]


class DeckRow(NamedTuple):
    """What is known of a deck, as one row of numbers: its cards from the top lie at 0, the rest begins here."""

    below: int
    """The set of cards from each place down."""
    next_places: int
    """Where each card comes next, from each place on."""
    size: int


def deck_row(layout: Layout) -> DeckRow:
    """Where the facts about a deck lie by these rules."""
    places = layout.deck_size + 1
    return DeckRow(below=places, next_places=2 * places, size=(2 + layout.cards) * places)


def words_of(layout: Layout) -> int:
    """How many words a packed position has."""
    return 1 + (layout.players + 1) // 2


def refuse_what_does_not_fit(layout: Layout) -> None:
    """Refuse rules whose positions would not fit into their words: they would be solved wrong."""
    limits = {
        "cards": (layout.cards, SET_BITS),
        "players": (layout.players, MOST_PLAYERS),
        "hand_size": (layout.hand_size, (1 << HELD_BITS) - 1),
        "clue_tokens": (layout.clue_tokens, (1 << TOKEN_BITS) - 1),
        "mistakes": (layout.mistakes, 1 << MISTAKE_BITS),  # while a game goes on, one less has been made
        "deck_size": (layout.deck_size, NEVER),
    }
    for name, (value, most) in limits.items():
        if value > most:
            message = say("The solver cannot work with {name}={value}; it can with at most {most}.",
                          name=name, value=value, most=most)  # fmt: skip
            raise RulesError("too_large_for_solver", message)


def build_packing(layout: Layout, jit: Jit) -> Packing:
    """Positions into words and back."""
    every_card = (1 << SET_BITS) - 1
    most_tokens, most_mistakes = (1 << TOKEN_BITS) - 1, (1 << MISTAKE_BITS) - 1
    last_seat, most_turns, most_held = (1 << SEAT_BITS) - 1, (1 << TURN_BITS) - 1, (1 << HELD_BITS) - 1

    @jit
    def pack(position: Row, words: Row, at: int) -> None:
        """Write a position into its words."""
        first = position[PLACED] | position[TOKENS] << TOKENS_AT | position[MISTAKES_MADE] << MISTAKES_AT
        first |= position[TO_MOVE] << TO_MOVE_AT | position[TURNS_LEFT] << TURNS_AT
        for seat in range(layout.players):
            first |= position[HELD + seat] << (HELD_AT + HELD_BITS * seat)
        words[at] = first
        for seat in range(0, layout.players, 2):
            hands = position[HANDS + seat]
            if seat + 1 < layout.players:
                hands |= position[HANDS + seat + 1] << SET_BITS
            words[at + 1 + seat // 2] = hands

    @jit
    def unpack(words: Row, at: int, position: Row) -> None:
        """Spread the words of a position out."""
        first = words[at]
        position[PLACED] = first & every_card
        position[TOKENS] = first >> TOKENS_AT & most_tokens
        position[MISTAKES_MADE] = first >> MISTAKES_AT & most_mistakes
        position[TO_MOVE] = first >> TO_MOVE_AT & last_seat
        position[TURNS_LEFT] = first >> TURNS_AT & most_turns
        for seat in range(layout.players):
            position[HELD + seat] = first >> (HELD_AT + HELD_BITS * seat) & most_held
            position[HANDS + seat] = words[at + 1 + seat // 2] >> (SET_BITS * (seat % 2)) & every_card

    return Packing(pack, unpack)


def build_reading(layout: Layout, jit: Jit) -> PositionReader:
    """A position and what is known of the deck, out of the state of a game."""
    row = deck_row(layout)

    @jit
    def read_position(state: Row, position: Row) -> None:
        """The position of a running game."""
        placed = 0
        for colour in range(layout.colours):
            placed |= ((1 << state[layout.fireworks + colour]) - 1) << (HEIGHT * colour)
        position[PLACED] = placed
        position[TOKENS] = state[CLUES] + 0
        position[MISTAKES_MADE] = state[MISTAKES] + 0
        position[TO_MOVE] = state[SEAT] + 0
        position[TURNS_LEFT] = state[LAST_TURNS] + 0
        for seat in range(layout.players):
            held, needed = 0, 0
            for slot in range(layout.hand_size):
                number = state[layout.hands + seat * layout.hand_bytes + slot * SLOT + NUMBER]
                if number != NO_CARD:
                    held += 1
                    needed |= 1 << state[layout.deck + number]
            position[HELD + seat] = held
            position[HANDS + seat] = needed & ~placed

    @jit
    def read_deck(state: Row, deck: Row) -> None:
        """The deck from top to bottom; the set of cards from each place down; where each card comes next from each place."""
        for place in range(layout.deck_size):
            deck[place] = state[layout.deck + place] + 0
        deck[row.below + layout.deck_size] = 0
        for card in range(layout.cards):
            deck[row.next_places + layout.deck_size * layout.cards + card] = NEVER
        for place in range(layout.deck_size - 1, -1, -1):
            here, after = row.next_places + place * layout.cards, row.next_places + (place + 1) * layout.cards
            deck[row.below + place] = deck[row.below + place + 1] | 1 << deck[place]
            for card in range(layout.cards):
                deck[here + card] = deck[after + card]
            deck[here + deck[place]] = place

    return PositionReader(read_position, read_deck)
