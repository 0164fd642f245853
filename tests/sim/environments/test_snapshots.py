"""Snapshots, independent copies, given decks, and resampling of what a seat cannot see."""

import random
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Game, MalformedError, Rules
from tamaya.sim import Snapshot, seed_of
from tamaya.sim.environments import HanabiEnvironment
from tests.sim.environments.support import begun, choose_each, deck_in, game_in, many, numbers, same, turns
from tests.tables import deck_beginning, rules

SEEDS = st.integers(0, 2**64 - 1)
THREE = Rules(players=3)


def seen_by(environment: HanabiEnvironment, agent: str) -> tuple[bytes, bytes]:
    """What an agent observes, as plain values."""
    told = environment.observe(agent)
    return told["observation"].tobytes(), told["action_mask"].tobytes()


def everything(environment: HanabiEnvironment) -> list[Any]:
    told = [
        environment.agents,
        environment.agent_selection,
        environment.rewards,
        environment._cumulative_rewards,
        environment.terminations,
        environment.infos,
        [seen_by(environment, agent) for agent in environment.possible_agents],
    ]
    return deepcopy(told)


@given(rules(), SEEDS, st.integers(0, 40))
def test_a_clone_is_equal_and_independent(table: Rules, seed: int, length: int) -> None:
    environment = begun(table, seed, length, rewards="difference")
    twin, before = environment.clone(), everything(environment)
    assert everything(twin) == before
    for agent in environment.possible_agents:
        assert twin.observation_space(agent) == environment.observation_space(agent)
    for _ in turns(twin, random.Random(seed)):
        pass
    while twin.agents:
        twin.step(None)
    assert everything(environment) == before
    twin.reset()
    environment.reset()
    assert everything(twin) == everything(environment)


def test_a_clone_has_the_same_options() -> None:
    environment = begun(THREE, 4, 2, illegal="penalise", penalty=-3.0, render_mode="ansi", rewards="final", encoder="minimal")
    twin = environment.clone()
    twin.step(-1)
    assert twin.rewards["player_2"] == -3.0
    assert twin.render() == environment.render()
    assert HanabiEnvironment(THREE).clone().agents == []


def test_a_clone_keeps_rewards_and_finished_agents() -> None:
    environment = HanabiEnvironment(THREE)
    environment.reset(options={"deck": deck_beginning(THREE, "R1")})
    environment.step(5)
    twin = environment.clone()
    assert twin.last()[1] == twin.rewards["player_2"] == 1.0
    ended = begun(THREE, 1, 1000)
    ended.step(None)
    twin = ended.clone()
    assert twin.agents == ["player_1", "player_2"]
    twin.step(None)
    twin.step(None)
    assert ended.agents == ["player_1", "player_2"]


@given(rules(), SEEDS, st.integers(0, 40))
def test_a_snapshot_can_be_restored(table: Rules, seed: int, length: int) -> None:
    environment = begun(table, seed, length)
    saved, before = environment.get_state(), [seen_by(environment, agent) for agent in environment.possible_agents]
    for other in (environment, HanabiEnvironment(table)):
        if other is environment:
            other.reset()
        other.set_state(saved)
        assert [seen_by(other, agent) for agent in other.possible_agents] == before
        assert set(other._cumulative_rewards.values()) == {0.0}
        assert set(other.terminations.values()) == {bool(game_in(table, saved).outcome)}
        for _ in turns(other, random.Random(1)):
            pass
        assert all("score" in info for info in other.infos.values())


def test_snapshots_of_other_games_are_refused() -> None:
    environment = begun(THREE, 1, 3)
    saved, before = environment.get_state(), everything(environment)
    damaged = Snapshot(THREE, saved.states + np.uint8(200), saved.seeds)
    for wrong in (begun(Rules(), 1, 3).get_state(), many(THREE)._batch.save(), damaged, saved.states, None):
        with pytest.raises(MalformedError, match="What was saved"):
            environment.set_state(wrong)  # type: ignore[arg-type]
    assert everything(environment) == before


def test_a_snapshot_does_not_change_with_the_game() -> None:
    environment = begun(THREE, 1, 3)
    saved = environment.get_state()
    bytes_before = saved.states.tobytes()
    for _ in turns(environment, random.Random(1)):
        pass
    assert saved.states.tobytes() == bytes_before


@given(rules(), SEEDS, SEEDS)
def test_a_deck_can_be_given_as_cards_or_as_numbers(table: Rules, seed: int, other: int) -> None:
    game = Game(table, seed=seed)
    environment = HanabiEnvironment(table)
    for deck in (game.reveal_deck(), numbers(table, game), np.array(numbers(table, game))):
        environment.reset(seed=other, options={"deck": deck})
        assert deck_in(table, environment.get_state()) == numbers(table, game)
        assert game_in(table, environment.get_state()).reveal_hands().hands == game.reveal_hands().hands
    environment.reset()
    assert deck_in(table, environment.get_state()) == numbers(table, Game(table, seed=seed_of(other, 1)))


