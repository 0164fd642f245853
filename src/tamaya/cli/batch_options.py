"""Options and progress bar of commands that play many games: number of games, seed, workers, cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import click

from tamaya.cli.common import Function
from tamaya.engine.game import checked_seed
from tamaya.i18n import Catalogue
from tamaya.league import Runner, choose_runner
from tamaya.league.matches import MAX_GAMES
from tamaya.league.workers import MAX_WORKERS
from tamaya.rules import MalformedError, Message, read_number, say

INTERRUPTED = 130


def game_options(games: int) -> Callable[[Function], Function]:
    """A decorator that gives a command the options of a run of `games` games by default."""
    return partial(_with_options, games)


def _with_options(games: int, function: Function) -> Function:
    for option in (
        click.option("--cluster", metavar="ADDRESS", help="Play on a Ray cluster: HOST:PORT, auto, or local to start one."),
        click.option("--workers", metavar="N", help="Play in so many processes; else in one for each core."),
        click.option("--seed", default="0", show_default=True, metavar="S", help="A number that decides the deals."),
        click.option("--games", default=str(games), show_default=True, metavar="N", help="How many games."),
    ):
        function = option(function)
    return function


many_games_options = game_options(1000)


def chosen_games(games: str) -> int:
    """The number of games that a person asked for."""
    return _number("--games", games, MAX_GAMES)


def chosen_seed(seed: str) -> int:
    """Parse the option ``--seed``."""
    found = read_number(seed, 20)
    return checked_seed(-1 if found is None else found)


def chosen_runner(workers: str | None, cluster: str | None) -> Runner:
    """The runner that the options of `playing_many` describe."""
    return choose_runner(None if workers is None else _number("--workers", workers, MAX_WORKERS), cluster)


def _number(name: str, text: str, most: int) -> int:
    found = read_number(text, 20)
    if found is not None and 1 <= found <= most:
        return found
    message = say("{name} is a whole number from 1 to {most}, not “{given}”.", name=name, most=most, given=text[:40])
    raise MalformedError("bad_number", message)


def nothing_kept(done: int) -> Message:
    """The message for a run that was stopped and leaves nothing."""
    return say("Stopped before the end; nothing was kept.")


@contextmanager
def show_progress(
    speak: Catalogue, games: int, stop_message: Callable[[int], Message] = nothing_kept, compiles: bool = False
) -> Iterator[Callable[[int], None]]:
    """Show a progress bar if the error output is a terminal; the context's value counts finished games.

    Ctrl+C ends the process with the message of `stop_message`, which is given the number of finished games. With
    `compiles`, the bar says “compiling” until the first game is finished.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    left = TextColumn(speak(say("time left")), markup=False)
    what = TextColumn("{task.description}", markup=False)
    columns = (what, BarColumn(), MofNCompleteColumn(), left, TimeRemainingColumn(elapsed_when_finished=True))
    done = 0
    try:
        with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
            bar = progress.add_task(speak(say("compiling")) if compiles else "", total=games)

            def watch(played: int) -> None:
                nonlocal done
                done += played
                progress.update(bar, advance=played, description="")

            yield watch
    except KeyboardInterrupt:
        click.echo(speak(stop_message(done)), err=True)
        raise SystemExit(INTERRUPTED) from None
