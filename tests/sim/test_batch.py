"""Batches: which games they deal, rewards, counts, and independence of threads."""

import doctest
import math
from pathlib import Path

import numpy as np
import pytest

from tamaya import Ending, Game, IllegalError, Rules, read_rules
from tamaya.bots import find_policy
from tamaya.bots.random_play import random_bits
from tamaya.engine.instances import Setting, instance_of
from tamaya.rules import LastMistake, numbering
from tamaya.sim import Batch, ScoreCounts, seed_of
from tamaya.sim.batch_config import REWARDS
from tamaya.sim.threads import Threads
from tests.sim.support import any_legal, contents, decks_of, state_of

LAST = 2**64 - 1


def numbers_of(batch: Batch) -> list[int]:
    return [int(seed) for seed in batch.seeds]


# Deals.


@pytest.mark.parametrize("seed", [0, 1, 20261115, LAST])
def test_a_seed_deals_games_by_number(seed: int) -> None:
    batch = Batch(Rules(players=3), 10, seed=seed, speed="interpreted")
    assert numbers_of(batch) == [seed_of(seed, number) for number in range(10)]
    for place in range(10):
        assert state_of(batch.game(place)) == state_of(Game(batch.rules, seed=seed_of(seed, place)))


@pytest.mark.parametrize("speed", ["compiled", "interpreted"])
def test_a_place_continues_with_its_own_next_number_when_a_game_ends(speed: str) -> None:
    batch, choice = Batch(Rules(), 7, seed=4, speed=speed), np.random.default_rng(1)
    dealt = [[number] for number in numbers_of(batch)]
    for _ in range(200):
        batch.step(any_legal(batch, choice))
        for place, number in enumerate(numbers_of(batch)):
            assert bool(batch.endings[place]) == (number != dealt[place][-1])
            if batch.endings[place]:
                dealt[place].append(number)
                assert state_of(batch.game(place)) == state_of(Game(batch.rules, seed=number))
    for place, numbers in enumerate(dealt):
        assert len(numbers) > 8
        assert numbers == [seed_of(4, place + 7 * round_) for round_ in range(len(numbers))]


@pytest.mark.parametrize("speed", ["compiled", "interpreted"])
@pytest.mark.parametrize("first", [5 * 2**32 - 10, 2**64 - 10])
def test_game_numbers_carry_over_and_wrap_around(first: int, speed: str) -> None:
    batch, choice = Batch(Rules(), 2, seed=0, speed=speed), np.random.default_rng(1)
    saved = batch.save()
    saved.seeds[:] = divmod(first, 2**32)
    batch.restore(saved)
    for _ in range(200):
        before = numbers_of(batch)
        batch.step(any_legal(batch, choice))
        assert numbers_of(batch) == [(n + 2 * bool(end)) % 2**64 for n, end in zip(before, batch.endings, strict=True)]
    assert all((number - first) % 2**64 > 10 for number in numbers_of(batch))


def test_batches_of_any_size_deal_the_same_games_for_a_seed() -> None:
    few, many = (Batch(Rules(), games, seed=5, speed="interpreted") for games in (3, 8))
    assert decks_of(few).tobytes() == decks_of(many)[:3].tobytes()


@pytest.mark.compiler
def test_neighbouring_seeds_share_no_deals() -> None:
    batch, seen = Batch(Rules(), 500, seed=0), set()
    for seed in (*range(40), *range(LAST - 5, LAST)):
        batch.deal(seed)
        seen.update(numbers_of(batch))
        batch.play(200)
        seen.update(numbers_of(batch))
    assert len(seen) >= 45 * 500 + 45 * 400
    batch.deal(0)
    first = {deck.tobytes() for deck in decks_of(batch)}
    batch.deal(1)
    assert len(first | {deck.tobytes() for deck in decks_of(batch)}) == 1000


def test_without_a_seed_every_batch_is_different() -> None:
    assert len({Batch(speed="interpreted").save().states.tobytes() for _ in range(10)}) == 10


