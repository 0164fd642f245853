"""Clues: what a clue names, its receiver, the cards it touches, and the cards it leaves possible for a slot."""

from __future__ import annotations

from tamaya.engine.instances import Options, Row, derived
from tamaya.engine.layout import POSSIBLE_COLOURS, POSSIBLE_VALUES, SLOT, Layout, layout

OPTIONS = Options("inline")


def one_value_of(layout: Layout) -> int:
    """The set of the lowest card of every colour."""
    return sum(1 << layout.values * colour for colour in range(layout.colours))


def multicolour_cards_of(layout: Layout) -> int:
    """The set of the cards that every colour clue touches."""
    return layout.every_value << layout.multicolour * layout.values if layout.multicolour >= 0 else 0


ONE_VALUE: int = derived(layout, one_value_of)
"""The lowest card of every colour; shifted by a value, all cards of that value."""
MULTICOLOUR_CARDS: int = derived(layout, multicolour_cards_of)
MULTICOLOUR: int = derived(layout, lambda layout: 1 << layout.multicolour if layout.multicolour >= 0 else 0)
"""The multicolour that every colour clue touches, as a set."""


def names_colour(clue: int) -> bool:
    """Whether a clue names a colour, not a value."""
    return clue < layout.value_action


def target_of(giver: int, clue: int) -> int:
    """The seat that receives a clue."""
    if names_colour(clue):
        return (giver + 1 + (clue - layout.colour_action) // layout.named_colours) % layout.players
    return (giver + 1 + (clue - layout.value_action) // layout.values) % layout.players


def named_by(clue: int) -> int:
    """The colour or value that a clue names."""
    if names_colour(clue):
        return (clue - layout.colour_action) % layout.named_colours
    return (clue - layout.value_action) % layout.values


def touched_colours(named: int) -> int:
    """The colours that a colour clue touches: its own, and a multicolour that no clue can name."""
    return 1 << named | MULTICOLOUR


def naming_colours(colour: int) -> int:
    """The colours that a clue can name to touch cards of a colour."""
    return layout.every_named_colour if colour == layout.multicolour else 1 << colour


def matching(clue: int) -> int:
    """The set of cards that a clue touches."""
    if names_colour(clue):
        return layout.every_value << (named_by(clue) * layout.values) | MULTICOLOUR_CARDS
    return ONE_VALUE << named_by(clue)


def is_possible(state: Row, seat: int, slot: int, card: int) -> int:
    """1 if the clues leave a card possible for a slot, else 0."""
    at = layout.hands + (seat * layout.hand_size + slot) * SLOT
    return (
        (state[at + POSSIBLE_COLOURS] >> (card // layout.values)) & (state[at + POSSIBLE_VALUES] >> (card % layout.values)) & 1
    )


def possible_cards(state: Row, seat: int, slot: int) -> int:
    """The set of cards that the clues leave possible for a slot."""
    at = layout.hands + (seat * layout.hand_size + slot) * SLOT
    found, values = 0, state[at + POSSIBLE_VALUES] + 0
    for colour in range(layout.colours):
        if (state[at + POSSIBLE_COLOURS] >> colour) & 1:
            found |= values << (colour * layout.values)
    return found
