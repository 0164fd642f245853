"""The vector environment, compared with Gymnasium's own vector of single games."""

import random
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Game, MalformedError, Rules
from tamaya.rules import IllegalError
from tamaya.sim import Batch, seed_of
from tamaya.sim.environments import HanabiEnvironment, HanabiVectorEnv
from tests.sim.environments.support import VARIANTS, begun, choose_each, many, same, turns
from tests.tables import rules

MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]
PLACES = 3


class OneGame(gymnasium.Env[dict[str, Any], int]):
    """One place of a vector, as a single environment: its games are those that the place would play."""

    def __init__(self, table: Rules, seed: int, place: int, kind: str) -> None:
        self._game, self._table = HanabiEnvironment(table, rewards=kind, encoder="minimal"), table
        self._seed, self._next = seed, place
        self.observation_space = self._game.observation_space("player_0")
        self.action_space = self._game.action_space("player_0")

    def _told(self) -> tuple[dict[str, Any], dict[str, Any]]:
        seat = int(self._game._batch.to_move[0])
        return self._game.observe(f"player_{seat}"), {"to_move": np.uint8(seat)}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        deck = Game(self._table, seed=seed_of(self._seed, self._next)).reveal_deck()
        self._game.reset(options={"deck": deck})
        self._next += PLACES
        return self._told()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        self._game.step(int(action))
        observation, info = self._told()
        told = self._game.infos["player_0"]
        info |= {"score": told["score"]} if "score" in told else {}
        return observation, self._game.rewards["player_0"], self._game.terminations["player_0"], False, info


@pytest.mark.slow
@given(rules(), st.integers(0, 2**64 - 1), st.sampled_from(MODES), st.sampled_from(["difference", "final"]), st.booleans())
def test_it_behaves_like_gymnasiums_vector_of_single_games(
    table: Rules, seed: int, mode: AutoresetMode, kind: str, copy: bool
) -> None:
    choice = random.Random(seed)
    judge: Any = SyncVectorEnv(
        [lambda place=place: OneGame(table, seed, place, kind) for place in range(PLACES)],  # type: ignore[misc]
        autoreset_mode=mode,
    )
    games = many(table, PLACES, autoreset_mode=mode, rewards=kind, encoder="minimal", copy=copy)
    assert games.observation_space == judge.observation_space
    assert games.action_space == judge.action_space
    expected, _ = judge.reset()
    observations, infos = games.reset(seed=seed)
    assert same(observations, expected)
    for _ in range(25):
        actions = choose_each(expected["action_mask"], choice)
        expected, rewards, terminations, truncations, told = judge.step(actions)
        observations, *others, infos = games.step(actions)
        assert games.observation_space.contains(observations)
        assert same(observations, expected)
        assert all(np.array_equal(mine, its) for mine, its in zip(others, (rewards, terminations, truncations), strict=True))
        assert [array.dtype for array in others] == [np.float32, bool, bool]
        assert np.array_equal(infos["to_move"], told["to_move"])
        assert np.array_equal(infos["_score"], terminations)
        told = told.get("final_info", {}) if mode is AutoresetMode.SAME_STEP else told
        assert np.array_equal(infos["score"], told.get("score", np.zeros(PLACES)))
        if mode is AutoresetMode.SAME_STEP and terminations.any():
            ends_alike(infos, told, judge)
        assert mode is AutoresetMode.SAME_STEP or "final_obs" not in infos


def ends_alike(infos: dict[str, Any], told: dict[str, Any], judge: Any) -> None:
    assert np.array_equal(infos["_final_obs"], infos["_score"])
    assert np.array_equal(infos["_final_info"], infos["_score"])
    for name in ("score", "to_move"):
        over = infos["_score"]
        assert np.array_equal(infos["final_info"][f"_{name}"], told[f"_{name}"])
        assert np.array_equal(infos["final_info"][name][over], told[name][over])
    for over, final in zip(infos["_score"], infos["final_obs"], strict=True):
        assert (final is None) == (not over)
        if over:
            assert judge.single_observation_space.contains(final)
            assert not final["action_mask"].any()


