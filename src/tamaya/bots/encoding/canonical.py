"""The canonical observation: bit for bit that of DeepMind's environment, extended to all rules.

Its sections, in order: the hands of the others and whose hand is short; the deck, the fireworks and the tokens; the discard
pile; the last action; what the clues leave possible for every card and what they named. Seats count from the observer, who is
0. Counts are written in unary. Where the rules go beyond DeepMind's, the same sections hold more: every colour of the game has
its place, a multicolour that no clue names can have several colours named, and an announced play tells its colour where a clue
does.

The encoding of the observer's own hand is the target of an auxiliary loss, never part of what a player sees.
"""

from __future__ import annotations

from tamaya.bots.encoding.cells import BITS, clear, fill, mark, put, words_for
from tamaya.bots.encoding.sections import (
    COLOUR_CLUED,
    DISCARDED,
    KNOWLEDGE,
    PLAYED,
    VALUE_CLUED,
    WIDTH,
    BoardCells,
    LastActionCells,
    board_cells,
    canonical_sections,
    last_action_cells,
    minimal_sections,
    own_hand_sections,
)
from tamaya.bots.policy import too_many_cards
from tamaya.engine.instances import LookupTable, Options, Row, derived
from tamaya.engine.kernel.clues import named_by, names_colour, target_of
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import (
    CLUES,
    DRAWN,
    LAST_ACTION,
    LAST_CARD,
    LAST_GAINED,
    LAST_PLACED,
    LAST_TOUCHED,
    MISTAKES,
    NAMED_COLOURS,
    NAMED_VALUES,
    POSSIBLE_COLOURS,
    POSSIBLE_VALUES,
    SEAT,
    SLOT,
    TURN,
    Layout,
    layout,
)

OPTIONS = Options("inline")


def discard_places(layout: Layout) -> LookupTable:
    """Where the copies of each card begin in the discard pile."""
    start = canonical_sections(layout).start("discards")
    return LookupTable(start + sum(layout.copies[:card]) for card in range(layout.cards))


def lowest_cards(layout: Layout) -> LookupTable:
    """For each set of colours, its lowest cards as a set: times a set of values, all cards of these colours and values."""
    if layout.cards > BITS:
        raise too_many_cards(layout.cards)
    lowest = [1 << layout.values * colour for colour in range(layout.colours)]
    return LookupTable(
        sum(card for colour, card in enumerate(lowest) if (colours >> colour) & 1) for colours in range(1 << layout.colours)
    )


WORDS: int = derived(layout, lambda layout: words_for(canonical_sections(layout).size))
MINIMAL_WORDS: int = derived(layout, lambda layout: words_for(minimal_sections(layout).size))
OWN_HAND_WORDS: int = derived(layout, lambda layout: words_for(own_hand_sections(layout).size))

HANDS: int = derived(layout, lambda layout: canonical_sections(layout).start("hands"))
SHORT_HANDS: int = derived(
    layout,
    lambda layout: canonical_sections(layout).start("hands") + (layout.players - 1) * layout.hand_size * layout.cards,
)
BOARD: BoardCells = derived(layout, lambda layout: board_cells(layout, canonical_sections(layout).start("board")))
DISCARDS: LookupTable = derived(layout, discard_places)
LAST: int = derived(layout, lambda layout: canonical_sections(layout).start("last_action"))
ACTION: LastActionCells = derived(layout, last_action_cells)
"""The cells of the last action, relative to the start of its section."""
LOWEST_CARDS: LookupTable = derived(layout, lowest_cards)


def write_hands(state: Row, observer: int, words: Row) -> None:
    """Write the others' cards, and which hands are short."""
    for distance in range(layout.players):
        seat = (observer + distance) % layout.players
        held = hand_count(state, seat)
        if held < layout.hand_size:
            mark(words, SHORT_HANDS + distance)
        if distance > 0:
            for slot in range(held):
                mark(words, HANDS + ((distance - 1) * layout.hand_size + slot) * layout.cards + card_at(state, seat, slot))


