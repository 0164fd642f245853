"""A policy learns, under any rules."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from tamaya.engine.layout import layout_of
from tamaya.training.checkpoints import RunFolder
from tamaya.training.config import Schedule, TrainingSettings
from tamaya.training.evaluation import EvalResult, Evaluator
from tamaya.training.ppo import Learner
from tests.training.support import DEVICE, tiny

UPDATES = 52
NOISE = 2.0
"""In points: the spread of runs with different seeds."""
SMALL = TrainingSettings(width=128, layers=2, games=256, minibatch=2048, plan=2e6)


def strength_of(learner: Learner) -> EvalResult:
    """The strength of the current policy."""
    return Evaluator(SMALL, learner.score_actions, DEVICE, 300).measure()


@pytest.mark.slow
def test_a_small_run_learns_to_score_also_when_interrupted_and_resumed(tmp_path: Path) -> None:
    before, in_one_go, resumed = strength_of(Learner(SMALL, DEVICE)), learned(1, tmp_path), learned(2, tmp_path)
    assert before.mean < 1
    for after in (in_one_go, resumed):
        assert after.mean > 2.5
        assert after.lost < before.lost
    assert abs(resumed.mean - in_one_go.mean) < NOISE


def learned(parts: int, folder: Path) -> EvalResult:
    """Train a small run in a number of parts, and measure it."""
    learner = Learner(SMALL, DEVICE)
    for part in range(parts):
        if part:
            learner = Learner(SMALL, DEVICE)
            RunFolder(folder).restore(learner)
        for _ in range(UPDATES // parts):
            learner.update()
        RunFolder(folder).save(learner)
    assert learner.moves == UPDATES * SMALL.moves_per_update
    return strength_of(learner)


@pytest.mark.slow
@pytest.mark.parametrize(("plays", "lost"), [(True, 1.0), (False, 0.0)], ids=["plays blindly", "never plays"])
def test_a_game_is_lost_by_its_last_mistake_and_not_by_a_score_of_0(plays: bool, lost: float) -> None:
    settings = tiny(rules="players=2 last_mistake=points")
    layout = layout_of(settings.read_rules())
    liked = torch.zeros(layout.actions)
    liked[layout.play_action : layout.colour_action] = 1 if plays else -1
    found = Evaluator(settings, lambda rows: liked.expand(len(rows), -1), DEVICE, 20).measure()
    assert found.lost == lost
    assert (found.mean > 0) == plays


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["players=3", "players=4", "players=5", "multicolour=ten", "players=3 multicolour=five"])
def test_it_learns_under_any_rules(rules: str) -> None:
    learner = Learner(tiny(rules=rules), DEVICE)
    before = [weights.clone() for weights in learner.actor.parameters()]
    report = learner.update()
    assert math.isfinite(report.entropy)
    assert math.isfinite(report.critic_error)
    assert not any(torch.equal(one, other) for one, other in zip(before, learner.actor.parameters(), strict=True))


@pytest.mark.slow
def test_scores_are_reported_once_games_have_ended() -> None:
    learner = Learner(tiny(), DEVICE)
    assert "scores" not in learner.update().as_json(), "no game ends in four turns"
    reports = [learner.update() for _ in range(20)]
    assert any(report.scores is not None for report in reports)
    assert all(math.isfinite(value) for report in reports for value in report.as_json().values())


def test_a_lost_game_costs_one_point_at_first_and_all_points_soon() -> None:
    settings = tiny(plan=1000)
    costs = [Schedule.at(settings, moves, 25).loss_penalty for moves in (0, 30, 60, 1000, 5000)]
    assert costs == pytest.approx([1, 13, 25, 25, 25])


def test_schedules_are_linear_to_the_end_of_the_plan() -> None:
    settings = tiny(plan=1000, rate=1.0, last_rate=0.5, entropy=(0.4, 0.2))
    moments = [Schedule.at(settings, moves, 25) for moves in (0, 500, 1000, 2000)]
    assert [moment.rate for moment in moments] == pytest.approx([1, 0.75, 0.5, 0.5])
    assert [moment.entropy for moment in moments] == pytest.approx([0.4, 0.3, 0.2, 0.2])
