"""The turn-based environment: PettingZoo's own tests pass, and it plays the engine's game."""

import random
from collections import Counter
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pettingzoo.test import api_test, render_test, seed_test  # type: ignore[import-untyped]
from pettingzoo.test.state_test import test_state as check_state  # type: ignore[import-untyped]
from pettingzoo.test.state_test import test_state_space as check_state_space

from tamaya import Game, MalformedError, Rules
from tamaya.rules import IllegalError
from tamaya.sim import Batch, seed_of
from tamaya.sim.environments import HanabiEnvironment, env, raw_env
from tests.sim.environments.support import VARIANTS, begun, choose, deck_in, numbers, turns
from tests.tables import deck_beginning, rules

SEEDS = st.integers(0, 2**64 - 1)

# PettingZoo's helpers warn about any environment whose observations hold a mask, and about games that are over.
remarks = (
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Action mask numpy array is all zeros:UserWarning",
)


def seeded(environment: HanabiEnvironment) -> HanabiEnvironment:
    for seat, agent in enumerate(environment.possible_agents):
        environment.action_space(agent).seed(seat)
    return environment


@pytest.mark.parametrize("text", VARIANTS)
@pytest.mark.filterwarnings(*remarks)
def test_pettingzoos_api_and_seed_tests_pass(text: str) -> None:
    api_test(seeded(env(VARIANTS[text])))
    seed_test(partial(env, VARIANTS[text]))


@pytest.mark.parametrize(
    "options", [{"rewards": "final"}, {"encoder": "belief", "kind": "float32"}, {"kind": "bits"}, {"partners": {0: "simple"}}]
)
@pytest.mark.filterwarnings(*remarks)
def test_pettingzoos_api_test_passes_with_any_options(options: dict[str, Any]) -> None:
    api_test(seeded(raw_env(**options)))
    seed_test(partial(raw_env, **options))


@pytest.mark.parametrize("text", VARIANTS)
def test_pettingzoos_state_test_passes(text: str) -> None:
    environment = seeded(env(VARIANTS[text], illegal="mask"))
    check_state_space(environment)
    check_state(environment, 10)


def test_pettingzoos_render_test_passes(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: seeded(env(render_mode=render_mode)))
    assert "player_1 to move" in capsys.readouterr().out


@given(rules(), SEEDS, st.sampled_from(["difference", "final"]))
def test_it_plays_the_engines_game(table: Rules, seed: int, kind: str) -> None:
    environment = HanabiEnvironment(table, rewards=kind)
    environment.reset(seed=seed)
    game = Game(table, seed=seed_of(seed, 0))
    batch = Batch(table, 1, seed=seed, automatic=False, rewards=kind, speed="interpreted")
    for agent, action in turns(environment, random.Random(seed)):
        assert environment.rewards == dict.fromkeys(environment.possible_agents, float(batch.rewards[0]))
        assert agent == f"player_{game.to_move}"
        told = environment.observe(agent)
        assert np.array_equal(told["observation"], batch.observe()[0])
        assert np.flatnonzero(told["action_mask"]).tolist() == game.legal_numbers()
        game.act(action)
        batch.step([action])
    assert environment.rewards == dict.fromkeys(environment.possible_agents, float(batch.rewards[0]))
    assert all(info == {"illegal": False, "score": game.score} for info in environment.infos.values())
    assert game.outcome
    assert game.score == batch.scores[0]


@given(rules(), SEEDS, st.sampled_from(["difference", "final"]))
def test_the_rewards_of_every_agent_add_up_to_the_score(table: Rules, seed: int, kind: str) -> None:
    environment, choice = HanabiEnvironment(table, rewards=kind, encoder="minimal"), random.Random(seed)
    environment.reset(seed=seed)
    totals: Counter[str] = Counter()
    scores = set()
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, info = environment.last()
        assert not truncation
        assert observation
        totals[agent] += reward  # type: ignore[assignment]
        if termination:
            scores.add(info["score"])
        environment.step(None if termination else choose(observation["action_mask"], choice))
    assert len(scores) == 1
    assert set(totals) == set(environment.possible_agents)
    assert set(totals.values()) == scores


def test_a_seed_deals_a_series_of_games() -> None:
    table = VARIANTS["players=3"]
    one, other = HanabiEnvironment(table), HanabiEnvironment(table)
    one.reset(seed=5)
    other.reset(seed=9)
    other.reset(seed=5)
    for number in range(3):
        deck = numbers(table, Game(table, seed=seed_of(5, number)))
        assert deck_in(table, one.get_state()) == deck_in(table, other.get_state()) == deck
        one.reset()
        other.reset()


def test_without_a_seed_environments_play_different_games() -> None:
    one, other = HanabiEnvironment(), HanabiEnvironment()
    one.reset()
    other.reset()
    assert deck_in(one.rules, one.get_state()) != deck_in(other.rules, other.get_state())


