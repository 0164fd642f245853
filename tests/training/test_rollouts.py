"""Off-belief learning: moves are tried in worlds that their players could be in, and valued by the results there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from torch import Tensor

from tamaya import Rules, read_rules
from tamaya.engine.layout import layout_of
from tamaya.training.checkpoints import RunFolder
from tamaya.training.environment import CpuGames, Games
from tamaya.training.model import Features
from tamaya.training.ppo import Learner
from tamaya.training.rollouts import OffBeliefRollout
from tests.training.support import DEVICE, SHORT, TINY, chosen, said, same, tiny

TWO, HISTORY = Rules(players=2), 2
CPU = torch.device(DEVICE)


@pytest.mark.parametrize("settings", ["players=2", "players=4 multicolour=five"])
def test_a_resampled_world_is_one_that_the_player_to_move_could_be_in(settings: str) -> None:
    torch.manual_seed(3)
    rules = read_rules(settings)
    games = CpuGames(rules, 64, seed=3)
    twin = games.twin()
    assert isinstance(twin, CpuGames)
    for _ in range(30):
        twin.resample(games)
        assert (twin._batch.to_move == games._batch.to_move).all()
        assert (twin._batch.observe("canonical") == games.seen.numpy()).all()
        assert (twin._batch.legal == games.legal.numpy()).all()
        assert (twin._batch.observe("own_hand") != games.own.numpy()).any(1).sum() > games.count // 2
        games.step(torch.randint(0, layout_of(rules).actions, (games.count,)))


def test_the_real_games_are_unchanged() -> None:
    learner = Learner(tiny(off_belief=True), DEVICE)
    assert isinstance(learner.games, CpuGames)
    rows = [learner.games._batch.save().states.tobytes()]
    twin = learner.games.twin()
    twin.resample(learner.games)
    twin.step(torch.zeros(learner.games.count, dtype=torch.int64))
    rows.append(learner.games._batch.save().states.tobytes())
    assert rows[0] == rows[1]


class Scripted(Games):
    """Games with scripted rewards and endings."""

    def __init__(self, rules: Rules, turns: Sequence[tuple[list[float], list[int]]]) -> None:
        super().__init__(rules, len(turns[0][0]), CPU)
        self.seen = torch.zeros(self.count, Features(rules, HISTORY, CPU).seen, dtype=torch.uint8)
        self.legal = torch.ones(self.count, layout_of(rules).actions, dtype=torch.bool)
        self._turns, self.taken = iter(turns), list[list[int]]()

    def step(self, actions: Tensor) -> None:
        rewards, endings = next(self._turns)
        self.rewards, self.endings = torch.tensor(rewards), torch.tensor(endings, dtype=torch.uint8)
        self.taken.append(actions.tolist())

    def deal(self, seed: int) -> None:
        raise NotImplementedError

    def resample(self, real: Games) -> None:
        assert real is self

    def twin(self) -> Games:
        return self


def worths(games: Scripted, action: int, others: int, expected: float) -> list[float]:
    """The value of an action if all other players take another, with a discount of one half and a loss penalty of 4."""
    features = Features(games.rules, HISTORY, CPU)
    likes = torch.full((games.count, layout_of(games.rules).actions), -1e6)
    likes[:, others] = 0
    rollout = OffBeliefRollout(
        games, features, features.rows, lambda rows: likes, lambda rows: torch.full((len(rows),), expected)
    )
    history, chosen = torch.zeros(games.count, features.history, dtype=torch.uint8), torch.full((games.count,), action)
    found = rollout.returns(games, history, chosen, torch.tensor(0.5), torch.tensor(4.0))
    return [float(worth) for worth in found]


def test_a_move_is_worth_the_points_until_its_players_next_turn_and_the_prediction_then() -> None:
    goes_on, ends_at_once, ends_later, is_lost = range(4)
    games = Scripted(TWO, [([1, 1, 1, -20], [0, 1, 0, 1]), ([2, 5, -20, 5], [0, 0, 1, 0])])
    found = worths(games, action=3, others=7, expected=8)
    assert found[goes_on] == 1 + 2 / 2 + 8 / 4
    assert found[ends_at_once] == 1, "what comes after belongs to the next game"
    assert found[ends_later] == 1 - 4 / 2
    assert found[is_lost] == -4
    assert games.taken == [[3] * 4, [7] * 4], "from then on all play as they do"


def test_with_more_players_all_others_move_in_between() -> None:
    games = Scripted(Rules(players=3), [([1], [0]), ([2], [0]), ([4], [0])])
    assert worths(games, action=0, others=5, expected=16) == [1 + 2 / 2 + 4 / 4 + 16 / 8]
    assert games.taken == [[0], [5], [5]]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["players=2", "players=3"])
def test_an_off_belief_run_learns(rules: str) -> None:
    learner = Learner(tiny(rules=rules, off_belief=True), DEVICE)
    before = {name: weights.clone() for name, weights in learner.actor.state_dict().items()}
    for _ in range(3):
        report = learner.update()
        assert all(map(math.isfinite, (report.entropy, report.divergence, report.critic_error)))
    seen = learner.buffer
    assert seen.returns.isfinite().all()
    assert seen.returns.abs().max() > 0
    assert not seen.own.any(), "the critic does not see the own hand"
    assert not same(before, learner.actor.state_dict())


@pytest.mark.slow
def test_an_off_belief_run_resumes_where_it_stopped(tmp_path: Path) -> None:
    run, states = RunFolder(tmp_path), []
    for more in (chosen(**TINY, off_belief="yes"), []):
        done = said("learn", tmp_path, *SHORT, *more)
        assert done.exit_code == 0, done.output
        assert run.read_settings().off_belief
        states.append(run.read())
    assert [state["moves"] for state in states] == [64, 128]
    assert not same(states[0]["actor"], states[1]["actor"])
    assert all(math.isfinite(line[name]) for line in run.curve() for name in ("mean", "entropy", "critic_error"))
