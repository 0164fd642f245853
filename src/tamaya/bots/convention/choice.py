"""The convention bot's choice: which card to play or discard, and whether to give a clue first."""

from __future__ import annotations

from tamaya.bots import cards
from tamaya.bots.convention.beliefs import update_beliefs
from tamaya.bots.convention.clue_value import NEVER, best_clue, is_alarming, note_reason
from tamaya.bots.convention.finesses import finessed_slot, mark_finesses
from tamaya.bots.convention.memory import ANYTHING, BoardFacts, ConventionMemory, board_of, chop_of, weights
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
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.clues import ONE_VALUE
from tamaya.engine.kernel.ending import maximum, spare_turns
from tamaya.engine.kernel.hands import hand_count, number_at
from tamaya.engine.layout import CLUES, DRAWN, LAST_TURNS, MISTAKES, SEAT, layout

OPTIONS = Options()
SCALE = 1000
"""Chances are whole numbers in parts of this."""
NEUTRAL_TOKENS = 4
"""With this many clue tokens a clue must be worth exactly what the weights say."""
NEARLY_EMPTY_DECK = 2
"""With this many cards the deck is as good as empty."""

# Which playable card comes first: points for
LOWER = 10  # each step that its value is lower
SINGLE = 5  # knowing exactly which card it is
SPOKEN_OF = 6  # a clue about it
AWAITED = 12  # a teammate who holds the card that follows


def finesse_play(memory: ConventionMemory, sight: Row, me: int, board: BoardFacts) -> int:
    """The play that a prompt or finesse demands; -1 if none does."""
    slot = finessed_slot(memory, sight, me, board)
    if slot < 0:
        return -1
    wanted, owner, clued = memory.finesse_card, memory.finesse_owner, cards.is_clued(sight, me, slot)
    if owner == me:
        memory.reason = OWN_PROMPT if clued else OWN_FINESSE
    else:
        memory.reason = PROMPT if clued else FINESSE
        memory.connection_card = sight[layout.deck + memory.finesse_focus]
    memory.reason_slot = slot
    memory.reason_card = wanted
    memory.reason_seat = owner
    return cards.play(slot, 1 << wanted)


def proven_cards(memory: ConventionMemory, sight: Row, me: int, slot: int) -> int:
    """What one of the player's cards can be by clues and by what it sees, whatever the conventions say."""
    return memory.possible[number_at(sight, me, slot)] & ~memory.all_seen[me]


def play_worth(memory: ConventionMemory, me: int, options: int, saves: int) -> int:
    """The priority of playing a card with these options."""
    worth = LOWER * layout.values
    for value in range(layout.values):
        if options & (ONE_VALUE << value):
            break
        worth -= LOWER
    if options & (options - 1) == 0:
        worth += SINGLE
    if saves != ANYTHING:
        worth += SPOKEN_OF
    if (options << 1) & ~ONE_VALUE & memory.clued_elsewhere[me]:
        worth += AWAITED
    return worth


def known_play(memory: ConventionMemory, sight: Row, me: int, board: BoardFacts) -> int:
    """The best play of a card believed to fit; -1 if there is none."""
    best, most, careful = -1, -1, layout.mistakes - sight[MISTAKES] == 1
    for slot in range(hand_count(sight, me)):
        options = memory.belief[me * layout.hand_size + slot]
        saves = memory.saves[number_at(sight, me, slot)]
        if careful and (memory.refuted or saves == ANYTHING):
            # only what is proven, or told by a player who keeps the conventions
            options = proven_cards(memory, sight, me, slot)
        if options & ~board.playable == 0:
            worth = play_worth(memory, me, options, saves)
            if worth > most:
                best, most = slot, worth
    if best < 0:
        return -1
    options, proven = memory.belief[me * layout.hand_size + best], proven_cards(memory, sight, me, best)
    if proven & ~board.playable == 0:
        memory.reason = SURE_CARD if proven & (proven - 1) == 0 else SURE_PLAY
    else:
        memory.reason = READ_CARD if options & (options - 1) == 0 else READ_PLAY
    memory.reason_slot = best
    memory.reason_card = cards.index_of(options)
    return cards.play(best, options)


def known_trash(memory: ConventionMemory, sight: Row, me: int, useless: int) -> int:
    """A slot whose card is believed to be useless; -1 if there is none."""
    for slot in range(hand_count(sight, me)):
        place = me * layout.hand_size + slot
        if memory.belief[place] & ~(useless | memory.excluded[place]) == 0:
            return slot
    return -1


def chance(memory: ConventionMemory, options: int, wanted: int) -> int:
    """The chance that a card with these options is a wanted one, in parts of SCALE."""
    total, some = 0, 0
    for card in range(layout.cards):
        if (options >> card) & 1:
            unseen = max(memory.left[card] - memory.seen[card], 0)
            total += unseen
            if (wanted >> card) & 1:
                some += unseen
    return some * SCALE // total if total > 0 else 0


