"""Whether bytes can be positions of games, asked before loops trust them.

Compiled loops check nothing: a card number in the wrong place would have them write anywhere, a clue that is not true would
keep `resampling` looking for a world for ever. So whatever comes from outside is looked through: every number in its range,
every card in one place, every clue true, no more turns than cards and tokens allow.
"""

from __future__ import annotations

import numpy as np

from tamaya.engine.layout import (
    CLUES,
    COLOURS,
    DRAWN,
    ENDED,
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
    RUNNING,
    SEAT,
    SLOT,
    TURN,
    TURNED,
    VALUES,
    Layout,
)
from tamaya.rules import Ending
from tamaya.sim.arrays import Array


def sound(states: Array, rules: Layout) -> bool:
    """Whether each row of bytes can be the position of a game by these rules."""
    return (
        _numbers_in_range(states, rules)
        and _cards_in_one_place(states, rules)
        and _clues_true(states, rules)
        and _turns_possible(states, rules)
    )


def _numbers_in_range(states: Array, rules: Layout) -> bool:
    most = {
        SEAT: rules.players - 1,
        CLUES: rules.clue_tokens,
        MISTAKES: rules.mistakes,
        DRAWN: rules.deck_size,
        LAST_TURNS: 0 if rules.all_or_nothing else rules.players,
        ENDED: max(Ending),
        LAST_ACTION: rules.actions - 1,
        LAST_CARD: len(rules.copies) - 1,
        LAST_NUMBER: rules.deck_size - 1,
        LAST_TOUCHED: (1 << rules.hand_size) - 1,
        LAST_PLACED: 1,
        LAST_GAINED: 2,
    }
    return bool(
        all((states[:, at] <= number).all() for at, number in most.items())
        and (states[:, rules.fireworks : rules.discards] <= 5).all()
        and (states[:, rules.discards : rules.deck] <= rules.copies).all()
        and ((states[:, MISTAKES] == rules.mistakes) == (states[:, ENDED] == Ending.MISTAKES)).all()
    )


def _cards_in_one_place(states: Array, rules: Layout) -> bool:
    """Each card of the box is in the deck, and of those drawn each is in a hand, on its firework or discarded."""
    deck, numbers = states[:, rules.deck : rules.hands], _slots(states, rules)[:, :, NUMBER]
    held, drawn = numbers != NO_CARD, states[:, DRAWN, None]
    box = np.repeat(np.arange(len(rules.copies)), rules.copies)
    if (np.sort(deck, axis=1) != box).any() or (held & (numbers >= drawn)).any() or _has_holes(held, states, rules):
        return False
    ordered = np.sort(numbers, axis=1)
    if ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NO_CARD)).any():
        return False
    cards = np.arange(len(rules.copies))
    placed = states[:, rules.fireworks + cards // 5] > cards % 5
    in_hands, left_deck = _counts(_faces(states, rules), held, rules), _counts(deck, np.arange(rules.deck_size) < drawn, rules)
    return bool((left_deck == in_hands + placed + states[:, rules.discards : rules.deck]).all())


def _counts(faces: Array, counted: Array, rules: Layout) -> Array:
    """How often each card is among those to be counted in each game."""
    games, cards = len(faces), len(rules.copies)
    places = np.arange(games)[:, None] * cards + faces
    return np.bincount(places[counted], minlength=games * cards).reshape(games, cards)


def _has_holes(held: Array, states: Array, rules: Layout) -> bool:
    """Whether a card lies to the right of an empty slot, or a hand is not full although there are cards to draw."""
    hands = held.reshape(len(held), rules.players, rules.hand_size)
    may_be_short = (states[:, DRAWN] == rules.deck_size) | (states[:, ENDED] != RUNNING)
    return bool((hands[:, :, 1:] > hands[:, :, :-1]).any() or not (held.all(axis=1) | may_be_short).all())


def _clues_true(states: Array, rules: Layout) -> bool:
    """What each held card can be by the clues is what it is, among others."""
    slots = _slots(states, rules)
    held, faces = slots[:, :, NUMBER] != NO_CARD, _faces(states, rules)
    most = {COLOURS: 1 << rules.colours, VALUES: 1 << 5, NAMED_COLOURS: 1 << rules.colours, NAMED_VALUES: 1 << 5, TURNED: 2}
    fits = (slots[:, :, COLOURS] >> (faces // 5)) & (slots[:, :, VALUES] >> (faces % 5)) & 1
    return bool((fits[held] == 1).all() and all((slots[:, :, at][held] < number).all() for at, number in most.items()))


def _turns_possible(states: Array, rules: Layout) -> bool:
    """A turn took a card or a clue token, which came back for a card at most, or for two with a 5; the last turns are
    counted once the deck is empty."""
    fireworks = states[:, rules.fireworks : rules.discards]
    cards = fireworks.sum(axis=1, dtype=int) + states[:, rules.discards : rules.deck].sum(axis=1, dtype=int)
    tokens = rules.clue_tokens - states[:, CLUES].astype(int) + cards + (fireworks == 5).sum(axis=1)
    empty, running = states[:, DRAWN] == rules.deck_size, states[:, ENDED] == RUNNING
    counted = (states[:, LAST_TURNS] > 0) == (empty & (not rules.all_or_nothing))
    return bool((states[:, TURN] <= cards + tokens).all() and (counted | ~running).all())


def _slots(states: Array, rules: Layout) -> Array:
    return states[:, rules.hands :].reshape(len(states), rules.players * rules.hand_size, SLOT)


def _faces(states: Array, rules: Layout) -> Array:
    """The card in each slot; any where there is none."""
    numbers = _slots(states, rules)[:, :, NUMBER]
    return np.take_along_axis(states[:, rules.deck : rules.hands], np.where(numbers == NO_CARD, 0, numbers), axis=1)
