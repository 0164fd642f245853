"""The command line of the training, which ``./dev train`` runs."""

from __future__ import annotations

import errno
import hashlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import torch

from tamaya.bots.learned.weights import write_weights
from tamaya.rules import TamayaError
from tamaya.training.checkpoints import RunFolder
from tamaya.training.config import LAST_SEED, TrainingSettings, commands_for, with_settings
from tamaya.training.evaluation import Evaluator, Opponent, as_table, cross_play, plot_curves
from tamaya.training.export import quantise
from tamaya.training.imitation import RATE, Imitator, PlayedGames
from tamaya.training.model import load_actor
from tamaya.training.ppo import Learner

MAX_DEALS = 1_000_000
"""The most deals to measure on: all their games are in memory at once."""


class RefusingGroup(click.Group):
    """A command group that reports refusals and file errors as messages."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except TamayaError as problem:
            raise click.ClickException(str(problem)) from problem
        except OSError as problem:
            if problem.errno == errno.EPIPE:  # the reader of the output has gone; click handles it
                raise
            where = f"{problem.filename}: " if problem.filename else ""
            raise click.ClickException(f"{where}{problem.strerror or problem}") from problem


def _find_device(ctx: click.Context, option: click.Parameter, device: str | None) -> str:
    if device == "cuda" and not torch.cuda.is_available():
        raise click.BadParameter("There is no GPU that PyTorch can use here.", ctx, option)
    return device or ("cuda" if torch.cuda.is_available() else "cpu")


def with_deals(usual: int, purpose: str) -> Callable[[Any], Any]:
    """Return the option for the number of deals; a standard error takes at least two."""
    return click.option("--deals", type=click.IntRange(2, MAX_DEALS), default=usual, show_default=True, help=purpose)


FOLDER = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
DEVICE = click.option(
    "--device", type=click.Choice(["cuda", "cpu"]), callback=_find_device, help="By default a GPU if there is one."
)
SEED = click.option(
    "--seed", type=click.IntRange(0, LAST_SEED), default=0, show_default=True, help="Another one for other deals."
)
SET = click.option("--set", "chosen", multiple=True, metavar="NAME=VALUE", help="A setting, as in --set rules=players=3.")


def in_short(line: dict[str, Any]) -> str:
    """Format a line of a curve for the terminal."""
    return " ".join(f"{name}={value:.5g}" for name, value in line.items())


DEFAULT_MINUTES = 9.0
FIGURES = ("mean", "error", "perfect", "lost")
"""The figures of strength that an exported file holds."""


@click.group(cls=RefusingGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
def train() -> None:
    """Train a policy that teaches itself."""


@train.command()
@FOLDER
@DEVICE
@click.option("--minutes", type=click.FloatRange(0.01), help="How long, starting included: 9, unless updates are counted.")
@click.option("--updates", type=click.IntRange(1), help="End after so many more updates, if time allows.")
@click.option("--measure-every", type=click.FloatRange(0.1), default=20.0, show_default=True, help="Seconds between measures.")
@with_deals(10_000, "Deals that are measured on.")
@SET
def learn(
    folder: Path,
    device: str,
    minutes: float | None,
    updates: int | None,
    measure_every: float,
    deals: int,
    chosen: tuple[str, ...],
) -> None:
    """Learn, and go on where the run in FOLDER ended if there is one."""
    end = time.monotonic() + 60 * (minutes or (math.inf if updates else DEFAULT_MINUTES))
    run = RunFolder(folder)
    settings = with_settings(run.read_settings() if run.exists else TrainingSettings(), chosen)
    run.check_size(settings)
    click.get_current_context().with_resource(run.locked())
    before = run.curve()
    learner = Learner(settings, device)
    if run.exists:
        run.restore(learner)
    evaluator = Evaluator(settings, learner.score_actions, device, deals)
    spent = before[-1].get("seconds", 0.0) if before else 0.0
    began = noted = time.monotonic()
    moves = learner.moves
    last = moves + (updates or math.inf) * settings.moves_per_update
    while time.monotonic() < end and learner.moves < last:
        report = learner.update()
        now = time.monotonic()
        if now - noted < measure_every and now < end and learner.moves < last:
            continue
        speed = (learner.moves - moves) / (now - noted)
        run.save(learner)
        line = {"moves": learner.moves, "seconds": round(spent + now - began, 1), "moves_per_s": round(speed)}
        line |= evaluator.measure().as_json() | report.as_json()
        run.append_curve(line)
        click.echo(in_short(line))
        noted, moves = time.monotonic(), learner.moves
    run.save(learner)


@train.command()
@FOLDER
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--minutes", type=click.FloatRange(0.01), default=5.0, show_default=True, help="How long it learns at most.")
@with_deals(1000, "Deals that it plays with itself.")
@SET
def imitate(folder: Path, files: tuple[Path, ...], minutes: float, deals: int, chosen: tuple[str, ...]) -> None:
    """Learn to do what the players of the saved games in FILES did, and keep that in FOLDER."""
    run, began = RunFolder(folder), time.monotonic()
    run.check_unused()
    settings = with_settings(TrainingSettings(rate=RATE), chosen)
    run.check_size(settings, critic=False)
    played = PlayedGames.read(files, settings.read_rules())
    imitator = Imitator(settings, played)
    click.get_current_context().with_resource(run.locked())
    run.check_unused()
    click.echo(played)
    for line in imitator.learn(began + 60 * minutes):
        click.echo(in_short(line))
    result = Evaluator(settings, imitator.actor.score_actions, "cpu", deals).measure()
    line = {"moves": imitator.moves, "seconds": round(time.monotonic() - began, 1)} | result.as_json()
    line |= {"games": len(played.games)} | imitator.test_accuracy()
    run.save_policy(imitator.state())
    run.append_curve(line)
    click.echo(in_short(line))


@train.command()
@FOLDER
@DEVICE
@with_deals(10_000, "Deals that are played.")
@SEED
def measure(folder: Path, device: str, deals: int, seed: int) -> None:
    """How well the policy of a run plays."""
    opponent = Opponent.read(folder, device)
    click.echo(Evaluator(opponent.settings, opponent.actor.score_actions, device, deals, seed).measure())


@train.command()
@click.argument("policies", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@DEVICE
@with_deals(10_000, "Deals that are played.")
@SEED
def meet(policies: tuple[Path, ...], device: str, deals: int, seed: int) -> None:
    """How well POLICIES play with each other: folders of runs, or files that were exported. Each sits at the first seat, with
    each of them at all others."""
    opponents = [Opponent.read(policy, device) for policy in policies]
    click.echo(as_table(opponents, cross_play(opponents, deals, seed, device)))


@train.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(file_okay=False, path_type=Path))
@click.argument("picture", type=click.Path(dir_okay=False, writable=True, path_type=Path))
def plot(folders: tuple[Path, ...], picture: Path) -> None:
    """Draw the curves of runs into the file PICTURE, whose ending says in which format. Names that differ in the number at
    their end alone have one colour."""
    curves = [(folder.name, RunFolder(folder).curve()) for folder in folders]
    for folder, (_, curve) in zip(folders, curves, strict=True):
        if not curve:
            raise click.ClickException(f"There is no curve in {folder}.")
    plot_curves(curves, picture)


@train.command()
@FOLDER
@click.argument("file", type=click.Path(dir_okay=False, writable=True, path_type=Path))
def export(folder: Path, file: Path) -> None:
    """Write the policy of a run into FILE, in the whole numbers that the package plays with, and say its SHA-256."""
    run = RunFolder(folder)
    state, curve = run.read(), run.curve()
    settings = TrainingSettings.from_json(state["settings"])
    about: dict[str, Any] = {
        "rules": settings.rules,
        "settings": settings.as_json(),
        "moves": state["moves"],
        "command": state.get("command") or commands_for(state["history"]),
    }
    if curve and curve[-1].get("moves") == state["moves"]:  # an interrupted run may not have been measured since
        about |= {name: curve[-1][name] for name in FIGURES if name in curve[-1]}
    weights = quantise(load_actor(state["actor"], settings, folder).state_dict(), about)
    data = write_weights(weights)
    file.write_bytes(data)
    click.echo(hashlib.sha256(data).hexdigest())


if __name__ == "__main__":
    train(prog_name="./dev train")
