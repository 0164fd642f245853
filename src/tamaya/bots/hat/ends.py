"""Choosing with the end in mind, when few cards are left."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.habits import HABITS
from tamaya.bots.hat.memory import Memory
from tamaya.bots.hat.own import SURE
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts

CLUE, DISCARD, NONE = -1, -2, -3
"""Decisions beside the slot of a card to play."""
LOST_POINTS = 2
"""Ends with fewer points than everything are looked for up to this many missing."""


def build_ends(kernel: Kernel, jit: Jit, notes: Memory, cards: Parts, supposing: Parts, endgame: Parts) -> Parts:
    """The function that may change a decision."""
    plan = kernel.layout
    colours, fireworks, hand_count, reach = plan.colours, plan.fireworks, kernel.hand_count, kernel.reach
    own, worths, search, budget = notes.own, notes.worths, notes.search, notes.budget
    index_of, suppose, worth = cards.index_of, supposing.suppose, endgame.worth
    clue, discard, positions = endgame.clue, endgame.discard, HABITS[plan.players].positions

    @jit
    def option_of(memory: Any, decision: int) -> int:
        """The option of the search that a decision is; -1 for playing a card that may be of several colours."""
        if decision < 0:
            return clue if decision == CLUE else discard
        options = memory[own + decision]
        card: int = index_of(options)
        return -1 if options & (options - 1) else card // 5

    @jit
    def decision_for(memory: Any, sight: Any, me: int, option: int) -> int:
        """The decision that an option of the search is; `NONE` where it is playing a card that is not known to be there."""
        if option >= colours:
            return CLUE if option == clue else DISCARD
        card = option * 5 + sight[fireworks + option]
        for slot in range(hand_count(sight, me)):
            if memory[own + slot] == 1 << card:
                return slot
        return NONE

    @jit
    def best_option(memory: Any, sight: Any, me: int, position: int, first: int, goal: int) -> int:
        """The option after which the goal is most likely reached, the first one if no other is better; writes down worths."""
        memory[search] += 1
        memory[budget] = positions
        memory[worths + first] = worth(memory, position, first, goal)
        best = first
        for option in range(discard + 1):
            if memory[worths + best] == SURE:
                break
            if option != first and (option >= colours or decision_for(memory, sight, me, option) != NONE):
                memory[worths + option] = worth(memory, position, option, goal)
                if memory[worths + option] > memory[worths + best]:
                    best = option
        return best

    @jit
    def look_for_end(memory: Any, sight: Any, me: int, decision: int, playable: int) -> int:
        """The decision, or a better one: the option after which most can be made most likely."""
        first = option_of(memory, decision)
        if first < 0:
            return decision
        position, goal = suppose(memory, sight, playable), 0
        for colour in range(colours):
            goal += reach(sight, colour)
        for missing in range(LOST_POINTS):
            best = best_option(memory, sight, me, position, first, goal - missing)
            if memory[budget] < 0 or (best == first and memory[worths + best] > 0):
                return decision
            if memory[worths + best] > 0:
                return decision_for(memory, sight, me, best)
        return decision

    return Parts(look_for_end=look_for_end)