def test_a_deck_that_is_not_of_the_rules_is_refused() -> None:
    environment = begun(THREE, 1, 3)
    before = everything(environment)
    deck = list(Game(THREE, seed=1).reveal_deck())
    six = Game(Rules(multicolour="ten"), seed=1).reveal_deck()  # type: ignore[arg-type]
    for wrong in (deck[:-1], [*deck[:-1], deck[0]], six, six[:50], [], 7, "R1 R2", [None] * 50, [25] * 50, [[1], [1, 2]]):
        with pytest.raises(MalformedError, match="Decks are 1 rows of 50 card numbers from 0 to 24"):
            environment.reset(options={"deck": wrong})
    for seed in (-1, 2**64, "1", 1.0):
        with pytest.raises(MalformedError, match="A seed is a whole number"):
            environment.reset(seed=seed)  # type: ignore[arg-type]
    assert everything(environment) == before


@given(rules(), SEEDS, st.integers(0, 40))
def test_resampling_keeps_everything_that_an_agent_sees(table: Rules, seed: int, length: int) -> None:
    environment = begun(table, seed, length, render_mode="ansi")
    for seat, agent in enumerate(environment.possible_agents):
        other = environment.clone()
        other.resample(agent, seed=seed)
        assert same(other.observe(agent), environment.observe(agent))
        one, two = (game_in(table, each.get_state()) for each in (environment, other))
        assert one.view(seat) == two.view(seat)
        assert other.infos == environment.infos
        assert sorted(deck_in(table, other.get_state())) == sorted(deck_in(table, environment.get_state()))
        for seen, told in zip(two.reveal_hands().hands[seat], one.view(seat).hand, strict=True):
            assert seen.card
            assert seen.card.colour in told.colours
            assert seen.card.value in told.values
        if agent == environment.agent_selection:
            assert other.render() == environment.render()
        for _ in turns(other, random.Random(seed)):
            pass


def test_resampling_follows_from_its_seed() -> None:
    environment = begun(THREE, 5, 4)
    worlds = []
    for agent in (None, "player_1", "player_1", "player_2"):
        for seed in range(4):
            other = environment.clone()
            other.resample(agent, seed=seed)
            worlds.append(deck_in(THREE, other.get_state()))
    assert environment.agent_selection == "player_1"
    assert worlds[0:4] == worlds[4:8] == worlds[8:12]
    assert len({tuple(world) for world in worlds}) == 8
    hand = game_in(THREE, environment.get_state()).hand_numbers(1)
    assert len({tuple(world[number] for number in hand) for world in worlds[:4]}) > 1


@pytest.mark.slow
def test_many_games_are_saved_cloned_and_resampled() -> None:
    games, choice = many(THREE, 5, threads=2, rewards="final", autoreset_mode="SameStep"), random.Random(6)
    observations, _ = games.reset(seed=6)
    for _ in range(9):
        observations = games.step(choose_each(observations["action_mask"], choice))[0]
    saved, twin = games.get_state(), games.clone()
    kept = saved.states.tobytes()
    twin.resample(seed=1)
    assert same(twin.observe(), observations)
    hidden = [deck_in(THREE, twin.get_state(), place) != deck_in(THREE, saved, place) for place in range(5)]
    assert all(hidden)
    twin.resample(2, seed=1)
    twin.set_state(saved)
    for _ in range(60):
        assert same(twin.observe(), games.observe())
        actions = choose_each(games.observe()["action_mask"], choice)
        one, other = games.step(actions), twin.step(actions)
        assert all(np.array_equal(mine, yours) for mine, yours in zip(one[1:4], other[1:4], strict=True))
    assert saved.states.tobytes() == kept
    fresh = many(THREE, 5)
    fresh.set_state(saved)
    assert same(fresh.observe(), observations)
    for wrong in (many(THREE, 4)._batch.save(), many(Rules(), 5)._batch.save(), None):
        with pytest.raises(MalformedError, match="What was saved"):
            games.set_state(wrong)  # type: ignore[arg-type]
    with pytest.raises(MalformedError, match="seat must be a whole number from 0 to 2"):
        games.resample(3)


def test_many_decks_can_be_given() -> None:
    games = many(THREE, 3)
    dealt = [Game(THREE, seed=seed) for seed in range(3)]
    decks = [numbers(THREE, game) for game in dealt]
    for given_decks in (decks, np.array(decks), [game.reveal_deck() for game in dealt]):
        games.reset(seed=9, options={"decks": given_decks})
        assert [deck_in(THREE, games.get_state(), place) for place in range(3)] == decks
    mask = np.array([False, True, False])
    games.reset(options={"decks": decks[:1], "reset_mask": mask})
    assert [deck_in(THREE, games.get_state(), place) for place in range(3)] == [decks[0], decks[0], decks[2]]
    games.reset()
    second = [numbers(THREE, Game(THREE, seed=seed_of(9, 3 + place + 3 * (place == 1)))) for place in range(3)]
    assert [deck_in(THREE, games.get_state(), place) for place in range(3)] == second
    before = games.get_state().states.tobytes()
    for wrong in (decks[:2], decks[0], 7, [7], [[1], [2, 3], []]):
        with pytest.raises(MalformedError, match="Decks are 3 rows"):
            games.reset(options={"decks": wrong})
    for wrong_mask in (np.ones(2, bool), [3], "all"):
        with pytest.raises(MalformedError, match="A reset_mask says yes or no for each of 3 games"):
            games.reset(options={"reset_mask": wrong_mask})
    assert games.get_state().states.tobytes() == before
