"""Looking for the end of a game: how likely everything that can be made will be, if all play as well as they can from here.

Everybody is taken to see all hands, as hats have told nearly everything by then; nobody sees the deck. A card that its owner
does not know yet can be played once a clue has been given.
"""

from __future__ import annotations

from collections.abc import Callable

from tamaya.bots.cards import Cards
from tamaya.bots.hat.habits import Habits
from tamaya.bots.hat.memory import FOLLOWED, REMEMBERED, HatMemory
from tamaya.bots.hat.picture import SURE, HatPicture
from tamaya.bots.hat.positions import NOT_THERE, Positions
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import HEIGHT, SEAT, TURN

CLUE, DISCARD, NO_DECISION = -1, -2, -3
"""Decisions beside the slot of a card to play."""
MISSING_POINTS = 2
"""Ends are looked for with everything that can be made, then with one point less, and so on: so many in all."""
BEST = -1
"""In place of an option: whichever is best."""


def build_worth(kernel: Kernel, jit: Jit, notes: HatMemory, positions: Positions) -> Callable[[Row, int, int, int], int]:
    """The function that searches."""

    @jit
    def remember(memory: Row, place: int, position: int, worth: int) -> None:
        """Note what a position is worth. Only what this search noted counts: what another left need not be cleared."""
        entry = memory[notes.remembered]
        memory[notes.places + place] = entry
        memory[notes.positions + entry] = position
        memory[notes.position_worths + entry] = worth
        memory[notes.remembered] = entry + 1

    @jit
    def worth(memory: Row, position: int, option: int, goal: int) -> int:
        """How likely the goal is reached after an option, or by the best one, in parts of `SURE`; -1 where the option is not
        there, and 0 too where the budget is spent.

        Every needed card may be drawn next, with the chance that its copies have; any other card is as good as none. It calls
        itself, and with numbers that are no constants: a compiler cannot keep any other recursion on disk.
        """
        if option == BEST:
            missing = goal - positions.points(position)
            if missing <= 0 or missing > positions.plays_left(position):
                return SURE if missing <= 0 else 0
            place = kernel.shuffle.mix(position ^ (position >> 32)) & (REMEMBERED - 1)
            known = memory[notes.places + place]
            if 0 <= known < memory[notes.remembered] and memory[notes.positions + known] == position:
                return memory[notes.position_worths + known]
            memory[notes.budget] -= 1
            best = 0
            if memory[notes.budget] < 0:
                return best
            for other in range(positions.discard + 1):
                best = max(best, worth(memory, position, other, goal))
                if best == SURE:
                    break
            remember(memory, place, position, best)
            return best
        following, whichever = positions.after(memory, position, option), min(option, BEST)
        if following == NOT_THERE:
            return -1
        left = positions.deck(position)
        if option == positions.clue or left == 0:
            return worth(memory, following, whichever, goal)
        total, others, seat = 0, left, positions.seat(position)
        for place in range(FOLLOWED):
            copies = min(memory[notes.followed_copies + place], others)
            if copies > 0 and not positions.is_drawn(following, place):
                total += copies * worth(memory, positions.draw(following, seat, place), whichever, goal)
                others -= copies
        if others > 0:
            total += others * worth(memory, following, whichever, goal)
        return total // left

    return worth


def build_imagine(
    kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards, picture: HatPicture, positions: Positions
) -> Callable[[Row, Row, int], int]:
    """The function that lays hidden cards open, to search from there."""
    layout = kernel.layout

    @jit
    def imagine(memory: Row, sight: Row, playable: int) -> int:
        """Lay the own unknown cards in some way that can be, the rest being the deck; returns the position."""
        me = sight[SEAT] + 0
        for card in range(layout.cards):
            memory[notes.known_by + card] = 0
            memory[notes.held_by + card] = 0
        for colour in range(layout.colours):
            memory[notes.reach + colour] = kernel.reach(sight, colour)
        for seat in range(layout.players):
            if seat != me:
                for slot in range(kernel.hand_count(sight, seat)):
                    options = picture.pictured(memory, sight, seat, slot)
                    hold(memory, seat, cards.face_at(sight, seat, slot), options, playable)
        follow(memory, sight, lay_own(memory, sight, me, playable))
        return positions.pack(sight)

    @jit
    def hold(memory: Row, seat: int, card: int, options: int, playable: int) -> None:
        """A seat has a card of which it knows so much."""
        if not picture.is_open(options) or options & ~playable == 0:
            memory[notes.known_by + card] |= 1 << seat
        else:
            memory[notes.held_by + card] |= 1 << seat

    @jit
    def lay_own(memory: Row, sight: Row, me: int, playable: int) -> int:
        """Take the own cards, known ones first, from those that are not seen; returns how many are left for the deck."""
        count, chance = 0, kernel.shuffle.mix(sight[TURN] + 1)
        for card in range(layout.cards):
            for _ in range(memory[notes.unseen + card]):
                memory[notes.unseen_list + count] = card
                count += 1
        for known in (True, False):
            for slot in range(kernel.hand_count(sight, me)):
                options, pick, fitting = memory[notes.own_hand + slot], -1, 0
                if picture.is_open(options) == known:
                    continue
                for place in range(count):
                    if (options >> memory[notes.unseen_list + place]) & 1:
                        fitting += 1
                        chance = kernel.shuffle.mix(chance + 0x9E3779B9)
                        if (chance * fitting) >> 32 == 0:
                            pick = place
                if pick >= 0:
                    hold(memory, me, memory[notes.unseen_list + pick], options, playable)
                    count -= 1
                    memory[notes.unseen_list + pick] = memory[notes.unseen_list + count]
        return count

    @jit
    def follow(memory: Row, sight: Row, count: int) -> None:
        """List the needed cards among those left for the deck."""
        found = 0
        for place in range(FOLLOWED):
            memory[notes.followed + place] = -1
            memory[notes.followed_copies + place] = 0
        for place in range(count):
            card = memory[notes.unseen_list + place]
            colour = card // HEIGHT
            if sight[layout.fireworks + colour] <= card % HEIGHT < memory[notes.reach + colour]:
                known = 0
                while known < found and memory[notes.followed + known] != card:
                    known += 1
                if known < FOLLOWED:
                    memory[notes.followed + known] = card
                    memory[notes.followed_copies + known] += 1
                    found = max(found, known + 1)

    return imagine


def build_endgame(
    kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards, picture: HatPicture, positions: Positions, habits: Habits
) -> Callable[[Row, Row, int, int, int], int]:
    """The function that may change a decision when few cards are left."""
    layout, worth = kernel.layout, build_worth(kernel, jit, notes, positions)
    imagine = build_imagine(kernel, jit, notes, cards, picture, positions)

    @jit
    def option_of(memory: Row, decision: int) -> int:
        """The option of the search that a decision is; -1 for playing a card that may be of several colours."""
        if decision < 0:
            return positions.clue if decision == CLUE else positions.discard
        options = memory[notes.own_hand + decision]
        return -1 if picture.is_open(options) else cards.index_of(options) // HEIGHT

    @jit
    def decision_for(memory: Row, sight: Row, me: int, option: int) -> int:
        """The decision that an option of the search is; `NO_DECISION` for playing a card that is not known to be there."""
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
        memory[notes.remembered] = 0
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
        position, goal = imagine(memory, sight, playable), 0
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