def test_without_automatic_deals_a_finished_game_stays_and_ignores_actions() -> None:
    batch, choice = Batch(Rules(), 20, seed=3, speed="interpreted", automatic=False), np.random.default_rng(3)
    while batch.running.any():
        over = ~batch.running
        before = batch.save().states[over]
        actions = any_legal(batch, choice)
        actions[over] = choice.integers(-9, 99, over.sum())
        batch.step(actions)
        assert batch.save().states[over].tobytes() == before.tobytes()
        assert not batch.rewards[over].any()
        assert not batch.endings[over].any()
        assert not batch.illegal.any()
        assert (batch.legal.any(axis=1) == batch.running).all()
    assert numbers_of(batch) == [seed_of(3, number) for number in range(20)]
    assert [batch.game(place).score for place in range(20)] == batch.scores.tolist()


def test_with_automatic_deals_a_restored_finished_game_is_followed_by_the_next() -> None:
    ended, batch = (
        Batch(Rules(mistakes=1), 30, seed=1, speed="interpreted", automatic=automatic) for automatic in (False, True)
    )
    choice = np.random.default_rng(1)
    for _ in range(5):
        ended.step(any_legal(ended, choice))
    over, numbers = ~ended.running, numbers_of(ended)
    assert 0 < over.sum() < 30
    batch.restore(ended.save())
    batch.step(np.where(over, -1, any_legal(batch, choice)))
    assert not batch.rewards[over].any()
    assert not batch.endings[over].any()
    assert not batch.illegal.any()
    for place in np.flatnonzero(over).tolist():
        assert state_of(batch.game(place)) == state_of(Game(batch.rules, seed=numbers[place] + 30))


def test_given_decks_are_played_from_the_top() -> None:
    batch, table = Batch(Rules(players=4), 3, seed=1, speed="interpreted"), Rules(players=4)
    decks = np.stack([np.random.default_rng(number).permutation(decks_of(batch)[0]) for number in range(3)])
    for given in (decks, decks.tolist(), decks.astype(np.uint64), np.asfortranarray(decks)):
        batch.deal(decks=given)
        for place, deck in enumerate(decks):
            assert state_of(batch.game(place)) == state_of(Game(table, deck=[table.cards[card] for card in deck]))


@pytest.mark.parametrize("threads", [1, 3])
def test_a_deal_in_some_places_does_not_change_the_others(threads: int) -> None:
    batch = Batch(Rules(), 6, seed=1, speed="interpreted", threads=threads)
    batch.step(batch.legal.argmax(axis=1))
    before, numbers = batch.save().states, numbers_of(batch)
    batch.deal(places=[4, 1])
    assert numbers_of(batch) == [n + 6 * (place in (1, 4)) for place, n in enumerate(numbers)]
    assert batch.turns.tolist() == [1, 0, 1, 1, 0, 1]
    assert batch.save().states[[0, 2, 3, 5]].tobytes() == before[[0, 2, 3, 5]].tobytes()
    batch.deal(77, places=np.array([False, False, True, False, False, True]))
    assert numbers_of(batch)[2] == seed_of(77, 2)
    assert numbers_of(batch)[5] == seed_of(77, 5)
    batch.deal(decks=decks_of(batch)[:1], places=[3])
    assert decks_of(batch)[3].tobytes() == decks_of(batch)[0].tobytes()
    batch.deal(places=[])
    assert batch.turns.tolist() == [1, 0, 0, 0, 0, 0]
    for place in (1, 2, 4, 5):
        assert state_of(batch.game(place)) == state_of(Game(seed=numbers_of(batch)[place]))
        assert np.flatnonzero(batch.legal[place]).tolist() == batch.game(place).legal_numbers()


def test_a_deal_clears_the_last_turns_results() -> None:
    table, choice = Rules(mistakes=1, last_mistake=LastMistake.POINTS), np.random.default_rng(1)
    batch = Batch(table, 60, seed=1, speed="interpreted", illegal="penalise")
    for _ in range(20):
        batch.step(np.where(choice.random(60) < 0.2, -1, any_legal(batch, choice)))
    assert all(array.any() for array in (batch.rewards, batch.endings, batch.scores, batch.illegal))
    batch.deal(1)
    assert not any(array.any() for array in (batch.rewards, batch.endings, batch.scores, batch.illegal))


# Threads.


