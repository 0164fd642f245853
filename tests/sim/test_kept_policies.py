"""A policy that was compiled by one program plays the same in the next one, which finds it on disk."""

from __future__ import annotations

import json

import pytest

from tests.programs import run_python

pytestmark = pytest.mark.compiler

PROGRAM = """
import json, sys
from tamaya import read_rules
from tamaya.sim.team import team
from tamaya.sim.speeds import speed
scores = team(read_rules(sys.argv[2]), (sys.argv[1],)).play([sys.argv[1]] * 3, 0, 0, 50).scores.tolist()
print(json.dumps([scores, speed("compiled").makings[0].from_disk]))
"""

RULES = {
    "convention": "players=3 last_mistake=points",  # as in tests/bots/convention/test_games.py, so that it is compiled once
    "simple": "players=3",
    "hat": "players=3",
    "cheat": "players=3",
}


def played(policy: str) -> tuple[list[int], bool]:
    """The scores in a program of its own, and whether that had nothing to compile."""
    scores, from_disk = json.loads(run_python("-c", PROGRAM, policy, RULES[policy], check=True, limit=240).stdout)
    return scores, from_disk


@pytest.mark.parametrize("policy", RULES)
def test_a_policy_is_found_on_disk_and_plays_the_same(policy: str) -> None:
    """Numba keeps functions that call each other in a circle, but cannot find them again: calling them ends the program."""
    compiled, _ = played(policy)
    found, from_disk = played(policy)
    assert from_disk
    assert found == compiled
