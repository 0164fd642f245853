"""Prompts and finesses: cards that a player must believe it holds because a clue makes no sense otherwise."""

from __future__ import annotations

from typing import NamedTuple

from tamaya.bots import cards
from tamaya.bots.convention.beliefs import blind_cards
from tamaya.bots.convention.memory import ANYTHING, CAN_PLAY, BoardFacts, ConventionMemory, GivenClue, newest_unclued, weights
from tamaya.bots.convention.reading import reachable_cards
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.hands import card_at, hand_count, number_at
from tamaya.engine.layout import MISTAKES, NO_CARD, heights, layout, order

OPTIONS = Options()
NONE, SEVERAL = -1, -2


class Focus(NamedTuple):
    """The reading of a card that a clue was about."""

    waiting_for: int  # the seats that may still have to play blind for it
    saves: int  # what it may be without a connection


def missing_card(memory: ConventionMemory, target: int, connecting: int) -> int:
    """The one card missing between a firework and a card; `NONE` or `SEVERAL` otherwise."""
    missing, colour = NONE, target // layout.values
    for height in range(memory.heights[colour], heights[target]):
        card = order[colour * layout.values + height] + 0
        if not (connecting >> card) & 1:
            if missing >= 0:
                return SEVERAL
            missing = card
    return missing


def answer_slot(memory: ConventionMemory, sight: Row, seat: int, card: int, touched: int) -> int:
    """The slot that a seat plays if it must hold a card: a clued one that fits, else the newest unclued; -1 if none."""
    best, newest = -1, -1
    for slot in range(hand_count(sight, seat)):
        number = number_at(sight, seat, slot)
        options = memory.belief[seat * layout.hand_size + slot]
        if number > newest and cards.is_clued(sight, seat, slot) and (options >> card) & 1:
            best, newest = slot, number
    if best < 0:
        best = newest_unclued(sight, seat, touched)
        if best >= 0 and not (memory.possible[number_at(sight, seat, best)] >> card) & 1:
            best = -1
    return best


def wanted_for_other(memory: ConventionMemory, sight: Row, seat: int, face: int, focus: Focus, board: BoardFacts) -> int:
    """The card that a seat must believe it holds to make sense of a clue on another's card; or `NONE`."""
    if ((board.playable | board.useless | focus.saves) >> face) & 1:
        return NONE
    card = missing_card(memory, face, memory.clued_elsewhere[seat] | memory.known[seat])
    if card < 0 or not (board.playable >> card) & 1:
        return NONE
    return NONE if (blind_cards(memory, sight, seat, focus.waiting_for, seat, 0) >> card) & 1 else card


def wanted_for_own(
    memory: ConventionMemory, sight: Row, seat: int, options: int, focus: Focus, touched: int, board: BoardFacts
) -> int:
    """The card that a seat must believe it holds to make sense of a clue to itself; or `NONE`."""
    if not (focus.waiting_for >> seat) & 1 or focus.saves == ANYTHING or layout.mistakes - sight[MISTAKES] == 1:
        return NONE
    connecting = memory.clued_elsewhere[seat] | memory.known[seat]
    blind = blind_cards(memory, sight, seat, focus.waiting_for, seat, touched)
    if options & (reachable_cards(memory, connecting, blind) | focus.saves | board.useless):
        return NONE
    for card in range(layout.cards):
        if (options >> card) & 1:
            missing = missing_card(memory, card, connecting)
            if missing >= 0 and (board.playable >> missing) & 1:
                return missing
    return NONE


def finessed_slot(memory: ConventionMemory, sight: Row, me: int, board: BoardFacts) -> int:
    """The slot that a player must play to make sense of a clue; -1 if none."""
    if not (memory.awaited >> me) & 1:
        return -1
    for distance in range(layout.players):
        owner = (me + 1 + distance) % layout.players
        for slot in range(hand_count(sight, owner)):
            number = number_at(sight, owner, slot)
            focus = Focus(memory.waiting_for[number], memory.saves[number])
            if (focus.waiting_for >> me) & 1:
                card, face = NONE, sight[layout.deck + number] + 0
                if owner == me:
                    options = memory.belief[me * layout.hand_size + slot]
                    card = wanted_for_own(memory, sight, me, options, focus, 0, board)
                elif face != NO_CARD:
                    card = wanted_for_other(memory, sight, me, face, focus, board)
                if card >= 0:
                    answer = answer_slot(memory, sight, me, card, 0)
                    if answer >= 0:
                        memory.finesse_card = card
                        memory.finesse_focus = number
                        memory.finesse_owner = owner
                        return answer
    return -1


def mark_finesses(memory: ConventionMemory, sight: Row, me: int, board: BoardFacts) -> None:
    """Note which other players must play to make sense of a clue."""
    for seat in range(layout.players):
        if seat != me and memory.busy[seat] != CAN_PLAY and finessed_slot(memory, sight, seat, board) >= 0:
            memory.busy[seat] = CAN_PLAY


def clued_beliefs(memory: ConventionMemory, sight: Row, seat: int) -> int:
    """Every card that a seat believes one of its clued cards to be."""
    found = 0
    for slot in range(hand_count(sight, seat)):
        if cards.is_clued(sight, seat, slot):
            found |= memory.belief[seat * layout.hand_size + slot]
    return found


def answers_worth(memory: ConventionMemory, sight: Row, clue: GivenClue, slot: int, marked: int, board: BoardFacts) -> int:
    """The worth of the answers to a clue with this slot in focus, which tells of the `marked` cards too."""
    focus = Focus(memory.new_waiting_for[slot], memory.new_saves[slot])
    options = memory.new_belief[slot]
    card = wanted_for_own(memory, sight, clue.target, options, focus, clue.touched, board)
    if card >= 0:
        return answer_worth(memory, sight, clue.target, card, board.playable, clue.touched)
    worth, face = 0, card_at(sight, clue.target, slot)
    if ((board.playable | board.useless | focus.saves) >> face) & 1:
        return 0
    for seat in range(layout.players):
        if (focus.waiting_for >> seat) & 1 and seat != clue.target:
            connecting = memory.clued_elsewhere[seat] | memory.known[seat] | marked
            card, fits = missing_card(memory, face, connecting), board.playable
            if card == SEVERAL:
                card, fits = missing_card(memory, face, connecting | clued_beliefs(memory, sight, clue.giver)), 0
            if card >= 0:
                blind = blind_cards(memory, sight, seat, focus.waiting_for, clue.target, clue.touched)
                if not (blind >> card) & 1:
                    answer = answer_worth(memory, sight, seat, card, fits, 0)
                    worth += answer if fits else min(answer, 0)  # the giver's own card, which this player sees
    return worth


def answer_worth(memory: ConventionMemory, sight: Row, seat: int, card: int, playable: int, touched: int) -> int:
    """The worth of a player's belief that it holds a card."""
    slot = answer_slot(memory, sight, seat, card, touched)
    if slot < 0:
        return 0
    if card_at(sight, seat, slot) != card:
        return -weights.mistake
    if not (playable >> card) & 1:
        return 0
    memory.finesse_card = card
    memory.finesse_seat = seat
    return weights.blind
