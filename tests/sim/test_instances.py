"""Functions of an instance at each speed: bounds, references, compile records, memory and missing packages."""

import sys
from typing import Any

import numpy as np
import pytest

from tamaya import Rules
from tamaya.bots import find_policy
from tamaya.bots.registry import known_policies
from tamaya.engine.instances import Row, Setting, call, instance_of, loop
from tamaya.sim import Batch, loops
from tamaya.sim.games import TeamSetting
from tamaya.sim.speeds import Compiled, speed
from tamaya.sim.team import Results, team, workspace
from tamaya.sim.threads import seed_rows
from tests.programs import run_python

pytestmark = pytest.mark.compiler

CHECKED = ("compiled", "checked")
PLAYERS = {"convention": 2, "hat": 2, "learned": 2}
"""The number of players with which a policy is compiled here, if not three: large ones take long."""


@pytest.mark.parametrize("name", known_policies())
def test_a_policy_stays_within_its_rows_and_plays_the_same_with_bounds_checked(name: str) -> None:
    rules = Rules(players=PLAYERS.get(name, 3))
    played, checked = (team(rules, (name,), at).play([name] * rules.players, 3, 0, 4, recorded=True) for at in CHECKED)
    for one, other in zip(played, checked, strict=True):
        assert one.tobytes() == other.tobytes()
    assert (checked.turns > 0).all()
    assert not checked.illegal.any()


@loop
def write_behind(out: Row) -> None:
    """Write past the end of a row."""
    out[len(out)] = 1


def test_an_index_outside_a_row_is_found_with_bounds_checked() -> None:
    with pytest.raises(IndexError):
        instance_of(Setting(Rules()), speed("checked"))(write_behind)(np.zeros(3, np.int64))


def test_a_thousand_calls_of_a_loop_keep_no_reference_to_its_arrays() -> None:
    """Loops do not count references to arrays: one that kept a reference would leak the array."""
    setting = TeamSetting(Rules(players=3), (find_policy("simple"),), ("simple",))
    play: Any = instance_of(setting, speed("compiled"))(loops.play_team)
    seeds, lineup, room, results = seed_rows(3, np.arange(1)), np.zeros(3, np.int64), workspace(setting), Results.empty(1)
    arrays, counts = [seeds, lineup, *room, *results], list[list[int]]()
    for calls in (1, 1000):
        for _ in range(calls):
            play(seeds, lineup, room, results, 0)
        counts.append([sys.getrefcount(array) for array in arrays])
    assert counts[0] == counts[1]
    assert results.scores.all()


def run(script: str, *arguments: str, **variables: str) -> str:
    return run_python("-W", "error", "-c", script, *arguments, check=True, variables=variables).stdout


def test_a_loop_is_recorded_once_across_threads() -> None:
    compiled = speed("compiled")
    assert isinstance(compiled, Compiled)
    rules = Rules(colours=1, hand_size=3, clue_tokens=7)
    Batch(rules, 50, threads=4).close()
    assert [made.loop for made in compiled.records if made.key == str(rules)] == ["deal_games"]


@call
def doubled(number: int) -> int:
    """Twice the number."""
    return number * 2


@loop
def double(out: Row) -> None:
    """Double a number."""
    out[0] = doubled(out[0])


def test_a_function_for_loops_refuses_to_be_called_from_python() -> None:
    """It has no code of its own: without a refusal the process would crash."""
    own = instance_of(Setting(Rules()), speed("compiled"))
    with pytest.raises(TypeError, match="not iterable"):
        own(doubled)(4)
    numbers = np.array([4])
    own(double)(numbers)
    assert numbers.tolist() == [8]


# Missing packages.

WITHOUT = """
import sys
for name in sys.argv[1].split():
    sys.modules[name] = None
from tamaya.rules import MissingPartError
try:
    from tamaya.sim import Batch
    Batch(speed=sys.argv[2])
    print("made")
except MissingPartError as problem:
    print(problem.code, problem)
import tamaya.sim
print(tamaya.sim.seed_of(1, 0))
"""


@pytest.mark.parametrize(
    ("missing", "wanted", "said"),
    [
        ("numpy", "compiled", "numpy"),
        ("numpy", "interpreted", "numpy"),
        ("numba", "compiled", "numba"),
        ("numpy numba", "compiled", "numpy"),
    ],
)
def test_a_missing_package_is_named_with_the_command_that_installs_it(missing: str, wanted: str, said: str) -> None:
    first, seed = run(WITHOUT, missing, wanted).splitlines()
    assert first.startswith("missing_part ")
    assert f"package {said}" in first
    assert "pip install 'tamaya[sim]'" in first
    assert int(seed) > 0


def test_without_a_compiler_batches_are_interpreted() -> None:
    assert run(WITHOUT, "numba", "interpreted").splitlines()[0] == "made"


# Memory.

MILLION = """
import resource
from tamaya.sim import Batch
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
small = Batch(seed=1)
small.play(1)
before = peak()
batch = Batch(games=1_000_000, seed=1)
tally = batch.play(2)
most = peak() - before
saved = batch.save()
arrays = [saved.states, saved.seeds, batch.legal, batch.rewards, batch.endings, batch.scores, batch.illegal]
print(most, sum(array.nbytes for array in arrays), tally.moves)
"""


def test_a_million_games_of_two_players_fit_in_300_megabytes() -> None:
    peak, held, moves = map(int, run(MILLION).split())
    assert moves == 2_000_000
    assert held < 200_000_000
    assert peak < 300_000_000
