"""What the convention bot does: which card of its own it plays or discards, and whether a clue comes first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.convention.beliefs import Beliefs
from tamaya.bots.convention.calls import Calls
from tamaya.bots.convention.clues import NEVER, ClueChoice
from tamaya.bots.convention.memory import ANYTHING, BoardFacts, ConventionMemory, ConventionPicture
from tamaya.bots.convention.reasons import (
    ANY,
    CHOP,
    CLUE_STALL,
    FINESSE,
    GAMBLE,
    LEAST,
    OWN_FINESSE,
    OWN_PROMPT,
    PROMPT,
    READ_CARD,
    READ_PLAY,
    READ_TRASH,
    SURE_CARD,
    SURE_PLAY,
    SURE_TRASH,
)
from tamaya.bots.convention.weights import Weights
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import CLUES, DRAWN, HEIGHT, LAST_TURNS, MISTAKES, SEAT

SCALE = 1000
"""Chances are whole numbers, in parts of this."""
MIDDLING = 4
"""With so many clue tokens a clue must be worth just what the weights say."""
NEARLY_EMPTY = 2
"""With so few cards the deck is as good as empty."""

# What makes one playable card come before another.
LOWER = 10  # each step that its value is lower
SINGLE = 5  # it is known for sure which card it is
SPOKEN_OF = 6  # a clue was about it
AWAITED = 12  # somebody has the card that follows


class OwnCards(NamedTuple):
    """The functions that weigh the player's own cards."""

    called_play: Callable[[Row, Row, int, BoardFacts], int]
    known_play: Callable[[Row, Row, int, BoardFacts], int]
    likeliest: Callable[[Row, Row, int, int], tuple[int, int]]
    cheapest: Callable[[Row, Row, int, BoardFacts], int]
    least_worth: Callable[[Row, Row, int, BoardFacts], int]


def build_own_cards(
    kernel: Kernel, jit: Jit, notes: ConventionMemory, weights: Weights, cards: Cards, picture: ConventionPicture, calls: Calls
) -> OwnCards:
    """The functions that weigh the player's own cards."""
    layout = kernel.layout

    @jit
    def called_play(memory: Row, sight: Row, me: int, board: BoardFacts) -> int:
        """The play that a clue demands which makes no sense otherwise; -1 if none does."""
        slot = calls.called_slot(memory, sight, me, board)
        if slot < 0:
            return -1
        wanted, owner, clued = memory[notes.call_card], memory[notes.call_owner], cards.is_clued(sight, me, slot)
        if owner == me:
            memory[notes.reason] = OWN_PROMPT if clued else OWN_FINESSE
        else:
            memory[notes.reason] = PROMPT if clued else FINESSE
            memory[notes.connection_card] = sight[layout.deck + memory[notes.call_focus]]
        memory[notes.reason_slot] = slot
        memory[notes.reason_card] = wanted
        memory[notes.reason_seat] = owner
        return cards.play(slot, 1 << wanted)

    @jit
    def proven_cards(memory: Row, sight: Row, me: int, slot: int) -> int:
        """What a card of the player's can be by clues and by what it sees, whatever the conventions say."""
        return memory[notes.picture + cards.number_at(sight, me, slot)] & ~memory[notes.gone + me]

    @jit
    def play_worth(memory: Row, me: int, options: int, loose: int) -> int:
        """How soon a card of these options should be played, of those that can be."""
        worth = LOWER * HEIGHT
        for value in range(HEIGHT):
            if options & (cards.one_value << value):
                break
            worth -= LOWER
        if options & (options - 1) == 0:
            worth += SINGLE
        if loose != ANYTHING:
            worth += SPOKEN_OF
        if (options << 1) & ~cards.one_value & memory[notes.taken + me]:
            worth += AWAITED
        return worth

    @jit
    def known_play(memory: Row, sight: Row, me: int, board: BoardFacts) -> int:
        """The best play of a card that is taken to fit; -1 if there is none."""
        best, most, careful = -1, -1, layout.mistakes - sight[MISTAKES] == 1
        for slot in range(kernel.hand_count(sight, me)):
            options = memory[notes.belief + me * layout.hand_size + slot]
            loose = memory[notes.loose + cards.number_at(sight, me, slot)]
            if careful and (memory[notes.refuted] or loose == ANYTHING):
                options = proven_cards(memory, sight, me, slot)  # only what is proven, or was told by one to trust
            if options & ~board.playable == 0:
                worth = play_worth(memory, me, options, loose)
                if worth > most:
                    best, most = slot, worth
        if best < 0:
            return -1
        options, proven = memory[notes.belief + me * layout.hand_size + best], proven_cards(memory, sight, me, best)
        if proven & ~board.playable == 0:
            memory[notes.reason] = SURE_CARD if proven & (proven - 1) == 0 else SURE_PLAY
        else:
            memory[notes.reason] = READ_CARD if options & (options - 1) == 0 else READ_PLAY
        memory[notes.reason_slot] = best
        memory[notes.reason_card] = cards.index_of(options)
        return cards.play(best, options)

    @jit
    def known_trash(memory: Row, sight: Row, me: int, dead: int) -> int:
        """A slot whose card is taken to be useless; -1 if none is."""
        for slot in range(kernel.hand_count(sight, me)):
            place = me * layout.hand_size + slot
            if memory[notes.belief + place] & ~(dead | memory[notes.barred + place]) == 0:
                return slot
        return -1

    @jit
    def chance(memory: Row, options: int, wanted: int) -> int:
        """The chance that a card of these options is a wanted one, in parts of SCALE."""
        total, some = 0, 0
        for card in range(layout.cards):
            if (options >> card) & 1:
                copies = max(memory[notes.left + card] - memory[notes.seen + card], 0)
                total += copies
                if (wanted >> card) & 1:
                    some += copies
        return some * SCALE // total if total > 0 else 0

    @jit
    def likeliest(memory: Row, sight: Row, me: int, wanted: int) -> tuple[int, int]:
        """The slot that is most likely one of these, and the chance."""
        best, most = 0, -1
        for slot in range(kernel.hand_count(sight, me)):
            likely = chance(memory, memory[notes.belief + me * layout.hand_size + slot], wanted)
            if likely > most:
                best, most = slot, likely
        return best, most

    @jit
    def cheapest(memory: Row, sight: Row, me: int, board: BoardFacts) -> int:
        """The slot to discard: useless, else the oldest unclued card, else what is least likely needed."""
        slot, reason = known_trash(memory, sight, me, board.dead), CHOP
        if slot >= 0:
            reason = SURE_TRASH if proven_cards(memory, sight, me, slot) & ~board.dead == 0 else READ_TRASH
        else:
            slot = picture.chop_of(sight, me, 0)
        if slot < 0:
            slot, most, reason = 0, -1, LEAST
            for place in range(kernel.hand_count(sight, me)):
                options = memory[notes.belief + me * layout.hand_size + place]
                safe = chance(memory, options, ~board.critical) * 2 + chance(memory, options, board.dead)
                if safe > most:
                    slot, most = place, safe
        memory[notes.reason] = reason
        memory[notes.reason_slot] = slot
        return slot

    @jit
    def least_worth(memory: Row, sight: Row, me: int, board: BoardFacts) -> int:
        """What a clue must be worth to be given in place of a discard."""
        if sight[LAST_TURNS] > 0:
            return 1
        tokens = sight[CLUES] + 0
        need = weights.token + weights.last * max(0, MIDDLING - tokens) - weights.high * max(0, tokens - MIDDLING)
        if known_trash(memory, sight, me, board.dead) >= 0:
            return need + weights.easy
        chop = picture.chop_of(sight, me, 0)
        if chop < 0:
            return need - weights.held
        options = memory[notes.belief + me * layout.hand_size + chop]
        return need - weights.risk * chance(memory, options, board.critical) // SCALE

    return OwnCards(called_play, known_play, likeliest, cheapest, least_worth)


