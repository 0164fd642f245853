"""The worth of a clue: how every player would read it, worked out before it is given."""

from __future__ import annotations

from tamaya.bots import cards
from tamaya.bots.convention.beliefs import infer_hand
from tamaya.bots.convention.finesses import answers_worth
from tamaya.bots.convention.memory import IDLE, BoardFacts, ConventionMemory, GivenClue, chop_of, clue_of, weights
from tamaya.bots.convention.reading import read_clue
from tamaya.bots.convention.reasons import CLUE_BLIND, CLUE_FACTS, CLUE_LATER, CLUE_PLAY, CLUE_STALL, SAVE, SAVE_LAST
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.clues import matching, target_of
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import LAST_TURNS, SEAT, heights, layout

OPTIONS = Options()
NEVER = -100000
LOWER = 4
"""What each step below a 5 adds to the loss of a last copy."""
FEW = 4
"""With fewer options than this, a card may well be any of them."""


def seen_clue(sight: Row, giver: int, action: int) -> GivenClue:
    """A clue with the slots that the giver sees it touch."""
    target, match, touched = target_of(giver, action), matching(action), 0
    for slot in range(hand_count(sight, target)):
        if (match >> card_at(sight, target, slot)) & 1:
            touched |= 1 << slot
    return clue_of(giver, action, touched)


def loss(memory: ConventionMemory, face: int, board: BoardFacts) -> int:
    """The loss if a card is discarded."""
    if (board.useless >> face) & 1:
        return 0
    if (board.critical >> face) & 1:
        return weights.save + LOWER * (layout.values - 1 - heights[face])
    if memory.seen[face] > 1:
        return 0
    return weights.unique * (10 - heights[face]) // 10 if memory.left[face] > 1 else 0


def danger(memory: ConventionMemory, sight: Row, seat: int, touched: int, busy: bool, board: BoardFacts) -> int:
    """The loss that a seat's next discard would cause if these slots are clued too."""
    chop = -1 if busy else chop_of(sight, seat, touched)
    return loss(memory, card_at(sight, seat, chop), board) if chop >= 0 else 0


def may_hold(memory: ConventionMemory, sight: Row, me: int, face: int) -> bool:
    """Whether the giver may well hold this card itself, clued."""
    for slot in range(hand_count(sight, me)):
        options = memory.belief[me * layout.hand_size + slot]
        if (options >> face) & 1 and cards.is_clued(sight, me, slot) and cards.count_cards(options) < FEW:
            return True
    return False


def card_worth(options: int, face: int, useless: bool, wasted: int, playable: int, soon: int) -> int:
    """The worth of a clued card being believed to be one of these."""
    if options & ~wasted == 0:
        return weights.trash if useless else -weights.wrong
    if options & ~playable == 0:
        return weights.play if (playable >> face) & 1 and not useless else -weights.mistake
    if useless:
        return 0
    if not (options >> face) & 1:
        return -weights.wrong
    return weights.soon if options & ~soon == 0 else -weights.fact * cards.count_cards(options)


def touch_worth(memory: ConventionMemory, sight: Row, me: int, face: int, useless: bool, critical: int) -> int:
    """The worth of touching a card for the first time."""
    if useless:
        return -weights.bad
    worth = weights.keep if (critical >> face) & 1 else weights.good
    return worth - weights.own if may_hold(memory, sight, me, face) else worth


def hand_worth(memory: ConventionMemory, sight: Row, clue: GivenClue, board: BoardFacts) -> tuple[int, int, bool, bool]:
    """The worth of a clue by what its receiver then believes, the cards then clued, and whether it can act, and can play."""
    target, soon = clue.target, memory.connected[clue.target]
    for slot in range(hand_count(sight, target)):
        memory.new_clued[slot] = 1
        memory.new_excluded[slot] = memory.excluded[target * layout.hand_size + slot]
        if not cards.is_clued(sight, target, slot):
            if (clue.touched >> slot) & 1:
                memory.new_excluded[slot] = memory.clued_elsewhere[target]
            else:
                memory.new_clued[slot] = 0
    infer_hand(memory, sight, target, board.useless)
    worth, marked, marked_before, works, plays = 0, 0, 0, False, False
    for slot in range(hand_count(sight, target)):
        face, old = card_at(sight, target, slot), cards.is_clued(sight, target, slot)
        now, wasted = memory.new_belief[slot], board.useless | memory.new_excluded[slot]
        if old:
            was = memory.belief[target * layout.hand_size + slot]
            useless = ((board.useless | memory.clued_elsewhere[target] | marked_before) >> face) & 1 == 1
            worth -= card_worth(was, face, useless, wasted, board.playable, soon)
            marked_before |= 1 << face
        if memory.new_clued[slot]:
            useless = ((board.useless | memory.clued_elsewhere[target] | marked) >> face) & 1 == 1
            worth += card_worth(now, face, useless, wasted, board.playable, memory.connected[target])
            marked |= 1 << face
            if not old:
                worth += touch_worth(memory, sight, clue.giver, face, useless, board.critical)
        if now & ~wasted == 0:
            works = True
        elif now & ~board.playable == 0 and (board.playable >> face) & 1:
            works, plays = True, True
    memory.connected[target] = soon
    return worth, marked, works, plays


