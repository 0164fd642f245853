"""Prompts and finesses: cards that a player must believe to hold, as otherwise a clue makes no sense."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.convention.beliefs import Beliefs
from tamaya.bots.convention.memory import ANYTHING, CAN_PLAY, BoardFacts, ConventionMemory, ConventionPicture, GivenClue
from tamaya.bots.convention.reading import Reading
from tamaya.bots.convention.weights import Weights
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import HEIGHT, MISTAKES, NO_CARD

NONE, SEVERAL = -1, -2


class Focus(NamedTuple):
    """What was read of a card that a clue was about."""

    waiting: int  # the seats that may still have to play blind for it
    loose: int  # what it may be without a connection


class Calls(NamedTuple):
    """The functions that find out who is called to play."""

    called_slot: Callable[[Row, Row, int, BoardFacts], int]
    note_calls: Callable[[Row, Row, int, BoardFacts], None]
    answers: Callable[[Row, Row, GivenClue, int, int, BoardFacts], int]


def build_calls(
    kernel: Kernel, jit: Jit, notes: ConventionMemory, weights: Weights, cards: Cards,
    picture: ConventionPicture, reading: Reading, beliefs: Beliefs,
) -> Calls:  # fmt: skip
    """The functions that find out who is called to play."""
    layout = kernel.layout

    @jit
    def missing_card(memory: Row, face: int, connecting: int) -> int:
        """The one card between a firework and a face that does not connect them; NONE if all do, SEVERAL if more do not."""
        missing, colour = NONE, face // HEIGHT
        for value in range(memory[notes.heights + colour], face % HEIGHT):
            card = colour * HEIGHT + value
            if not (connecting >> card) & 1:
                if missing >= 0:
                    return SEVERAL
                missing = card
        return missing

    @jit
    def answer_slot(memory: Row, sight: Row, seat: int, card: int, touched: int) -> int:
        """The slot that a seat plays when a card is wanted of it: a clued one that fits, else the newest unclued; or -1."""
        best, newest = -1, -1
        for slot in range(kernel.hand_count(sight, seat)):
            number = cards.number_at(sight, seat, slot)
            options = memory[notes.belief + seat * layout.hand_size + slot]
            if number > newest and cards.is_clued(sight, seat, slot) and (options >> card) & 1:
                best, newest = slot, number
        if best < 0:
            best = picture.newest_unclued(sight, seat, touched)
            if best >= 0 and not (memory[notes.picture + cards.number_at(sight, seat, best)] >> card) & 1:
                best = -1
        return best

    @jit
    def wanted_for_other(memory: Row, sight: Row, seat: int, face: int, focus: Focus, board: BoardFacts) -> int:
        """The card that a seat must believe to hold, as otherwise a clue on another's card makes no sense; NONE if none."""
        if ((board.playable | board.dead | focus.loose) >> face) & 1:
            return NONE
        card = missing_card(memory, face, memory[notes.taken + seat] | memory[notes.known + seat])
        if card < 0 or not (board.playable >> card) & 1:
            return NONE
        return NONE if (beliefs.blind_cards(memory, sight, seat, focus.waiting, seat, 0) >> card) & 1 else card

    @jit
    def wanted_for_own(memory: Row, sight: Row, seat: int, options: int, focus: Focus, touched: int, board: BoardFacts) -> int:
        """The card that a seat must believe to hold, as otherwise a clue to itself makes no sense; NONE if none."""
        if not (focus.waiting >> seat) & 1 or focus.loose == ANYTHING or layout.mistakes - sight[MISTAKES] == 1:
            return NONE
        connecting = memory[notes.taken + seat] | memory[notes.known + seat]
        blind = beliefs.blind_cards(memory, sight, seat, focus.waiting, seat, touched)
        if options & (reading.chain(memory, connecting, blind) | focus.loose | board.dead):
            return NONE
        for card in range(layout.cards):
            if (options >> card) & 1:
                missing = missing_card(memory, card, connecting)
                if missing >= 0 and (board.playable >> missing) & 1:
                    return missing
        return NONE

    @jit
    def called_slot(memory: Row, sight: Row, me: int, board: BoardFacts) -> int:
        """The slot that a player must play, as a clue makes no sense otherwise; -1 if none."""
        if not (memory[notes.awaited] >> me) & 1:
            return -1
        for distance in range(layout.players):
            owner = (me + 1 + distance) % layout.players
            for slot in range(kernel.hand_count(sight, owner)):
                number = cards.number_at(sight, owner, slot)
                focus = Focus(memory[notes.waiting + number], memory[notes.loose + number])
                if (focus.waiting >> me) & 1:
                    card, face = NONE, sight[layout.deck + number] + 0
                    if owner == me:
                        options = memory[notes.belief + me * layout.hand_size + slot]
                        card = wanted_for_own(memory, sight, me, options, focus, 0, board)
                    elif face != NO_CARD:
                        card = wanted_for_other(memory, sight, me, face, focus, board)
                    if card >= 0:
                        answer = answer_slot(memory, sight, me, card, 0)
                        if answer >= 0:
                            memory[notes.call_card] = card
                            memory[notes.call_focus] = number
                            memory[notes.call_owner] = owner
                            return answer
        return -1

    @jit
    def note_calls(memory: Row, sight: Row, me: int, board: BoardFacts) -> None:
        """Mark who must play, as a clue to somebody else makes no sense otherwise."""
        for seat in range(layout.players):
            if seat != me and memory[notes.busy + seat] != CAN_PLAY and called_slot(memory, sight, seat, board) >= 0:
                memory[notes.busy + seat] = CAN_PLAY

    @jit
    def clued_beliefs(memory: Row, sight: Row, seat: int) -> int:
        """Whatever a seat takes its clued cards for."""
        found = 0
        for slot in range(kernel.hand_count(sight, seat)):
            if cards.is_clued(sight, seat, slot):
                found |= memory[notes.belief + seat * layout.hand_size + slot]
        return found

    @jit
    def answers(memory: Row, sight: Row, clue: GivenClue, slot: int, marked: int, board: BoardFacts) -> int:
        """What the seats' answers to a clue with this slot in focus are worth: those that must believe to hold a missing card
        play one. The clue tells of the marked cards too."""
        focus = Focus(memory[notes.new_waiting + slot], memory[notes.new_loose + slot])
        options = memory[notes.new_belief + slot]
        card = wanted_for_own(memory, sight, clue.target, options, focus, clue.touched, board)
        if card >= 0:
            return answer_worth(memory, sight, clue.target, card, board.playable, clue.touched)
        worth, face = 0, cards.face_at(sight, clue.target, slot)
        if ((board.playable | board.dead | focus.loose) >> face) & 1:
            return 0
        for seat in range(layout.players):
            if (focus.waiting >> seat) & 1 and seat != clue.target:
                connecting = memory[notes.taken + seat] | memory[notes.known + seat] | marked
                card, fits = missing_card(memory, face, connecting), board.playable
                if card == SEVERAL:
                    card, fits = missing_card(memory, face, connecting | clued_beliefs(memory, sight, clue.giver)), 0
                if card >= 0:
                    blind = beliefs.blind_cards(memory, sight, seat, focus.waiting, clue.target, clue.touched)
                    if not (blind >> card) & 1:
                        answer = answer_worth(memory, sight, seat, card, fits, 0)
                        worth += answer if fits else min(answer, 0)  # it sees what the giver holds
        return worth

    @jit
    def answer_worth(memory: Row, sight: Row, seat: int, card: int, playable: int, touched: int) -> int:
        """What it is worth that a seat believes to hold a card."""
        slot = answer_slot(memory, sight, seat, card, touched)
        if slot < 0:
            return 0
        if cards.face_at(sight, seat, slot) != card:
            return -weights.mistake
        if not (playable >> card) & 1:
            return 0
        memory[notes.call_card] = card
        memory[notes.call_seat] = seat
        return weights.blind

    return Calls(called_slot, note_calls, answers)
