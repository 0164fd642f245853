"""What can be wrong with what a program hands to a batch, said before anything changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tamaya.engine.layout import Layout
from tamaya.rules import IllegalError, MalformedError, Rules, say
from tamaya.rules.validation import SHOWN, checked_integer, checked_rules
from tamaya.sim.arrays import Array
from tamaya.sim.saved import Saved
from tamaya.sim.soundness import are_sound

SLICE = 4096
rules, whole = checked_rules, checked_integer


def number(name: str, given: object) -> float:
    """A number that is one."""
    if isinstance(given, (int, float, np.integer, np.floating)) and np.isfinite(given):
        return float(given)
    raise MalformedError("bad_number", say("{name} must be a number, not {given}.", name=name, given=repr(given)[:SHOWN]))


def one_of(name: str, given: object, known: Sequence[str]) -> str:
    """One of some words."""
    if isinstance(given, str) and given in known:
        return given
    raise MalformedError(
        "bad_choice",
        say("{name} cannot be {value}; allowed: {allowed}.", name=name, value=str(given)[:SHOWN], allowed=tuple(known)),
    )


def buffer(out: object, shape: tuple[int, int], cells: str) -> Array:
    """A place to write observations into."""
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
    """An array of what was given; where its rows differ in length, one that has no row at all."""
    try:
        return np.asarray(given)
    except ValueError:
        return np.empty((), object)


def actions(given: object, games: int) -> Array:
    """One action number a game."""
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
    """The refusal of an action, with those that would be right."""
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
    """A whole deck a game."""
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


def saved(given: Saved, rules: Rules, games: int, layout: Layout) -> tuple[Array, Array]:
    """Positions that this batch can go on from, as arrays of its own."""
    if not isinstance(given, Saved) or given.rules != rules:
        other = say("What was saved belongs to other rules than those of this batch, {rules}.", rules=str(rules))
        raise MalformedError("bad_saved", other)
    states, seeds = given.states, given.seeds
    are_arrays = isinstance(states, np.ndarray) and isinstance(seeds, np.ndarray)
    shapes = are_arrays and states.shape == (games, layout.size) and seeds.shape == (games, 2)
    if not shapes or states.dtype != np.uint8 or seeds.dtype != np.uint32 or not _all_sound(states, layout):
        raise not_saved(games)
    return np.array(states, order="C"), np.array(seeds, order="C")


def positions(given: Any, layout: Layout) -> None:
    """Rows of bytes, each a position of a game by these rules."""
    fits = isinstance(given, np.ndarray) and given.dtype == np.uint8 and given.ndim == 2 and given.flags.carray
    if not fits or given.shape[1] != layout.size or not _all_sound(given, layout):
        raise MalformedError(
            "bad_positions", say("Positions are rows of {size} bytes, each of a game by these rules.", size=layout.size)
        )


def memories(given: object, shape: tuple[int, int, int]) -> None:
    """What every seat keeps in mind, game by game."""
    if not isinstance(given, np.ndarray) or given.dtype != np.int64 or given.shape != shape or not given.flags.carray:
        raise MalformedError(
            "bad_memories", say("Memories are whole numbers of shape {shape}, as begin makes them.", shape=str(shape))
        )


def _all_sound(states: Array, layout: Layout) -> bool:
    """Looked through in slices, for the looking to take little room."""
    return all(are_sound(states[first : first + SLICE], layout) for first in range(0, len(states), SLICE))


def not_saved(games: int) -> MalformedError:
    """The refusal of what are no positions."""
    return MalformedError("bad_saved", say("What was saved does not hold {games} games by these rules.", games=games))


def not_alike(games: int) -> MalformedError:
    """The refusal of a batch of other games."""
    message = say("A batch can only follow one of {games} games by the same rules.", games=games)
    return MalformedError("other_batch", message)


def closed() -> MalformedError:
    """The refusal of everything after the end."""
    return MalformedError("closed", say("This batch is closed; make another."))
