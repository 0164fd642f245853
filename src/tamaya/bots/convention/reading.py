"""How every player reads a clue, and updates the memory after any action."""

from __future__ import annotations

from tamaya.bots import cards
from tamaya.bots.convention.memory import (
    ANYTHING,
    BoardFacts,
    ConventionMemory,
    GivenClue,
    board_of,
    chop_of,
    clue_of,
    update_possible,
)
from tamaya.engine.instances import Options, Row, derived
from tamaya.engine.kernel.clues import ONE_VALUE, one_value_of
from tamaya.engine.kernel.ending import reach
from tamaya.engine.kernel.hands import hand_count, number_at
from tamaya.engine.kernel.turn import may_discard
from tamaya.engine.layout import (
    LAST_ACTION,
    LAST_CARD,
    LAST_NUMBER,
    LAST_PLACED,
    LAST_TOUCHED,
    MISTAKES,
    SEAT,
    TURN,
    layout,
    order,
)

OPTIONS = Options()
TWOS: int = derived(ONE_VALUE, lambda ones: ones << 1)
FIVES: int = derived(layout, lambda layout: one_value_of(layout) << layout.values - 1)
EVERY_SEAT: int = derived(layout, lambda layout: (1 << layout.players) - 1)


def note_table(memory: ConventionMemory, sight: Row) -> None:
    """Note the fireworks, and what the clued cards of each hand can be."""
    for colour in range(layout.colours):
        memory.heights[colour] = sight[layout.fireworks + colour]
        memory.reaches[colour] = reach(sight, colour)
    awaited = 0
    for seat in range(layout.players):
        found = 0
        for slot in range(hand_count(sight, seat)):
            number = number_at(sight, seat, slot)
            awaited |= memory.waiting_for[number]
            if cards.is_clued(sight, seat, slot):
                found |= memory.inferred[number]
        memory.clued_options[seat] = found
    memory.awaited = awaited


def reachable_cards(memory: ConventionMemory, connecting: int, blind: int) -> int:
    """Cards playable now, or after `connecting` cards and at most one `blind` card per colour."""
    found = 0
    for colour in range(layout.colours):
        height, limit, spent = memory.heights[colour], memory.reaches[colour], False
        while height < limit:
            card = 1 << order[colour * layout.values + height]
            found |= card
            if not card & connecting:
                if spent or not card & blind:
                    break
                spent = True
            height += 1
    return found


def saved_cards(clue: GivenClue, critical: int) -> int:
    """What a clue on the chop may save: by value 5s and 2s, by value or colour the last copies of others."""
    if clue.names_colour:
        return critical & clue.matching & ~FIVES
    if clue.matching in (TWOS, FIVES):
        return clue.matching
    return critical & clue.matching


def proves_something(memory: ConventionMemory, sight: Row, clue: GivenClue, board: BoardFacts) -> bool:
    """Whether a clue to cards clued before proves one playable or useless, and so says nothing else."""
    for slot in range(hand_count(sight, clue.target)):
        if (clue.touched >> slot) & 1:
            was = memory.inferred[number_at(sight, clue.target, slot)] & ~board.useless
            now = memory.new_inferred[slot] & ~board.useless
            if now == 0 and was != 0:
                return True
            if now and now & ~board.playable == 0 and was & ~board.playable:
                return True
    return False


def focus_of(memory: ConventionMemory, sight: Row, clue: GivenClue, board: BoardFacts) -> int:
    """The slot that a clue is about: the chop, else the newest card newly touched, else the newest touched; -1 if none."""
    chop = chop_of(sight, clue.target, 0)
    if chop >= 0 and (clue.touched >> chop) & 1:
        return chop
    again, newest_again, fresh, newest_fresh = -1, -1, -1, -1
    for slot in range(hand_count(sight, clue.target)):
        if (clue.touched >> slot) & 1:
            number = number_at(sight, clue.target, slot)
            if not cards.is_clued(sight, clue.target, slot):
                if number > newest_fresh:
                    fresh, newest_fresh = slot, number
            elif (
                number > newest_again
                and memory.new_inferred[slot] & board.playable
                and memory.inferred[number] & ~board.useless & ~board.playable
            ):
                again, newest_again = slot, number
    if fresh >= 0:
        return fresh
    if not may_discard(sight):
        return -1  # the clue may have been given to pass the time
    return -1 if proves_something(memory, sight, clue, board) else again


def clued_options(memory: ConventionMemory, sight: Row, target: int, touched: int, focus: int) -> int:
    """Every card that a clued card can be, except the one in focus."""
    found = 0
    for seat in range(layout.players):
        if seat != target:
            found |= memory.clued_options[seat]
    for slot in range(hand_count(sight, target)):
        if slot != focus:
            if (touched >> slot) & 1:
                found |= memory.new_inferred[slot]
            elif cards.is_clued(sight, target, slot):
                found |= memory.inferred[number_at(sight, target, slot)]
    return found


