"""``tamaya league``: how well bots play."""

from __future__ import annotations

import json
import re

import click
from rich.cells import cell_len

from tamaya.bots import load_bot
from tamaya.cli.common import chosen_rules, in_language
from tamaya.cli.workers import chosen_games, chosen_runner, chosen_seed, playing_many, shown_progress
from tamaya.i18n import Catalogue
from tamaya.rules import MalformedError, say, say_in
from tamaya.rules.ruleset import ALLOWED
from tamaya.sim.league import Run, Standing, play_runs


@click.command()
@click.argument("bots", metavar="BOT[,BOT...]")
@click.option("--players", default="2-5", show_default=True, metavar="N", help="Players at the table: 4, 2,3 or 2-5.")
@click.option("--edition", default="standard", show_default=True, metavar="E", help="See: tamaya editions.")
@click.option("--variant", "variants", multiple=True, metavar="V", help="Add a variant, by name, letter or title.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change one setting: mistakes=2.")
@playing_many
@click.option("--json", "as_json", is_flag=True, help="Rows of figures instead of a table.")
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
    as_json: bool,
) -> None:
    """Let each BOT play with itself, the same deals for all, and say how well it does.

    Totals do not depend on the number of workers or machines; one that is lost in the middle is made good.
    """
    names = tuple(dict.fromkeys(bots.split(",")))
    for name in names:
        load_bot(name)
    rules = [chosen_rules(edition, number, variants, settings)[0] for number in chosen_players(players)]
    wanted, dealt = chosen_games(games), chosen_seed(seed)
    runs = dict.fromkeys(Run(name, table, dealt, wanted) for table in rules for name in names)
    runner = chosen_runner(workers, cluster)
    with shown_progress(speak, sum(run.games for run in runs)) as watch:
        standings = play_runs(runs, runner, watch)
    if as_json:
        click.echo(json.dumps([standing.row() for standing in standings], indent=1, ensure_ascii=False))
    else:
        click.echo("\n".join(table_of(standings, speak)))


def chosen_players(text: str) -> list[str]:
    """The numbers of players that a person asked for: ``4``, ``2,3`` or ``2-5``."""
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


def table_of(standings: list[Standing], speak: Catalogue) -> list[str]:
    """Standings as the lines of a table."""
    head = (
        say_in("league", "bot"),
        say_in("league", "players"),
        say_in("league", "games"),
        say_in("league", "mean score"),
        say_in("league", "perfect"),
        say_in("league", "lost"),
        say_in("league", "moves"),
        say_in("league", "games/s a core"),
    )
    rows = [tuple(map(speak, head)), *map(_cells, standings)]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_filled(row, widths)).rstrip() for row in rows]


def _cells(standing: Standing) -> tuple[str, ...]:
    figures = standing.statistics
    error = "" if figures.standard_error is None else f" ± {figures.standard_error:.3f}"
    return (
        standing.run.bot,
        str(standing.run.rules.players),
        str(figures.games),
        f"{figures.mean:.3f}{error}",
        f"{figures.perfect:.1%}",
        f"{figures.lost:.1%}",
        f"{figures.moves:.1f}",
        f"{standing.games_per_second:.1f}",
    )


def _filled(row: tuple[str, ...], widths: list[int]) -> list[str]:
    """The cells of a row in their columns: the name to the left, figures to the right."""
    spaces = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
    return [row[0] + spaces[0], *(space + cell for space, cell in zip(spaces[1:], row[1:], strict=True))]
