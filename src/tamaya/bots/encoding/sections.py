"""The named sections of an observation, and where their cells begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from tamaya.engine.instances import derived
from tamaya.engine.layout import Layout, layout

PLAYED, DISCARDED, COLOUR_CLUED, VALUE_CLUED = range(4)
"""The kinds of action that an observation distinguishes."""


class Sections(Mapping[str, slice]):
    """Consecutive slices by name."""

    def __init__(self, widths: Mapping[str, int]) -> None:
        self._slices: dict[str, slice] = {}
        self.size = 0
        for name, width in widths.items():
            self._slices[name] = slice(self.size, self.size + width)
            self.size += width

    def start(self, name: str) -> int:
        """The first cell of a section."""
        return int(self._slices[name].start)

    def __getitem__(self, name: str) -> slice:
        return self._slices[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._slices)

    def __len__(self) -> int:
        return len(self._slices)


class BoardCells(NamedTuple):
    """Where the cells of the section "board" begin, and where it ends."""

    deck: int
    fireworks: int
    tokens: int
    mistakes_left: int
    end: int


class LastActionCells(NamedTuple):
    """Where the cells of the section "last_action" begin, and where it ends."""

    actor: int
    kind: int
    target: int
    colour: int
    value: int
    touched: int
    slot: int
    card: int
    placed: int
    gained: int
    end: int


def board_cells(layout: Layout, start: int = 0) -> BoardCells:
    """The cells of the section "board", if it begins at `start`."""
    in_deck = layout.deck_size - layout.players * layout.hand_size
    return BoardCells(*accumulate((in_deck, layout.cards, layout.clue_tokens, layout.mistakes), initial=start))


def last_action_cells(layout: Layout, start: int = 0) -> LastActionCells:
    """The cells of the section "last_action", if it begins at `start`."""
    clue = (VALUE_CLUED + 1, layout.players, layout.colours, layout.values, layout.hand_size)
    return LastActionCells(*accumulate((layout.players, *clue, layout.hand_size, layout.cards, 1, 1), initial=start))


def knowledge_width(layout: Layout) -> int:
    """The cells of one card in the section "knowledge": what it can be, then the colours and the values named."""
    return layout.cards + layout.colours + layout.values


def minimal_sections(layout: Layout) -> Sections:
    """The sections for players who keep track of clues themselves."""
    return Sections(_minimal_widths(layout))


def canonical_sections(layout: Layout) -> Sections:
    """The sections of the canonical observation: the minimal ones, and what is known of every card."""
    knowledge = layout.players * layout.hand_size * knowledge_width(layout)
    return Sections({**_minimal_widths(layout), "knowledge": knowledge})


def own_hand_sections(layout: Layout) -> Sections:
    """A cell for each card of the game, for each slot."""
    return Sections({"own_hand": layout.hand_size * layout.cards})


def _minimal_widths(layout: Layout) -> dict[str, int]:
    return {
        "hands": (layout.players - 1) * layout.hand_size * layout.cards + layout.players,
        "board": board_cells(layout).end,
        "discards": layout.deck_size,
        "last_action": last_action_cells(layout).end,
    }


KNOWLEDGE: int = derived(layout, lambda layout: canonical_sections(layout).start("knowledge"))
"""Where the section "knowledge" begins in the canonical observation."""
WIDTH: int = derived(layout, knowledge_width)
"""The cells of one card in that section."""