def read_clue(memory: ConventionMemory, sight: Row, clue: GivenClue, board: BoardFacts) -> int:
    """Note what a hand can be after a clue that the sight does not show yet; return the slot in focus."""
    for slot in range(hand_count(sight, clue.target)):
        number = number_at(sight, clue.target, slot)
        fits = clue.matching if (clue.touched >> slot) & 1 else ~clue.matching
        memory.new_possible[slot] = memory.possible[number] & fits
        memory.new_saves[slot] = memory.saves[number]
        memory.new_waiting_for[slot] = memory.waiting_for[number]
        now = memory.inferred[number] & fits
        if now == 0:
            now = memory.new_possible[slot]
            memory.new_saves[slot] = ANYTHING
            memory.new_waiting_for[slot] = 0
        if (clue.touched >> slot) & 1 and now & ~board.useless:
            now &= ~board.useless
        memory.new_inferred[slot] = now
    focus = focus_of(memory, sight, clue, board)
    if focus >= 0 and cards.is_clued(sight, clue.target, focus):
        memory.new_inferred[focus] &= board.playable  # the clue speaks to the owner alone
        memory.new_saves[focus] = 0
        memory.new_waiting_for[focus] = 0
    elif focus >= 0:
        read_focus(memory, sight, clue, focus, board.critical)
    return focus


def read_focus(memory: ConventionMemory, sight: Row, clue: GivenClue, focus: int, critical: int) -> None:
    """Note that the card in focus is saved, playable, or playable after cards that others know or must play blind.

    Cards are saved on the chop, and 5s told by their value anywhere.
    """
    saves = 0
    if focus == chop_of(sight, clue.target, 0) or clue.matching == FIVES:
        saves = saved_cards(clue, critical)
    waiting = EVERY_SEAT & ~(1 << clue.giver) & ~(0 if layout.players == 2 else 1 << clue.target)
    connecting = clued_options(memory, sight, clue.target, clue.touched, focus)
    now = memory.new_inferred[focus] & (reachable_cards(memory, connecting, layout.every_card) | saves)
    if now:
        memory.new_inferred[focus] = now
        memory.new_saves[focus] = saves
        memory.new_waiting_for[focus] = waiting


def stop_waiting(memory: ConventionMemory, before: Row, after: Row, actor: int) -> None:
    """Stop waiting for the player who acted; a card that it placed is not the one in focus."""
    for seat in range(layout.players):
        for slot in range(hand_count(before, seat)):
            number = number_at(before, seat, slot)
            if (memory.waiting_for[number] >> actor) & 1:
                memory.waiting_for[number] &= ~(1 << actor)
                rest = memory.inferred[number] & ~(1 << after[LAST_CARD])
                if after[LAST_PLACED] and rest:
                    memory.inferred[number] = rest
                if memory.waiting_for[number] == 0:
                    connecting = clued_options(memory, before, seat, 0, slot)
                    rest = memory.inferred[number] & (reachable_cards(memory, connecting, 0) | memory.saves[number])
                    if rest:
                        memory.inferred[number] = rest


def note_clue(memory: ConventionMemory, before: Row, after: Row, clue: GivenClue) -> None:
    """Read a clue that was given, and keep the reading."""
    memory.last_focus = read_clue(memory, before, clue, board_of(before))
    for slot in range(hand_count(after, clue.target)):
        number = number_at(after, clue.target, slot)
        if not cards.is_clued(before, clue.target, slot):
            memory.since[number] = after[TURN]
        memory.possible[number] = memory.new_possible[slot]
        memory.inferred[number] = memory.new_inferred[slot]
        memory.saves[number] = memory.new_saves[slot]
        memory.waiting_for[number] = memory.new_waiting_for[slot]


def update(memory: ConventionMemory, seat: int, before: Row, after: Row) -> None:
    """Update the memory after any player's action, from what every player saw of it."""
    actor, action = before[SEAT] + 0, after[LAST_ACTION] + 0
    note_table(memory, before)
    for colour in range(layout.colours):
        memory.heights[colour] = after[layout.fireworks + colour]
    stop_waiting(memory, before, after, actor)
    if after[MISTAKES] > before[MISTAKES] and not (memory.inferred[after[LAST_NUMBER]] >> after[LAST_CARD]) & 1:
        memory.refuted += 1
    if layout.colour_action <= action < layout.announce_action:
        note_clue(memory, before, after, clue_of(actor, action, after[LAST_TOUCHED] + 0))
    update_possible(memory, after)
