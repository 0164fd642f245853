"""Chance: a hundred thousand deals and choices with fixed seeds are uniform."""

from functools import cache

import numpy as np
import pytest

from tamaya import Rules
from tamaya.engine.layout import LAST_ACTION
from tamaya.sim import Batch
from tamaya.sim.threads import Array
from tests.sim.support import critical, decks_of, is_uniform

pytestmark = pytest.mark.compiler

DEALS = 100_000
COPIES = np.array([3, 2, 2, 2, 1] * 5)


@cache
def decks(seed: int = 0) -> Array:
    """The decks of the first games of a seed, whose own seeds are consecutive."""
    return decks_of(Batch(Rules(), DEALS, seed=seed)).astype(int)


def pairs(one: Array, other: Array) -> Array:
    """How often each pair of cards occurs."""
    return np.bincount(one * 25 + other, minlength=625)


def test_every_card_is_in_every_place_in_proportion_to_its_copies() -> None:
    for place in range(50):
        assert is_uniform(np.bincount(decks()[:, place], minlength=25), DEALS * COPIES / 50)


def test_every_card_follows_every_other_in_proportion_to_their_copies() -> None:
    expected = DEALS / (50 * 49) * (np.outer(COPIES, COPIES) - np.diag(COPIES))
    for place in range(49):
        assert is_uniform(pairs(decks()[:, place], decks()[:, place + 1]), expected.ravel())


def test_consecutive_deals_are_independent() -> None:
    """The same place in games with consecutive seeds, and with seeds as far apart as a batch has places."""
    for apart in (1, 2, 64, 1024):
        expected = (DEALS - apart) / 50**2 * np.outer(COPIES, COPIES).ravel()
        for place in (0, 1, 10, 25, 48, 49):
            assert is_uniform(pairs(decks()[:-apart, place], decks()[apart:, place]), expected)


def test_game_0_of_consecutive_seeds_is_uniform() -> None:
    """Game 0 of each of many seeds."""
    batch = Batch(Rules(), 1, seed=0)
    tops = []
    for seed in range(20_000):
        batch.deal(seed)
        tops.append(decks_of(batch)[0, [0, 20, 49]])
    for column in np.array(tops).T:
        assert is_uniform(np.bincount(column, minlength=25), len(tops) * COPIES / 50)


def test_a_hundred_thousand_deals_are_all_different() -> None:
    assert len({deck.tobytes() for deck in decks().astype(np.uint8)}) == DEALS


def take_a_turn(batch: Batch) -> tuple[Array, Array]:
    """How many actions were legal in each game, and which of them the random policy took."""
    legal = batch.legal.copy()
    batch.play(1)
    actions, places = batch.save().states[:, LAST_ACTION], np.arange(batch.games)
    assert (batch.turns > 0).all(), "no game is to end here"
    assert legal[places, actions].all()
    return legal.sum(axis=1, dtype=int), np.cumsum(legal, axis=1, dtype=int)[places, actions] - 1


def test_the_random_policy_takes_every_legal_action_equally_often() -> None:
    """Games of consecutive seeds, on turns that cannot be their last."""
    batch, judged = Batch(Rules(), DEALS, seed=0), 0
    for seed in range(5):
        batch.deal(seed)
        for _ in range(2):
            counts, taken = take_a_turn(batch)
            for count in np.unique(counts):
                found = np.bincount(taken[counts == count], minlength=count)
                if found.sum() > 20 * count:
                    judged += 1
                    assert is_uniform(found, np.full(count, found.sum() / count))
    assert judged > 50


def test_consecutive_choices_are_independent() -> None:
    """The same deck everywhere: the first and the second choice, where the most common number of actions is legal."""
    batch = Batch(Rules(), DEALS, seed=0)
    batch.deal(4, decks=np.repeat(decks()[:1], DEALS, axis=0))
    (counts, first), (seconds, second) = take_a_turn(batch), take_a_turn(batch)
    width = int(np.bincount(seconds).argmax())
    usual = seconds == width
    found = np.bincount(first[usual] * width + second[usual], minlength=int(counts[0]) * width).reshape(-1, width)
    expected = np.repeat(found.sum(axis=1) / width, width)
    assert is_uniform(found.ravel(), expected)


def test_the_statistic_detects_loaded_dice() -> None:
    choice = np.random.default_rng(1)
    fair = np.bincount(choice.integers(0, 25, DEALS), minlength=25)
    assert is_uniform(fair, np.full(25, DEALS / 25))
    loaded = np.bincount((choice.random(DEALS) ** 1.05 * 25).astype(int), minlength=25)
    assert not is_uniform(loaded, np.full(25, DEALS / 25))
    assert not is_uniform(np.full(25, DEALS / 25), np.full(25, DEALS / 25))
    assert abs(critical(10, 1.6449) - 18.307) < 0.1
    assert abs(critical(100, -2.3263) - 70.065) < 0.1
