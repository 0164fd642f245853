"""What both environments share: lazily imported names, missing packages, and partners."""

import sys

import numpy as np
import pytest

from tamaya import MalformedError, Rules
from tamaya.rules import MissingPartError
from tamaya.sim import environments
from tamaya.sim.environments import HanabiEnvironment, HanabiVectorEnv


def test_every_public_name_and_no_other_can_be_imported() -> None:
    assert all(callable(getattr(environments, name)) for name in environments.__all__)
    with pytest.raises(AttributeError):
        environments.parallel_env  # noqa: B018


@pytest.mark.parametrize(
    ("name", "package"),
    [("HanabiEnvironment", "pettingzoo"), ("env", "pettingzoo"), ("raw_env", "gymnasium"), ("HanabiVectorEnv", "gymnasium")],
)
def test_a_missing_package_is_named(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPartError, match=rf"needs the package {package}.*pip install 'tamaya\[rl\]'"):
        getattr(environments, name)


# Partners.

PARTNERS = {1: "hat", 2: "simple"}


def test_partners_are_no_agents_and_move_within_a_step() -> None:
    environment = HanabiEnvironment(Rules(players=3), partners=PARTNERS)
    environment.reset(seed=3)
    assert environment.possible_agents == ["player_0"]
    moves = 0
    for agent in environment.agent_iter():
        observation, _reward, over, _, info = environment.last()
        assert agent == "player_0"
        assert observation
        environment.step(None if over else int(observation["action_mask"].argmax()))
        moves += 1
    assert moves > 2
    assert 0 <= info["score"] <= 25


def test_in_many_games_with_partners_it_is_always_the_learners_turn() -> None:
    environment = HanabiVectorEnv(Rules(players=3), 6, partners=PARTNERS, speed="interpreted")
    observations, infos = environment.reset(seed=1)
    assert (infos["to_move"] == 0).all()
    ended = 0
    for _ in range(40):
        observations, _rewards, over, _, infos = environment.step(np.asarray(observations["action_mask"]).argmax(axis=1))
        ended += int(over.sum())
        assert (infos["to_move"][~over] == 0).all()
    assert ended > 0


def test_unknown_partners_are_refused() -> None:
    with pytest.raises(MalformedError, match="There is no bot “deep”"):
        HanabiEnvironment(partners={1: "deep"})