def build_choose(
    kernel: Kernel, jit: Jit, notes: ConventionMemory, weights: Weights, cards: Cards,
    picture: ConventionPicture, beliefs: Beliefs, calls: Calls, clues: ClueChoice,
) -> Callable[[Row, Row, Row, int], int]:  # fmt: skip
    """The function that chooses."""
    layout, own_cards = kernel.layout, build_own_cards(kernel, jit, notes, weights, cards, picture, calls)

    @jit
    def risky_play(memory: Row, sight: Row, me: int, board: BoardFacts) -> int:
        """A play that may be a mistake, when the deck is as good as empty and a mistake does not end the game; -1 if none."""
        left = layout.deck_size - sight[DRAWN]
        if layout.mistakes - sight[MISTAKES] < 2 or left > NEARLY_EMPTY or layout.all_or_nothing:
            return -1
        slot, likely = own_cards.likeliest(memory, sight, me, board.playable)
        if likely <= (0 if sight[LAST_TURNS] > 0 else weights.gamble):
            return -1
        memory[notes.reason] = GAMBLE
        memory[notes.reason_slot] = slot
        memory[notes.reason_percent] = likely * 100 // SCALE
        return cards.play(slot, 0)

    @jit
    def spares_no_discard(sight: Row) -> bool:
        """Whether each further discard costs a point, as there are not enough turns left."""
        if layout.all_or_nothing:
            return False
        return kernel.points(sight) + layout.deck_size - sight[DRAWN] + layout.players <= kernel.maximum(sight)

    @jit
    def discard_or_else(memory: Row, sight: Row, me: int, clue: int, board: BoardFacts) -> int:
        """When there is nothing good to do: a discard if one is possible, else any clue, else any play."""
        if sight[CLUES] < layout.clue_tokens and kernel.hand_count(sight, me) > 0:
            return layout.discard_action + own_cards.cheapest(memory, sight, me, board)
        memory[notes.reason] = ANY
        if sight[CLUES] > 0 and clue >= 0:
            return clue
        if sight[CLUES] > 0 and layout.empty_clues:
            return layout.colour_action
        slot, _ = own_cards.likeliest(memory, sight, me, board.playable)
        memory[notes.reason_slot] = slot
        return cards.play(slot, 0)

    @jit
    def choose(memory: Row, sight: Row, mask: Row, luck: int) -> int:
        """The action of the seat to move."""
        me, tokens, board = sight[SEAT] + 0, sight[CLUES] + 0, picture.board_of(sight)
        beliefs.look(memory, sight, board)
        play = own_cards.called_play(memory, sight, me, board)
        if play >= 0:
            return play
        play = own_cards.known_play(memory, sight, me, board)
        clue, worth = -1, NEVER
        if tokens > 0:
            calls.note_calls(memory, sight, me, board)
            if play < 0 or layout.players == 2 or clues.alarm(memory, sight, me, board):
                clue, worth = clues.best_clue(memory, sight, me, board)
        if play >= 0 and worth < weights.urgent:
            return play
        if clue >= 0 and worth >= own_cards.least_worth(memory, sight, me, board):
            return clues.give(memory, sight, me, clue, board)
        if play < 0:
            play = risky_play(memory, sight, me, board)
        if play >= 0:
            return play
        if clue >= 0 and (tokens == layout.clue_tokens or (spares_no_discard(sight) and worth > -weights.stall)):
            memory[notes.reason] = CLUE_STALL
            return clue
        return discard_or_else(memory, sight, me, clue, board)

    return choose
