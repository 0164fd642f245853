"""Positions with the whole deck known, and the arrays that the solver works on.

A position keeps only what the future depends on: which cards are on the fireworks, which needed cards each seat holds, tokens,
mistakes, whose turn it is, and the turns left at the end of the deck. A card is numbered by its place in its firework, ``colour
* layout.values + height``, and a set of cards is a number with one bit per card. A card that is on its firework already, or
that the same hand holds twice, is *spare*: spare cards are interchangeable, so they are not named, and positions that differ in
nothing else are equal.

In use, a position is spread over a short row, one number per place; stored, it is packed into two to four words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.engine.instances import Options, Row, derived
from tamaya.engine.kernel.hands import number_at
from tamaya.engine.layout import CLUES, LAST_TURNS, MISTAKES, NO_CARD, SEAT, Layout, heights, layout
from tamaya.rules import RulesError, say

OPTIONS = Options("inline")

MAX_PLAYERS = 5

# The places of an unpacked position.
PLACED = 0  # the cards on the fireworks
TOKENS = 1  # clue tokens available
MISTAKES_MADE = 2
TO_MOVE = 3  # whose turn it is
TURNS_LEFT = 4  # turns left once the deck is empty; 0 before
HANDS = 5  # the needed cards in each hand
HELD = HANDS + MAX_PLAYERS  # the number of cards in each hand
PLACES = HELD + MAX_PLAYERS

# Bits of a packed position: two hands share a word, everything else is in the first.
SET_BITS = 30  # a set of cards
TOKEN_BITS, MISTAKE_BITS, SEAT_BITS, TURN_BITS, HELD_BITS = 5, 4, 3, 3, 3
TOKENS_AT = SET_BITS
MISTAKES_AT = TOKENS_AT + TOKEN_BITS
TO_MOVE_AT = MISTAKES_AT + MISTAKE_BITS
TURNS_AT = TO_MOVE_AT + SEAT_BITS
HELD_AT = TURNS_AT + TURN_BITS
SET_MASK, TOKEN_MASK, MISTAKE_MASK = (1 << SET_BITS) - 1, (1 << TOKEN_BITS) - 1, (1 << MISTAKE_BITS) - 1
SEAT_MASK, TURN_MASK, HELD_MASK = (1 << SEAT_BITS) - 1, (1 << TURN_BITS) - 1, (1 << HELD_BITS) - 1

NEVER = 255
"""The next place of a card that does not come any more."""


class DeckLayout(NamedTuple):
    """Offsets of facts about a deck in their row, which starts with the cards from the top."""

    below: int
    """The set of cards from each place down."""
    next_places: int
    """The next place of each card, from each place on."""
    late: int
    """The set of cards that come, from each place on, so late that some that follow must wait for the last turns."""
    size: int


def deck_layout_of(layout: Layout) -> DeckLayout:
    """The offsets under these rules."""
    places = layout.deck_size + 1
    return DeckLayout(below=places, next_places=2 * places, late=(2 + layout.cards) * places, size=(3 + layout.cards) * places)


def words_of(layout: Layout) -> int:
    """The number of words in a packed position."""
    return 1 + (layout.players + 1) // 2


deck_layout: DeckLayout = derived(layout, deck_layout_of)
WORDS: int = derived(layout, words_of)


def refuse_unpackable_rules(layout: Layout) -> None:
    """Refuse rules whose positions do not fit into their words, as they would be solved wrong."""
    limits = {
        "cards": (layout.cards, SET_BITS),
        "players": (layout.players, MAX_PLAYERS),
        "hand_size": (layout.hand_size, HELD_MASK),
        "clue_tokens": (layout.clue_tokens, TOKEN_MASK),
        "mistakes": (layout.mistakes, 1 << MISTAKE_BITS),  # a running game has made at least one less
        "deck_size": (layout.deck_size, NEVER),
    }
    for name, (value, most) in limits.items():
        if value > most:
            message = say("The solver cannot work with {name}={value}; it can with at most {most}.",
                          name=name, value=value, most=most)  # fmt: skip
            raise RulesError("too_large_for_solver", message)


# Packing positions.


def pack(position: Row, words: Row, at: int) -> None:
    """Pack a position into its words, starting at the given place."""
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


def unpack(words: Row, at: int, position: Row) -> None:
    """Unpack the words of a position."""
    first = words[at]
    position[PLACED] = first & SET_MASK
    position[TOKENS] = first >> TOKENS_AT & TOKEN_MASK
    position[MISTAKES_MADE] = first >> MISTAKES_AT & MISTAKE_MASK
    position[TO_MOVE] = first >> TO_MOVE_AT & SEAT_MASK
    position[TURNS_LEFT] = first >> TURNS_AT & TURN_MASK
    for seat in range(layout.players):
        position[HELD + seat] = first >> (HELD_AT + HELD_BITS * seat) & HELD_MASK
        position[HANDS + seat] = words[at + 1 + seat // 2] >> (SET_BITS * (seat % 2)) & SET_MASK


# Reading games.


def card_in_deck(state: Row, number: int) -> int:
    """The card at a place of the deck, by its place in its firework."""
    card = state[layout.deck + number] + 0
    return card // layout.values * layout.values + heights[card]


def read_position(state: Row, position: Row) -> None:
    """Write the position of a running game."""
    placed = 0
    for colour in range(layout.colours):
        placed |= ((1 << state[layout.fireworks + colour]) - 1) << (layout.values * colour)
    position[PLACED] = placed
    position[TOKENS] = state[CLUES] + 0
    position[MISTAKES_MADE] = state[MISTAKES] + 0
    position[TO_MOVE] = state[SEAT] + 0
    position[TURNS_LEFT] = state[LAST_TURNS] + 0
    for seat in range(layout.players):
        held, needed = 0, 0
        for slot in range(layout.hand_size):
            number = number_at(state, seat, slot)
            if number != NO_CARD:
                held += 1
                needed |= 1 << card_in_deck(state, number)
        position[HELD + seat] = held
        position[HANDS + seat] = needed & ~placed


def read_deck(state: Row, deck: Row) -> None:
    """Write the deck from top to bottom, and for each place which cards come from there on, where, and which of them late."""
    for place in range(layout.deck_size):
        deck[place] = card_in_deck(state, place)
    deck[deck_layout.below + layout.deck_size] = deck[deck_layout.late + layout.deck_size] = 0
    for card in range(layout.cards):
        deck[deck_layout.next_places + layout.deck_size * layout.cards + card] = NEVER
    for place in range(layout.deck_size - 1, -1, -1):
        here, after = deck_layout.next_places + place * layout.cards, deck_layout.next_places + (place + 1) * layout.cards
        deck[deck_layout.below + place] = deck[deck_layout.below + place + 1] | 1 << deck[place]
        for card in range(layout.cards):
            deck[here + card] = deck[after + card]
        deck[here + deck[place]] = place
        deck[deck_layout.late + place] = deck[deck_layout.late + place + 1] & ~(1 << deck[place])
        if 0 < layout.deck_size - 1 - place < layout.values - 1 - deck[place] % layout.values:
            deck[deck_layout.late + place] |= 1 << deck[place]


# The workspace: all arrays, allocated once and used for many deals.

CHILDREN_PER_PARENT = 24
"""The average number of successors per expanded position that a layer has room for."""

MAX_MERIT = 4096
"""Every merit is below this."""

FORKS = 1 << 14
"""The most forks of the common hand that are searched before the result is left open."""

SEEN = 2 * FORKS
FRAME = 4
"""The size of a fork on the stack."""

# Counters and results.
NODES = 0  # positions searched
FOUND = 1  # positions found for the next layer
STAMP = 2  # the least stamp of an occupied slot in this layer
IS_CUT = 3  # 1 if a position was left out that might have won
DEPTH = 4  # card actions before the winning one
WINNING = 5  # the link of the winning position
MAX_DRAWN = 6  # cards drawn where the best plan for a common hand failed
SEEN_STAMP = 7  # the stamp of forks searched in this call
FIGURES = 8


class SolverWorkspace(NamedTuple):
    """Arrays for one search at a time, with layers of a given width."""

    figures: Row
    deck: Row
    """Facts about the deck."""
    position: Row
    child: Row
    times: Row
    """The number of cards that can be played from each time on."""
    seen: Row
    """Forks of the common hand that have been searched: a hash table of two numbers each."""
    stack: Row
    steps: Row
    """The steps from the position that is being expanded."""
    layer: Row
    """The positions that are expanded, packed."""
    successors: Row
    """Their successors, packed."""
    links: Row
    """For each successor, the position and the step that it comes from."""
    merits: Row
    order: Row
    buckets: Row
    slots: Row
    """A hash table of the successors, so that none is stored twice."""
    trail: Row
    """The links of every expanded layer, to trace a solution back."""


def make_workspace(layout: Layout, width: int, zeros: Callable[[int], Row]) -> SolverWorkspace:
    """A workspace for layers of this width; `zeros` makes a row of that many numbers."""
    words, children = words_of(layout), CHILDREN_PER_PARENT * width
    return SolverWorkspace(
        figures=zeros(FIGURES),
        deck=zeros(deck_layout_of(layout).size),
        position=zeros(PLACES),
        child=zeros(PLACES),
        times=zeros(layout.deck_size + layout.players + 3),
        seen=zeros(2 * SEEN),
        stack=zeros(FRAME * (layout.deck_size + 1)),
        steps=zeros(3 * (layout.clue_tokens + layout.players + 1) * layout.hand_size),
        layer=zeros(width * words),
        successors=zeros((children + 1) * words),
        links=zeros(children + 1),
        merits=zeros(children),
        order=zeros(children),
        buckets=zeros(MAX_MERIT + 1),
        slots=zeros(1 << (2 * children).bit_length()),
        trail=zeros(width * (layout.deck_size + 1)),
    )
