"""Checks of what a program passes to a batch, made before anything changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
from tamaya.rules import Ending, IllegalError, MalformedError, say
from tamaya.rules.errors import MAX_QUOTED
from tamaya.sim.threads import Array

STATES_AT_A_TIME = 4096


def number(name: str, given: object) -> float:
    """A finite number."""
    if isinstance(given, (int, float, np.integer, np.floating)) and np.isfinite(given):
        return float(given)
    raise MalformedError("bad_number", say("{name} must be a number, not {given}.", name=name, given=repr(given)[:MAX_QUOTED]))


def one_of(name: str, given: object, known: Sequence[str]) -> str:
    """One of the known words."""
    if isinstance(given, str) and given in known:
        return given
    raise MalformedError(
        "bad_choice",
        say("{name} cannot be {value}; allowed: {allowed}.", name=name, value=str(given)[:MAX_QUOTED], allowed=tuple(known)),
    )


def buffer(out: object, shape: tuple[int, int], cells: str) -> Array:
    """An array to write observations into."""
    if isinstance(out, np.ndarray) and out.shape == shape and out.dtype == cells and out.flags.carray:
        return out
    given = type(out).__name__
    if isinstance(out, np.ndarray):
        order = "C-contiguous" if out.flags.c_contiguous else f"strides={out.strides}"
        given = f"{out.dtype} {out.shape} {order} writeable={out.flags.writeable}"
    raise MalformedError(
        "bad_buffer",
        say(
            "The buffer must be a writable C-contiguous array of {cells} with shape {shape}; this is {given}.",
            cells=cells,
            shape=str(shape),
            given=given,
        ),
    )


def device_array(given: Any, shape: tuple[int, ...], cells: Sequence[str]) -> Any:
    """An array on the device."""
    if hasattr(given, "copy_to_host") and given.shape == shape and str(given.dtype) in cells and given.is_c_contiguous():
        return given
    raise MalformedError(
        "bad_buffer",
        say(
            "This must be a C-contiguous array on the GPU, of {cells} with shape {shape}; it is {given}.",
            cells=tuple(cells),
            shape=str(shape),
            given=f"{given.dtype} {given.shape}" if hasattr(given, "dtype") else type(given).__name__,
        ),
    )


def as_array(given: object) -> Array:
    """An array of what was given; an empty one if its rows differ in length."""
    try:
        return np.asarray(given)
    except ValueError:
        return np.empty((), object)


def actions(given: object, games: int) -> Array:
    """One action number per game."""
    array = as_array(given)
    if array.shape == (games,) and array.dtype.kind in "iu":
        return np.ascontiguousarray(array, np.int64)
    raise MalformedError(
        "bad_actions",
        say(
            "Actions are whole numbers, one for each of {games} games; this is {given}.",
            games=games,
            given=f"{array.dtype} {array.shape}",
        ),
    )


def illegal_action(game: int, action: int, mask: Array) -> IllegalError:
    """The refusal of an action, with the legal ones."""
    return IllegalError(
        "illegal_action",
        say(
            "Action {action} is not legal in game {game}; legal are {legal}. Nothing was done in any game.",
            action=action,
            game=game,
            legal=tuple(map(str, np.flatnonzero(mask).tolist())),
        ),
    )


def places(given: object, games: int) -> Array:
    """Places of a batch, each once, by number or as a mask."""
    if given is None:
        return np.arange(games)
    array = as_array(given)
    if array.dtype == bool and array.shape == (games,):
        return np.flatnonzero(array)
    if array.ndim == 1 and (array.dtype.kind in "iu" or not array.size):
        wanted = set(array.tolist())
        if len(wanted) == array.size and wanted <= set(range(games)):
            return array.astype(np.int64)
    raise MalformedError(
        "bad_places",
        say("Places are different whole numbers from 0 to {last}, or a mask of {games}.", last=games - 1, games=games),
    )


def decks(given: object, games: int, layout: Layout) -> Array:
    """A whole deck per game."""
    array = as_array(given)
    box = np.repeat(np.arange(len(layout.copies)), layout.copies)
    if array.shape == (games, layout.deck_size) and array.dtype.kind in "iu" and (np.sort(array, axis=1) == box).all():
        return array.astype(np.uint8)
    raise MalformedError(
        "bad_decks",
        say(
            "Decks are {games} rows of {cards} card numbers from 0 to {last}, each as often as the rules say; this is {given}.",
            games=games,
            cards=layout.deck_size,
            last=len(layout.copies) - 1,
            given=f"{array.dtype} {array.shape}",
        ),
    )


def positions(given: Any, layout: Layout) -> None:
    """Check rows of bytes, each a position of a game under these rules."""
    fits = isinstance(given, np.ndarray) and given.dtype == np.uint8 and given.ndim == 2 and given.flags.carray
    if not fits or given.shape[1] != layout.size or not all_valid_states(given, layout):
        raise MalformedError(
            "bad_positions", say("Positions are rows of {size} bytes, each of a game by these rules.", size=layout.size)
        )


def memories(given: object, shape: tuple[int, int, int]) -> None:
    """Check the memories of every seat, game by game."""
    if not isinstance(given, np.ndarray) or given.dtype != np.int64 or given.shape != shape or not given.flags.carray:
        raise MalformedError(
            "bad_memories", say("Memories are whole numbers of shape {shape}, as begin makes them.", shape=str(shape))
        )


def all_valid_states(states: Array, layout: Layout) -> bool:
    """Whether all rows are valid states; checked in slices, to save memory."""
    return all(
        are_valid_states(states[first : first + STATES_AT_A_TIME], layout) for first in range(0, len(states), STATES_AT_A_TIME)
    )


def bad_snapshot(games: int) -> MalformedError:
    """The refusal of anything but a snapshot of as many games."""
    return MalformedError("bad_saved", say("What was saved does not hold {games} games by these rules.", games=games))


def other_batch(games: int) -> MalformedError:
    """The refusal of a batch of other games."""
    message = say("A batch can only follow one of {games} games by the same rules.", games=games)
    return MalformedError("other_batch", message)


def closed() -> MalformedError:
    """The refusal to use a closed batch."""
    return MalformedError("closed", say("This batch is closed; make another."))


# States.


def are_valid_states(states: Array, layout: Layout) -> bool:
    """Whether each row of bytes can be the position of a game under these rules."""
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
    """Whether the deck is the box's cards, and each drawn card is in exactly one hand, firework or discard pile."""
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
    """How often each card is among the counted ones, in each game."""
    games, cards = len(faces), layout.cards
    places = np.arange(games)[:, None] * cards + faces
    return np.bincount(places[counted], minlength=games * cards).reshape(games, cards)


