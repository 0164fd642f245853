"""``tamaya league``: let bots play many games and compare them."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import shutil
from collections.abc import Iterable, Sequence
from contextlib import closing, nullcontext
from pathlib import Path

import click

from tamaya.cli.batch_options import (
    chosen_games,
    chosen_runner,
    chosen_seed,
    many_games_options,
    nothing_kept,
    show_progress,
)
from tamaya.cli.common import chosen_rules, edition_option, in_language, variant_options
from tamaya.cli.grids import as_text
from tamaya.cli.league.plot import draw
from tamaya.cli.league.report import differences_grid, histogram_lines, report, results_grid
from tamaya.i18n import Catalogue
from tamaya.league import Checkpoint, Match, MatchResult, Runner, differences, play_matches
from tamaya.league.checkpoint import readable_file_errors
from tamaya.rules import MalformedError, Message, say
from tamaya.rules.errors import require
from tamaya.rules.ruleset import ALLOWED

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("bots", metavar="BOT[,BOT...]")
@click.option("--players", default="2-5", show_default=True, metavar="N", help="Players at the table: 4, 2,3 or 2-5.")
@edition_option
@variant_options
@many_games_options
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
    wanted, dealt = chosen_games(games), chosen_seed(seed)
    rule_sets = [chosen_rules(edition, number, variants, settings)[0] for number in chosen_players(players)]
    runs = tuple(dict.fromkeys(Match(team, rules, dealt, wanted) for rules in rule_sets for team in bots.split(",")))
    for path in filter(None, (page, plot)):
        check_writable(path)
    if plot:
        require("matplotlib", "plots")
    standings = play_with_progress(runs, chosen_runner(workers, cluster), keep, speak)
    if as_json:
        click.echo(results_as_json(standings, histogram, with_differences))
    else:
        click.echo(results_as_text(standings, histogram, speak))
    if page:
        command = command_line(bots, players, edition, variants, settings, wanted, dealt)
        with readable_file_errors(page):
            page.write_text(report(standings, differences(standings), command, speak), "utf-8")
    if plot:
        with readable_file_errors(plot):
            draw(standings, plot, speak)


def chosen_players(text: str) -> list[str]:
    """Parse numbers of players: ``4``, ``2,3`` or ``2-5``."""
    least, most = ALLOWED["players"][0], ALLOWED["players"][-1]
    found: dict[int, None] = {}
    for part in text.split(","):
        ends = re.fullmatch(r"\s*(\d)\s*(?:[-–]\s*(\d)\s*)?", part, re.ASCII)
        first, last = (int(ends[1]), int(ends[2] or ends[1])) if ends else (0, 0)
        if not least <= first <= last <= most:
            message = say("“{text}” are no numbers of players; write {one}, {some} or {all}, from {least} to {most}.",
                          text=text[:40], one="4", some="2,3", all="2-5", least=least, most=most)  # fmt: skip
            raise MalformedError("bad_players", message)
        found |= dict.fromkeys(range(first, last + 1))
    return [str(number) for number in found]


def play_with_progress(matches: Sequence[Match], runner: Runner, keep: Path | None, speak: Catalogue) -> list[MatchResult]:
    """Play all matches with a progress bar; the file `keep`, if given, stores finished games."""
    total = sum(run.games for run in matches)

    def stopped(done: int) -> Message:
        return say("Stopped after {done} of {games} games, which {file} keeps; the same command goes on from there.",
                   done=done, games=total, file=str(keep))  # fmt: skip

    with (
        closing(Checkpoint(keep, matches)) if keep else nullcontext() as kept,
        show_progress(speak, total, stopped if keep else nothing_kept, any(run.is_compiled for run in matches)) as watch,
    ):
        return play_matches(matches, runner, watch, checkpoint=kept)


def results_as_text(standings: Sequence[MatchResult], histogram: bool, speak: Catalogue) -> str:
    """The results for people, with the differences between teams."""
    lines = as_text(results_grid(standings, speak))
    if found := differences(standings):
        lines += ["", *as_text(differences_grid(found, speak))]
    if histogram:
        lines += histogram_lines(standings, shutil.get_terminal_size().columns)
    return "\n".join(lines)


def results_as_json(standings: Sequence[MatchResult], histogram: bool, with_differences: bool) -> str:
    """The results for programs: rows, or an object with the rows and the differences."""
    more = [{"moves": one.statistics.moves, "histogram": one.totals.histogram} if histogram else {} for one in standings]
    rows = [standing.row() | added for standing, added in zip(standings, more, strict=True)]
    whole = {"rows": rows, "differences": [found.row() for found in differences(standings)]} if with_differences else rows
    return json.dumps(whole, indent=1, ensure_ascii=False)


def command_line(
    bots: str, players: str, edition: str, variants: Iterable[str], settings: Iterable[str], games: int, seed: int
) -> str:
    """The command that reproduces the figures."""
    words = ["tamaya", "league", bots, "--players", players, "--games", str(games), "--seed", str(seed), "--edition", edition]
    for option, values in (("--variant", variants), ("--set", settings)):
        words += [word for value in values for word in (option, value)]
    return shlex.join(words)


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before any game is played."""
    with readable_file_errors(path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        path.parent.stat()
