"""The command: chooses who plays what, lets them play, and shows what came of it."""

from __future__ import annotations

import errno
import json
import os
import shlex
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, nullcontext
from pathlib import Path

import click

from tamaya.cli.common import changing_rules, choosing_edition, chosen_rules, in_language
from tamaya.cli.league.choices import chosen_players
from tamaya.cli.league.histogram import histogram_lines
from tamaya.cli.league.plot import draw
from tamaya.cli.league.report import report
from tamaya.cli.league.tables import as_text, differences_table, standings_table
from tamaya.cli.workers import chosen_games, chosen_runner, chosen_seed, nothing_kept, playing_many, shown_progress
from tamaya.i18n import Catalogue
from tamaya.rules import Message, say
from tamaya.sim.extras import needed
from tamaya.sim.league import Kept, Run, Runner, Standing, differences, play_runs
from tamaya.sim.league.files import told_in_words

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("bots", metavar="BOT[,BOT...]")
@click.option("--players", default="2-5", show_default=True, metavar="N", help="Players at the table: 4, 2,3 or 2-5.")
@choosing_edition
@changing_rules
@playing_many
@click.option("--keep", type=FILE, metavar="FILE", help="Keep what is done in FILE; go on from there if it is cut off.")
@click.option("--histogram", is_flag=True, help="Show how often each score was reached.")
@click.option("--report", "page", type=FILE, metavar="FILE.md", help="Write a report.")
@click.option("--plot", type=FILE, metavar="FILE.png", help="Draw a picture.")
@click.option("--json", "as_json", is_flag=True, help="Rows of figures instead of a table.")
@click.option("--differences", "with_differences", is_flag=True, help="With --json: an object of rows and differences.")
@in_language
def league(
    speak: Catalogue,
    bots: str,
    players: str,
    edition: str,
    variants: tuple[str, ...],
    settings: tuple[str, ...],
    games: str,
    seed: str,
    workers: str | None,
    cluster: str | None,
    keep: Path | None,
    histogram: bool,
    page: Path | None,
    plot: Path | None,
    as_json: bool,
    with_differences: bool,
) -> None:
    """Let each BOT play with itself, or several joined with + as a team, the same deals for all, and say how well they do.

    Totals do not depend on the number of workers or machines; one that is lost in the middle is made good.
    """
    rules = [chosen_rules(edition, number, variants, settings)[0] for number in chosen_players(players)]
    wanted, dealt = chosen_games(games), chosen_seed(seed)
    runs = tuple(dict.fromkeys(Run(team, table, dealt, wanted) for table in rules for team in bots.split(",")))
    for path in filter(None, (page, plot)):
        check_place(path)
    if plot:
        needed("matplotlib", "plots")
    standings = played(runs, chosen_runner(workers, cluster), keep, speak)
    click.echo(shown_as_json(standings, histogram, with_differences) if as_json else shown(standings, histogram, speak))
    asked = command_line(bots, players, edition, variants, settings, wanted, dealt)
    if page:
        write(page, lambda: page.write_text(report(standings, differences(standings), asked, speak), "utf-8"))
    if plot:
        write(plot, lambda: draw(standings, plot, speak))


def played(runs: Sequence[Run], runner: Runner, keep: Path | None, speak: Catalogue) -> list[Standing]:
    """The standings of runs, with progress shown, and kept in a file if one is named."""
    total = sum(run.games for run in runs)

    def stopped(done: int) -> Message:
        return say("Stopped after {done} of {games} games, which {file} keeps; the same command goes on from there.",
                   done=done, games=total, file=str(keep))  # fmt: skip

    with (
        closing(Kept(keep, runs)) if keep else nullcontext() as kept,
        shown_progress(speak, total, stopped if keep else nothing_kept, any(run.is_fast for run in runs)) as watch,
    ):
        return play_runs(runs, runner, watch, kept=kept)


def shown(standings: Sequence[Standing], histogram: bool, speak: Catalogue) -> str:
    """What came of it, for people."""
    lines = as_text(standings_table(standings, speak))
    if found := differences(standings):
        lines += ["", *as_text(differences_table(found, speak))]
    if histogram:
        lines += histogram_lines(standings, shutil.get_terminal_size().columns)
    return "\n".join(lines)


def shown_as_json(standings: Sequence[Standing], histogram: bool, with_differences: bool) -> str:
    """What came of it, for programs: rows, or an object that has them beside the differences."""
    more = [{"moves": one.statistics.moves, "histogram": one.totals.histogram} if histogram else {} for one in standings]
    rows = [standing.row() | added for standing, added in zip(standings, more, strict=True)]
    whole = {"rows": rows, "differences": [found.row() for found in differences(standings)]} if with_differences else rows
    return json.dumps(whole, indent=1, ensure_ascii=False)


def command_line(
    bots: str, players: str, edition: str, variants: Iterable[str], settings: Iterable[str], games: int, seed: int
) -> str:
    """The command by which anybody gets the same figures."""
    words = ["tamaya", "league", bots, "--players", players, "--games", str(games), "--seed", str(seed), "--edition", edition]
    for option, values in (("--variant", variants), ("--set", settings)):
        words += [word for value in values for word in (option, value)]
    return shlex.join(words)


def check_place(path: Path) -> None:
    """Refuse a file that cannot be written before anything is played."""
    with told_in_words(path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        path.parent.stat()


def write(path: Path, writing: Callable[[], object]) -> None:
    """Write a file, or say why it cannot be."""
    with told_in_words(path):
        writing()
