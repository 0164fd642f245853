"""The features of the network: cells of the canonical observation, of the last actions, and of derived facts.

Cells that are 1 are listed by their places. They equal those of `tamaya.training.model`, computed from a sight.

The memory keeps the actions before the last one; everything else is computed anew on every turn.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, NamedTuple, Protocol, overload

from tamaya.bots.cards import count_left
from tamaya.bots.encoding.canonical import WORDS, encode_canonical, write_last_action
from tamaya.bots.encoding.cells import BITS, words_for
from tamaya.bots.encoding.sections import canonical_sections, last_action_cells
from tamaya.bots.policy import PER_CARD, Memory, PerSetting, Scratch, exactly
from tamaya.engine.instances import LookupTable, Options, Row, derived, per_setting
from tamaya.engine.kernel.clues import possible_cards
from tamaya.engine.kernel.ending import reach
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import SEAT, Layout, copies, layout, order

if TYPE_CHECKING:
    from tamaya.bots.learned.weights import NetworkSetting

OPTIONS = Options()
CELL_BITS = 16
"""A cell of a hidden layer is a fixed-point number with this many fractional bits."""
LEVELS = 5
"""The cells of a chance: possible at all, at least a quarter, a half, three quarters, certain."""
KINDS = 3
PLAYABLE, USELESS, CRITICAL = range(KINDS)
"""Kinds of cards: playable, useless, the last copy of a useful card."""


class Places(NamedTuple):
    """The first cells of a row of features' sections, and its size."""

    past: int
    chances: int
    others: int
    unseen: int
    kinds: int
    size: int
    action_width: int
    """The number of cells of one action."""


def places_of(layout: Layout, past: int) -> Places:
    """The places for a network that looks at the last `past` actions; the very last is part of the observation."""
    seen, action = canonical_sections(layout).size, last_action_cells(layout).end
    chances = seen + (past - 1) * action
    others = chances + layout.players * layout.hand_size * KINDS * LEVELS
    unseen = others + (layout.players - 1) * layout.hand_size * KINDS
    kinds = unseen + layout.deck_size
    return Places(seen, chances, others, unseen, kinds, kinds + KINDS * layout.cards, action)


class LearnedShape(NamedTuple):
    """The layout that a network is made for, and its size."""

    layout: Layout
    past: int
    """The number of last actions that it looks at."""
    width: int
    """The number of cells of a hidden layer."""

    @property
    def places(self) -> Places:
        """The places of its cells."""
        return places_of(self.layout, self.past)

    @property
    def action_words(self) -> int:
        """The words of one action."""
        return words_for(self.places.action_width)

    @property
    def past_words(self) -> int:
        """The words of all actions before the last one; one word if there are none."""
        return max((self.past - 1) * self.action_words, 1)

    @property
    def seen_words(self) -> int:
        """The words of the canonical observation."""
        return words_for(canonical_sections(self.layout).size)

    @property
    def longest_list(self) -> int:
        """The largest number of cells of a layer that can be other than 0."""
        return max(self.places.size, self.width)


class Sums(Row, Protocol):
    """A row of sums, for which compiled code may use smaller integers."""

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> Sums: ...
    def view(self, number: type, /) -> Row: ...  # noqa: D102


def shape_in(setting: NetworkSetting) -> LearnedShape:
    """The shape of the network that plays."""
    return setting.shape


class LearnedMemory(Memory):
    """The past actions that a network remembers, and scratch to compute in."""

    past: Annotated[Row, PerSetting(attrgetter("shape.past_words"))]  # newest first
    scratch: Scratch
    seen: Annotated[Row, PerSetting(attrgetter("shape.seen_words"))]  # the canonical observation
    left: Annotated[Row, PER_CARD]  # copies that are not on the table
    unseen: Annotated[Row, PER_CARD]  # copies that the player does not see
    sets: Annotated[Row, exactly(KINDS)]  # the cards of each kind
    listed: int  # how many cells of the previous layer are not 0
    cells: Annotated[Row, PerSetting(attrgetter("shape.longest_list"))]  # their places, in order
    hidden: Annotated[Row, PerSetting(attrgetter("shape.width"))]
    following: Annotated[Sums, PerSetting(attrgetter("shape.width"))]
    worth: Annotated[Row, PerSetting(attrgetter("shape.layout.actions"))]  # the worth of each action


def unseen_places(shape: LearnedShape) -> LookupTable:
    """The first cell of each card in the section of unseen cards."""
    copies, first = shape.layout.copies, shape.places.unseen
    return LookupTable(first + sum(copies[:card]) for card in range(shape.layout.cards))


shape: LearnedShape = per_setting(shape_in)
places: Places = derived(shape, lambda shape: shape.places)
STEP: int = derived(shape, lambda shape: shape.action_words)
"""The words of an action."""
PAST_WORDS: int = derived(shape, lambda shape: shape.past_words)
BEFORE_LAST: int = derived(shape, lambda shape: shape.past - 1)
"""The number of actions before the last one that it looks at."""
UNSEEN_PLACES: LookupTable = derived(shape, unseen_places)
"""The first cell of each card in the section of unseen cards."""


# The past.


def forget(memory: LearnedMemory) -> None:
    """Forget all actions."""
    for at in range(PAST_WORDS):
        memory.past[at] = 0


