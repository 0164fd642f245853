"""What the package plays with is what was trained: the same features, the same worths, the same moves."""

from __future__ import annotations

import random
from array import array
from pathlib import Path

import click
import numpy as np
import pytest
import torch

from tamaya import Rules
from tamaya.bots import Blueprint
from tamaya.bots.learned import LEARNED, learned_from
from tamaya.bots.learned.memory import CELL_BITS, LearnedMemory
from tamaya.bots.learned.weights import LearnedWeights, learned_weights, shape_of, write_weights
from tamaya.bots.memory import plan
from tamaya.bots.policy import interpreted_policy
from tamaya.engine.kernel import interpreted_kernel
from tamaya.engine.layout import ENDED, SEAT
from tamaya.rules import read_rules
from tamaya.sim import Batch
from tamaya.training.export import as_floats, exported
from tamaya.training.model import Actor, Features
from tests.training.runs import in_pytorch

TWO = Rules(players=2)


@pytest.mark.slow
def test_in_random_games_the_package_sees_and_chooses_as_the_trained_network() -> None:
    assert sum(compared(LEARNED, learned_weights(), TWO, seed, wild=True)[0] for seed in range(20)) > 150


@pytest.mark.slow
def test_in_a_game_of_its_own_it_does_so_to_the_end() -> None:
    moves, score = compared(LEARNED, learned_weights(), TWO, 4, wild=False)
    assert moves > 50
    assert score > 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "width", "layers", "past"),
    [
        ("players=2 colours=3", 24, 1, 1),
        ("players=3", 48, 2, 8),
        ("players=2 hand_size=6 empty_clues=yes clue_tokens=20", 16, 2, 3),
        ("players=3 hand_size=1 announced_plays=yes", 16, 2, 3),
        ("players=4 multicolour=five", 16, 4, 2),
        ("players=5 multicolour=ten multicolour_named=no", 32, 3, 4),
    ],
)
def test_so_does_any_other_network_by_the_rules_it_is_for(
    rules: str, width: int, layers: int, past: int, tmp_path: Path
) -> None:
    torch.manual_seed(7)
    features = Features(read_rules(rules), past, torch.device("cpu"))
    actor = Actor(features.size, width, layers, features.layout.actions)
    weights = exported(actor.state_dict(), {"rules": rules})
    (tmp_path / "it.weights").write_bytes(write_weights(weights))
    blueprint = learned_from(tmp_path / "it.weights")
    assert sum(compared(blueprint, weights, read_rules(rules), seed, wild=True)[0] for seed in range(10)) > 50


def compared(blueprint: Blueprint, weights: LearnedWeights, rules: Rules, seed: int, wild: bool) -> tuple[int, int]:
    """Play a game by random moves or by those of the policy, compare at every turn, and return its moves and its score."""
    kernel, policy, actor = interpreted_kernel(rules), interpreted_policy(blueprint, rules), in_pytorch(weights)
    layout, shape = kernel.layout, shape_of(weights, kernel.layout)
    notes, features = plan(LearnedMemory, shape), Features(rules, shape.past, torch.device("cpu"))
    games, dice = Batch(rules, 1, seed=seed, automatic=False), random.Random(seed)

    def sight_of(seat: int) -> bytearray:
        sight = bytearray(layout.size)
        kernel.see(state(), seat, sight)
        return sight

    def state() -> bytearray:
        return bytearray(games._states[0].tobytes())

    memory = memoryview(array("q", bytes(8 * policy.words)))
    policy.begin(memory, sight_of(state()[SEAT]))
    past = torch.zeros(1, features.past, dtype=torch.uint8)
    moves = 0
    while not state()[ENDED]:
        seat = state()[SEAT]
        before, legal = sight_of(seat), np.array(games.legal[0])
        seen = torch.from_numpy(games.observe("canonical"))
        row = features.rows(seen, past)
        action = policy.choose(memory, before, bytearray(legal.astype(np.uint8)), 0)
        cells = sorted(memory[notes.cells + place] for place in range(memory[notes.listed]))
        assert cells == row[0].nonzero().squeeze(1).tolist()
        with torch.no_grad():
            worths = actor(row)[0].double().numpy()
        ours = np.array([memory[notes.worth + number] for number in range(layout.actions)])
        assert np.abs(worths - ours / 2.0 ** (CELL_BITS + weights.layers[-1].bits)).max() < 1e-3
        assert action == int(np.where(legal, worths, -np.inf).argmax())
        games.step([dice.choice(np.flatnonzero(legal).tolist()) if wild else action])
        policy.notice(memory, seat, before, sight_of(seat))
        past = features.shifted(past, seen, torch.zeros(1))
        moves += 1
    return moves, int(games.scores[0])


def test_a_network_in_whole_numbers_is_nearly_the_same() -> None:
    torch.manual_seed(5)
    actor, copy = (Actor(40, 16, 2, 20) for _ in range(2))
    weights = exported(actor.state_dict(), {})
    copy.load_state_dict(as_floats(weights))
    rows = torch.randint(0, 2, (50, 40), dtype=torch.uint8)
    with torch.no_grad():
        assert (actor(rows) - copy(rows)).abs().max() < 1e-3


def test_a_network_with_which_the_package_could_miscount_is_not_written() -> None:
    actor = Actor(40, 16, 2, 20)
    torch.nn.init.constant_(actor.state_dict()["hidden.0.bias"], 1e9)
    with pytest.raises(click.ClickException, match="so large that sums of them might not fit"):
        exported(actor.state_dict(), {})
