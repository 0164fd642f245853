"""Exchanging colours: the same game with other paint, for other-play and for more data from one game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tamaya.engine.layout import Layout, layout
from tamaya.rules import MalformedError, Multicolour, Rules, say
from tamaya.sim.arrays import Array
from tamaya.sim.checks import as_array
from tamaya.sim.encoding.sections import Sections


def observation_order(rules: Rules, sections: Sections, order: Sequence[int]) -> Array:
    """Where each cell of the repainted observation comes from: ``observation[..., observation_order(...)]``.

    ``order[c]`` is the colour that colour ``c`` is painted in.
    """
    order = checked_order(rules, order)
    source = np.arange(sections.size)
    for start, width in _coloured(layout(rules), sections):
        for old, new in enumerate(order):
            if old != new:
                source[start + new * width : start + (new + 1) * width] = np.arange(width) + start + old * width
    return source


def action_order(rules: Rules, order: Sequence[int]) -> Array:
    """The number of each action after repainting: ``action_order(...)[action]``."""
    order, plan = checked_order(rules, order), layout(rules)
    numbers = np.arange(plan.actions)
    for action in range(plan.colour_action, plan.value_action):
        distance, colour = divmod(action - plan.colour_action, plan.named_colours)
        numbers[action] = plan.colour_action + distance * plan.named_colours + order[colour]
    for action in range(plan.announce_action, plan.actions):
        slot, colour = divmod(action - plan.announce_action, plan.colours)
        numbers[action] = plan.announce_action + slot * plan.colours + order[colour]
    return numbers


def checked_order(rules: Rules, order: Sequence[int]) -> list[int]:
    """An order of all colours that leaves the game the same: a multicolour that is unlike the others keeps its place."""
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


def _coloured(rules: Layout, sections: Sections) -> Iterator[tuple[int, int]]:
    """Where rows of colours begin, one colour behind the other, and how wide a colour is there."""
    players, hand_size, colours, cards = rules.players, rules.hand_size, rules.colours, 5 * rules.colours
    if "own_hand" in sections:
        yield from ((slot * cards, 5) for slot in range(hand_size))
        return
    yield from ((sections.start("hands") + slot * cards, 5) for slot in range((players - 1) * hand_size))
    yield sections.start("board") + rules.deck_size - players * hand_size, 5
    yield sections.start("discards"), sum(rules.copies[:5])
    colour = sections.start("last_action") + players + 4 + players
    yield colour, 1
    yield colour + colours + 5 + 2 * hand_size, 5
    if "knowledge" in sections:
        for slot in range(players * hand_size):
            at = sections.start("knowledge") + slot * (cards + colours + 5)
            yield at, 5
            yield at + cards, 1
