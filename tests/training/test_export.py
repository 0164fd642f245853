"""Runs are exported for the package, which plays what was trained: the same features, scores and moves."""

from __future__ import annotations

import hashlib
import json
import random
import shlex
from array import array
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
import torch
from torch import Tensor

from tamaya import Game, Rules
from tamaya.bots import Policy
from tamaya.bots.learned import LEARNED, learned_from
from tamaya.bots.learned.features import CELL_BITS
from tamaya.bots.learned.weights import LearnedWeights, learned_weights, read_weights, shape_of, write_weights
from tamaya.bots.policy_bot import PolicyBot
from tamaya.engine.instances import instance_of
from tamaya.engine.kernel.hands import see
from tamaya.engine.layout import ENDED, SEAT, layout_of
from tamaya.rules import read_rules
from tamaya.sim import Batch
from tamaya.sim.team import Team, team
from tamaya.sim.threads import Array
from tamaya.training.checkpoints import POLICY_FILE, RunFolder
from tamaya.training.config import TrainingSettings, command_for, with_settings
from tamaya.training.export import as_floats, quantise
from tamaya.training.imitation import RATE
from tamaya.training.model import Actor, Features
from tests.bots.support import play_out
from tests.training.support import SHORT, TINY, chosen, in_pytorch, said, tiny

pytestmark = pytest.mark.slow
MOVES = 2 * TINY["games"] * TINY["turns"]


def test_a_run_is_exported_with_its_metadata(tmp_path: Path) -> None:
    small = {name: TINY[name] for name in ("games", "turns", "minibatch")}
    assert said("learn", tmp_path / "run", *SHORT, *chosen(**small, plan=1.5e8)).exit_code == 0
    done = said("export", tmp_path / "run", tmp_path / "it.weights")
    assert done.exit_code == 0, done.output
    data = (tmp_path / "it.weights").read_bytes()
    assert done.output.strip() == hashlib.sha256(data).hexdigest()
    weights = read_weights(data, done.output.strip())
    assert (weights.about["rules"], weights.about["moves"]) == ("players=2", MOVES)
    assert weights.about["mean"] == RunFolder(tmp_path / "run").curve()[-1]["mean"]
    sets = "--set plan=150000000 --set games=8 --set turns=4 --set minibatch=16"
    assert weights.about["command"] == f"./dev train learn RUN --updates 2 {sets}"
    assert str(tmp_path) not in json.dumps(weights.about), "no path of a machine"
    RunFolder(tmp_path / "run").append_curve({"moves": MOVES + 1, "mean": 3.0})
    digest = said("export", tmp_path / "run", tmp_path / "it.weights").output.strip()
    about = read_weights((tmp_path / "it.weights").read_bytes(), digest).about
    assert "mean" not in about, "no figure of another moment"


def test_each_part_of_a_run_with_changed_settings_has_its_command(tmp_path: Path) -> None:
    parts = (), ("--set", "plan=1e6"), (), ("--set", "rate=0.001")
    for place, choices in enumerate(parts):
        more = choices if place else chosen(**TINY)
        assert said("learn", tmp_path / "run", *SHORT, *more).exit_code == 0
    digest = said("export", tmp_path / "run", tmp_path / "it.weights").output.strip()
    first, *others = read_weights((tmp_path / "it.weights").read_bytes(), digest).about["command"].split("; ")
    assert first.startswith("./dev train learn RUN --updates 2 --set games=8")
    assert others == [
        "./dev train learn RUN --updates 4 --set plan=1000000",
        "./dev train learn RUN --updates 2 --set rate=0.001",
    ]


def test_a_run_saved_without_its_history_has_one_command(tmp_path: Path) -> None:
    assert said("learn", tmp_path / "run", *SHORT, *chosen(**TINY)).exit_code == 0
    state = RunFolder(tmp_path / "run").read()
    torch.save({name: fact for name, fact in state.items() if name != "history"}, tmp_path / "run" / POLICY_FILE)
    digest = said("export", tmp_path / "run", tmp_path / "it.weights").output.strip()
    about = read_weights((tmp_path / "it.weights").read_bytes(), digest).about
    assert about["command"].startswith("./dev train learn RUN --updates 2 --set games=8")


def unfit(state: dict[str, Any], damage: str) -> dict[str, Any]:
    """A checkpoint whose network does not fit its settings."""
    actor, settings = dict(state["actor"]), dict(state["settings"])
    match damage:
        case "no bias":
            del actor["hidden.0.bias"]
        case "another bias":
            actor["hidden.0.bias"] = torch.zeros(3)
        case "no network":
            actor = {}
        case "other rules":
            settings["rules"] = "players=4"
        case "other sizes":
            settings |= {"width": 300, "layers": 9}
    return {**state, "actor": actor, "settings": settings}


