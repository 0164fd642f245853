"""The beam search: positions after the same number of card actions are compared, and the best are expanded.

If the width suffices for all positions, none is left out, and finding no win is a proof that there is none. So the same search
finds wins quickly when narrow, and decides small decks and endings completely when wide.

Positions are ranked by their *merit*. After the same number of card actions, more points mean fewer cards thrown away. The
weights were tuned on some hundred hard deals (2, 3 and 5 players, five and six colours, all or nothing) to reduce the number of
positions searched.
"""

from __future__ import annotations

from tamaya.engine.instances import Options, Row, derived, loop
from tamaya.engine.layout import DRAWN, layout
from tamaya.solver.position import (
    DEPTH,
    FOUND,
    HANDS,
    IS_CUT,
    MAX_MERIT,
    NODES,
    PLACED,
    STAMP,
    TOKENS,
    WINNING,
    WORDS,
    SolverWorkspace,
    pack,
    read_deck,
    read_position,
    unpack,
)
from tamaya.solver.proofs import NONE, overflows_hands, runs_out_of_turns, stranded_card
from tamaya.solver.steps import STEP_BITS, count, list_steps, playable_cards, take_step

OPTIONS = Options("inline")

WON, NONE_LEFT, CUT, SPENT = range(4)
"""The outcome of a search: a win; no position left and none left out; none left but some left out; the budget used up."""

QUICK_FORKS = 16
"""The forks of the common hand that are searched for each position: most need none."""

WORD = 0xFFFFFFFF

POINT, FREE_SLOT, FULL_HAND = 56, 9, -30
SAVING, SPENDING = 20, -10
"""The merit of a token in the two styles of searching: each often keeps positions that the other drops."""
FIRST_TOKENS = 4
MIDDLE = 1000

HANDS_ARE_TIGHT: bool = derived(layout, lambda layout: 2 * layout.players * layout.hand_size <= layout.cards)
"""Whether hands are so small that it pays to check each position for overflowing hands."""


def merit(position: Row, token: int) -> int:
    """The merit of a position: points, the first tokens, and slots that are free of waiting cards."""
    fits = playable_cards(position[PLACED])
    total = MIDDLE + POINT * count(position[PLACED]) + token * min(position[TOKENS], FIRST_TOKENS)
    for seat in range(layout.players):
        hand = position[HANDS + seat]
        free = layout.hand_size - count(hand & ~fits)
        total += FREE_SLOT * free if free else FULL_HAND
    return max(0, min(total, MAX_MERIT - 1))


# The distinct positions of a layer.


def hash_of(rows: Row, at: int) -> int:
    """A hash of a packed position."""
    total = 0
    for word in range(WORDS):
        total = ((total ^ (rows[at + word] & WORD)) * 0x2C1B3C6D) & WORD
        total ^= total >> 15
        total = ((total ^ (rows[at + word] >> 32)) * 0x297A2D39) & WORD
        total ^= total >> 13
    return total


def are_same(rows: Row, one: int, other: int) -> bool:
    """Whether two packed positions are equal."""
    differing = 0
    for word in range(WORDS):
        differing += rows[one * WORDS + word] != rows[other * WORDS + word]
    return differing == 0


def is_new_position(workspace: SolverWorkspace, child: int) -> bool:
    """Record a position of the layer; return whether it is new."""
    rows, slots, stamp = workspace.successors, workspace.slots, workspace.figures[STAMP]
    last = len(slots) - 1
    slot = hash_of(rows, child * WORDS) & last
    while slots[slot] >= stamp:
        if are_same(rows, slots[slot] - stamp, child):
            return False
        slot = (slot + 1) & last
    slots[slot] = stamp + child
    return True


def rank(workspace: SolverWorkspace, found: int) -> None:
    """Sort the positions by merit, the best first; equal ones stay in the order found."""
    merits, order, buckets = workspace.merits, workspace.order, workspace.buckets
    best, worst = 0, MAX_MERIT
    for child in range(found):
        best, worst = max(best, merits[child]), min(worst, merits[child])
    for bucket in range(best - worst + 1):
        buckets[bucket] = 0
    for child in range(found):
        buckets[best - merits[child]] += 1
    begin = 0
    for bucket in range(best - worst + 1):
        size = buckets[bucket]
        buckets[bucket] = begin
        begin += size
    for child in range(found):
        bucket = best - merits[child]
        order[buckets[bucket]] = child
        buckets[bucket] += 1


# From layer to layer.


def add_position(workspace: SolverWorkspace, drawn: int, link: int, token: int) -> None:
    """Add the position reached to the next layer, unless it is lost or already there."""
    figures, child = workspace.figures, workspace.child
    if runs_out_of_turns(child, drawn, workspace.deck, workspace.times):
        return
    if stranded_card(child, drawn, workspace.deck) != NONE:
        return
    if HANDS_ARE_TIGHT and overflows_hands(child, drawn, workspace, QUICK_FORKS):
        return
    at = figures[FOUND]
    if at == len(workspace.merits):
        figures[IS_CUT] = 1
        return
    pack(child, workspace.successors, at * WORDS)
    if is_new_position(workspace, at):
        workspace.links[at] = link
        workspace.merits[at] = merit(child, token)
        figures[FOUND] += 1


def expand(workspace: SolverWorkspace, parent: int, drawn: int, complete: int, token: int) -> bool:
    """Add all successors of one position to the next layer; return whether one of them wins."""
    position, child, figures, deck = workspace.position, workspace.child, workspace.figures, workspace.deck
    unpack(workspace.layer, parent * WORDS, position)
    listed = list_steps(position, drawn, deck, complete, workspace.steps)
    figures[NODES] += listed
    for place in range(listed):
        link = parent << STEP_BITS | workspace.steps[place]
        take_step(position, child, drawn, deck, workspace.steps[place])
        if child[PLACED] == layout.every_card:
            figures[WINNING] = link
            return True
        add_position(workspace, min(drawn + 1, layout.deck_size), link, token)
    return False


def advance(workspace: SolverWorkspace, depth: int, width: int) -> int:
    """Make the best positions found the next layer to expand; return their number."""
    found = workspace.figures[FOUND] + 0
    rank(workspace, found)
    if found > width:
        workspace.figures[IS_CUT] = 1
        found = width
    for place in range(found):
        child = workspace.order[place]
        for word in range(WORDS):
            workspace.layer[place * WORDS + word] = workspace.successors[child * WORDS + word]
        workspace.trail[depth * width + place] = workspace.links[child]
    return found


@loop
def search(state: Row, workspace: SolverWorkspace, width: int, complete: int, token: int, budget: int) -> int:
    """Search for a win from a game's state, with `token` as a token's merit, until `budget` nodes have been searched."""
    figures, drawn = workspace.figures, state[DRAWN] + 0
    read_deck(state, workspace.deck)
    read_position(state, workspace.position)
    pack(workspace.position, workspace.layer, 0)
    parents, depth = 1, 0
    figures[IS_CUT] = 0
    while parents > 0:
        figures[FOUND] = 0
        figures[STAMP] += len(workspace.merits) + 1
        for parent in range(parents):
            if expand(workspace, parent, min(drawn + depth, layout.deck_size), complete, token):
                figures[DEPTH] = depth
                return WON
            if figures[NODES] >= budget:
                return SPENT
        parents = advance(workspace, depth, width)
        depth += 1
    return CUT if figures[IS_CUT] else NONE_LEFT
