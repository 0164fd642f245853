"""A learned network never overflows: whatever it sees, its numbers fit their types."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamaya.bots.learned import learned_from
from tamaya.bots.learned.features import CELL_BITS, LearnedMemory
from tamaya.bots.learned.network import judge
from tamaya.bots.learned.weights import (
    LearnedLayer,
    LearnedWeights,
    Network,
    NetworkSetting,
    learned_weights,
    small_cells,
    stays_small,
    write_weights,
)
from tamaya.bots.policy import fields_of
from tamaya.engine.instances import Instance, Options, Row, loop, one_of, per_setting
from tamaya.rules import MalformedError, Rules
from tamaya.sim.speeds import record_view, speed

OPTIONS = Options()
ROOM, TWO = 8, Rules(players=2)


def layer(weight: int, added: int, bits: int, cells: int = 1) -> LearnedLayer:
    """A layer of one cell, with the same weight from each input cell."""
    return LearnedLayer(np.full((cells, 1), weight, np.int16), np.array([added], np.int64), bits)


def network(*layers: LearnedLayer) -> LearnedWeights:
    return LearnedWeights({}, layers)


def test_the_bundled_networks_sums_fit() -> None:
    """As `stays_small` computes in floats: 32 bits for the first sums and the inputs of hidden layers, else 64."""
    first, *others = learned_weights().layers
    cells: Any = np.ones(len(first.weights), object)
    for place, one in enumerate((first, *others)):
        weights, added = one.weights.astype(object), one.added.astype(object)
        sums = cells @ abs(weights) + abs(added)
        assert ROOM * sums.max() < (2**63 if place else 2**31)
        most = np.maximum(cells @ np.maximum(weights, 0) + added, 0)
        cells = most >> one.bits if place else most << (CELL_BITS - one.bits)
        assert place >= len(others) - 1 or ROOM * cells.max() < 2**31
    assert stays_small(learned_weights())
    assert small_cells(learned_weights())[:2] == [True, True], "hidden layers take cells with 32 bits, which is quick"


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (layer(1, 2**31 - 2, 16), layer(1, 2**31 - 1, 16)),
        (layer(-1, 1 - 2**31 + 1, 16), layer(-1, 1 - 2**31, 16)),
        (layer(32_767, 0, 9, cells=65_537), layer(32_767, 0, 9, cells=65_539)),
    ],
    ids=["sums", "sums below zero", "many cells"],
)
def test_the_first_layer_has_32_bits(small: LearnedLayer, large: LearnedLayer) -> None:
    others = layer(1, 0, 0), layer(1, 0, 0)
    assert stays_small(network(small, *others))
    assert not stays_small(network(large, *others))


def test_cells_that_may_exceed_32_bits_are_found() -> None:
    first, last = layer(1, 2**30 - 1, 16), layer(1, 0, 0)
    for hidden, small in ((layer(2, 0, 0), False), (layer(2, -1, 0), True), (layer(-1, 2**31 - 1, 0), True)):
        assert stays_small(network(first, hidden, last))
        assert small_cells(network(first, hidden, last))[:2] == [True, small]
    assert small_cells(network(layer(1, 2**30 - 1, 15), last))[0] is False, "cells have more bits than sums there"


@pytest.mark.parametrize("place", [1, 2])
def test_later_sums_have_64_bits(place: int) -> None:
    layers = [layer(1, 0, 16), layer(1, 0, 0), layer(1, 0, 0)]
    for added in (2**63 - 1, -(2**63)):
        assert not stays_small(network(*layers[:place], layer(1, added, 16), *layers[place + 1 :]))


@pytest.mark.parametrize("place", range(4))
def test_a_network_that_may_overflow_is_refused(place: int, tmp_path: Path) -> None:
    weights = learned_weights()
    layers = list(weights.layers)
    layers[place] = replace(layers[place], added=np.full_like(layers[place].added, 2**62))
    (tmp_path / "mine.weights").write_bytes(write_weights(replace(weights, layers=tuple(layers))))
    with pytest.raises(MalformedError, match="so large that sums of them might not fit") as refused:
        learned_from(tmp_path / "mine.weights")
    assert refused.value.code == "large_weights"


def at_the_bound() -> LearnedWeights:
    """A network whose first sums and cells are as large as allowed; the next layer subtracts about as much as it adds, so that
    the input still matters."""
    first, _, third, last = learned_weights().layers
    most = 2**31 - 1 - np.abs(first.weights.astype(np.int64)).sum(axis=0)
    signs = np.random.default_rng(1).choice(np.array([-1, 1], np.int16), (len(most), len(most)))
    plain = [replace(layer, added=np.zeros_like(layer.added)) for layer in (LearnedLayer(signs, most, 9), third, last)]
    return replace(learned_weights(), layers=(replace(first, added=most, bits=CELL_BITS), *plain))


def beyond_it() -> LearnedWeights:
    """A network whose first cells have nine bits more than that, some of which the next layer removes."""
    first, second, _, last = at_the_bound().layers
    return replace(learned_weights(), layers=(replace(first, bits=CELL_BITS - 9), replace(second, bits=CELL_BITS), last))


def with_four_layers() -> LearnedWeights:
    """The bundled network with its third layer twice: the first copy's cells might exceed 32 bits."""
    first, second, third, last = learned_weights().layers
    return replace(learned_weights(), layers=(first, second, third, third, last))


def judge_cells(memory: LearnedMemory) -> None:
    judge(memory)


def judge_of(setting: NetworkSetting) -> Any:
    """The network as a function of a row, viewed as `LearnedMemory`."""
    return one_of([judge_cells], [setting], [fields_of(LearnedMemory, setting)[0]])


judge_row: Any = per_setting(judge_of)


@loop
def judge_memory(memory: Row) -> None:
    judge_row(0, memory)


def worths(name: str, weights: LearnedWeights) -> list[list[int]]:
    """The worth of each action to a network, for some choices of active cells."""
    digest = hashlib.sha256(write_weights(weights)).hexdigest()
    setting = NetworkSetting(TWO, Network(TWO, digest, weights))
    fields, dice, found = fields_of(LearnedMemory, setting)[0], np.random.default_rng(1), []
    judges = Instance(setting, speed(name))(judge_memory)
    memory = np.zeros(sum(size or 1 for _, size in fields.sizes), np.int64)
    view: Any = record_view(fields)(memory)
    for _ in range(20):
        some = np.flatnonzero(dice.random(len(weights.layers[0].weights)) < dice.random())
        view["listed"], view["cells"][: len(some)] = len(some), some
        judges(memory)
        found.append(view["worth"].tolist())
    return found


@pytest.mark.slow
@pytest.mark.compiler
@pytest.mark.parametrize(
    ("make", "small"),
    [
        (learned_weights, [True, True, False]),
        (at_the_bound, [True, True, False]),
        (beyond_it, [False, False]),
        (with_four_layers, [True, True, False, False]),
    ],
)
def test_at_the_bounds_interpreted_and_compiled_results_are_equal(
    make: Callable[[], LearnedWeights], small: list[bool]
) -> None:
    weights = make()
    assert stays_small(weights)
    assert small_cells(weights)[:-1] == small
    found = worths("interpreted", weights)
    assert found == worths("compiled", weights)
    assert len(set(map(tuple, found))) == len(found), "it makes a difference which cells are on"