@pytest.mark.parametrize("options", [{}, {"encoder": "minimal", "kind": "float32"}, {"encoder": "belief", "kind": "float32"}])
def test_every_agent_can_observe_at_any_time(options: dict[str, Any]) -> None:
    environment = HanabiEnvironment(VARIANTS["players=4"], **options)
    environment.reset(seed=3)

    def look(mover: str | None) -> None:
        for agent in environment.possible_agents:
            told = environment.observe(agent)
            assert environment.observation_space(agent).contains(told)
            assert told["action_mask"].any() == (agent == mover)

    for agent, _ in turns(environment, random.Random(3)):
        look(agent)
    look(None)
    while environment.agents:
        environment.step(None)
        look(None)


def test_agents_finish_one_after_another() -> None:
    environment = begun(VARIANTS["players=3"], 1, 1000)
    left = environment.possible_agents.copy()
    for agent in environment.agent_iter():
        assert agent == left[0]
        assert environment.last()[2:4] == (True, False)
        environment.step(None)
        left.remove(agent)
        assert environment.agents == left
    assert not left
    assert list(environment.agent_iter()) == []


DRAWN = """\
player_1 to move; clue tokens 8/8, mistakes 0/3, deck 38, points 1
fireworks  R0 Y1 G0 W0 B0
discards   R2
player_0   R1          R3          R4          R5          R1
           RYGWB12345  RYGWB12345  RYGWB12345  RYGWB12345  RYGWB12345
player_1   ??         ??         ??         ??         ??
           RYGWB2345  RYGWB2345  RYGWB2345  RYGWB2345  RYGWB12345"""


def test_the_rendering_shows_the_table_as_the_agent_sees_it() -> None:
    environment = HanabiEnvironment(render_mode="ansi")
    environment.reset(options={"deck": deck_beginning(environment.rules, "R1 R2 R3 R4 R5", "Y1 Y2 Y3 Y4 Y5")})
    for action in (15, 5, 1):  # player_0 tells player_1 about the ones, player_1 plays Y1; player_0 discards R2
        environment.step(action)
    assert environment.render() == DRAWN


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rewards": "points"}, "rewards cannot be points; allowed: difference, final."),
        ({"illegal": "replace"}, "illegal cannot be replace; allowed: raise, mask, penalise."),
        ({"encoder": "own_hand"}, "encoder cannot be own_hand; allowed: canonical, minimal, belief."),
        ({"encoder": "belief"}, "The observation belief cannot be written as uint8; it can as float32."),
        ({"render_mode": "rgb_array"}, "render_mode cannot be rgb_array; allowed: ansi, human."),
        ({"speed": "light"}, "speed cannot be light; allowed: compiled, interpreted."),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        HanabiEnvironment(**options)
    assert str(refusal.value) == words


def test_nothing_is_possible_before_the_first_reset() -> None:
    environment = HanabiEnvironment()
    for attempt in (
        environment.last,
        environment.agent_iter,
        environment.state,
        environment.render,
        environment.get_state,
        environment.resample,
        lambda: environment.step(5),
        lambda: environment.observe("player_0"),
    ):
        with pytest.raises(MalformedError, match="call reset"):
            attempt()


def test_after_the_end_only_observing_and_resetting_are_possible() -> None:
    environment = begun(Rules(), 1, 1000, render_mode="ansi")
    with pytest.raises(IllegalError, match="step with None"):
        environment.step(5)
    assert environment.agents == environment.possible_agents
    for _ in environment.possible_agents:
        environment.step(None)
    for attempt in (environment.last, lambda: environment.step(None), lambda: environment.step(5)):
        with pytest.raises(IllegalError, match="call reset"):
            attempt()
    assert "over" in str(environment.render())
    assert not environment.observe("player_0")["action_mask"].any()
    environment.reset()
    assert environment.agents == environment.possible_agents


def test_a_closed_environment_refuses_everything() -> None:
    environment = begun(Rules(), 1, 3, render_mode="ansi")
    saved = environment.get_state()
    environment.close()
    environment.close()
    for attempt in (
        environment.reset,
        environment.last,
        environment.agent_iter,
        environment.state,
        environment.render,
        environment.get_state,
        environment.clone,
        environment.resample,
        lambda: environment.step(5),
        lambda: environment.observe("player_0"),
        lambda: environment.set_state(saved),
    ):
        with pytest.raises(MalformedError, match="This environment is closed; make another"):
            attempt()


def test_an_unknown_agent_is_refused() -> None:
    environment = begun(Rules(), 1, 3)
    agents: list[Any] = ["player_2", "", 0, ["player_0"]]
    for attempt in (environment.observe, environment.action_space, environment.observation_space, environment.resample):
        for agent in agents:
            with pytest.raises(MalformedError, match=r"agent cannot be .*; allowed: player_0, player_1\."):
                attempt(agent)


def test_without_a_render_mode_nothing_is_rendered() -> None:
    with pytest.raises(MalformedError, match="render_mode: ansi, human"):
        begun(Rules(), 1, 3).render()