@given(rules(), st.integers(0, 2**64 - 1))
def test_final_observations_are_those_of_the_games_that_ended(table: Rules, seed: int) -> None:
    games = many(table, PLACES, autoreset_mode="SameStep", encoder="belief", kind="float32")
    batch = Batch(table, PLACES, seed=seed, automatic=False, speed="interpreted")
    observations, _ = games.reset(seed=seed)
    choice, ends = random.Random(seed), 0
    while not ends:
        actions = choose_each(observations["action_mask"], choice)
        batch.step(actions)
        observations, _, ended, _, infos = games.step(actions)
        looks = batch.observe("belief", kind="float32")
        for place in np.flatnonzero(ended):
            ends += 1
            assert np.array_equal(infos["final_obs"][place]["observation"], looks[place])
            assert infos["final_info"]["score"][place] == batch.scores[place]


@pytest.mark.parametrize("encoder", ["canonical", "minimal", "belief"])
@pytest.mark.parametrize("kind", ["float32", "uint8", "bits"])
def test_observations_have_the_chosen_kind_and_fit_their_space(encoder: str, kind: str) -> None:
    if encoder == "belief" and kind != "float32":
        with pytest.raises(MalformedError, match="cannot be written as"):
            many(encoder=encoder, kind=kind)
        return
    games, choice, ends = many(encoder=encoder, kind=kind, autoreset_mode="SameStep"), random.Random(9), 0
    observations, _ = games.reset(seed=9)
    for _ in range(40):
        assert games.observation_space.contains(observations)
        assert np.array_equal(observations["observation"], games._batch.observe(encoder, kind=kind))
        observations, _, ended, _, infos = games.step(choose_each(observations["action_mask"], choice))
        for place in np.flatnonzero(ended):
            ends += 1
            assert games.single_observation_space.contains(infos["final_obs"][place])
    assert ends


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("threads", [1, 3])
def test_places_play_the_games_of_a_batch(mode: AutoresetMode, threads: int) -> None:
    table, choice = VARIANTS["players=3"], random.Random(4)
    games = many(table, 5, autoreset_mode=mode, threads=threads)
    batch = Batch(table, 5, seed=4, speed="interpreted")
    observations, _ = games.reset(seed=4)
    for _ in range(80):
        over = ~observations["action_mask"].any(axis=1)
        if not over.any():
            assert np.array_equal(games.get_state().states, batch.save().states)
            assert np.array_equal(observations["observation"], batch.observe())
        actions = choose_each(observations["action_mask"], choice)
        saved = batch.save()
        observations, rewards, *_ = games.step(actions)
        expected = batch.step(np.where(over, batch.legal.argmax(axis=1), actions)).copy()
        assert np.array_equal(rewards, np.where(over, 0, expected))
        if over.any():  # the batch must not have continued where a new game was dealt
            states, seeds = batch.save().states, batch.save().seeds
            states[over], seeds[over] = saved.states[over], saved.seeds[over]
            batch.restore(type(saved)(table, states, seeds))
    assert batch.seeds.tolist() != [seed_of(4, place) for place in range(5)]


def test_finished_games_wait_if_autoreset_is_disabled() -> None:
    games, choice = many(num_envs=2, autoreset_mode="Disabled"), random.Random(5)
    observations, _ = games.reset(seed=5)
    ended = np.zeros(2, bool)
    while not ended.any():
        observations, _, ended, _, _ = games.step(choose_each(observations["action_mask"], choice))
    before = games.get_state().states.tobytes()
    with pytest.raises(IllegalError, match=f"Game {ended.argmax()} is over; call reset with a reset_mask"):
        games.step(choose_each(observations["action_mask"], choice))
    assert games.get_state().states.tobytes() == before
    running = games.get_state().states[~ended].tobytes()
    observations, _ = games.reset(options={"reset_mask": ended})
    assert games.get_state().states[~ended].tobytes() == running
    assert observations["action_mask"].any(axis=1).all()
    games.step(choose_each(observations["action_mask"], choice))