def likeliest_slot(memory: ConventionMemory, sight: Row, me: int, wanted: int) -> tuple[int, int]:
    """The slot that is most likely a wanted card, and the chance."""
    best, most = 0, -1
    for slot in range(hand_count(sight, me)):
        likely = chance(memory, memory.belief[me * layout.hand_size + slot], wanted)
        if likely > most:
            best, most = slot, likely
    return best, most


def cheapest_discard(memory: ConventionMemory, sight: Row, me: int, board: BoardFacts) -> int:
    """The slot to discard: useless, else the oldest unclued card, else the one least likely needed."""
    slot, reason = known_trash(memory, sight, me, board.useless), CHOP
    if slot >= 0:
        reason = SURE_TRASH if proven_cards(memory, sight, me, slot) & ~board.useless == 0 else READ_TRASH
    else:
        slot = chop_of(sight, me, 0)
    if slot < 0:
        slot, most, reason = 0, -1, LEAST
        for place in range(hand_count(sight, me)):
            options = memory.belief[me * layout.hand_size + place]
            safe = chance(memory, options, ~board.critical) * 2 + chance(memory, options, board.useless)
            if safe > most:
                slot, most = place, safe
    memory.reason = reason
    memory.reason_slot = slot
    return slot


def least_clue_worth(memory: ConventionMemory, sight: Row, me: int, board: BoardFacts) -> int:
    """The least worth of a clue that is given instead of a discard."""
    if sight[LAST_TURNS] > 0:
        return 1
    tokens = sight[CLUES] + 0
    need = weights.token + weights.last * max(0, NEUTRAL_TOKENS - tokens) - weights.high * max(0, tokens - NEUTRAL_TOKENS)
    if known_trash(memory, sight, me, board.useless) >= 0:
        return need + weights.easy
    chop = chop_of(sight, me, 0)
    if chop < 0:
        return need - weights.held
    options = memory.belief[me * layout.hand_size + chop]
    return need - weights.risk * chance(memory, options, board.critical) // SCALE


def risky_play(memory: ConventionMemory, sight: Row, me: int, board: BoardFacts) -> int:
    """A play that may be a mistake, when the deck is as good as empty and a mistake does not end the game; -1 if none."""
    left = layout.deck_size - sight[DRAWN]
    if layout.mistakes - sight[MISTAKES] < 2 or left > NEARLY_EMPTY_DECK or layout.all_or_nothing:
        return -1
    slot, likely = likeliest_slot(memory, sight, me, board.playable)
    if likely <= (0 if sight[LAST_TURNS] > 0 else weights.gamble):
        return -1
    memory.reason = GAMBLE
    memory.reason_slot = slot
    memory.reason_percent = likely * 100 // SCALE
    return cards.play(slot, 0)


def has_no_turn_to_spare(sight: Row) -> bool:
    """Whether every further discard costs a point because turns run short."""
    if layout.all_or_nothing:
        return False
    return spare_turns(sight, maximum(sight)) <= 0


def may_clue(mask: Row) -> bool:
    """Whether any clue is legal."""
    for action in range(layout.colour_action, layout.announce_action):
        if mask[action]:
            return True
    return False


def discard_or_else(memory: ConventionMemory, sight: Row, mask: Row, clue: int, board: BoardFacts) -> int:
    """When there is nothing good to do: discard if that is legal, else give any clue, else play any card."""
    me = sight[SEAT] + 0
    if mask[layout.discard_action]:
        return layout.discard_action + cheapest_discard(memory, sight, me, board)
    memory.reason = ANY
    if clue >= 0:
        return clue
    if layout.empty_clues and mask[layout.colour_action]:
        return layout.colour_action
    slot, _ = likeliest_slot(memory, sight, me, board.playable)
    memory.reason_slot = slot
    return cards.play(slot, 0)


def choose(memory: ConventionMemory, sight: Row, mask: Row, random_bits: int) -> int:
    """The action of the seat to move."""
    me, board = sight[SEAT] + 0, board_of(sight)
    update_beliefs(memory, sight, board)
    play = finesse_play(memory, sight, me, board)
    if play >= 0:
        return play
    play = known_play(memory, sight, me, board)
    clue, worth = -1, NEVER
    if may_clue(mask):
        mark_finesses(memory, sight, me, board)
        if play < 0 or layout.players == 2 or is_alarming(memory, sight, me, board):
            clue, worth = best_clue(memory, sight, mask, board)
    if play >= 0 and worth < weights.urgent:
        return play
    if clue >= 0 and worth >= least_clue_worth(memory, sight, me, board):
        note_reason(memory, sight, me, clue, board)
        return clue
    if play < 0:
        play = risky_play(memory, sight, me, board)
    if play >= 0:
        return play
    if clue >= 0 and (not mask[layout.discard_action] or (has_no_turn_to_spare(sight) and worth > -weights.stall)):
        memory.reason = CLUE_STALL
        return clue
    return discard_or_else(memory, sight, mask, clue, board)
