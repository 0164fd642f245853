"""The search: all positions after the same number of card actions side by side, the best of them followed up.

With a width that suffices for all of them nothing is left out, and finding no win is a proof that there is none. So the
same search finds wins quickly when it is narrow, and decides small decks and endings completely when it is wide.

Which positions look best, their *merit* says. They are compared after the same number of card actions, so that more points
mean fewer cards thrown away. The weights were found by trying changes on some hundred hard deals (2, 3 and 5 players, five and
six colours, all or nothing), keeping what lessened the positions looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.engine.kernel import Jit, Row
from tamaya.engine.layout import Layout
from tamaya.sim.solver.bounds import Bounds
from tamaya.sim.solver.positions import HANDS, PLACED, TOKENS, Packing, words_of
from tamaya.sim.solver.steps import STEP_BITS, Choices, Steps
from tamaya.sim.solver.workspace import DEPTH, FOUND, IS_CUT, MOST_MERIT, NODES, STAMP, WINNING, Workspace

WON, NONE_LEFT, CUT, SPENT = range(4)
"""How a search came out: a win; no position left and none left out; none left but some left out; nodes used up."""

QUICK_FORKS = 16
"""Forks of the common hand that are looked at for each position: most need none."""

WORD = 0xFFFFFFFF

POINT, FREE_SLOT, FULL_HAND = 56, 9, -30
SAVING, SPENDING = 20, -10
"""The merit of a token in the two styles of searching: positions that one throws away, the other often keeps."""
FIRST_TOKENS = 4
MIDDLE = 1000


class Layers(NamedTuple):
    """The functions that keep the positions of a layer."""

    is_new_position: Callable[[Workspace, int], bool]
    rank: Callable[[Workspace, int], None]


class Following(NamedTuple):
    """The functions that lead from a layer to the next one."""

    follow: Callable[[Workspace, int, int, int, int], bool]
    advance: Callable[[Workspace, int, int], int]


def build_merit(layout: Layout, jit: Jit, choices: Choices) -> Callable[[Row, int], int]:
    """The merit of a position."""

    @jit
    def merit(position: Row, token: int) -> int:
        """Points, the first tokens, and slots that are not taken by cards which have to wait."""
        fits = choices.playable(position[PLACED])
        total = MIDDLE + POINT * choices.count(position[PLACED]) + token * min(position[TOKENS], FIRST_TOKENS)
        for seat in range(layout.players):
            hand = position[HANDS + seat]
            free = layout.hand_size - choices.count(hand & ~fits)
            total += FREE_SLOT * free if free else FULL_HAND
        return max(0, min(total, MOST_MERIT - 1))

    return merit


def build_layers(layout: Layout, jit: Jit) -> Layers:
    """The positions of a layer, none of them twice."""
    words = words_of(layout)

    @jit
    def hash_of(rows: Row, at: int) -> int:
        total = 0
        for word in range(words):
            total = ((total ^ (rows[at + word] & WORD)) * 0x2C1B3C6D) & WORD
            total ^= total >> 15
            total = ((total ^ (rows[at + word] >> 32)) * 0x297A2D39) & WORD
            total ^= total >> 13
        return total

    @jit
    def are_same(rows: Row, one: int, other: int) -> bool:
        differing = 0
        for word in range(words):
            differing += rows[one * words + word] != rows[other * words + word]
        return differing == 0

    @jit
    def is_new_position(workspace: Workspace, child: int) -> bool:
        """Whether no other position of the layer is the same; it is remembered if so."""
        rows, slots, stamp = workspace.successors, workspace.slots, workspace.figures[STAMP]
        last = len(slots) - 1
        slot = hash_of(rows, child * words) & last
        while slots[slot] >= stamp:
            if are_same(rows, slots[slot] - stamp, child):
                return False
            slot = (slot + 1) & last
        slots[slot] = stamp + child
        return True

    @jit
    def rank(workspace: Workspace, count: int) -> None:
        """Put the positions in order, the best first, those of the same merit as they were found."""
        merits, order, buckets = workspace.merits, workspace.order, workspace.buckets
        best, worst = 0, MOST_MERIT
        for child in range(count):
            best, worst = max(best, merits[child]), min(worst, merits[child])
        for bucket in range(best - worst + 1):
            buckets[bucket] = 0
        for child in range(count):
            buckets[best - merits[child]] += 1
        begin = 0
        for bucket in range(best - worst + 1):
            size = buckets[bucket]
            buckets[bucket] = begin
            begin += size
        for child in range(count):
            bucket = best - merits[child]
            order[buckets[bucket]] = child
            buckets[bucket] += 1

    return Layers(is_new_position, rank)


def build_following(
    layout: Layout, jit: Jit, packing: Packing, steps: Steps, bounds: Bounds, merit: Callable[[Row, int], int]
) -> Following:
    """Following positions up."""
    words, layers = words_of(layout), build_layers(layout, jit)
    is_tight = 2 * layout.players * layout.hand_size <= layout.cards

    @jit
    def keep(workspace: Workspace, drawn: int, link: int, token: int) -> None:
        """The position reached joins the next layer, unless it is lost or there already."""
        figures, child = workspace.figures, workspace.child
        if bounds.comes_too_late(child, drawn, workspace.deck, workspace.times):
            return
        if is_tight and bounds.has_too_small_hands(child, drawn, workspace, QUICK_FORKS):
            return
        at = figures[FOUND]
        if at == len(workspace.merits):
            figures[IS_CUT] = 1
            return
        packing.pack(child, workspace.successors, at * words)
        if layers.is_new_position(workspace, at):
            workspace.links[at] = link
            workspace.merits[at] = merit(child, token)
            figures[FOUND] += 1

    @jit
    def follow(workspace: Workspace, parent: int, drawn: int, complete: int, token: int) -> bool:
        """All successors of one position join the next layer; True if one of them is won."""
        position, child, figures, deck = workspace.position, workspace.child, workspace.figures, workspace.deck
        packing.unpack(workspace.layer, parent * words, position)
        listed = steps.list_steps(position, drawn, deck, complete, workspace.steps)
        figures[NODES] += listed
        for place in range(listed):
            link = parent << STEP_BITS | workspace.steps[place]
            steps.take_step(position, child, drawn, deck, workspace.steps[place])
            if child[PLACED] == layout.every_card:
                figures[WINNING] = link
                return True
            keep(workspace, min(drawn + 1, layout.deck_size), link, token)
        return False

    @jit
    def advance(workspace: Workspace, depth: int, width: int) -> int:
        """The best positions found become the layer to be followed up; returns how many they are."""
        count = workspace.figures[FOUND] + 0
        layers.rank(workspace, count)
        if count > width:
            workspace.figures[IS_CUT] = 1
            count = width
        for place in range(count):
            found = workspace.order[place]
            for word in range(words):
                workspace.layer[place * words + word] = workspace.successors[found * words + word]
            workspace.trail[depth * width + place] = workspace.links[found]
        return count

    return Following(follow, advance)


def build_search(
    layout: Layout, jit: Jit, packing: Packing, following: Following
) -> Callable[[Workspace, int, int, int, int, int], int]:
    """The search from one position."""

    @jit
    def search(workspace: Workspace, drawn: int, width: int, complete: int, token: int, budget: int) -> int:
        """Look for a win from the position in the workspace; `drawn` cards have left the deck, `token` is a token's merit."""
        figures = workspace.figures
        packing.pack(workspace.position, workspace.layer, 0)
        parents, depth = 1, 0
        figures[IS_CUT] = 0
        while parents > 0:
            figures[FOUND] = 0
            figures[STAMP] += len(workspace.merits) + 1
            for parent in range(parents):
                if following.follow(workspace, parent, min(drawn + depth, layout.deck_size), complete, token):
                    figures[DEPTH] = depth
                    return WON
                if figures[NODES] >= budget:
                    return SPENT
            parents = following.advance(workspace, depth, width)
            depth += 1
        return CUT if figures[IS_CUT] else NONE_LEFT

    return search
