"""Compiled and interpreted batches are byte for byte equal, and each of their games is a `Game`."""

import dataclasses
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from tamaya import Game, Rules, View, read_rules
from tamaya.bots.encoding import ENCODERS, KINDS
from tamaya.sim import Batch
from tamaya.sim.batch_config import ILLEGAL, REWARDS
from tests.limits import TEST_TIMEOUT
from tests.sim.support import all_rules, any_legal, both_speeds, contents, decks_of, state_of
from tests.tables import FULL

pytestmark = pytest.mark.compiler

COMBINATIONS = [
    "french players=4 multicolour-ten",
    "players=2 colours=1 hand_size=4 clue_tokens=1 last_mistake=points",
    "players=4 hand_size=1 multicolour-five multicolour-unnamed announced-plays",
]
USUAL = Rules(players=2)
UNUSUAL = read_rules(
    "players=5 hand_size=6 clue_tokens=20 mistakes=9 empty_clues=yes multicolour-unnamed all-or-nothing announced-plays"
)
SPREAD = [USUAL, UNUSUAL, *map(read_rules, COMBINATIONS)]
RULES = list(dict.fromkeys([*SPREAD, *all_rules()] if FULL else SPREAD))
BOTH = pytest.mark.parametrize("rules", [USUAL, UNUSUAL], ids=["usual", "unusual"])
WAYS = [(encoder, kind) for encoder in ENCODERS for kind in KINDS if encoder != "belief" or kind == "float32"]
FEW_WAYS = [("canonical", "uint8"), ("belief", "float32"), ("own_hand", "uint8")]
GAMES = 100


def everything_seen(game: Game) -> list[View]:
    """What every seat sees, except the log."""
    return [dataclasses.replace(game.view(seat), log=()) for seat in range(game.rules.players)]


def assert_the_same(one: Batch, other: Batch) -> None:
    ours, theirs = contents(one), contents(other)
    assert [name for name in ours if ours[name] != theirs[name]] == []


def goes_like_games(batch: Batch, twin: Batch, turns: int, patient: bool) -> None:
    """Play a batch, a twin at the other speed and some of the games as `Game` objects with the same actions."""
    batch.deal(turns)
    twin.deal(turns)
    games = [Game(batch.rules, seed=int(seed)) for seed in batch.seeds[:12]]
    choice = np.random.default_rng(turns)
    for turn in range(turns):
        actions = any_legal(batch, choice, patient)
        assert batch.step(actions).tobytes() == twin.step(actions).tobytes()
        if turn % 8 == 0:
            assert_the_same(batch, twin)
        for place, game in enumerate(games):
            before = game.score
            game.act(int(actions[place]))
            end = game.outcome
            assert batch.rewards[place] == game.score - before
            assert batch.endings[place] == (end.ending if end else 0)
            if end:
                assert batch.scores[place] == game.score
                games[place] = game = Game(batch.rules, seed=int(batch.seeds[place]))
            assert state_of(batch.game(place)) == state_of(game)
            assert np.flatnonzero(batch.legal[place]).tolist() == game.legal_numbers()
            if turn % 8 == 0:
                assert everything_seen(batch.game(place)) == everything_seen(game)
    assert_the_same(batch, twin)


def plays_alike(rules: Rules) -> None:
    """Whole games, short and long, at both speeds and as `Game` objects."""
    batch, twin = both_speeds(rules, GAMES, seed=2026)
    goes_like_games(batch, twin, 30, patient=False)
    goes_like_games(batch, twin, 120, patient=True)
    assert batch.play(200) == twin.play(200)
    assert_the_same(batch, twin)
    for seat in (None, *range(rules.players)):
        assert batch.observe(seat=seat).tobytes() == twin.observe(seat=seat).tobytes()


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_batches_under_any_rules_are_the_same_at_both_speeds_and_play_real_games(rules: Rules) -> None:
    """Compiled code takes 80 MB for each set of rules, so each of many runs in its own process."""
    if FULL:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            pool.submit(plays_alike, rules).result(TEST_TIMEOUT)
    else:
        plays_alike(rules)


@BOTH
@pytest.mark.parametrize("policy", ["random", "faultless"])
def test_policies_play_the_same_games_at_both_speeds(rules: Rules, policy: str) -> None:
    batch, twin = both_speeds(rules, GAMES, seed=11)
    for turns in (1, 1, 3, 60, 300):
        assert batch.play(turns, policy) == twin.play(turns, policy)
        assert_the_same(batch, twin)


@BOTH
def test_given_actions_do_the_same_at_both_speeds_for_every_treatment_of_illegal_ones(rules: Rules) -> None:
    choice = np.random.default_rng(5)
    for illegal in ILLEGAL:
        for rewards in REWARDS:
            for automatic in (True, False):
                batch, twin = both_speeds(
                    rules, 40, seed=7, illegal=illegal, rewards=rewards, automatic=automatic, penalty=-0.3
                )
                for _ in range(60):
                    actions = any_legal(batch, choice)
                    if illegal != "raise":
                        wild = choice.integers(-5, batch.layout.actions + 5, batch.games)
                        actions = np.where(choice.random(batch.games) < 0.3, wild, actions)
                    assert batch.step(actions).tobytes() == twin.step(actions).tobytes()
                    assert_the_same(batch, twin)


@pytest.mark.parametrize(
    ("rules", "encoder", "kind"),
    [(USUAL, *way) for way in WAYS] + [(UNUSUAL, *way) for way in (WAYS if FULL else FEW_WAYS)],
    ids=str,
)
def test_observations_are_the_same_at_both_speeds(rules: Rules, encoder: str, kind: str) -> None:
    batch, twin = both_speeds(rules, 60, seed=3)
    for turns in (1, 5, 20, 60):
        twin.play(turns, "faultless")
        batch.restore(twin.save())
        for seat in (None, *range(rules.players)):
            one, other = batch.observe(encoder, kind=kind, seat=seat), twin.observe(encoder, kind=kind, seat=seat)
            assert (one.dtype, one.shape) == (other.dtype, other.shape)
            assert one.tobytes() == other.tobytes()


@BOTH
def test_resampling_is_the_same_at_both_speeds(rules: Rules) -> None:
    batch, twin = both_speeds(rules, 60, seed=3)
    for turns in (1, 5, 20, 60):
        twin.play(turns, "faultless")
        batch.restore(twin.save())
        for seat in (None, *range(rules.players)):
            before = decks_of(batch)
            batch.resample(seat, seed=turns)
            twin.resample(seat, seed=turns)
            assert_the_same(batch, twin)
            assert (decks_of(batch) != before).any()


@BOTH
def test_given_decks_and_deals_in_some_places_are_the_same_at_both_speeds(rules: Rules) -> None:
    batch, twin = both_speeds(rules, 40, seed=3)
    decks = decks_of(Batch(rules, 40, seed=4, speed="interpreted"))
    for one in (batch, twin):
        one.deal(9, decks=decks)
        one.deal(decks=decks[:3], places=[5, 39, 0])
        one.deal(places=np.arange(40) % 7 == 2)
    assert_the_same(batch, twin)
    assert decks_of(batch)[[5, 39, 0]].tobytes() == decks[:3].tobytes()
