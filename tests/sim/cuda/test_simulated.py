"""The launches of a device, with Numba's simulator in its place: the same source, thread by thread."""

import json

import pytest

from tests.programs import run_python

RULES = [
    [{"players": 2}, {"players": 5, "announced_plays": True}],
    [
        {"players": 3, "multicolour": "five", "multicolour_named": False, "all_or_nothing": True},
        {"players": 4, "multicolour": "ten", "empty_clues": True, "last_mistake": "points"},
    ],
    [{"players": 2, "hand_size": 1, "colours": 1}],
]


@pytest.mark.parametrize(
    ("rules", "games"), list(zip(RULES, (5, 5, 20), strict=True)), ids=["standard and announced", "multicolours", "tiny"]
)
def test_a_simulated_device_plays_the_same_games(rules: list[dict[str, object]], games: int) -> None:
    command = ("-m", "tests.sim.cuda.agreement", str(games), *map(json.dumps, rules))
    done = run_python(*command, limit=240, variables={"NUMBA_ENABLE_CUDASIM": "1"})
    said = [*(f"agree {settings}" for settings in rules), "refuses and goes on", "follows and resamples"]
    assert done.stdout.splitlines() == said, done.stderr
