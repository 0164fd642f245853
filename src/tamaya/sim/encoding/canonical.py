"""The observation that researchers know: bit for bit that of DeepMind's environment, for all rules.

Its sections, in their order: the hands of the others and whose hand is short; the deck, the fireworks and the tokens; the
discard pile; the last action; what the clues leave possible for every card and what they named. Seats count from the
observer, who is 0. Counts are written as so many ones. Where rules go beyond theirs, the same sections hold more: every
colour of the game has its place, a multicolour that no clue names can have several colours named, and an announced play
tells its colour where a clue does.
"""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import (
    CLUES,
    COLOURS,
    DRAWN,
    LAST_ACTION,
    LAST_CARD,
    LAST_GAINED,
    LAST_PLACED,
    LAST_TOUCHED,
    MISTAKES,
    NAMED_COLOURS,
    NAMED_VALUES,
    NUMBER,
    SEAT,
    SLOT,
    TURN,
    VALUES,
    Layout,
)
from tamaya.sim.encoding.bits import build_bits, words_for
from tamaya.sim.encoding.sections import Sections

PLAYED, DISCARDED, COLOUR_CLUED, VALUE_CLUED = range(4)


def build_canonical(kernel: Kernel, sections: Sections, jit: Jit, table: Table) -> Parts:
    """The encoder, with the knowledge section if the sections have one."""
    rules = kernel.layout
    clear = build_bits(jit).clear
    count = words_for(sections.size)
    hands = build_hands(kernel, jit, sections)
    board = build_board(rules, jit, sections, table)
    last_action = build_last_action(rules, jit, sections)
    knowledge = build_knowledge(kernel, jit, sections, table)
    knows = "knowledge" in sections

    @jit
    def encode(state: Any, observer: int, words: Any) -> None:
        """Write what the seat of the observer sees."""
        clear(words, count)
        hands(state, observer, words)
        board(state, words)
        last_action(state, observer, words)
        if knows:
            knowledge(state, observer, words)

    return Parts(encode=encode)


def build_hands(kernel: Kernel, jit: Jit, sections: Sections) -> Any:
    """The others' cards, and which hands are short."""
    rules, hand_count, mark = kernel.layout, kernel.hand_count, build_bits(jit).mark
    players, hand_size, cards, deck, first_slot = rules.players, rules.hand_size, rules.colours * 5, rules.deck, rules.hands
    start, short = sections.start("hands"), sections.start("hands") + (players - 1) * hand_size * cards

    @jit
    def hands(state: Any, observer: int, words: Any) -> None:
        for distance in range(players):
            seat = (observer + distance) % players
            held = hand_count(state, seat)
            if held < hand_size:
                mark(words, short + distance)
            if distance > 0:
                for slot in range(held):
                    card = state[deck + state[first_slot + (seat * hand_size + slot) * SLOT + NUMBER]]
                    mark(words, start + ((distance - 1) * hand_size + slot) * cards + card)

    return hands


def build_board(rules: Layout, jit: Jit, sections: Sections, table: Table) -> Any:
    """The deck, the fireworks, the tokens and the discard pile."""
    bits = build_bits(jit)
    mark, fill = bits.mark, bits.fill
    colours, clue_tokens, mistakes, deck_size = rules.colours, rules.clue_tokens, rules.mistakes, rules.deck_size
    first_height, first_discard = rules.fireworks, rules.discards
    start = sections.start("board")
    fireworks = start + deck_size - rules.players * rules.hand_size
    tokens = fireworks + 5 * colours
    lives = tokens + clue_tokens
    places = table(sections.start("discards") + sum(rules.copies[:card]) for card in range(5 * colours))

    @jit
    def board(state: Any, words: Any) -> None:
        fill(words, start, deck_size - state[DRAWN])
        for colour in range(colours):
            height = state[first_height + colour]
            if height > 0:
                mark(words, fireworks + colour * 5 + height - 1)
        fill(words, tokens, state[CLUES] + 0)
        fill(words, lives, mistakes - state[MISTAKES])
        for card in range(5 * colours):
            if state[first_discard + card] > 0:
                fill(words, places[card], state[first_discard + card] + 0)

    return board


def build_last_action(rules: Layout, jit: Jit, sections: Sections) -> Any:
    """Who did what to whom, and what came of it."""
    bits = build_bits(jit)
    mark, put = bits.mark, bits.put
    players, hand_size, colours, named_colours = rules.players, rules.hand_size, rules.colours, rules.named_colours
    play_action, colour_action, value_action = rules.play_action, rules.colour_action, rules.value_action
    announce_action = rules.announce_action
    actor = sections.start("last_action")
    kind = actor + players
    target = kind + 4
    colour = target + players
    value = colour + colours
    touched = value + 5
    position = touched + hand_size
    card = position + hand_size
    scored = card + 5 * colours
    gained = scored + 1

    @jit
    def moved(state: Any, words: Any, what: int, slot: int) -> None:
        mark(words, kind + what)
        mark(words, position + slot)
        mark(words, card + state[LAST_CARD])
        if state[LAST_PLACED]:
            mark(words, scored)
        if state[LAST_GAINED] and what == PLAYED:
            mark(words, gained)

    @jit
    def clued(state: Any, words: Any, what: int, who: int, named: int) -> None:
        mark(words, kind + what)
        mark(words, target + who)
        mark(words, named)
        put(words, touched, state[LAST_TOUCHED] + 0)

    @jit
    def last_action(state: Any, observer: int, words: Any) -> None:
        if state[TURN] == 0:
            return
        action = state[LAST_ACTION] + 0
        who = (state[SEAT] + 2 * players - 1 - observer) % players
        mark(words, actor + who)
        if action < play_action:
            moved(state, words, DISCARDED, action)
        elif action < colour_action:
            moved(state, words, PLAYED, action - play_action)
        elif action < value_action:
            clue = action - colour_action
            clued(state, words, COLOUR_CLUED, (who + 1 + clue // named_colours) % players, colour + clue % named_colours)
        elif action < announce_action:
            clue = action - value_action
            clued(state, words, VALUE_CLUED, (who + 1 + clue // 5) % players, value + clue % 5)
        else:
            moved(state, words, PLAYED, (action - announce_action) // colours)
            mark(words, colour + (action - announce_action) % colours)

    return last_action


def build_knowledge(kernel: Kernel, jit: Jit, sections: Sections, table: Table) -> Any:
    """What each card of each hand can still be by the clues, and the colours and values that they named."""
    rules, hand_count, put = kernel.layout, kernel.hand_count, build_bits(jit).put
    players, hand_size, colours, first_slot = rules.players, rules.hand_size, rules.colours, rules.hands
    cards = 5 * colours
    width = cards + colours + 5
    start = sections.start("knowledge") if "knowledge" in sections else 0
    fives = table(sum(1 << 5 * colour for colour in range(colours) if (set_ >> colour) & 1) for set_ in range(1 << colours))

    @jit
    def knowledge(state: Any, observer: int, words: Any) -> None:
        at = start
        for distance in range(players):
            seat = (observer + distance) % players
            held = hand_count(state, seat)
            for slot in range(held):
                seen = first_slot + (seat * hand_size + slot) * SLOT
                put(words, at + slot * width, fives[state[seen + COLOURS]] * state[seen + VALUES])
                put(words, at + slot * width + cards, state[seen + NAMED_COLOURS] | state[seen + NAMED_VALUES] << colours)
            at += hand_size * width

    return knowledge