@pytest.mark.parametrize("damage", ["no bias", "another bias", "no network", "other rules", "other sizes"])
@pytest.mark.parametrize("command", ["export", "measure", "meet"])
def test_a_network_that_does_not_fit_its_settings_is_refused(damage: str, command: str, tmp_path: Path) -> None:
    assert said("learn", tmp_path / "run", *SHORT, *chosen(**TINY)).exit_code == 0
    torch.save(unfit(RunFolder(tmp_path / "run").read(), damage), tmp_path / "run" / POLICY_FILE)
    file = tmp_path / "it.weights"
    done = said(command, tmp_path / "run", *([file] if command == "export" else ["--deals", 2]))
    assert (done.exit_code, file.exists()) == (1, False)
    assert "does not fit the settings that stand beside it" in done.output


@pytest.mark.parametrize("weight", [0.0, 40_000.0])
def test_zero_weights_are_exported_and_too_large_ones_are_not(weight: float, tmp_path: Path) -> None:
    assert said("learn", tmp_path / "run", *SHORT, *chosen(**TINY)).exit_code == 0
    state = RunFolder(tmp_path / "run").read()
    state["actor"]["hidden.1.weight"].fill_(weight)
    torch.save(state, tmp_path / "run" / POLICY_FILE)
    done = said("export", tmp_path / "run", tmp_path / "it.weights")
    if weight:
        assert (done.exit_code, (tmp_path / "it.weights").exists()) == (1, False)
        assert "so large that sums of them might not fit" in done.output
    else:
        play_out(Game(read_rules("players=2"), seed=5), [PolicyBot(learned_from(tmp_path / "it.weights"))] * 2)


@pytest.mark.parametrize("rules", ["players=2", "players=3", "players=4 multicolour=ten"])
def test_networks_for_any_rules_play_in_the_package(rules: str, tmp_path: Path) -> None:
    done = said("learn", tmp_path / "run", *SHORT, *chosen(**TINY, rules=rules))
    assert done.exit_code == 0, done.output
    assert said("export", tmp_path / "run", tmp_path / "it.weights").exit_code == 0
    trained_for, policy = read_rules(rules), learned_from(tmp_path / "it.weights")
    play_out(Game(trained_for, seed=5), [PolicyBot(policy) for _ in range(trained_for.players)])


@pytest.mark.parametrize(
    ("settings", "choices"),
    [
        (TrainingSettings(), ""),
        (TrainingSettings(rules="players=5", entropy=(0.1, 0.1)), " --set rules=players=5 --set entropy=0.1,0.1"),
        (TrainingSettings(rules="players=3 mistakes=1"), " --set 'rules=players=3 mistakes=1'"),
        (TrainingSettings(seed=7, off_belief=True), " --set seed=7 --set off_belief=yes"),
    ],
)
def test_the_command_names_settings_that_differ_from_the_default(settings: TrainingSettings, choices: str) -> None:
    assert command_for("./dev train learn RUN", settings, TrainingSettings()) == f"./dev train learn RUN{choices}"


@pytest.mark.parametrize("usual", [TrainingSettings(), TrainingSettings(rate=RATE)])
@pytest.mark.parametrize("changes", [{}, {"plan": 1.4990001e8, "last_rate": 1e-5}, {"divergence": (0.5, 1e-7)}], ids=str)
def test_the_command_reproduces_the_settings(usual: TrainingSettings, changes: dict[str, Any]) -> None:
    settings = tiny(rules="players=4 multicolour=five", **changes)
    words = shlex.split(command_for("learn RUN", settings, usual))
    assert with_settings(usual, words[3::2]) == settings


TWO = Rules(players=2)


@pytest.mark.slow
def test_in_random_games_the_package_computes_and_chooses_as_the_network() -> None:
    assert sum(compared(LEARNED, learned_weights(), TWO, seed, wild=True)[0] for seed in range(20)) > 150


@pytest.mark.slow
def test_in_its_own_games_too_until_the_end() -> None:
    moves, score = compared(LEARNED, learned_weights(), TWO, 4, wild=False)
    assert moves > 50
    assert score > 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "width", "layers", "history"),
    [
        ("players=2 colours=3", 24, 1, 1),
        ("players=3", 48, 2, 8),
        ("players=2 hand_size=6 empty_clues=yes clue_tokens=20", 16, 2, 3),
        ("players=3 hand_size=1 announced_plays=yes", 16, 2, 3),
        ("players=4 multicolour=five", 16, 4, 2),
        ("players=5 multicolour=ten multicolour_named=no", 32, 3, 4),
    ],
)
def test_networks_of_other_shapes_and_rules_too(rules: str, width: int, layers: int, history: int, tmp_path: Path) -> None:
    torch.manual_seed(7)
    features = Features(read_rules(rules), history, torch.device("cpu"))
    actor = Actor(features.size, width, layers, features.layout.actions)
    weights = quantise(actor.state_dict(), {"rules": rules})
    (tmp_path / "it.weights").write_bytes(write_weights(weights))
    policy = learned_from(tmp_path / "it.weights")
    assert sum(compared(policy, weights, read_rules(rules), seed, wild=True)[0] for seed in range(10)) > 50