def test_a_restored_game_that_is_over_is_followed_by_another() -> None:
    games, choice = many(num_envs=2, autoreset_mode="Disabled"), random.Random(5)
    observations, _ = games.reset(seed=5)
    ended = np.zeros(2, bool)
    while not ended.any():
        observations, _, ended, _, _ = games.step(choose_each(observations["action_mask"], choice))
    for mode in MODES:
        other = many(num_envs=2, autoreset_mode=mode)
        other.set_state(games.get_state())
        told, rewards, terminations, _, _ = other.step(choose_each(other.observe()["action_mask"], choice))
        assert not terminations[ended].any()
        assert not rewards[ended].any()
        assert told["action_mask"][ended].any()


def test_arrays_are_copied_or_reused_as_chosen() -> None:
    for copy in (True, False):
        games, choice = many(copy=copy), random.Random(6)
        first, _ = games.reset(seed=6)
        kept = {name: array.copy() for name, array in first.items()}
        second, rewards, *_ = games.step(choose_each(first["action_mask"], choice))
        assert same(first, kept) == copy
        assert all(np.shares_memory(first[name], second[name]) != copy for name in first)
        kept_rewards = rewards.copy()
        games.step(choose_each(second["action_mask"], choice))
        assert np.array_equal(rewards, kept_rewards)


def test_resets_continue_with_the_seed() -> None:
    one, other = many(), many()
    one.reset(seed=7)
    other.reset()
    other.reset(seed=7)
    assert same(one.reset()[0], other.reset()[0])
    assert not same(one.reset()[0], other.reset(seed=7)[0])
    assert one.np_random_seed == 7


@pytest.mark.parametrize("mode", MODES)
def test_gymnasiums_wrappers_work(mode: AutoresetMode) -> None:
    choice, seen = random.Random(8), 0
    games: Any = gymnasium.make_vec(
        "tamaya/Hanabi-v0", num_envs=3, rules=Rules(players=4), speed="interpreted", autoreset_mode=mode
    )
    assert isinstance(games.unwrapped, HanabiVectorEnv)
    assert games.metadata["autoreset_mode"] is mode
    games = DictInfoToList(RecordEpisodeStatistics(games))
    observations, _ = games.reset(seed=8)
    for _ in range(80):
        observations, _, ended, _, infos = games.step(choose_each(observations["action_mask"], choice))
        for place, info in enumerate(infos):
            assert ("score" in info) == ended[place]
            if ended[place]:
                seen += 1
                assert info["episode"]["r"] == info["score"]
    assert seen > 5


def test_actions_are_numbers_from_the_space() -> None:
    games = many(Rules(players=3), 2)
    assert games.single_action_space == Discrete(games._batch.layout.actions)
    games.action_space.seed(0)
    observations, _ = games.reset(seed=0)
    actions = games.action_space.sample(mask=tuple(observations["action_mask"]))
    games.step(actions)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_envs": 0}, "games must be a whole number from 1 to 2147483647, not 0."),
        ({"threads": 1.5}, "threads must be a whole number from 1 to 1024, not 1.5."),
        ({"autoreset_mode": "Never"}, "autoreset_mode cannot be Never; allowed: NextStep, SameStep, Disabled."),
        ({"encoder": "own_hand"}, "encoder cannot be own_hand; allowed: canonical, minimal, belief."),
        ({"kind": "text"}, "The observation canonical cannot be written as text; it can as uint8, float32, bits."),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        many(**options)
    assert str(refusal.value) == words


def test_nothing_is_possible_before_the_first_reset_and_after_closing() -> None:
    games = many()
    attempts: list[Callable[[], object]] = [
        games.observe,
        games.get_state,
        games.resample,
        lambda: games.step(np.full(4, 5)),
    ]
    for attempt in attempts:
        with pytest.raises(MalformedError, match="call reset"):
            attempt()
    games.reset(seed=1)
    saved = games.get_state()
    games.close()
    games.close()
    for attempt in (*attempts, games.reset, games.clone, lambda: games.set_state(saved)):
        with pytest.raises(MalformedError, match="This environment is closed; make another"):
            attempt()


@pytest.mark.compiler
def test_the_speed_makes_no_difference() -> None:
    """Of either environment; one test, since compiling takes long."""
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
