"""The move that the coach names as the best, from results in the same worlds."""

from __future__ import annotations

import numpy as np
import pytest

from tamaya.review.comparison import MoveComparison
from tamaya.sim.threads import Array

WORLDS = 250
NUMBERS = {"first": 1, "other": 5, "agreed": 7, "played": 9}
FIRST, OTHER, AGREED, PLAYED = NUMBERS.values()


def trial(**means: tuple[float, float]) -> MoveComparison:
    """Moves with this mean and spread; each world has its own hand, and results are independent."""
    chance = np.random.default_rng(3)
    scores: dict[int, Array] = {}
    for name, (mean, spread) in means.items():
        noise = chance.normal(size=WORLDS)
        scores[NUMBERS[name]] = mean + spread * (noise - noise.mean()) / noise.std()
    return MoveComparison(scores, 25, np.arange(WORLDS), float(WORLDS))


@pytest.mark.parametrize(
    ("found", "named"),
    [
        ({"played": (20.0, 1.0), "other": (20.05, 1.0)}, PLAYED),
        ({"played": (20.0, 1.0), "other": (21.0, 1.0), "agreed": (20.9, 1.0)}, AGREED),
        ({"played": (20.0, 1.0), "other": (21.0, 1.0), "agreed": (20.5, 1.0)}, OTHER),
        ({"played": (20.0, 1.0), "other": (21.0, 1.0), "first": (20.97, 1.0)}, FIRST),
        ({"played": (20.0, 1.0), "other": (20.5, 0.2), "first": (20.3, 4.0)}, OTHER),
        ({"played": (20.0, 1.0), "other": (20.5, 0.2), "agreed": (20.1, 4.0)}, OTHER),
        ({"played": (20.0, 1.0), "other": (21.0, 1.0), "first": (20.85, 3.0)}, OTHER),
    ],
    ids=[
        "what was played is as good within the error",
        "the agreements are not clearly worse",
        "they are",
        "of two that are as good the first by number",
        "but none that may be no better than what was played",
        "nor what the agreements say, then",
        "nor one that is far behind, however unsure that is",
    ],
)
def test_the_best_move_is_chosen_by_clear_differences(found: dict[str, tuple[float, float]], named: int) -> None:
    looked = trial(**found)
    assert looked.best(PLAYED, AGREED) == named
    assert looked.loss(PLAYED, AGREED).mean >= 0


def test_a_loss_is_never_negative() -> None:
    chance = np.random.default_rng(5)
    for _ in range(200):
        means = {
            name: (20 + chance.normal() / 3, float(chance.uniform(0.2, 4))) for name in ("played", "agreed", "first", "other")
        }
        assert trial(**means).loss(PLAYED, AGREED).mean >= 0
