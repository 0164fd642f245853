"""The search: all positions after the same number of card actions side by side, the best of them followed up.

With a width that suffices for all of them nothing is left out, and finding no win is a proof that there is none. So the
same search finds wins quickly when it is narrow, and decides small decks and endings completely when it is wide.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import Layout
from tamaya.sim.solver.bounds import HOPELESS
from tamaya.sim.solver.common import LOSES
from tamaya.sim.solver.desk import DEPTH, FOUND, IS_CUT, MOST_WORTH, NODES, STAMP, WINNING, Desk
from tamaya.sim.solver.positions import PLACED, words_of
from tamaya.sim.solver.steps import STEP

WON, NONE_LEFT, CUT, SPENT = range(4)
"""How a search came out: a win; no position left and none left out; none left but some left out; nodes used up."""

QUICK_FORKS = 16
"""Forks of the common hand that are looked at for each position: most need none."""

WORD = 0xFFFFFFFF


def build_keeping(rules: Layout, jit: Jit) -> Parts:
    """The positions of a layer, none of them twice."""
    words = words_of(rules)

    @jit
    def hashed(rows: Any, at: int) -> int:
        total = 0
        for word in range(words):
            total = ((total ^ (rows[at + word] & WORD)) * 0x2C1B3C6D) & WORD
            total ^= total >> 15
            total = ((total ^ (rows[at + word] >> 32)) * 0x297A2D39) & WORD
            total ^= total >> 13
        return total

    @jit
    def are_same(rows: Any, one: int, other: int) -> bool:
        differing = 0
        for word in range(words):
            differing += rows[one * words + word] != rows[other * words + word]
        return differing == 0

    @jit
    def is_new(desk: Desk, child: int) -> bool:
        """Whether no other position of the layer is the same; it is remembered if so."""
        rows, slots, stamp = desk.rows, desk.slots, desk.figures[STAMP]
        last = len(slots) - 1
        slot = hashed(rows, child * words) & last
        while slots[slot] >= stamp:
            if are_same(rows, slots[slot] - stamp, child):
                return False
            slot = (slot + 1) & last
        slots[slot] = stamp + child
        return True

    @jit
    def rank(desk: Desk, count: int) -> None:
        """Put the positions in order, the best first, those of the same worth as they were found."""
        worths, order, buckets = desk.worths, desk.order, desk.buckets
        best, worst = 0, MOST_WORTH
        for child in range(count):
            best, worst = max(best, worths[child]), min(worst, worths[child])
        for bucket in range(best - worst + 1):
            buckets[bucket] = 0
        for child in range(count):
            buckets[best - worths[child]] += 1
        begin = 0
        for bucket in range(best - worst + 1):
            size = buckets[bucket]
            buckets[bucket] = begin
            begin += size
        for child in range(count):
            bucket = best - worths[child]
            order[buckets[bucket]] = child
            buckets[bucket] += 1

    return Parts(is_new=is_new, rank=rank)


def build_follow(rules: Layout, jit: Jit, parts: Parts) -> Parts:
    """Following positions up."""
    words, deck_size, every_card = words_of(rules), rules.deck_size, (1 << 5 * rules.colours) - 1
    is_tight = 2 * rules.players * rules.hand_size <= 5 * rules.colours
    keeping = build_keeping(rules, jit)
    move, room, common, worth, pack, unpack = parts.move, parts.room, parts.common, parts.worth, parts.pack, parts.unpack
    list_steps, is_new, rank = parts.list_steps, keeping.is_new, keeping.rank

    @jit
    def keep(desk: Desk, drawn: int, link: int, token: int) -> None:
        """The position reached joins the next layer, unless it is hopeless or there already."""
        figures, child = desk.figures, desk.child
        if room(child, drawn, desk.tables, desk.times) == HOPELESS:
            return
        if is_tight and common(child, drawn, desk, QUICK_FORKS) == LOSES:
            return
        at = figures[FOUND]
        if at == len(desk.worths):
            figures[IS_CUT] = 1
            return
        pack(child, desk.rows, at * words)
        if is_new(desk, at):
            desk.links[at] = link
            desk.worths[at] = worth(child, token)
            figures[FOUND] += 1

    @jit
    def follow(desk: Desk, parent: int, drawn: int, complete: int, token: int) -> bool:
        """All successors of one position join the next layer; True if one of them is won."""
        position, child, figures = desk.position, desk.child, desk.figures
        unpack(desk.layer, parent * words, position)
        listed = list_steps(position, drawn, desk.tables, complete, desk.steps)
        figures[NODES] += listed
        for place in range(listed):
            link = parent << STEP | desk.steps[place]
            move(position, child, drawn, desk.tables, desk.steps[place])
            if child[PLACED] == every_card:
                figures[WINNING] = link
                return True
            keep(desk, min(drawn + 1, deck_size), link, token)
        return False

    @jit
    def advance(desk: Desk, depth: int, width: int) -> int:
        """The best positions found become the layer to be followed up; returns how many they are."""
        count: int = desk.figures[FOUND] + 0
        rank(desk, count)
        if count > width:
            desk.figures[IS_CUT] = 1
            count = width
        for place in range(count):
            found = desk.order[place]
            for word in range(words):
                desk.layer[place * words + word] = desk.rows[found * words + word]
            desk.trail[depth * width + place] = desk.links[found]
        return count

    return Parts(follow=follow, advance=advance)


def build_search(rules: Layout, jit: Jit, parts: Parts) -> Parts:
    """The search from one position."""
    deck_size, pack = rules.deck_size, parts.pack
    following = build_follow(rules, jit, parts)
    follow, advance = following.follow, following.advance

    @jit
    def search(desk: Desk, drawn: int, width: int, complete: int, token: int, budget: int) -> int:
        """Look for a win from the position on the desk; `drawn` cards have left the deck, `token` is what a token is worth."""
        figures = desk.figures
        pack(desk.position, desk.layer, 0)
        parents, depth = 1, 0
        figures[IS_CUT] = 0
        while parents > 0:
            figures[FOUND] = 0
            figures[STAMP] += len(desk.worths) + 1
            for parent in range(parents):
                if follow(desk, parent, min(drawn + depth, deck_size), complete, token):
                    figures[DEPTH] = depth
                    return WON
                if figures[NODES] >= budget:
                    return SPENT
            parents = advance(desk, depth, width)
            depth += 1
        return CUT if figures[IS_CUT] else NONE_LEFT

    return Parts(search=search)
