"""How much room a position leaves, by a bound that holds for every way of playing on.

Take hands without limit, clue tokens without end and turns in any order. A card can then be played as soon as it has been
drawn and the one below it has been played. Each *card action* (a play, or a card thrown away) draws one card, so the card that
lies q deep can be played by card action q + 2 at the earliest, and one that is held by the first. By the rules with last
turns there are only as many card actions left as the deck has cards, plus one for each player; who draws the last card has the
last of them, so that this card can be played no earlier. Whatever is done, a plan that
completes the fireworks places every missing card at one of these actions, and none before its time: for every x, the cards that
cannot be played before action x have to fit into the actions from x on. How many actions are left over there, at the worst
x, is the *room*: the cards that can still be thrown away. Below 0 there is no such plan, and since everything was only made
easier, none under the real rules either.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel.parts import Jit, Parts
from tamaya.engine.layout import Layout
from tamaya.sim.solver.positions import HANDS, LAST, NEVER, PLACED, deck_tables

HOPELESS = -1
ENDLESS = 31
"""The room where turns are not limited: more than any position has where they are."""


def build_room(rules: Layout, jit: Jit) -> Parts:
    """The bound, as a function of a position."""
    players, colours, deck_size, all_or_nothing = rules.players, rules.colours, rules.deck_size, rules.all_or_nothing
    cards, nexts = 5 * rules.colours, deck_tables(rules).nexts

    @jit
    def note_times(position: Any, drawn: int, left: int, tables: Any, times: Any) -> bool:
        """Count the missing cards by the first card action that can play them; False where one comes too late, or never."""
        placed, held = position[PLACED], 0
        for seat in range(players):
            held |= position[HANDS + seat]
        for time in range(left + 1):
            times[time] = 0
        for colour in range(colours):
            time = 0
            for card in range(5 * colour, 5 * colour + 5):
                if placed >> card & 1:
                    continue
                time += 1
                if not held >> card & 1:
                    place = tables[nexts + drawn * cards + card]
                    if place == NEVER:
                        return False
                    is_bottom = place == deck_size - 1 and not all_or_nothing
                    time = max(time, left if is_bottom else place - drawn + 2)
                if time > left:
                    if not all_or_nothing:
                        return False
                else:
                    times[time] += 1
        return True

    @jit
    def room(position: Any, drawn: int, tables: Any, times: Any) -> int:
        """How many cards can still be thrown away, or HOPELESS; `drawn` cards have left the deck."""
        left = position[LAST] if drawn == deck_size else deck_size - drawn + players
        if not note_times(position, drawn, left, tables, times):
            return HOPELESS
        if all_or_nothing:
            return ENDLESS
        least, waiting = left, 0
        for time in range(left, 0, -1):
            waiting += times[time]
            least = min(least, left - time + 1 - waiting)
        return least if least >= 0 else HOPELESS

    return Parts(room=room)
