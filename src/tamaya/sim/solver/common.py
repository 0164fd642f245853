"""A proof that a position cannot be won: not even if all players held one common hand.

Let everybody play from one hand as large as all hands together, with clue tokens without end and in any order. Every line of
the real game is one of this game too, so a position that is lost here is lost. And this game has hardly any choices:

- A card that fits is played at once. If a plan throws x away now and plays the fitting card later, then playing that card
  now and throwing x away later keeps the hand no fuller at any time, and hinders no other card.
- Otherwise a spare card is thrown away, if there is one: a needed one in its place does all that the spare one did.
- Only when the whole hand is needed and nothing fits, one has to choose what to throw away, among the cards that come again.

So the search forks only there, and remembers where it has been.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import Layout
from tamaya.sim.solver.desk import DEEPEST, FRAME, SEEN, SEEN_STAMP, Desk
from tamaya.sim.solver.positions import HANDS, LAST, PLACED, SET, deck_tables

WINS, LOSES, OPEN = range(3)
"""What becomes of the common hand: it wins, so the real ones might; it loses, so they do; there were too many forks."""


def build_forced(rules: Layout, jit: Jit, bits: Parts, choices: Parts) -> Parts:
    """What the common hand does where nothing is to be chosen."""
    deck_size, all_or_nothing = rules.deck_size, rules.all_or_nothing
    cards, capacity, every_card = 5 * rules.colours, rules.players * rules.hand_size, (1 << 5 * rules.colours) - 1
    count, playable = bits.count, choices.playable

    @jit
    def go_on(placed: int, held: int, drawn: int, left: int, tables: Any) -> tuple[int, int, int, int]:
        """Play until it is over, or OPEN at a fork; then the cards placed, held and drawn. `left` card actions remain."""
        while placed != every_card:
            fits = held & playable(placed)
            if not all_or_nothing and cards - count(placed) > left:
                return LOSES, placed, held, drawn
            if fits:
                placed |= fits & -fits
                held &= ~placed
            elif drawn == deck_size:
                return LOSES, placed, held, drawn
            elif count(held) == capacity:
                return OPEN, placed, held, drawn
            if drawn < deck_size:
                held |= 1 << tables[drawn] & ~placed
                drawn += 1
            left -= 1
        return WINS, placed, held, drawn

    return Parts(go_on=go_on)


def build_memory(jit: Jit) -> Parts:
    """Forks that have been looked at; those of earlier calls count as forgotten."""

    @jit
    def is_new(placed: int, held: int, drawn: int, desk: Desk) -> bool:
        """Whether the search comes to a fork for the first time; it is remembered if so."""
        seen, stamp = desk.seen, desk.figures[SEEN_STAMP]
        key = placed | held << SET
        slot = (((key & 0xFFFFFFFF) * 0x2C1B3C6D ^ (key >> 32) * 0x297A2D39 ^ drawn * 0x9E3779) >> 7) & (SEEN - 1)
        while seen[2 * slot + 1] >= stamp:
            if seen[2 * slot] == key and seen[2 * slot + 1] == stamp + drawn:
                return False
            slot = (slot + 1) & (SEEN - 1)
        seen[2 * slot], seen[2 * slot + 1] = key, stamp + drawn
        return True

    return Parts(is_new=is_new)


def build_common(rules: Layout, jit: Jit, bits: Parts, choices: Parts) -> Parts:
    """The proof."""
    players, deck_size, below = rules.players, rules.deck_size, deck_tables(rules).below
    go_on, is_new = build_forced(rules, jit, bits, choices).go_on, build_memory(jit).is_new

    @jit
    def push(desk: Desk, depth: int, placed: int, held: int, drawn: int) -> None:
        """A fork is to be looked at: each card that comes again may be thrown away."""
        at = depth * FRAME
        desk.stack[at], desk.stack[at + 1], desk.stack[at + 2] = placed, held, drawn
        desk.stack[at + 3] = held & desk.tables[below + drawn]

    @jit
    def common(position: Any, drawn: int, desk: Desk, forks: int) -> int:
        """What becomes of the common hand, with so many forks to be looked at."""
        stack, tables, figures = desk.stack, desk.tables, desk.figures
        held = 0
        for seat in range(players):
            held |= position[HANDS + seat]
        left = position[LAST] if drawn == deck_size else deck_size - drawn + players
        found, placed, held, drawn = go_on(position[PLACED], held, drawn, left, tables)
        figures[DEEPEST] = drawn
        if found != OPEN:
            return WINS if found == WINS else LOSES
        figures[SEEN_STAMP] += deck_size + 1
        push(desk, 0, placed, held, drawn)
        depth = 0
        while depth >= 0:
            at = depth * FRAME
            thrown = stack[at + 3]
            if thrown == 0:
                depth -= 1
                continue
            stack[at + 3] = thrown & (thrown - 1)
            placed, drawn = stack[at], stack[at + 2]
            held = stack[at + 1] & ~(thrown & -thrown) | 1 << tables[drawn] & ~placed
            found, placed, held, drawn = go_on(placed, held, drawn + 1, deck_size - drawn - 1 + players, tables)
            figures[DEEPEST] = max(figures[DEEPEST], drawn)
            if found == WINS:
                return WINS
            if found == OPEN and is_new(placed, held, drawn, desk):
                forks -= 1
                if forks <= 0:
                    return OPEN
                depth += 1
                push(desk, depth, placed, held, drawn)
        return LOSES

    return Parts(common=common)