def write_board(state: Row, words: Row) -> None:
    """Write the deck, the fireworks, the tokens and the discard pile."""
    fill(words, BOARD.deck, layout.deck_size - state[DRAWN])
    for colour in range(layout.colours):
        height = state[layout.fireworks + colour]
        if height > 0:
            mark(words, BOARD.fireworks + colour * layout.values + height - 1)
    fill(words, BOARD.tokens, state[CLUES] + 0)
    fill(words, BOARD.mistakes_left, layout.mistakes - state[MISTAKES])
    for card in range(layout.cards):
        if state[layout.discards + card] > 0:
            fill(words, DISCARDS[card], state[layout.discards + card] + 0)


def write_card_action(state: Row, words: Row, start: int, kind: int, slot: int) -> None:
    """Write a play or a discard: the slot, the card and the outcome."""
    mark(words, start + ACTION.kind + kind)
    mark(words, start + ACTION.slot + slot)
    mark(words, start + ACTION.card + state[LAST_CARD])
    if state[LAST_PLACED]:
        mark(words, start + ACTION.placed)
    if state[LAST_GAINED] and kind == PLAYED:
        mark(words, start + ACTION.gained)


def write_clue(state: Row, words: Row, start: int, actor: int, clue: int) -> None:
    """Write a clue: to whom, what it names, and which slots it touched."""
    mark(words, start + ACTION.target + target_of(actor, clue))
    if names_colour(clue):
        mark(words, start + ACTION.kind + COLOUR_CLUED)
        mark(words, start + ACTION.colour + named_by(clue))
    else:
        mark(words, start + ACTION.kind + VALUE_CLUED)
        mark(words, start + ACTION.value + named_by(clue))
    put(words, start + ACTION.touched, state[LAST_TOUCHED] + 0)


def write_last_action(state: Row, observer: int, words: Row, start: int) -> None:
    """Write the last action, if there was one, into the cells from `start` on."""
    if state[TURN] == 0:
        return
    action = state[LAST_ACTION] + 0
    actor = (state[SEAT] + 2 * layout.players - 1 - observer) % layout.players
    mark(words, start + ACTION.actor + actor)
    if action < layout.play_action:
        write_card_action(state, words, start, DISCARDED, action)
    elif action < layout.colour_action:
        write_card_action(state, words, start, PLAYED, action - layout.play_action)
    elif action < layout.announce_action:
        write_clue(state, words, start, actor, action)
    else:
        write_card_action(state, words, start, PLAYED, (action - layout.announce_action) // layout.colours)
        mark(words, start + ACTION.colour + (action - layout.announce_action) % layout.colours)


def write_knowledge(state: Row, observer: int, words: Row) -> None:
    """Write what each card of each hand can still be by the clues, and the colours and values that they named."""
    at = KNOWLEDGE
    for distance in range(layout.players):
        seat = (observer + distance) % layout.players
        for slot in range(hand_count(state, seat)):
            told = layout.hands + seat * layout.hand_bytes + slot * SLOT
            possible = LOWEST_CARDS[state[told + POSSIBLE_COLOURS]] * state[told + POSSIBLE_VALUES]
            named = state[told + NAMED_COLOURS] | state[told + NAMED_VALUES] << layout.colours
            put(words, at + slot * WIDTH, possible)
            put(words, at + slot * WIDTH + layout.cards, named)
        at += layout.hand_size * WIDTH


def write_seen(state: Row, observer: int, words: Row) -> None:
    """Write everything except the knowledge of the cards."""
    write_hands(state, observer, words)
    write_board(state, words)
    write_last_action(state, observer, words, LAST)


def encode_canonical(state: Row, observer: int, words: Row) -> None:
    """Write the canonical observation of a seat."""
    clear(words, WORDS)
    write_seen(state, observer, words)
    write_knowledge(state, observer, words)


def encode_minimal(state: Row, observer: int, words: Row) -> None:
    """Write the observation without the knowledge, for players who keep track of clues themselves."""
    clear(words, MINIMAL_WORDS)
    write_seen(state, observer, words)


def encode_own_hand(state: Row, observer: int, words: Row) -> None:
    """Write which card lies in which slot of the observer's own hand; an empty slot marks nothing."""
    clear(words, OWN_HAND_WORDS)
    for slot in range(hand_count(state, observer)):
        mark(words, slot * layout.cards + card_at(state, observer, slot))
