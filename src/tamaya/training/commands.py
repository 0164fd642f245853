"""What the commands of the training have in common: how they refuse, and what can be chosen with each."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import torch

from tamaya.rules import TamayaError
from tamaya.training.settings import LAST_SEED

MOST_DEALS = 1_000_000
"""As many games are held at once as deals are measured on."""


class RefusingGroup(click.Group):
    """Commands that say in words what was refused, and which file could not be read or written."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except TamayaError as problem:
            raise click.ClickException(str(problem)) from problem
        except OSError as problem:
            if problem.errno == errno.EPIPE:  # whoever read the lines has gone, of which click takes care
                raise
            where = f"{problem.filename}: " if problem.filename else ""
            raise click.ClickException(f"{where}{problem.strerror or problem}") from problem


def _find_device(ctx: click.Context, option: click.Parameter, device: str | None) -> str:
    if device == "cuda" and not torch.cuda.is_available():
        raise click.BadParameter("There is no GPU that PyTorch can use here.", ctx, option)
    return device or ("cuda" if torch.cuda.is_available() else "cpu")


def with_deals(usual: int, purpose: str) -> Callable[[Any], Any]:
    """The option that says on how many deals a policy is measured; an error of the mean takes two."""
    return click.option("--deals", type=click.IntRange(2, MOST_DEALS), default=usual, show_default=True, help=purpose)


FOLDER = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
DEVICE = click.option(
    "--device", type=click.Choice(["cuda", "cpu"]), callback=_find_device, help="By default a GPU if there is one."
)
SEED = click.option(
    "--seed", type=click.IntRange(0, LAST_SEED), default=0, show_default=True, help="Another one for other deals."
)
SET = click.option("--set", "chosen", multiple=True, metavar="NAME=VALUE", help="A setting, as in --set rules=players=3.")


def in_short(line: dict[str, Any]) -> str:
    """A line of a curve for those who watch."""
    return " ".join(f"{name}={value:.5g}" for name, value in line.items())
