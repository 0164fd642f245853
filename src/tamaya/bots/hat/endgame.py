"""The end of a game: how likely everything that can be made will be, if all play as well as they can from here.

Everybody is taken to see all hands, as hats have told nearly everything by then; nobody sees the deck. A card that its owner
does not know yet can be played once a clue has been given.
"""

from __future__ import annotations

from collections.abc import Callable

from tamaya.bots.cards import Cards
from tamaya.bots.hat.habits import Habits
from tamaya.bots.hat.memory import FOLLOWED, REMEMBERED, Memory
from tamaya.bots.hat.picture import SURE, Picture
from tamaya.bots.hat.positions import NOT_THERE, Positions
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import HEIGHT

CLUE, DISCARD, NO_DECISION = -1, -2, -3
"""Decisions beside the slot of a card to play."""
MISSING_POINTS = 2
"""Ends are looked for with everything that can be made, then with one point less, and so on: so many in all."""
BEST = -1
"""In place of an option: whichever is best."""
NOWHERE = -1
"""In place of a position: none is remembered here."""
REACHED, OPEN, HOPELESS = range(3)


def build_worth(kernel: Kernel, jit: Jit, notes: Memory, positions: Positions) -> Callable[[Row, int, int, int], int]:
    """The function that searches."""
    layout = kernel.layout

    @jit
    def outlook(memory: Row, position: int, goal: int) -> int:
        """Whether so many points are made, can be made in the turns that are left, or cannot."""
        made, possible = 0, 0
        for colour in range(layout.colours):
            made += positions.height(position, colour)
            possible += memory[notes.reach + colour]
        if made >= goal:
            return REACHED
        left = positions.deck(position)
        plays = left + layout.players if left > 0 else positions.turns(position)
        return OPEN if min(possible, made + plays) >= goal else HOPELESS

    @jit
    def worth(memory: Row, position: int, option: int, goal: int) -> int:
        """How likely the goal is reached after an option, or by the best one, in parts of `SURE`; -1 where the option is not
        there, and 0 too where the budget is spent.

        Every needed card may be drawn next, with the chance that its copies have; any other card is as good as none. It calls
        itself, and with numbers that are no constants: a compiler cannot keep any other recursion on disk.
        """
        if option == BEST:
            view = outlook(memory, position, goal)
            if view != OPEN:
                return SURE if view == REACHED else 0
            place = kernel.shuffle.mix(position ^ (position >> 32)) & (REMEMBERED - 1)
            if memory[notes.positions + place] == position:
                return memory[notes.position_worths + place]
            memory[notes.budget] -= 1
            best = 0
            if memory[notes.budget] >= 0:
                for other in range(positions.discard + 1):
                    best = max(best, worth(memory, position, other, goal))
                    if best == SURE:
                        break
            memory[notes.positions + place] = position
            memory[notes.position_worths + place] = best
            return best
        whichever = min(option, BEST)
        seat, left, position = positions.seat(position), positions.deck(position), positions.after(memory, position, option)
        if position == NOT_THERE:
            return -1
        if option == positions.clue or left == 0:
            return worth(memory, position, whichever, goal)
        total, others = 0, left
        for place in range(FOLLOWED):
            drawn = positions.draw(memory, position, seat, place) if others > 0 else NOT_THERE
            if drawn != NOT_THERE:
                copies = min(memory[notes.followed_copies + place], others)
                total += copies * worth(memory, drawn, whichever, goal)
                others -= copies
        if others > 0:
            total += others * worth(memory, position, whichever, goal)
        return total // left

    return worth


def build_endgame(
    kernel: Kernel, jit: Jit, notes: Memory, cards: Cards, picture: Picture, positions: Positions, habits: Habits
) -> Callable[[Row, Row, int, int, int], int]:
    """The function that may change a decision when few cards are left."""
    layout, worth = kernel.layout, build_worth(kernel, jit, notes, positions)

    @jit
    def option_of(memory: Row, decision: int) -> int:
        """The option of the search that a decision is; -1 for playing a card that may be of several colours."""
        if decision < 0:
            return positions.clue if decision == CLUE else positions.discard
        options = memory[notes.own_hand + decision]
        return -1 if picture.is_open(options) else cards.index_of(options) // HEIGHT

    @jit
    def decision_for(memory: Row, sight: Row, me: int, option: int) -> int:
        """The decision that an option of the search is; `NO_DECISION` where it is playing a card that is not known to be there."""
        if option >= positions.clue:
            return CLUE if option == positions.clue else DISCARD
        card = option * HEIGHT + sight[layout.fireworks + option]
        for slot in range(kernel.hand_count(sight, me)):
            if memory[notes.own_hand + slot] == 1 << card:
                return slot
        return NO_DECISION

    @jit
    def best_option(memory: Row, sight: Row, me: int, position: int, first: int, goal: int) -> int:
        """The option after which the goal is most likely reached, the first one if no other is better; writes down worths."""
        for place in range(REMEMBERED):
            memory[notes.positions + place] = NOWHERE
        memory[notes.budget] = habits.budget
        memory[notes.worths + first] = worth(memory, position, first, goal)
        best = first
        for option in range(positions.discard + 1):
            if memory[notes.worths + best] == SURE:
                break
            if option != first and decision_for(memory, sight, me, option) != NO_DECISION:
                memory[notes.worths + option] = worth(memory, position, option, goal)
                if memory[notes.worths + option] > memory[notes.worths + best]:
                    best = option
        return best

    @jit
    def look_for_end(memory: Row, sight: Row, me: int, decision: int, playable: int) -> int:
        """The decision, or a better one: the option after which most can be made most likely."""
        first = option_of(memory, decision)
        if first < 0:
            return decision
        position, goal = positions.imagine(memory, sight, playable), 0
        for colour in range(layout.colours):
            goal += kernel.reach(sight, colour)
        for missing in range(MISSING_POINTS):
            best = best_option(memory, sight, me, position, first, goal - missing)
            if memory[notes.budget] < 0 or (best == first and memory[notes.worths + best] > 0):
                return decision
            if memory[notes.worths + best] > 0:
                return decision_for(memory, sight, me, best)
        return decision

    return look_for_end