def clue_worth(memory: ConventionMemory, sight: Row, clue: GivenClue, board: BoardFacts) -> tuple[int, int]:
    """How much a clue helps, `NEVER` if it touches nothing; and the slot in focus."""
    if clue.touched == 0:
        return NEVER, -1
    target, focus = clue.target, read_clue(memory, sight, clue, board)
    worth, marked, works, plays = hand_worth(memory, sight, clue, board)
    if focus >= 0:
        face = card_at(sight, target, focus)
        if not (memory.new_belief[focus] >> face) & 1:
            worth -= weights.lost
        worth += answers_worth(memory, sight, clue, focus, marked & ~(1 << face), board)
    busy = memory.busy[target] != IDLE
    before = danger(memory, sight, target, 0, busy, board)
    then = danger(memory, sight, target, clue.touched, works or busy, board)
    share = 100 if target == (clue.giver + 1) % layout.players else weights.later
    worth += (before - then) * share // 100
    if plays and not busy:
        worth += weights.idle
    return worth, focus


def is_alarming(memory: ConventionMemory, sight: Row, me: int, board: BoardFacts) -> bool:
    """Whether a teammate is about to lose a card by discarding it, or to make a mistake."""
    for distance in range(layout.players - 1):
        seat = (me + 1 + distance) % layout.players
        if danger(memory, sight, seat, 0, memory.busy[seat] != IDLE, board) > 0:
            return True
        for slot in range(hand_count(sight, seat)):
            options, face = memory.belief[seat * layout.hand_size + slot], card_at(sight, seat, slot)
            if options & ~board.playable == 0 and not (board.playable >> face) & 1:
                return True
    return False


def best_clue(memory: ConventionMemory, sight: Row, mask: Row, board: BoardFacts) -> tuple[int, int]:
    """The most helpful legal clue, and its worth; note its focus and who would play blind."""
    best, most, me, turns = -1, NEVER, sight[SEAT] + 0, sight[LAST_TURNS] + 0
    for distance in range(layout.players - 1):
        if turns > 0 and distance + 1 >= turns:
            break
        for kind in range(layout.named_colours + layout.values):
            action = layout.colour_action + distance * layout.named_colours + kind
            if kind >= layout.named_colours:
                action = layout.value_action + distance * layout.values + kind - layout.named_colours
            if mask[action]:
                memory.finesse_card = -1
                worth, focus = clue_worth(memory, sight, seen_clue(sight, me, action), board)
                if worth > most:
                    best, most = action, worth
                    memory.best_focus = focus
                    memory.connection_card = memory.finesse_card
                    memory.connection_seat = memory.finesse_seat
    return best, most


def note_reason(memory: ConventionMemory, sight: Row, me: int, action: int, board: BoardFacts) -> None:
    """Note why the best clue is given."""
    clue, focus, fresh = seen_clue(sight, me, action), memory.best_focus, False
    for slot in range(hand_count(sight, clue.target)):
        if (clue.touched >> slot) & 1 and not cards.is_clued(sight, clue.target, slot):
            fresh = True
    memory.reason = CLUE_STALL if fresh else CLUE_FACTS
    memory.reason_seat = clue.target
    if focus >= 0:
        face, chop = card_at(sight, clue.target, focus), chop_of(sight, clue.target, 0)
        memory.reason_card = face
        if (board.playable >> face) & 1:
            memory.reason = CLUE_PLAY
        elif memory.connection_card >= 0:
            memory.reason = CLUE_BLIND
        elif focus == chop and (board.critical >> face) & 1:
            memory.reason = SAVE_LAST
        elif focus == chop and not (board.useless >> face) & 1:
            memory.reason = SAVE
        elif fresh and not (board.useless >> face) & 1:
            memory.reason = CLUE_LATER
