"""The last cards: how likely everything that can be made will be, if all play as well as they can from here.

Everybody is taken to see all hands, as hats have told nearly everything by then; nobody sees the deck. A card that its owner
does not know yet can be played once a clue has been given.
"""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import DRAWERS, POSITIONS, Memory
from tamaya.bots.hat.own import SURE
from tamaya.bots.hat.supposing import places
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts

REACHED, OPEN, HOPELESS = 0, 1, 2
SEARCHES = (1 << 12) - 1
BEST = -1
"""In place of an option: whichever is best."""


def build_endgame(kernel: Kernel, jit: Jit, notes: Memory, supposing: Parts) -> Parts:
    """The functions of the search. Options are the colours to play, then a clue, then a discard."""
    plan, at = kernel.layout, places(kernel.layout)
    players, colours, clue_tokens, bonus = plan.players, plan.colours, plan.clue_tokens, 1 if plan.announced_plays else 0
    tokens_at, deck_at, turns_at, seat_at = at.tokens, at.deck, at.turns, at.seat
    told_at, drawers_at, search_at = at.told, at.drawers, at.end
    holders, hopes, tops, coming, copies = notes.holders, notes.hopes, notes.tops, notes.coming, notes.copies
    searched, search, budget, mix = notes.searched, notes.search, notes.budget, supposing.mix
    clue, discard = colours, colours + 1

    @jit
    def has(memory: Any, position: int, seat: int, card: int) -> bool:
        """Whether a seat can play a card, if it fits: it holds it and knows it."""
        if (memory[holders + card] >> seat) & 1:
            return True
        if not (position >> told_at) & 1:
            return False
        for place in range(DRAWERS):
            if memory[coming + place] == card and (position >> (drawers_at + 3 * place)) & 7 == seat + 1:
                return True
        return (memory[hopes + card] >> seat) & 1 == 1

    @jit
    def take(memory: Any, position: int, seat: int, option: int) -> int:
        """The position after an option, before a card is drawn and the turn passes; -1 where the option is not there."""
        tokens = (position >> tokens_at) & 31
        if option == clue:
            return (position - (1 << tokens_at)) | 1 << told_at if tokens > 0 else -1
        if option == discard:
            return position + (1 << tokens_at) if tokens < clue_tokens else -1
        height = (position >> (3 * option)) & 7
        if height >= memory[tops + option] or not has(memory, position, seat, option * 5 + height):
            return -1
        gained = min(bonus + (1 if height == 4 else 0), clue_tokens - tokens)
        return position + (1 << (3 * option)) + (gained << tokens_at)

    @jit
    def outlook(memory: Any, position: int, goal: int) -> int:
        """Whether so many points are made, can be made in the turns that are left, or cannot."""
        made, possible = 0, 0
        for colour in range(colours):
            made += (position >> (3 * colour)) & 7
            possible += memory[tops + colour]
        if made >= goal:
            return REACHED
        left, turns = (position >> deck_at) & 15, (position >> turns_at) & 7
        plays = left + players if left > 0 else turns
        return OPEN if min(possible, made + plays) >= goal else HOPELESS

    @jit
    def worth(memory: Any, position: int, option: int, goal: int) -> int:
        """How likely the goal is reached after an option, or by the best one, in parts of `SURE`; -1 where the option is not
        there, and 0 too where the budget is spent.

        Every needed card may be drawn next, with the chance that its copies have; any other card is as good as none. It calls
        itself, and with numbers that are no constants: a compiler cannot keep any other recursion on disk.
        """
        if option == BEST:
            view = outlook(memory, position, goal)
            if view != OPEN:
                return SURE if view == REACHED else 0
            place = searched + (mix(position ^ (position >> 32)) & (POSITIONS - 1)) * 2
            key = position | (memory[search] & SEARCHES) << search_at
            if memory[place] == key:
                known: int = memory[place + 1]
                return known
            memory[budget] -= 1
            best = 0
            if memory[budget] >= 0:
                for other in range(discard + 1):
                    best = max(best, worth(memory, position, other, goal))
                    if best == SURE:
                        break
            memory[place] = key
            memory[place + 1] = best
            return best
        seat, turns, left = (position >> seat_at) & 7, (position >> turns_at) & 7, (position >> deck_at) & 15
        whichever = min(option, BEST)
        position = take(memory, position, seat, option)
        if position < 0:
            return -1
        if turns > 0:
            position -= 1 << turns_at
        position = (position & ~(7 << seat_at)) | ((seat + 1) % players) << seat_at
        if option == clue or left == 0:
            return worth(memory, position, whichever, goal)
        position -= 1 << deck_at
        if left == 1:
            position |= players << turns_at
        total, others = 0, left
        for drawer in range(DRAWERS):
            bits = drawers_at + 3 * drawer
            count = min(memory[copies + drawer], others)
            if count > 0 and (position >> bits) & 7 == 0:
                total += count * worth(memory, (position | (seat + 1) << bits) & ~(1 << told_at), whichever, goal)
                others -= count
        if others > 0:
            total += others * worth(memory, position, whichever, goal)
        return total // left

    return Parts(worth=worth, clue=clue, discard=discard)
