"""Compiled environments are the interpreted ones, only faster. One test, since compiling takes its time."""

import random
from typing import Any

import numpy as np
import pytest

from tests.sim.environments.playing import VARIANTS, begun, choose_each, many, same, turns

pytestmark = pytest.mark.compiler


def test_the_speed_makes_no_difference() -> None:
    table, choice = VARIANTS["players=2"], random.Random(8)
    options: dict[str, Any] = {"encoder": "minimal", "autoreset_mode": "SameStep"}
    slow, fast = (many(table, 16, speed=speed, **options) for speed in ("interpreted", "compiled"))
    observations, _ = slow.reset(seed=8)
    assert same(fast.reset(seed=8)[0], observations)
    ends = 0
    for _ in range(60):
        actions = choose_each(observations["action_mask"], choice)
        one, other = slow.step(actions), fast.step(actions)
        observations = one[0]
        assert same(observations, other[0])
        assert all(np.array_equal(mine, yours) for mine, yours in zip(one[1:4], other[1:4], strict=True))
        for place in np.flatnonzero(one[2]):
            ends += 1
            assert same(one[4]["final_obs"][place], other[4]["final_obs"][place])
    assert ends > 20
    quick, plain = (begun(table, 8, 0, speed=speed, encoder="minimal") for speed in ("compiled", "interpreted"))
    for agent, action in turns(plain, choice):
        assert same(plain.observe(agent), quick.observe(agent))
        quick.step(action)
    assert quick.infos == plain.infos
