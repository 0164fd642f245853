"""The layout of a game's state: where each fact lies in one flat array of bytes.

A head of single bytes comes first, at the same place for all rules. After it, at places that depend on the rules: the
height of each firework, the number of discarded copies of each card, the deck from top to bottom, and the hands, slot by
slot. The byte 255 in a slot's `NUMBER` marks an empty slot; slots fill from the left.

A card is ``colour * layout.values + value`` with values from 0. A set of cards, colours, values or slots is an integer with
one bit for each. A card's *number* is its place in the deck: it stays with the card wherever the hand's owner puts it, so
the newest card has the highest number.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tamaya.engine.instances import LookupTable, derived, per_rules
from tamaya.rules import VALUES, LastMistake, Multicolour, Rules, numbering

RUNNING = 0
NO_CARD = 255
HEIGHT = len(VALUES)
"""The values of a colour, and so the height of a complete firework."""
EVERY_VALUE = (1 << HEIGHT) - 1
"""The set of all values of a colour; shifted to a colour, the set of its cards."""

# The head.
SEAT = 0  # whose turn it is
CLUES = 1  # clue tokens available
MISTAKES = 2  # mistakes made
DRAWN = 3  # cards that have left the deck
LAST_TURNS = 4  # turns left once the deck is empty; 0 before
ENDED = 5  # RUNNING or an Ending
TURN = 6  # actions taken
LAST_ACTION = 7  # number of the last action, for readers of the array alone
LAST_CARD = 8  # the card it played or discarded
LAST_NUMBER = 9  # and that card's number
LAST_TOUCHED = 10  # slots that a clue touched, one bit each
LAST_PLACED = 11  # 1 if a played card was placed
LAST_GAINED = 12  # clue tokens that came back
HEAD = 13

# One slot of a hand. What was named is two bytes after what is possible.
NUMBER = 0
POSSIBLE_COLOURS = 1  # colours the card can still have by the clues given, one bit each
POSSIBLE_VALUES = 2  # likewise values
NAMED = 2
NAMED_COLOURS = POSSIBLE_COLOURS + NAMED  # colours named by clues that touched the card
NAMED_VALUES = POSSIBLE_VALUES + NAMED
TURNED = 5  # 1 if its owner laid it sideways
SLOT = 6


class Layout(NamedTuple):
    """The constants of a kernel: what the rules fix and where the facts lie."""

    players: int
    hand_size: int
    colours: int
    named_colours: int
    multicolour: int  # the multicolour that every colour clue touches, or -1
    values: int  # of a colour, and so the height of a complete firework
    cards: int  # how many different cards there are
    every_colour: int  # the set of them, and so below
    every_named_colour: int
    every_value: int
    every_card: int
    copies: tuple[int, ...]  # of each card
    order: tuple[int, ...]  # the cards of each firework from its first on, colour by colour
    deck_size: int
    maximum: int  # the points of a perfect game
    clue_tokens: int
    mistakes: int
    empty_clues: bool
    all_or_nothing: bool
    keeps_points: bool  # whether points are kept after the last mistake
    announced_plays: bool
    discard_action: int
    play_action: int
    colour_action: int
    value_action: int
    announce_action: int
    actions: int
    fireworks: int
    discards: int
    deck: int
    hands: int
    hand_bytes: int  # of one hand
    size: int


@lru_cache(maxsize=1024)
def layout_of(rules: Rules) -> Layout:
    """The layout of a game by these rules."""
    colours = len(rules.suits)
    fireworks = HEAD
    discards = fireworks + colours
    deck = discards + len(rules.cards)
    hands = deck + rules.deck_size
    all_colours = rules.multicolour is not Multicolour.NONE and not rules.multicolour_named
    return Layout(
        players=rules.players,
        hand_size=rules.hand_size,
        colours=colours,
        named_colours=len(rules.named_colours),
        multicolour=colours - 1 if all_colours else -1,
        values=HEIGHT,
        cards=len(rules.cards),
        every_colour=(1 << colours) - 1,
        every_named_colour=(1 << len(rules.named_colours)) - 1,
        every_value=EVERY_VALUE,
        every_card=(1 << len(rules.cards)) - 1,
        copies=tuple(rules.copies(card) for card in rules.cards),
        order=tuple(range(len(rules.cards))),
        deck_size=rules.deck_size,
        maximum=rules.maximum,
        clue_tokens=rules.clue_tokens,
        mistakes=rules.mistakes,
        empty_clues=rules.empty_clues,
        all_or_nothing=rules.all_or_nothing,
        keeps_points=rules.last_mistake is LastMistake.POINTS,
        announced_plays=rules.announced_plays,
        **{f"{name}_action": start for name, start in numbering(rules)._asdict().items() if name != "total"},
        actions=numbering(rules).total,
        fireworks=fireworks,
        discards=discards,
        deck=deck,
        hands=hands,
        hand_bytes=rules.hand_size * SLOT,
        size=hands + rules.players * rules.hand_size * SLOT,
    )


def heights_of(layout: Layout) -> LookupTable:
    """The height at which each card continues its firework."""
    places = {card: place % layout.values for place, card in enumerate(layout.order)}
    return LookupTable(places[card] for card in range(layout.cards))


layout: Layout = per_rules(layout_of)
copies: LookupTable = derived(layout, lambda layout: LookupTable(layout.copies))
"""How many copies of each card the deck has."""
order: LookupTable = derived(layout, lambda layout: LookupTable(layout.order))
"""The card that continues each firework: ``order[colour * layout.values + height]``."""
heights: LookupTable = derived(layout, heights_of)
"""The height at which each card continues its firework."""
