"""The observation that researchers know: bit for bit that of DeepMind's environment, for all rules.

Its sections, in their order: the hands of the others and whose hand is short; the deck, the fireworks and the tokens; the
discard pile; the last action; what the clues leave possible for every card and what they named. Seats count from the
observer, who is 0. Counts are written as so many ones. Where rules go beyond theirs, the same sections hold more: every
colour of the game has its place, a multicolour that no clue names can have several colours named, and an announced play
tells its colour where a clue does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tamaya.bots.encoding.bits import BITS, BitWriter, build_bits, words_for
from tamaya.bots.encoding.sections import (
    COLOUR_CLUED,
    DISCARDED,
    PLAYED,
    VALUE_CLUED,
    Sections,
    board_cells,
    knowledge_width,
    last_action_cells,
)
from tamaya.bots.policy import too_many_cards
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.engine.layout import (
    CLUES,
    DRAWN,
    HEIGHT,
    LAST_ACTION,
    LAST_CARD,
    LAST_GAINED,
    LAST_PLACED,
    LAST_TOUCHED,
    MISTAKES,
    NAMED_COLOURS,
    NAMED_VALUES,
    NUMBER,
    POSSIBLE_COLOURS,
    POSSIBLE_VALUES,
    SEAT,
    SLOT,
    TURN,
    Layout,
)

Encode: TypeAlias = Callable[[Row, int, Row], None]
"""Writes what a seat sees: the state, the observer's seat, and the words that the bits go into."""


def build_canonical(kernel: Kernel, sections: Sections, jit: Jit, constants: Constants) -> Encode:
    """The encoder, with the knowledge section if the sections have one."""
    bits = build_bits(jit)
    count = words_for(sections.size)
    write_hands = build_hands(kernel, jit, bits, sections)
    write_board = build_board(kernel.layout, jit, bits, sections, constants)
    write_last_action = build_last_action(kernel.layout, jit, bits, sections)
    has_knowledge = "knowledge" in sections
    write_knowledge = build_knowledge(kernel, jit, bits, sections, constants) if has_knowledge else write_hands

    @jit
    def encode(state: Row, observer: int, words: Row) -> None:
        """Write what the seat of the observer sees."""
        bits.clear(words, count)
        write_hands(state, observer, words)
        write_board(state, words)
        write_last_action(state, observer, words)
        if has_knowledge:
            write_knowledge(state, observer, words)

    return encode


def build_hands(kernel: Kernel, jit: Jit, bits: BitWriter, sections: Sections) -> Encode:
    """The others' cards, and which hands are short."""
    layout, start = kernel.layout, sections.start("hands")
    short = start + (layout.players - 1) * layout.hand_size * layout.cards

    @jit
    def write_hands(state: Row, observer: int, words: Row) -> None:
        for distance in range(layout.players):
            seat = (observer + distance) % layout.players
            held = kernel.hand_count(state, seat)
            if held < layout.hand_size:
                bits.mark(words, short + distance)
            if distance > 0:
                for slot in range(held):
                    card = state[layout.deck + state[layout.hands + seat * layout.hand_bytes + slot * SLOT + NUMBER]]
                    bits.mark(words, start + ((distance - 1) * layout.hand_size + slot) * layout.cards + card)

    return write_hands


def build_board(
    layout: Layout, jit: Jit, bits: BitWriter, sections: Sections, constants: Constants
) -> Callable[[Row, Row], None]:
    """The deck, the fireworks, the tokens and the discard pile."""
    cells = board_cells(layout, sections.start("board"))
    discards = constants(sections.start("discards") + sum(layout.copies[:card]) for card in range(layout.cards))

    @jit
    def write_board(state: Row, words: Row) -> None:
        bits.fill(words, cells.deck, layout.deck_size - state[DRAWN])
        for colour in range(layout.colours):
            height = state[layout.fireworks + colour]
            if height > 0:
                bits.mark(words, cells.fireworks + colour * HEIGHT + height - 1)
        bits.fill(words, cells.tokens, state[CLUES] + 0)
        bits.fill(words, cells.mistakes_left, layout.mistakes - state[MISTAKES])
        for card in range(layout.cards):
            if state[layout.discards + card] > 0:
                bits.fill(words, discards[card], state[layout.discards + card] + 0)

    return write_board


def build_last_action(layout: Layout, jit: Jit, bits: BitWriter, sections: Sections) -> Encode:
    """Who did what to whom, and what came of it."""
    cells = last_action_cells(layout, sections.start("last_action"))

    @jit
    def write_card_action(state: Row, words: Row, kind: int, slot: int) -> None:
        bits.mark(words, cells.kind + kind)
        bits.mark(words, cells.slot + slot)
        bits.mark(words, cells.card + state[LAST_CARD])
        if state[LAST_PLACED]:
            bits.mark(words, cells.placed)
        if state[LAST_GAINED] and kind == PLAYED:
            bits.mark(words, cells.gained)

    @jit
    def write_clue(state: Row, words: Row, kind: int, target: int, named: int) -> None:
        bits.mark(words, cells.kind + kind)
        bits.mark(words, cells.target + target)
        bits.mark(words, named)
        bits.put(words, cells.touched, state[LAST_TOUCHED] + 0)

    @jit
    def write_last_action(state: Row, observer: int, words: Row) -> None:
        if state[TURN] == 0:
            return
        action = state[LAST_ACTION] + 0
        actor = (state[SEAT] + 2 * layout.players - 1 - observer) % layout.players
        bits.mark(words, cells.actor + actor)
        if action < layout.play_action:
            write_card_action(state, words, DISCARDED, action)
        elif action < layout.colour_action:
            write_card_action(state, words, PLAYED, action - layout.play_action)
        elif action < layout.value_action:
            clue = action - layout.colour_action
            target = (actor + 1 + clue // layout.named_colours) % layout.players
            write_clue(state, words, COLOUR_CLUED, target, cells.colour + clue % layout.named_colours)
        elif action < layout.announce_action:
            clue = action - layout.value_action
            write_clue(state, words, VALUE_CLUED, (actor + 1 + clue // HEIGHT) % layout.players, cells.value + clue % HEIGHT)
        else:
            write_card_action(state, words, PLAYED, (action - layout.announce_action) // layout.colours)
            bits.mark(words, cells.colour + (action - layout.announce_action) % layout.colours)

    return write_last_action


def build_knowledge(kernel: Kernel, jit: Jit, bits: BitWriter, sections: Sections, constants: Constants) -> Encode:
    """What each card of each hand can still be by the clues, and the colours and values that they named."""
    layout, start, width = kernel.layout, sections.start("knowledge"), knowledge_width(kernel.layout)
    if layout.cards > BITS:
        raise too_many_cards(layout.cards)
    lowest_cards = constants(
        sum(1 << HEIGHT * colour for colour in range(layout.colours) if (colours >> colour) & 1)
        for colours in range(1 << layout.colours)
    )

    @jit
    def write_knowledge(state: Row, observer: int, words: Row) -> None:
        at = start
        for distance in range(layout.players):
            seat = (observer + distance) % layout.players
            for slot in range(kernel.hand_count(state, seat)):
                told = layout.hands + seat * layout.hand_bytes + slot * SLOT
                possible = lowest_cards[state[told + POSSIBLE_COLOURS]] * state[told + POSSIBLE_VALUES]
                named = state[told + NAMED_COLOURS] | state[told + NAMED_VALUES] << layout.colours
                bits.put(words, at + slot * width, possible)
                bits.put(words, at + slot * width + layout.cards, named)
            at += layout.hand_size * width

    return write_knowledge
