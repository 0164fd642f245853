"""Illegal actions in both environments: they are never executed and are handled as chosen."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import MalformedError, Rules
from tamaya.rules import IllegalError
from tests.sim.environments.support import begun, choose_each, choose_illegal, game_in, many, same
from tests.tables import rules

SEEDS = st.integers(0, 2**64 - 1)
NO_ACTIONS: tuple[Any, ...] = (None, "5", 5.0, True, [5], np.array([5]), np.array([[5]]), {}, 10**30, [[1], [1, 2]], np.nan)


@given(rules(), SEEDS, st.integers(0, 12))
def test_an_illegal_action_is_refused_and_nothing_changes(table: Rules, seed: int, length: int) -> None:
    environment = begun(table, seed, length)
    if environment.terminations["player_0"]:
        return
    agent, before = environment.agent_selection, environment.get_state()
    told, last = environment.observe(agent), environment.last(observe=False)
    with pytest.raises(IllegalError, match="is not legal in game 0; legal are"):
        environment.step(choose_illegal(told["action_mask"], random.Random(seed)))
    assert environment.agent_selection == agent
    assert environment.last(observe=False) == last
    assert same(environment.observe(agent), told)
    assert environment.get_state().states.tobytes() == before.states.tobytes()


@given(rules(), SEEDS, st.integers(0, 12))
def test_a_masked_action_is_replaced_by_a_legal_one_and_reported(table: Rules, seed: int, length: int) -> None:
    environment, choice = begun(table, seed, length, illegal="mask", encoder="minimal"), random.Random(seed)
    total = game_in(table, environment.get_state()).score
    while not environment.terminations["player_0"]:
        agent, twin = environment.agent_selection, environment.clone() if choice.random() < 0.3 else None
        mask = environment.observe(agent)["action_mask"]
        environment.step(choose_illegal(mask, choice))
        told = environment.infos[agent]
        assert told["illegal"] is True
        assert mask[told["taken"]]
        if twin:
            twin.step(told["taken"])
            assert twin.infos | {agent: told} == environment.infos
            assert twin.rewards == environment.rewards
            assert twin.get_state().states.tobytes() == environment.get_state().states.tobytes()
        total += environment.rewards[agent]  # type: ignore[assignment]
    assert total == environment.infos["player_0"]["score"]


@given(rules(), SEEDS, st.integers(0, 12), st.sampled_from(["difference", "final"]))
def test_a_penalised_agent_stays_to_move(table: Rules, seed: int, length: int, kind: str) -> None:
    environment = begun(table, seed, length, illegal="penalise", penalty=-2.5, rewards=kind)
    if environment.terminations["player_0"]:
        return
    agent, before = environment.agent_selection, environment.get_state()
    told, infos = environment.observe(agent), environment.infos.copy()
    for _ in range(2):
        environment.step(choose_illegal(told["action_mask"], random.Random(seed)))
        assert environment.agent_selection == agent
        assert environment.rewards == {other: -2.5 * (other == agent) for other in environment.agents}
        assert environment.last()[1] == -2.5
        assert environment.infos == infos | {agent: {"illegal": True}}
    assert same(environment.observe(agent), told)
    assert environment.get_state().states.tobytes() == before.states.tobytes()


@pytest.mark.parametrize("illegal", ["raise", "mask", "penalise"])
@pytest.mark.parametrize("action", NO_ACTIONS, ids=str)
def test_a_value_that_is_no_action_is_always_refused(action: Any, illegal: str) -> None:
    environment = begun(Rules(), 1, 3, illegal=illegal)
    before, last = environment.get_state(), environment.last(observe=False)
    with pytest.raises(MalformedError, match="Actions are whole numbers"):
        environment.step(action)
    assert environment.last(observe=False) == last
    assert environment.get_state().states.tobytes() == before.states.tobytes()


@pytest.mark.parametrize("illegal", ["raise", "mask", "penalise"])
@pytest.mark.parametrize(
    "actions", [5, None, [5], [5] * 5, [[5]] * 4, [5.0] * 4, ["5"] * 4, [True] * 4, [10**30] * 4, [5, 5, 5, None]], ids=str
)
def test_values_that_are_no_actions_are_refused_in_many_games(actions: Any, illegal: str) -> None:
    games = many(illegal=illegal)
    games.reset(seed=1)
    before = games.get_state()
    with pytest.raises(MalformedError, match="one for each of 4 games"):
        games.step(actions)
    assert games.get_state().states.tobytes() == before.states.tobytes()


def test_one_illegal_action_among_many_is_refused_and_no_game_advances() -> None:
    games = many()
    observations, _ = games.reset(seed=1)
    before, actions = games.get_state(), choose_each(observations["action_mask"], random.Random(1))
    actions[2] = -1
    with pytest.raises(IllegalError, match="Action -1 is not legal in game 2"):
        games.step(actions)
    assert games.get_state().states.tobytes() == before.states.tobytes()
    assert same(games.observe(), observations)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_masked_actions_among_many_are_reported(mode: str) -> None:
    games, choice = many(Rules(players=3), 6, illegal="mask", autoreset_mode=mode), random.Random(2)
    observations, _ = games.reset(seed=2)
    ended = np.zeros(6, bool)
    for turn in range(60):
        masks = observations["action_mask"]
        actions, wrong = choose_each(masks, choice), ~ended & (np.arange(6) % 3 == turn % 3)
        actions[wrong] = [choose_illegal(mask, choice) for mask in masks[wrong]]
        twin = games.clone()
        observations, rewards, ended, _, infos = games.step(actions)
        assert np.array_equal(infos["illegal"], wrong)
        if wrong.any():
            assert np.array_equal(infos["_taken"], wrong)
            assert all(masks[place][infos["taken"][place]] for place in np.flatnonzero(wrong))
            actions[wrong] = infos["taken"][wrong]
        told = twin.step(actions)
        assert same(told[0], observations)
        assert np.array_equal(told[1], rewards)
        ended = ended if mode == "NextStep" else np.zeros(6, bool)


def test_penalised_games_do_not_advance() -> None:
    games, choice = many(Rules(players=2), 4, illegal="penalise", penalty=-0.25), random.Random(3)
    observations, _ = games.reset(seed=3)
    for _ in range(5):
        wrong = np.array([True, False, True, False])
        actions, before = choose_each(observations["action_mask"], choice), games.get_state()
        actions[wrong] = [choose_illegal(mask, choice) for mask in observations["action_mask"][wrong]]
        told, rewards, _, _, infos = games.step(actions)
        assert np.array_equal(infos["illegal"], wrong)
        assert (rewards[wrong] == -0.25).all()
        assert (games.get_state().states[wrong] == before.states[wrong]).all()
        assert (told["observation"][wrong] == observations["observation"][wrong]).all()
        assert (games.get_state().states[~wrong] != before.states[~wrong]).any(axis=1).all()
        observations = told