def remember(memory: LearnedMemory, before: Row) -> None:
    """Remember the last action before this one, as one further back."""
    if BEFORE_LAST == 0:
        return
    for at in range(BEFORE_LAST * STEP - 1, STEP - 1, -1):
        memory.past[at] = memory.past[at - STEP]
    for at in range(STEP):
        memory.past[at] = 0
    write_last_action(before, before[SEAT] + 0, memory.past[0:STEP], 0)


# Counting cards.


def count_unseen(memory: LearnedMemory, sight: Row) -> None:
    """Count the copies of each card that are not on the table, and those that the player does not see."""
    count_left(memory.left, sight)
    for card in range(layout.cards):
        memory.unseen[card] = memory.left[card]
    me = sight[SEAT] + 0
    for seat in range(layout.players):
        if seat != me:
            for slot in range(hand_count(sight, seat)):
                memory.unseen[card_at(sight, seat, slot)] -= 1


def sort_cards(memory: LearnedMemory, sight: Row) -> None:
    """Sort the cards by kind. As in training, the first card that cannot be placed does not count as useless."""
    playable, useless, critical = 0, 0, 0
    for colour in range(layout.colours):
        height, missing = sight[layout.fireworks + colour] + 0, reach(sight, colour)
        for place in range(layout.values):
            card = order[colour * layout.values + place]
            if place == height:
                playable |= 1 << card
            if place < height or place > missing:
                useless |= 1 << card
            elif copies[card] - sight[layout.discards + card] == 1:
                critical |= 1 << card
    memory.sets[PLAYABLE] = playable
    memory.sets[USELESS] = useless
    memory.sets[CRITICAL] = critical


# Listing cells.


def list_words(memory: LearnedMemory, words: Row, count: int, start: int) -> None:
    """List the set bits of the first words, by their places from `start` on."""
    listed = memory.listed + 0
    for word in range(count):
        left, at = words[word] + 0, start + word * BITS
        while left:
            if left & 1:
                memory.cells[listed] = at
                listed += 1
            left >>= 1
            at += 1
    memory.listed = listed


def mark(memory: LearnedMemory, cell: int) -> None:
    """List a cell."""
    memory.cells[memory.listed] = cell
    memory.listed += 1


def mark_chance(memory: LearnedMemory, start: int, chance: int, total: int) -> None:
    """List the `LEVELS` that a chance reaches: `chance` of `total` possibilities."""
    if chance > 0:
        mark(memory, start)
    if 4 * chance >= total:
        mark(memory, start + 1)
    if 2 * chance >= total:
        mark(memory, start + 2)
    if 4 * chance >= 3 * total:
        mark(memory, start + 3)
    if chance >= total:
        mark(memory, start + 4)


def mark_chances(memory: LearnedMemory, possible: int, counts: Row, start: int) -> None:
    """List how likely a card, being one of the possible ones, is of each kind by these counts."""
    total, playable, useless, critical = 0, 0, 0, 0
    for card in range(layout.cards):
        if (possible >> card) & 1:
            count = counts[card] + 0
            total += count
            playable += count * ((memory.sets[PLAYABLE] >> card) & 1)
            useless += count * ((memory.sets[USELESS] >> card) & 1)
            critical += count * ((memory.sets[CRITICAL] >> card) & 1)
    if total > 0:
        mark_chance(memory, start, playable, total)
        mark_chance(memory, start + USELESS * LEVELS, useless, total)
        mark_chance(memory, start + CRITICAL * LEVELS, critical, total)


def list_chances(memory: LearnedMemory, sight: Row, distance: int) -> None:
    """List the chances of the cards in a hand, by what its owner and all others see, or by what the player sees."""
    seat = (sight[SEAT] + distance) % layout.players
    counts = memory.left if distance else memory.unseen
    for slot in range(hand_count(sight, seat)):
        place = distance * layout.hand_size + slot
        mark_chances(memory, possible_cards(sight, seat, slot), counts, places.chances + place * KINDS * LEVELS)


def mark_kinds(memory: LearnedMemory, card: int, start: int) -> None:
    """List the kinds of a card."""
    for kind in range(KINDS):
        if (memory.sets[kind] >> card) & 1:
            mark(memory, start + kind)


def list_kinds(memory: LearnedMemory, sight: Row, distance: int) -> None:
    """List the kinds of the cards in another player's hand."""
    seat = (sight[SEAT] + distance) % layout.players
    for slot in range(hand_count(sight, seat)):
        place = (distance - 1) * layout.hand_size + slot
        mark_kinds(memory, card_at(sight, seat, slot), places.others + place * KINDS)


def list_facts(memory: LearnedMemory, sight: Row) -> None:
    """List the cells of derived facts."""
    for distance in range(layout.players):
        list_chances(memory, sight, distance)
    for distance in range(1, layout.players):
        list_kinds(memory, sight, distance)
    for card in range(layout.cards):
        for rank in range(memory.unseen[card]):
            mark(memory, UNSEEN_PLACES[card] + rank)
    for card in range(layout.cards):
        mark_kinds(memory, card, places.kinds + card * KINDS)


def list_cells(memory: LearnedMemory, sight: Row) -> None:
    """List all cells that are 1."""
    memory.listed = 0
    encode_canonical(sight, sight[SEAT] + 0, memory.seen)
    list_words(memory, memory.seen, WORDS, 0)
    for back in range(BEFORE_LAST):
        list_words(memory, memory.past[back * STEP : (back + 1) * STEP], STEP, places.past + back * places.action_width)
    count_unseen(memory, sight)
    sort_cards(memory, sight)
    list_facts(memory, sight)