def compared(policy: Policy[Any], weights: LearnedWeights, rules: Rules, seed: int, wild: bool) -> tuple[int, int]:
    """Play a game by random moves or by those of the policy, compare on every turn, and return its moves and its score."""
    own, actor, layout = instance_of(policy.setting(rules)), in_pytorch(weights), layout_of(rules)
    features = Features(rules, shape_of(weights, layout).past, torch.device("cpu"))
    games, dice = Batch(rules, 1, seed=seed, automatic=False), random.Random(seed)

    def sight_of(seat: int) -> bytearray:
        sight = bytearray(layout.size)
        own(see)(state(), seat, sight)
        return sight

    def state() -> bytearray:
        return bytearray(games._states[0].tobytes())

    memory = policy.named(rules, memoryview(array("q", bytes(8 * policy.size(rules)))))
    own(policy.start)(memory, sight_of(state()[SEAT]))
    history = torch.zeros(1, features.history, dtype=torch.uint8)
    moves = 0
    while not state()[ENDED]:
        seat = state()[SEAT]
        before, legal = sight_of(seat), np.array(games.legal[0])
        seen = torch.from_numpy(games.observe("canonical"))
        row = features.rows(seen, history)
        action = own(policy.choose)(memory, before, bytearray(legal.astype(np.uint8)), 0)
        cells = sorted(memory.cells[place] for place in range(memory.listed))
        assert cells == row[0].nonzero().squeeze(1).tolist()
        with torch.no_grad():
            worths = actor(row)[0].double().numpy()
        ours = np.array([memory.worth[number] for number in range(layout.actions)])
        assert np.abs(worths - ours / 2.0 ** (CELL_BITS + weights.layers[-1].bits)).max() < 1e-3
        assert action == int(np.where(legal, worths, -np.inf).argmax())
        games.step([dice.choice(np.flatnonzero(legal).tolist()) if wild else action])
        own(policy.update)(memory, seat, before, sight_of(seat))
        history = features.shift_history(history, seen, torch.zeros(1))
        moves += 1
    return moves, int(games.scores[0])


def test_quantised_weights_are_nearly_the_same() -> None:
    torch.manual_seed(5)
    actor, copy = (Actor(40, 16, 2, 20) for _ in range(2))
    weights = quantise(actor.state_dict(), {})
    copy.load_state_dict(as_floats(weights))
    rows = torch.randint(0, 2, (50, 40), dtype=torch.uint8)
    with torch.no_grad():
        assert (actor(rows) - copy(rows)).abs().max() < 1e-3


def test_a_network_that_might_overflow_is_not_exported() -> None:
    actor = Actor(40, 16, 2, 20)
    torch.nn.init.constant_(actor.state_dict()["hidden.0.bias"], 1e9)
    with pytest.raises(click.ClickException, match="so large that sums of them might not fit"):
        quantise(actor.state_dict(), {})


RULES, GAMES = Rules(players=2), 1000
LINEUP = ["learned", "learned"]


class InTheirHeads:
    """The choices of the package's compiled policies in all running games, from their own positions and memories."""

    def __init__(self, policies: Team, states: Array) -> None:
        self._team, self._states, self._memories = policies, states, policies.start(LINEUP, states)

    def act(self, running: Array) -> Array:
        """Take a turn in some games, and return the actions."""
        states, memories = self._states[running], self._memories[running]
        actions = self._team.ask(LINEUP, states, memories)
        self._team.advance(LINEUP, states, memories, actions)
        self._states[running], self._memories[running] = states, memories
        return actions


class InPyTorch:
    """The same network in PyTorch, in double precision: then no choice depends on the order of a sum."""

    def __init__(self) -> None:
        weights = learned_weights()
        self._features = Features(RULES, shape_of(weights, layout_of(RULES)).past, torch.device("cpu"))
        self._actor, self._history = in_pytorch(weights).double(), torch.zeros(GAMES, self._features.history, dtype=torch.uint8)

    def choose(self, seen: Tensor, legal: Tensor, running: Array) -> Array:
        """The best action in each of some games."""
        with torch.no_grad():
            worth = self._actor(self._features.rows(seen[running], self._history[running]))
        self._history = self._features.shift_history(self._history, seen, torch.zeros(GAMES))
        best: Array = worth.masked_fill(~legal[running], -torch.inf).argmax(1).numpy()
        return best


@pytest.mark.slow
@pytest.mark.compiler
def test_in_a_thousand_games_every_move_is_the_same() -> None:
    games = Batch(RULES, GAMES, seed=0, automatic=False)
    package, pytorch = InTheirHeads(team(RULES, ("learned",)), np.array(games.save().states)), InPyTorch()
    moves = 0
    while games.running.any():
        running = np.flatnonzero(games.running)
        seen, legal = torch.from_numpy(games.observe("canonical")), torch.from_numpy(np.array(games.legal)).bool()
        theirs, ours = pytorch.choose(seen, legal, running), package.act(running)
        assert (ours == theirs).all()
        actions = np.zeros(GAMES, np.int64)
        actions[running] = ours
        games.step(actions)
        moves += len(running)
    assert moves > 60_000
    assert games.scores.mean() > 24.3
