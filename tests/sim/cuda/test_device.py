"""A device's launches: on Numba's simulator, which runs the same source thread by thread, and on a real GPU."""

import json

import pytest

from tamaya.rules import Rules
from tests.programs import run_python
from tests.sim.cuda.support import agree, follows_another, goes_on_after_the_end, refuses, resamples_by_seeds
from tests.sim.support import all_rules, rules_of_editions
from tests.tables import FULL

pytestmark = pytest.mark.filterwarnings("ignore:.*Grid size")  # few games fill a small part of a device, and Numba warns

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
    command = ("-m", "tests.sim.cuda.support", str(games), *map(json.dumps, rules))
    done = run_python(*command, limit=240, variables={"NUMBA_ENABLE_CUDASIM": "1"})
    said = [*(f"agree {settings}" for settings in rules), "refuses and goes on", "follows and resamples"]
    assert done.stdout.splitlines() == said, done.stderr


# A real device.


@pytest.mark.gpu
@pytest.mark.parametrize("rules", all_rules() if FULL else rules_of_editions(), ids=str)
def test_a_device_plays_the_same_games(rules: Rules) -> None:
    agree(rules, 5003, "compiled", turns=60, steps=10)


@pytest.mark.gpu
def test_a_device_refuses_invalid_arguments() -> None:
    refuses()


@pytest.mark.gpu
def test_a_device_deals_a_new_game_after_a_restored_one_is_over() -> None:
    goes_on_after_the_end()


@pytest.mark.gpu
def test_a_device_follows_another_batch() -> None:
    follows_another()


@pytest.mark.gpu
def test_a_device_resamples_by_seeds_in_its_memory() -> None:
    resamples_by_seeds()
