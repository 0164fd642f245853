"""``./dev bench training``: moves per second of the whole training loop, and where the time goes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tamaya.rules import TamayaError
from tamaya.rules.errors import require

if TYPE_CHECKING:
    from tamaya.training.ppo import Learner

WARM_UP_UPDATES = 6
"""Updates before the clock starts, after which everything is compiled and recorded on a GPU."""


@click.command()
@click.option("--rules", default="players=2", show_default=True, help="As ./dev train has them.")
@click.option("--updates", type=click.IntRange(1), default=100, show_default=True, help="Updates that are timed.")
@click.option("--games", type=click.IntRange(2), default=16_384, show_default=True)
@click.option("--turns", type=click.IntRange(1), default=32, show_default=True, help="Turns of each game in an update.")
@click.option("--off-belief", is_flag=True, help="Judge moves in other worlds.")
@click.option("--device", type=click.Choice(["cuda", "cpu"]), default="cuda", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One object instead of lines.")
def training(rules: str, updates: int, games: int, turns: int, off_belief: bool, device: str, as_json: bool) -> None:
    """The training loop on a GPU: moves per second, with the shares of playing, of the simulator in it, and of learning."""
    try:
        report = run(rules, updates, games, turns, off_belief, device)
    except TamayaError as problem:
        raise click.ClickException(str(problem)) from problem
    click.echo(json.dumps(report, indent=1) if as_json else "\n".join(f"{name}: {fact}" for name, fact in report.items()))


def run(rules: str, updates: int, games: int, turns: int, off_belief: bool, device: str) -> dict[str, Any]:
    """Train for a while and report what was trained and how fast."""
    torch = require("torch", "training")
    from tamaya.training.config import TrainingSettings
    from tamaya.training.ppo import Learner

    if device == "cuda" and not torch.cuda.is_available():
        raise click.ClickException("There is no GPU that PyTorch can use here; --device cpu measures this computer.")
    minibatch = part_of(games * turns, TrainingSettings.minibatch)
    settings = TrainingSettings(rules=rules, games=games, turns=turns, minibatch=minibatch, off_belief=off_belief)
    report = measure(Learner(settings, device), updates, torch.cuda.synchronize if device == "cuda" else lambda: None)
    name = torch.cuda.get_device_name() if device == "cuda" else "cpu"
    return {"rules": rules, "games": games, "turns": turns, "off_belief": off_belief, "device": name, **report}


def part_of(moves: int, usual: int) -> int:
    """The largest minibatch size up to `usual` that divides `moves`."""
    return next(part for part in range(min(usual, moves), 0, -1) if moves % part == 0)


def measure(learner: Learner, updates: int, wait: Callable[[], None]) -> dict[str, Any]:
    """The time of `updates` updates, with the shares of playing, judging, learning, and of the simulator while playing."""
    for _ in range(WARM_UP_UPDATES):
        learner.update()
    whole = _seconds(learner.update, updates, wait)
    play = _seconds(learner.play, updates, wait)
    judge = _seconds(learner.estimate_advantages, updates, wait)
    simulate = _simulating(learner)
    for _ in range(WARM_UP_UPDATES):
        simulate()
    simulator = _seconds(simulate, updates, wait)
    return {
        "moves_per_s": round(learner.settings.moves_per_update / whole),
        "update_ms": round(1000 * whole, 2),
        "playing_share": round(play / whole, 3),
        "simulator_share": round(simulator / whole, 3),
        "judging_share": round(judge / whole, 3),
        "learning_share": round(1 - (play + judge) / whole, 3),
    }


def _simulating(learner: Learner) -> Callable[[], None]:
    """A function that runs the simulator's part of an update: all turns with observations, by actions chosen before."""
    from tamaya.training.environment import cuda_graph

    actions = learner.buffer.actions.clone()

    def simulate() -> None:
        for turn in actions:
            learner.games.step(turn)

    return cuda_graph(simulate, learner.device)


def _seconds(work: Callable[[], object], times: int, wait: Callable[[], None]) -> float:
    wait()
    start = time.perf_counter()
    for _ in range(times):
        work()
    wait()
    return (time.perf_counter() - start) / times