def _hands_have_gaps(held: Array, states: Array, layout: Layout) -> bool:
    """Whether a card lies to the right of an empty slot, or a hand is not full although there are cards to draw."""
    hands = held.reshape(len(held), layout.players, layout.hand_size)
    may_be_short = (states[:, DRAWN] == layout.deck_size) | (states[:, ENDED] != RUNNING)
    return bool((hands[:, :, 1:] > hands[:, :, :-1]).any() or not (held.all(axis=1) | may_be_short).all())


def _clues_are_true(states: Array, layout: Layout) -> bool:
    """Whether each held card is possible by the clues that it was given."""
    slots = _slots_of(states, layout)
    held, faces = slots[:, :, NUMBER] != NO_CARD, _cards_in_slots(states, layout)
    every_colour = (1 << layout.colours) - 1
    most = {POSSIBLE_COLOURS: every_colour, POSSIBLE_VALUES: EVERY_VALUE, TURNED: 1}
    most |= {NAMED_COLOURS: every_colour, NAMED_VALUES: EVERY_VALUE}
    fits = (slots[:, :, POSSIBLE_COLOURS] >> (faces // HEIGHT)) & (slots[:, :, POSSIBLE_VALUES] >> (faces % HEIGHT)) & 1
    return bool((fits[held] == 1).all() and all((slots[:, :, at][held] <= number).all() for at, number in most.items()))


def _turns_are_possible(states: Array, layout: Layout) -> bool:
    """Whether there were enough cards and tokens for the turns, and the last turns are counted only once the deck is empty.

    Every turn takes a card or a clue token. A card brings back at most one token, a 5 two where plays are announced.
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
    """The card in each slot; any card if the slot is empty."""
    numbers = _slots_of(states, layout)[:, :, NUMBER]
    return np.take_along_axis(states[:, layout.deck : layout.hands], np.where(numbers == NO_CARD, 0, numbers), axis=1)
