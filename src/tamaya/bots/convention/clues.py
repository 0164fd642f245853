"""What a clue is worth: everybody's reading of it, before it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.convention.beliefs import Beliefs
from tamaya.bots.convention.calls import Calls
from tamaya.bots.convention.memory import IDLE, BoardFacts, ConventionMemory, ConventionPicture, GivenClue
from tamaya.bots.convention.reading import Reading
from tamaya.bots.convention.reasons import CLUE_BLIND, CLUE_FACTS, CLUE_LATER, CLUE_PLAY, CLUE_STALL, SAVE, SAVE_LAST
from tamaya.bots.convention.weights import Weights
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import HEIGHT, LAST_TURNS

NEVER = -100000
LOWER = 4
"""What each step below a 5 adds to the loss of a last copy."""
FEW = 4
"""With fewer possibilities than this a card may well be any of them."""


class ClueChoice(NamedTuple):
    """The functions that weigh clues."""

    best_clue: Callable[[Row, Row, int, BoardFacts], tuple[int, int]]
    alarm: Callable[[Row, Row, int, BoardFacts], bool]
    give: Callable[[Row, Row, int, int, BoardFacts], int]


def build_clues(
    kernel: Kernel, jit: Jit, notes: ConventionMemory, weights: Weights, cards: Cards,
    picture: ConventionPicture, reading: Reading, beliefs: Beliefs, calls: Calls,
) -> ClueChoice:  # fmt: skip
    """The functions that weigh clues."""
    layout = kernel.layout

    @jit
    def seen_clue(sight: Row, giver: int, action: int) -> GivenClue:
        """A clue with the slots that the giver sees it touch."""
        target, matching, touched = cards.target_of(giver, action), cards.matching(action), 0
        for slot in range(kernel.hand_count(sight, target)):
            if (matching >> cards.face_at(sight, target, slot)) & 1:
                touched |= 1 << slot
        return picture.clue_of(giver, action, touched)

    @jit
    def loss(memory: Row, face: int, board: BoardFacts) -> int:
        """What is lost when a card is discarded."""
        if (board.dead >> face) & 1:
            return 0
        if (board.critical >> face) & 1:
            return weights.save + LOWER * (HEIGHT - 1 - face % HEIGHT)
        if memory[notes.seen + face] > 1:
            return 0
        return weights.unique * (10 - face % HEIGHT) // 10 if memory[notes.left + face] > 1 else 0

    @jit
    def danger(memory: Row, sight: Row, seat: int, touched: int, busy: bool, board: BoardFacts) -> int:
        """What a seat would lose by its next discard, having been clued these slots."""
        chop = -1 if busy else picture.chop_of(sight, seat, touched)
        return loss(memory, cards.face_at(sight, seat, chop), board) if chop >= 0 else 0

    @jit
    def may_hold(memory: Row, sight: Row, me: int, face: int) -> bool:
        """Whether the giver may well hold that card itself, clued."""
        for slot in range(kernel.hand_count(sight, me)):
            options = memory[notes.belief + me * layout.hand_size + slot]
            if (options >> face) & 1 and cards.is_clued(sight, me, slot) and cards.count_cards(options) < FEW:
                return True
        return False

    @jit
    def card_worth(options: int, face: int, useless: bool, wasted: int, playable: int, soon: int) -> int:
        """What it is worth that a clued card is taken for one of these."""
        if options & ~wasted == 0:
            return weights.trash if useless else -weights.wrong
        if options & ~playable == 0:
            return weights.play if (playable >> face) & 1 and not useless else -weights.mistake
        if useless:
            return 0
        if not (options >> face) & 1:
            return -weights.wrong
        return weights.soon if options & ~soon == 0 else -weights.fact * cards.count_cards(options)

    @jit
    def touch_worth(memory: Row, sight: Row, me: int, face: int, useless: bool, critical: int) -> int:
        """What it is worth that a card is touched for the first time."""
        if useless:
            return -weights.bad
        worth = weights.keep if (critical >> face) & 1 else weights.good
        return worth - weights.own if may_hold(memory, sight, me, face) else worth

    @jit
    def hand_worth(memory: Row, sight: Row, clue: GivenClue, board: BoardFacts) -> tuple[int, int, bool, bool]:
        """What a clue is worth by what the hand's owner takes its cards for afterwards.

        Also the cards that are clued then, and whether the owner knows something to do, and a card to play.
        """
        target, soon = clue.target, memory[notes.connected + clue.target]
        for slot in range(kernel.hand_count(sight, target)):
            memory[notes.new_barred + slot] = memory[notes.barred + target * layout.hand_size + slot]
            if (clue.touched >> slot) & 1 and not cards.is_clued(sight, target, slot):
                memory[notes.new_barred + slot] = memory[notes.taken + target]
        beliefs.judge_slots(memory, sight, target, clue.touched, board.dead)
        worth, marked, marked_before, works, plays = 0, 0, 0, False, False
        for slot in range(kernel.hand_count(sight, target)):
            face, old = cards.face_at(sight, target, slot), cards.is_clued(sight, target, slot)
            now, wasted = memory[notes.new_belief + slot], board.dead | memory[notes.new_barred + slot]
            if old:
                was = memory[notes.belief + target * layout.hand_size + slot]
                useless = ((board.dead | memory[notes.taken + target] | marked_before) >> face) & 1 == 1
                worth -= card_worth(was, face, useless, wasted, board.playable, soon)
                marked_before |= 1 << face
            if old or (clue.touched >> slot) & 1 == 1:
                useless = ((board.dead | memory[notes.taken + target] | marked) >> face) & 1 == 1
                worth += card_worth(now, face, useless, wasted, board.playable, memory[notes.connected + target])
                marked |= 1 << face
                if not old:
                    worth += touch_worth(memory, sight, clue.giver, face, useless, board.critical)
            if now & ~wasted == 0:
                works = True
            elif now & ~board.playable == 0 and (board.playable >> face) & 1:
                works, plays = True, True
        memory[notes.connected + target] = soon
        return worth, marked, works, plays

    @jit
    def clue_worth(memory: Row, sight: Row, clue: GivenClue, board: BoardFacts) -> tuple[int, int]:
        """How much a clue helps, NEVER if it touches nothing; and the slot in focus."""
        if clue.touched == 0:
            return NEVER, -1
        target, focus = clue.target, reading.read_clue(memory, sight, clue, board)
        worth, marked, works, plays = hand_worth(memory, sight, clue, board)
        if focus >= 0:
            face = cards.face_at(sight, target, focus)
            if not (memory[notes.new_belief + focus] >> face) & 1:
                worth -= weights.lost
            worth += calls.answers(memory, sight, clue, focus, marked & ~(1 << face), board)
        busy = memory[notes.busy + target] != IDLE
        before = danger(memory, sight, target, 0, busy, board)
        then = danger(memory, sight, target, clue.touched, works or busy, board)
        share = 100 if target == (clue.giver + 1) % layout.players else weights.later
        worth += (before - then) * share // 100
        if plays and not busy:
            worth += weights.idle
        return worth, focus

    @jit
    def alarm(memory: Row, sight: Row, me: int, board: BoardFacts) -> bool:
        """Whether somebody would lose a card by the next discard, or is about to make a mistake."""
        for distance in range(layout.players - 1):
            seat = (me + 1 + distance) % layout.players
            if danger(memory, sight, seat, 0, memory[notes.busy + seat] != IDLE, board) > 0:
                return True
            for slot in range(kernel.hand_count(sight, seat)):
                options, face = memory[notes.belief + seat * layout.hand_size + slot], cards.face_at(sight, seat, slot)
                if options & ~board.playable == 0 and not (board.playable >> face) & 1:
                    return True
        return False

    @jit
    def best_clue(memory: Row, sight: Row, me: int, board: BoardFacts) -> tuple[int, int]:
        """The clue that helps most, and how much. Which slot it is about and who would play blind is written down."""
        best, most, turns = -1, NEVER, sight[LAST_TURNS] + 0
        for distance in range(layout.players - 1):
            if turns > 0 and distance + 1 >= turns:
                break
            for kind in range(layout.named_colours + HEIGHT):
                action = layout.colour_action + distance * layout.named_colours + kind
                if kind >= layout.named_colours:
                    action = layout.value_action + distance * HEIGHT + kind - layout.named_colours
                memory[notes.call_card] = -1
                worth, focus = clue_worth(memory, sight, seen_clue(sight, me, action), board)
                if worth > most:
                    best, most = action, worth
                    memory[notes.best_focus] = focus
                    memory[notes.connection_card] = memory[notes.call_card]
                    memory[notes.connection_seat] = memory[notes.call_seat]
        return best, most

    @jit
    def give(memory: Row, sight: Row, me: int, action: int, board: BoardFacts) -> int:
        """Write down why the best clue is given, and pass it on."""
        clue, focus, fresh = seen_clue(sight, me, action), memory[notes.best_focus], False
        for slot in range(kernel.hand_count(sight, clue.target)):
            if (clue.touched >> slot) & 1 and not cards.is_clued(sight, clue.target, slot):
                fresh = True
        memory[notes.reason] = CLUE_STALL if fresh else CLUE_FACTS
        memory[notes.reason_seat] = clue.target
        if focus >= 0:
            face, chop = cards.face_at(sight, clue.target, focus), picture.chop_of(sight, clue.target, 0)
            memory[notes.reason_card] = face
            if (board.playable >> face) & 1:
                memory[notes.reason] = CLUE_PLAY
            elif memory[notes.connection_card] >= 0:
                memory[notes.reason] = CLUE_BLIND
            elif focus == chop and (board.critical >> face) & 1:
                memory[notes.reason] = SAVE_LAST
            elif focus == chop and not (board.dead >> face) & 1:
                memory[notes.reason] = SAVE
            elif fresh and not (board.dead >> face) & 1:
                memory[notes.reason] = CLUE_LATER
        return action

    return ClueChoice(best_clue, alarm, give)
