"""The arrays on which the solver works, all of whole numbers, made once and used for many deals."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from tamaya.engine.kernel import Row
from tamaya.engine.layout import Layout
from tamaya.sim.solver.positions import PLACES, deck_row, words_of


class Numbers(Row, Protocol):
    """A row of whole numbers of known length: a list, or an array of NumPy's."""

    def __len__(self) -> int: ...


MOST_CHILDREN = 24
"""For each position that is followed up, so many of its successors have room, on average over a layer."""

MOST_MERIT = 4096
"""Every merit is below this."""

FORKS = 1 << 14
"""How many forks of the common hand are looked at before it is left open."""

SEEN = 2 * FORKS
FRAME = 4
"""Numbers that are kept of a fork while it is looked at."""

# What is counted and noted.
NODES = 0  # positions looked at
FOUND = 1  # positions of the layer that is being made
STAMP = 2  # what the slots of this layer hold at least
IS_CUT = 3  # 1 if a position was left out that might have won
DEPTH = 4  # card actions before the winning one
WINNING = 5  # the link to the winning position
DEEPEST = 6  # cards drawn where the best plan for a common hand failed
SEEN_STAMP = 7  # what the forks of this call are remembered under
FIGURES = 8


class Workspace(NamedTuple):
    """Room for one search at a time, with layers of a given width."""

    figures: Numbers
    deck: Numbers
    """What is known of the deck."""
    position: Numbers
    child: Numbers
    times: Numbers
    """How many cards can be played from each time on."""
    seen: Numbers
    """Forks of the common hand that have been looked at: two numbers each, found by their hash."""
    stack: Numbers
    steps: Numbers
    """The steps from the position that is being followed up."""
    layer: Numbers
    """The positions that are followed up, packed."""
    successors: Numbers
    """Theirs, packed."""
    links: Numbers
    """Of each successor: which position it comes from, by which step."""
    merits: Numbers
    order: Numbers
    buckets: Numbers
    slots: Numbers
    """The successors by their hash, so that none is kept twice."""
    trail: Numbers
    """The links of every layer that was followed up, for the way back."""


def make_workspace(layout: Layout, width: int, zeros: Callable[[int], Numbers]) -> Workspace:
    """Room for layers of this width."""
    words, children = words_of(layout), MOST_CHILDREN * width
    return Workspace(
        figures=zeros(FIGURES),
        deck=zeros(deck_row(layout).size),
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
        buckets=zeros(MOST_MERIT + 1),
        slots=zeros(1 << (2 * children).bit_length()),
        trail=zeros(width * (layout.deck_size + 1)),
    )