@pytest.mark.slow
@pytest.mark.parametrize("speed", ["compiled", "interpreted"])
@pytest.mark.parametrize("games", [1, 2, 50])
def test_threads_change_nothing(games: int, speed: str) -> None:
    found = []
    for threads in (1, 2, 3, 7):
        choice = np.random.default_rng(1)
        with Batch(Rules(), games, seed=6, threads=threads, speed=speed, illegal="mask") as batch:
            tallies = [batch.play(50), batch.play(9, "faultless")]
            for _ in range(30):
                batch.step(choice.integers(-1, batch.layout.actions + 1, games))
            batch.resample(seed=1)
            seen = [batch.observe().tobytes(), batch.observe("belief", kind="float32").tobytes()]
            played = contents(batch)
            batch.deal(decks=decks_of(batch), seed=4)
            found.append((tallies, played, seen, contents(batch)))
    assert found[1:] == found[:1] * 3


@pytest.mark.parametrize("count", [1, 3])
def test_calls_to_a_batch_exclude_each_other_and_it_works_after_a_failure(count: int) -> None:
    threads, done = Threads(count), list[int]()
    with pytest.raises(IllegalError) as refusal:
        threads.map_ranges(lambda *_: threads.map_ranges(lambda *_: None, 5), 5)
    assert refusal.value.code == "busy"
    with pytest.raises(ZeroDivisionError):
        threads.map_ranges(lambda first, last, thread: 1 // thread, 5)
    threads.map_ranges(lambda first, last, thread: done.extend(range(first, last)), 5)
    assert sorted(done) == [0, 1, 2, 3, 4]
    threads.close()


# Rewards.

ENDINGS = [
    Rules(mistakes=1, last_mistake=LastMistake.ZERO),
    Rules(mistakes=1, last_mistake=LastMistake.LOST),
    Rules(mistakes=1, last_mistake=LastMistake.POINTS),
    Rules(colours=1, hand_size=4, last_mistake=LastMistake.POINTS),
    read_rules("players=2 colours=1 hand_size=3 all-or-nothing mistakes=9"),
    read_rules("players=3 all-or-nothing announced-plays multicolour-five"),
]


@pytest.mark.slow
@pytest.mark.parametrize("rewards", REWARDS)
@pytest.mark.parametrize("rules", ENDINGS, ids=str)
def test_the_rewards_of_a_game_add_up_to_its_score(rules: Rules, rewards: str) -> None:
    batch, choice = Batch(rules, 60, seed=2, speed="interpreted", rewards=rewards), np.random.default_rng(2)
    earned, games = np.zeros(60), [Game(rules, seed=number) for number in numbers_of(batch)]
    endings = 0
    for turn in range(120):
        actions = any_legal(batch, choice, patient=turn % 2 == 1)
        earned += batch.step(actions)
        for place, game in enumerate(games):
            game.act(int(actions[place]))
            if game.outcome:
                assert earned[place] == batch.scores[place] == game.score
                endings += 1
                games[place], earned[place] = Game(rules, seed=numbers_of(batch)[place]), 0
            elif rewards == "final":
                assert batch.rewards[place] == 0
            else:
                assert earned[place] == game.points
    assert endings > 60


def test_the_last_mistake_subtracts_the_points_unless_the_rules_keep_them() -> None:
    """R1 is played, then every play is a mistake."""
    for last_mistake, reward in ((LastMistake.ZERO, -1), (LastMistake.LOST, -1), (LastMistake.POINTS, 0)):
        table = Rules(mistakes=1, last_mistake=last_mistake)
        batch = Batch(table, 1, seed=1, speed="interpreted", automatic=False)
        batch.deal(decks=np.sort(decks_of(batch), axis=1))
        play = batch.layout.play_action
        assert batch.step([play]).tolist() == [1]
        assert batch.step([play + 4]).tolist() == [reward]
        assert batch.endings.tolist() == [Ending.MISTAKES]
        assert batch.scores.tolist() == [1 + reward]


@pytest.mark.parametrize("rewards", REWARDS)
@pytest.mark.parametrize("words", ["players=2", "players=2 all-or-nothing"])
def test_a_perfect_game_earns_the_maximum_and_a_missing_card_loses_everything(words: str, rewards: str) -> None:
    table = read_rules(f"{words} colours=1 hand_size=3")
    batch = Batch(table, 1, seed=1, speed="interpreted", automatic=False, rewards=rewards)
    batch.deal(decks=[[0, 2, 0, 1, 3, 0, 4, 1, 2, 3]])
    play, clue = batch.layout.play_action, batch.layout.value_action
    earned = [float(batch.step([action])[0]) for action in (play, play, play, play, play + 1)]
    assert earned == ([1, 1, 1, 1, 1] if rewards == "difference" else [0, 0, 0, 0, 5])
    assert (batch.endings.tolist(), batch.scores.tolist()) == ([Ending.WON], [5])
    batch.deal(decks=[[0, 2, 4, 1, 3, 0, 0, 1, 2, 3]])
    earned = [float(batch.step([action])[0]) for action in (play, play, clue + 3, clue, batch.layout.discard_action + 1)]
    lost = table.all_or_nothing
    assert sum(earned) == (0 if lost else 2 * (rewards == "difference"))
    assert batch.endings.tolist() == [Ending.MISSING_CARD if lost else 0]


def test_an_illegal_action_is_replaced_or_penalised_and_marked_either_way() -> None:
    for illegal in ("mask", "penalise"):
        batch = Batch(Rules(), 4, seed=1, speed="interpreted", illegal=illegal, penalty=-0.5)
        before = batch.save().states
        batch.step([0, batch.layout.play_action, -1, 10**9])
        assert batch.illegal.tolist() == [1, 0, 1, 1]
        assert batch.rewards[1] in (0, 1)
        if illegal == "mask":
            assert batch.turns.tolist() == [1, 1, 1, 1]
            assert batch.rewards.tolist() == [game.points for game in map(batch.game, range(4))]
        else:
            assert batch.turns.tolist() == [0, 1, 0, 0]
            assert batch.rewards[[0, 2, 3]].tolist() == [-0.5] * 3
            assert batch.save().states[[0, 2, 3]].tobytes() == before[[0, 2, 3]].tobytes()
        batch.step(batch.legal.argmax(axis=1))
        assert not batch.illegal.any()
        assert (batch.rewards % 1 == 0).all()


# Counts.


def play_by_itself(rules: Rules, seed: int, games: int, turns: int, policy: str) -> ScoreCounts:
    """The counts of a policy's games in a batch, played game by game."""
    choose = instance_of(Setting(rules))(find_policy(policy).choose)
    scores, lost = [0] * (rules.maximum + 1), 0
    for place in range(games):
        number = seed_of(seed, place)
        game = Game(rules, seed=number)
        for _ in range(turns):
            mask = bytearray(numbering(rules).total)
            for action in game.legal_numbers():
                mask[action] = 1
            before = bytes(mask)
            state = memoryview(bytearray(game.state))
            game.act(choose(state, state, mask, random_bits(game.turn, *divmod(number, 2**32))))
            assert mask == before
            if game.outcome:
                scores[game.score] += 1
                lost += game.outcome.ending.lost
                number = (number + games) % 2**64
                game = Game(rules, seed=number)
    return ScoreCounts(scores=tuple(scores), lost=lost, moves=games * turns)


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "faultless"])
@pytest.mark.parametrize("rules", ENDINGS, ids=str)
def test_counts_are_of_ended_games_by_score_and_of_lost_games(rules: Rules, policy: str) -> None:
    tally = Batch(rules, 20, seed=9, speed="interpreted").play(120, policy)
    assert tally == play_by_itself(rules, 9, 20, 120, policy)
    assert tally.games == sum(tally.scores) > 0
    assert tally.lost <= tally.games


def test_counts_have_a_mean_or_nan() -> None:
    tally = ScoreCounts(scores=(3, 0, 1), lost=3, moves=50)
    assert (tally.games, tally.mean) == (4, 0.5)
    assert math.isnan(ScoreCounts(scores=(0, 0, 0), lost=0, moves=5).mean)
    assert math.isnan(Batch(speed="interpreted").play(1).mean)


@pytest.mark.compiler
def test_the_no_mistakes_policy_makes_none_while_it_has_a_choice() -> None:
    batch = Batch(Rules(), 200, seed=1)
    tally = batch.play(400, "faultless")
    assert tally.games > 500
    assert tally.lost == 0
    assert tally.mean > batch.play(400, "random").mean


# The pages about the simulator and its environments.

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.compiler
@pytest.mark.parametrize(("page", "least"), [("simulator.md", 25), ("environments.md", 30)])
def test_every_example_of_a_page_works(page: str, least: int) -> None:
    done = doctest.testfile(str(DOCS / page), module_relative=False)
    assert done.failed == 0
    assert done.attempted >= least
