"""Whether bytes can be positions of games, asked before loops trust them.

Compiled loops check nothing: a card number in the wrong place would have them write anywhere, a clue that is not true would
keep `resampling` looking for a world for ever. So whatever comes from outside is looked through: every number in its range,
every card in one place, every clue true, no more turns than cards and tokens allow.
"""

from __future__ import annotations

import numpy as np

from tamaya.engine.layout import (
    CLUES,
    DRAWN,
    ENDED,
    EVERY_VALUE,
    HEIGHT,
    LAST_ACTION,
    LAST_CARD,
    LAST_GAINED,
    LAST_NUMBER,
    LAST_PLACED,
    LAST_TOUCHED,
    LAST_TURNS,
    MISTAKES,
    NAMED_COLOURS,
    NAMED_VALUES,
    NO_CARD,
    NUMBER,
    POSSIBLE_COLOURS,
    POSSIBLE_VALUES,
    RUNNING,
    SEAT,
    SLOT,
    TURN,
    TURNED,
    Layout,
)
from tamaya.rules import Ending
from tamaya.sim.arrays import Array


def are_sound(states: Array, layout: Layout) -> bool:
    """Whether each row of bytes can be the position of a game by these rules."""
    return (
        _numbers_are_in_range(states, layout)
        and _cards_are_in_one_place(states, layout)
        and _clues_are_true(states, layout)
        and _turns_are_possible(states, layout)
    )


def _numbers_are_in_range(states: Array, layout: Layout) -> bool:
    most = {
        SEAT: layout.players - 1,
        CLUES: layout.clue_tokens,
        MISTAKES: layout.mistakes,
        DRAWN: layout.deck_size,
        LAST_TURNS: 0 if layout.all_or_nothing else layout.players,
        ENDED: max(Ending),
        LAST_ACTION: layout.actions - 1,
        LAST_CARD: layout.cards - 1,
        LAST_NUMBER: layout.deck_size - 1,
        LAST_TOUCHED: (1 << layout.hand_size) - 1,
        LAST_PLACED: 1,
        LAST_GAINED: 2,
    }
    return bool(
        all((states[:, at] <= number).all() for at, number in most.items())
        and (states[:, layout.fireworks : layout.discards] <= HEIGHT).all()
        and (states[:, layout.discards : layout.deck] <= layout.copies).all()
        and ((states[:, MISTAKES] == layout.mistakes) == (states[:, ENDED] == Ending.MISTAKES)).all()
    )


def _cards_are_in_one_place(states: Array, layout: Layout) -> bool:
    """Each card of the box is in the deck, and of those drawn each is in a hand, on its firework or discarded."""
    deck, numbers = states[:, layout.deck : layout.hands], _slots_of(states, layout)[:, :, NUMBER]
    held, drawn = numbers != NO_CARD, states[:, DRAWN, None]
    box = np.repeat(np.arange(layout.cards), layout.copies)
    if (np.sort(deck, axis=1) != box).any() or (held & (numbers >= drawn)).any() or _hands_have_gaps(held, states, layout):
        return False
    ordered = np.sort(numbers, axis=1)
    if ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NO_CARD)).any():
        return False
    cards = np.arange(layout.cards)
    placed = states[:, layout.fireworks + cards // HEIGHT] > cards % HEIGHT
    in_hands = _count_cards(_cards_in_slots(states, layout), held, layout)
    left_deck = _count_cards(deck, np.arange(layout.deck_size) < drawn, layout)
    return bool((left_deck == in_hands + placed + states[:, layout.discards : layout.deck]).all())


def _count_cards(faces: Array, counted: Array, layout: Layout) -> Array:
    """How often each card is among those to be counted in each game."""
    games, cards = len(faces), layout.cards
    places = np.arange(games)[:, None] * cards + faces
    return np.bincount(places[counted], minlength=games * cards).reshape(games, cards)


def _hands_have_gaps(held: Array, states: Array, layout: Layout) -> bool:
    """Whether a card lies to the right of an empty slot, or a hand is not full although there are cards to draw."""
    hands = held.reshape(len(held), layout.players, layout.hand_size)
    may_be_short = (states[:, DRAWN] == layout.deck_size) | (states[:, ENDED] != RUNNING)
    return bool((hands[:, :, 1:] > hands[:, :, :-1]).any() or not (held.all(axis=1) | may_be_short).all())


def _clues_are_true(states: Array, layout: Layout) -> bool:
    """What each held card can be by the clues is what it is, among others."""
    slots = _slots_of(states, layout)
    held, faces = slots[:, :, NUMBER] != NO_CARD, _cards_in_slots(states, layout)
    every_colour = (1 << layout.colours) - 1
    most = {POSSIBLE_COLOURS: every_colour, POSSIBLE_VALUES: EVERY_VALUE, TURNED: 1}
    most |= {NAMED_COLOURS: every_colour, NAMED_VALUES: EVERY_VALUE}
    fits = (slots[:, :, POSSIBLE_COLOURS] >> (faces // HEIGHT)) & (slots[:, :, POSSIBLE_VALUES] >> (faces % HEIGHT)) & 1
    return bool((fits[held] == 1).all() and all((slots[:, :, at][held] <= number).all() for at, number in most.items()))


def _turns_are_possible(states: Array, layout: Layout) -> bool:
    """No more turns than cards and tokens were there for; the last turns are counted once the deck is empty.

    Every turn takes a card or a clue token. A card brings one token back at most, a 5 two where plays are announced.
    """
    fireworks = states[:, layout.fireworks : layout.discards]
    cards = fireworks.sum(axis=1, dtype=int) + states[:, layout.discards : layout.deck].sum(axis=1, dtype=int)
    tokens = layout.clue_tokens - states[:, CLUES].astype(int) + cards + (fireworks == HEIGHT).sum(axis=1)
    empty, running = states[:, DRAWN] == layout.deck_size, states[:, ENDED] == RUNNING
    counted = (states[:, LAST_TURNS] > 0) == (empty & (not layout.all_or_nothing))
    return bool((states[:, TURN] <= cards + tokens).all() and (counted | ~running).all())


def _slots_of(states: Array, layout: Layout) -> Array:
    return states[:, layout.hands :].reshape(len(states), layout.players * layout.hand_size, SLOT)


def _cards_in_slots(states: Array, layout: Layout) -> Array:
    """The card in each slot; any where there is none."""
    numbers = _slots_of(states, layout)[:, :, NUMBER]
    return np.take_along_axis(states[:, layout.deck : layout.hands], np.where(numbers == NO_CARD, 0, numbers), axis=1)
