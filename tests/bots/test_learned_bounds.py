"""A learned network never miscounts: whatever is seen, its numbers fit where they are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamaya.bots.learned import learned_from
from tamaya.bots.learned.bounds import stays_small
from tamaya.bots.learned.memory import CELL_BITS
from tamaya.bots.learned.weights import LearnedLayer, LearnedWeights, learned_weights, write_weights
from tamaya.rules import MalformedError, Rules
from tamaya.sim.team import team
from tests.bots.packages import install

ROOM = 8


def layer(weight: int, added: int, bits: int, cells: int = 1) -> LearnedLayer:
    """One that has a single cell, with the same weight from each one before it."""
    return LearnedLayer(np.full((cells, 1), weight, np.int16), np.array([added], np.int64), bits)


def network(*layers: LearnedLayer) -> LearnedWeights:
    return LearnedWeights({}, layers)


def test_the_network_of_the_house_has_room_in_whole_numbers() -> None:
    """As `stays_small` does it in floats: 32 bits for the first sums and what goes into the hidden layers, else 64."""
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


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (layer(1, 2**31 - 2, 16), layer(1, 2**31 - 1, 16)),
        (layer(-1, 1 - 2**31 + 1, 16), layer(-1, 1 - 2**31, 16)),
        (layer(1, 2**15 - 2, 0), layer(1, 2**15 - 1, 0)),
        (layer(32_767, 0, 9, cells=511), layer(32_767, 0, 9, cells=513)),
    ],
    ids=["sums of the first layer", "sums below zero", "cells after the first layer", "many cells"],
)
def test_the_first_layer_has_32_bits(small: LearnedLayer, large: LearnedLayer) -> None:
    others = layer(1, 0, 0), layer(1, 0, 0)
    assert stays_small(network(small, *others))
    assert not stays_small(network(large, *others))


def test_cells_into_hidden_layers_have_32_bits_and_those_after_them_64() -> None:
    first, twice, last = layer(1, 2**30 - 1, 16), layer(2, 0, 0), layer(1, 0, 0)
    assert stays_small(network(first, twice, last))
    assert not stays_small(network(first, twice, layer(1, 0, 0), last))
    assert stays_small(network(first, layer(2, -1, 0), layer(1, 0, 0), last))
    assert stays_small(network(first, layer(-1, 2**31 - 1, 0), layer(1, 0, 0), last)), "the more is on, the less it is"


@pytest.mark.parametrize("place", [1, 2])
def test_later_sums_have_64_bits(place: int) -> None:
    layers = [layer(1, 0, 16), layer(1, 0, 0), layer(1, 0, 0)]
    for added in (2**63 - 1, -(2**63)):
        assert not stays_small(network(*layers[:place], layer(1, added, 16), *layers[place + 1 :]))


@pytest.mark.parametrize("place", range(4))
def test_a_network_that_could_miscount_is_not_played_with(place: int, tmp_path: Path) -> None:
    weights = learned_weights()
    layers = list(weights.layers)
    layers[place] = replace(layers[place], added=np.full_like(layers[place].added, 2**62))
    (tmp_path / "mine.weights").write_bytes(write_weights(replace(weights, layers=tuple(layers))))
    with pytest.raises(MalformedError, match="so large that sums of them might not fit") as refused:
        learned_from(tmp_path / "mine.weights")
    assert refused.value.code == "large_weights"


@pytest.mark.slow
@pytest.mark.compiler
def test_at_the_bounds_it_plays_alike_interpreted_and_compiled(folder: Path) -> None:
    """A network whose first sums, and with them the cells after it, are as large as any that are let in; the next layer has as
    many ups as downs, so that what is seen still makes the difference."""
    first, _, third, last = learned_weights().layers
    most = 2**31 - 1 - np.abs(first.weights.astype(np.int64)).sum(axis=0)
    width = len(most)
    signs = np.random.default_rng(1).permuted(np.repeat([[1], [-1]], width // 2, 0).repeat(width, 1), axis=0).astype(np.int16)
    plain = [replace(layer, added=np.zeros_like(layer.added)) for layer in (LearnedLayer(signs, most, 9), third, last)]
    file = folder / "mine.weights"
    layers = replace(first, added=most, bits=CELL_BITS), *plain
    file.write_bytes(write_weights(replace(learned_weights(), layers=layers)))
    install(folder, "at_the_bound", f"from tamaya.bots.learned import learned_from\nMINE = learned_from({str(file)!r})\n")
    teams = [team(Rules(players=2), ("at_the_bound:MINE",), speed) for speed in ("interpreted", "compiled")]
    slow, quick = (one.play(["at_the_bound:MINE"] * 2, 3, 0, 100, recorded=True).actions for one in teams)
    assert (slow == quick).all()
    assert len(np.unique(slow)) > 5
