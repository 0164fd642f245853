"""Permuting colours leaves the game the same: observing and permuting commute."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import MalformedError, Rules, read_rules
from tamaya.bots.encoding import ENCODERS
from tamaya.rules import Multicolour
from tamaya.sim import Batch, action_order, observation_order
from tamaya.sim.threads import Array
from tests.sim.support import any_legal, decks_of, seeds
from tests.tables import rules


def stays(table: Rules) -> bool:
    """Whether the last colour is unlike the others."""
    return table.multicolour is Multicolour.FIVE or not table.multicolour_named


@st.composite
def paints(draw: st.DrawFn) -> tuple[Rules, list[int]]:
    """Any rules, and a permutation of their colours."""
    table = draw(rules())
    colours = list(range(len(table.suits)))
    if stays(table):
        return table, [*draw(st.permutations(colours[:-1])), colours[-1]]
    return table, draw(st.permutations(colours))


def repainted(decks: Array, order: list[int]) -> Array:
    return np.asarray(np.array(order)[decks // 5] * 5 + decks % 5)


def play_repainted(table: Rules, order: list[int], seed: int, turns: int, patient: bool) -> tuple[Batch, Batch]:
    """The same games before and after the permutation, after some turns."""
    ours = Batch(table, 3, seed=seed, speed="interpreted", automatic=False)
    painted = Batch(table, 3, seed=seed, speed="interpreted", automatic=False)
    painted.deal(0, decks=repainted(decks_of(ours), order))
    numbers, choice = action_order(table, order), np.random.default_rng(seed)
    for _ in range(turns):
        actions = any_legal(ours, choice, patient)
        assert ours.step(actions).tobytes() == painted.step(numbers[actions]).tobytes()
        assert ours.endings.tobytes() == painted.endings.tobytes()
        assert painted.legal[:, numbers].tobytes() == ours.legal.tobytes()
    return ours, painted


@given(paints(), seeds, st.integers(0, 80), st.booleans())
def test_a_permuted_game_is_observed_as_the_permuted_observation(
    paint: tuple[Rules, list[int]], seed: int, turns: int, patient: bool
) -> None:
    table, order = paint
    ours, painted = play_repainted(table, order, seed, turns, patient)
    for encoder in ENCODERS:
        kind, source = "float32", observation_order(table, ours.sections(encoder), order)
        assert sorted(source) == list(range(ours.sections(encoder).size))
        for seat in range(table.players):
            ours_seen, painted_seen = (batch.observe(encoder, kind=kind, seat=seat) for batch in (ours, painted))
            assert ours_seen[:, source].tobytes() == painted_seen.tobytes()


@given(paints())
def test_the_inverse_permutation_restores_the_game(paint: tuple[Rules, list[int]]) -> None:
    table, order = paint
    back = [order.index(colour) for colour in range(len(order))]
    assert (action_order(table, order)[action_order(table, back)] == np.arange(len(action_order(table, back)))).all()
    sections = Batch(table, speed="interpreted").sections()
    there, here = observation_order(table, sections, order), observation_order(table, sections, back)
    assert (there[here] == np.arange(sections.size)).all()


def test_every_permutation_of_the_five_usual_colours_is_different() -> None:
    orders = [tuple(action_order(Rules(), order)) for order in permutations(range(5))]
    assert len(set(orders)) == 120
    assert orders[0] == tuple(range(20))


def test_a_multicolour_like_the_others_is_permuted_with_them() -> None:
    assert action_order(read_rules("multicolour-ten"), [5, 1, 2, 3, 4, 0])[10:16].tolist() == [15, 11, 12, 13, 14, 10]


@pytest.mark.parametrize(
    ("words", "order"),
    [
        ("players=2", [0, 1, 2, 3]),
        ("players=2", [0, 1, 2, 3, 4, 5]),
        ("players=2", [0, 1, 2, 3, 3]),
        ("players=2", [-1, 0, 1, 2, 3]),
        ("players=2", [1, 2, 3, 4, 5]),
        ("players=2", [0.0, 1.0, 2.0, 3.0, 4.0]),
        ("players=2", [[0, 1, 2, 3, 4]]),
        ("players=2", [[0, 1], [2]]),
        ("players=2", "01234"),
        ("players=2", None),
        ("players=2", 5),
        ("multicolour-five", [5, 1, 2, 3, 4, 0]),
        ("multicolour-unnamed", [0, 1, 2, 3, 5, 4]),
    ],
)
def test_what_is_no_permutation_of_like_colours_is_refused(words: str, order: object) -> None:
    table = read_rules(words)
    sections = Batch(table, speed="interpreted").sections()
    with pytest.raises(MalformedError) as refusal:
        action_order(table, order)  # type: ignore[arg-type]
    assert refusal.value.code == "bad_colours"
    with pytest.raises(MalformedError) as refusal:
        observation_order(table, sections, order)  # type: ignore[arg-type]
    assert refusal.value.code == "bad_colours"
