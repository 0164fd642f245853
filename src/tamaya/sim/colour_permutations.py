"""Permuting colours: the same game in other colours, for other-play and for more data from one game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tamaya.bots.encoding.sections import Sections, board_cells, knowledge_width, last_action_cells
from tamaya.engine.layout import HEIGHT, Layout, layout_of
from tamaya.rules import MalformedError, Multicolour, Rules, say
from tamaya.sim.threads import Array
from tamaya.sim.validation import as_array


def observation_order(rules: Rules, sections: Sections, order: Sequence[int]) -> Array:
    """The source of each cell after colour ``c`` becomes ``order[c]``: ``observation[..., observation_order(...)]``."""
    order = checked_order(rules, order)
    source = np.arange(sections.size)
    for start, width in _coloured(layout_of(rules), sections):
        for old, new in enumerate(order):
            if old != new:
                source[start + new * width : start + (new + 1) * width] = np.arange(width) + start + old * width
    return source


def action_order(rules: Rules, order: Sequence[int]) -> Array:
    """The number of each action after a permutation: ``action_order(...)[action]``."""
    order, layout = checked_order(rules, order), layout_of(rules)
    numbers = np.arange(layout.actions)
    for action in range(layout.colour_action, layout.value_action):
        distance, colour = divmod(action - layout.colour_action, layout.named_colours)
        numbers[action] = layout.colour_action + distance * layout.named_colours + order[colour]
    for action in range(layout.announce_action, layout.actions):
        slot, colour = divmod(action - layout.announce_action, layout.colours)
        numbers[action] = layout.announce_action + slot * layout.colours + order[colour]
    return numbers


def checked_order(rules: Rules, order: Sequence[int]) -> list[int]:
    """A permutation of all colours that leaves the game the same: a multicolour, unlike the others, keeps its place."""
    colours, given = len(rules.suits), as_array(order)
    listed = given.tolist() if given.ndim == 1 and given.dtype.kind in "iu" else []
    unlike = rules.multicolour is Multicolour.FIVE or not rules.multicolour_named
    if sorted(listed) != list(range(colours)) or (unlike and listed[-1] != colours - 1):
        raise MalformedError(
            "bad_colours",
            say(
                "An order of colours names each from 0 to {last} once, and leaves a multicolour in its place "
                "that is unlike the other colours; this one is {order}.",
                last=colours - 1,
                order=str(given.tolist())[:60],
            ),
        )
    return listed


def _coloured(layout: Layout, sections: Sections) -> Iterator[tuple[int, int]]:
    """The first cell of each consecutive run of colours, and the number of cells per colour."""
    if "own_hand" in sections:
        yield from ((slot * layout.cards, HEIGHT) for slot in range(layout.hand_size))
        return
    others = (layout.players - 1) * layout.hand_size
    yield from ((sections.start("hands") + slot * layout.cards, HEIGHT) for slot in range(others))
    yield board_cells(layout, sections.start("board")).fireworks, HEIGHT
    yield sections.start("discards"), sum(layout.copies[:HEIGHT])
    last_action = last_action_cells(layout, sections.start("last_action"))
    yield last_action.colour, 1
    yield last_action.card, HEIGHT
    if "knowledge" in sections:
        for slot in range(layout.players * layout.hand_size):
            at = sections.start("knowledge") + slot * knowledge_width(layout)
            yield at, HEIGHT
            yield at + layout.cards, 1
