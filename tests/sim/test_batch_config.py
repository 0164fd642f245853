"""Policies in the games of a batch: at every seat, and as partners of a caller who gives the actions of the other seats."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from tamaya import MalformedError, Rules
from tamaya.sim import Batch
from tamaya.sim.team import team

RULES = Rules(players=3)


def batch(games: int = 4, **choices: Any) -> Batch:
    return Batch(RULES, games, seed=5, speed="interpreted", **choices)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hat", "convention", "simple"])
def test_a_batch_played_by_a_policy_scores_as_the_league_does(name: str) -> None:
    """In any number of calls: the policy remembers the games from one to the next."""
    games = batch()
    tallies = [games.play(turns, name) for turns in (1, 30, 7, 90)]
    counted = np.array([tally.scores for tally in tallies]).sum(axis=0)
    finished = int(counted.sum())
    first = team(RULES, (name,), "interpreted").play([name] * 3, 5, 0, 4)
    assert finished >= 4
    assert all(counted[score] >= count for score, count in enumerate(np.bincount(first.scores, minlength=26)))


def test_a_policy_joins_games_that_other_calls_have_moved() -> None:
    games = batch()
    games.play(10, "hat")
    games.step(games.legal.argmax(axis=1))
    assert games.play(200, "hat").games > 0


@pytest.mark.slow
@pytest.mark.parametrize("automatic", [True, False])
def test_it_is_never_a_partners_turn(automatic: bool) -> None:
    games = batch(partners={0: "hat", 2: "simple"}, automatic=automatic)
    ended = 0
    for _ in range(60):
        assert (games.to_move[games.running] == 1).all()
        games.step(games.legal.argmax(axis=1))
        ended += int((games.endings > 0).sum())
        if not automatic and not games.running.all():
            games.deal(places=~games.running)
    assert ended > 0


def test_partners_play_as_they_do_in_a_team() -> None:
    """With a learner that plays like the hat bot, the team plays like hat bots."""
    played = team(RULES, ("hat",), "interpreted").play(["hat"] * 3, 5, 0, 3, recorded=True)
    games = batch(3, partners={1: "hat", 2: "hat"}, automatic=False)
    earned = np.zeros(3)
    while games.running.any():
        actions = [int(played.actions[place, turn]) for place, turn in enumerate(games.turns)]
        earned += games.step(actions)
    assert games.scores.tolist() == played.scores.tolist() == earned.tolist()
    assert games.turns.tolist() == played.turns.tolist()


def test_partners_memories_are_saved_restored_cloned_and_pickled() -> None:
    games = batch(partners={1: "hat", 2: "hat"})
    for _ in range(5):
        games.step(games.legal.argmax(axis=1))
    saved, twin, again = games.save(), games.clone(), pickle.loads(pickle.dumps(games))
    runs = []
    for other in (games, twin, again):
        for _ in range(12):
            other.step(other.legal.argmax(axis=1))
        runs.append(other.save().states.tobytes())
    games.restore(saved)
    for _ in range(12):
        games.step(games.legal.argmax(axis=1))
    runs.append(games.save().states.tobytes())
    assert len(set(runs)) == 1


def test_an_illegal_action_of_the_learner_is_replaced_and_reported() -> None:
    games = batch(partners={1: "simple", 2: "simple"}, illegal="mask")
    games.step(np.full(4, 999))
    assert games.illegal.all()
    assert (games.taken < 999).all()


@pytest.mark.parametrize(
    ("partners", "said"),
    [
        ({0: "hat", 1: "hat", 2: "hat"}, "There are partners on all 3 seats"),
        ({3: "hat"}, "seat must be a whole number from 0 to 2"),
        ({1: "deep"}, "There is no bot “deep”"),
        ({1: "tamaya.bots:RandomBot"}, "plays from views alone"),
        (["hat"], "Partners are policies by their seats"),
    ],
)
def test_invalid_partners_are_refused(partners: Any, said: str) -> None:
    with pytest.raises(MalformedError, match=said):
        batch(partners=partners)
