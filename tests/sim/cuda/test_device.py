"""A real device; collected only where there is one."""

import pytest

from tamaya.rules import Rules
from tests.sim.cuda.agreement import agree, follows_another, goes_on_after_the_end, refuses, resamples_by_seeds
from tests.sim.many import all_rules, rules_of_editions
from tests.tables import FULL

# Few games fill a small part of a device, and Numba says so; these tests want right games, not fast ones.
pytestmark = pytest.mark.filterwarnings("ignore:.*Grid size")


@pytest.mark.parametrize("rules", all_rules() if FULL else rules_of_editions(), ids=str)
def test_a_device_plays_the_same_games(rules: Rules) -> None:
    agree(rules, 5003, "compiled", turns=60, steps=10)


def test_a_device_refuses_what_is_wrong() -> None:
    refuses()


def test_a_device_goes_on_where_games_were_over() -> None:
    goes_on_after_the_end()


def test_a_device_follows_another_batch() -> None:
    follows_another()


def test_a_device_resamples_by_seeds_that_lie_on_it() -> None:
    resamples_by_seeds()
