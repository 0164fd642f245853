"""``tamaya bots``: list the bots and how well they play."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from tamaya.bots import BotEntry, known_bots
from tamaya.cli.batch_options import chosen_games, chosen_runner, chosen_seed, game_options
from tamaya.cli.bots.figures import PLACES, figures_for_page, matches_for, row_of, write_rows
from tamaya.cli.common import in_language
from tamaya.cli.grids import as_text, check_places, write_figures
from tamaya.cli.league import play_with_progress
from tamaya.i18n import Catalogue
from tamaya.rules import say

PAGE = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="A list of objects instead of lines.")
@click.option("--tables", "page", type=PAGE, metavar="FILE.md", help="Play them all; write FILE.md's tables and FILE.json.")
@game_options(10_000)
@click.option("--keep", type=click.Path(path_type=Path), metavar="FILE", help="With --tables: as in tamaya league.")
@in_language
def bots(
    speak: Catalogue,
    as_json: bool,
    page: Path | None,
    games: str,
    seed: str,
    workers: str | None,
    cluster: str | None,
    keep: Path | None,
) -> None:
    """List the bots, those of installed packages too, with their mean scores at 2 to 5 players.

    With --tables, the bots of the house play so many games each by the standard rules, a tenth of that by those of every other
    edition and with every variant, and a tenth too if they are not compiled.
    """
    if page is None:
        known = known_bots()
        click.echo(_as_json(known, speak) if as_json else _as_text(known, speak))
        return
    check_places(page, PLACES)
    runs = matches_for(chosen_games(games), chosen_seed(seed))
    standings = play_with_progress(tuple(runs), chosen_runner(workers, cluster), keep, speak)
    rows = [row_of(standing, runs[standing.match]) for standing in standings]
    write_rows(page.with_suffix(".json"), rows)
    write_figures(page, figures_for_page(rows))
    click.echo(speak(say("{page} and {figures} are written.", page=page.name, figures=page.with_suffix(".json").name)))


def _as_json(known: Mapping[str, BotEntry], speak: Catalogue) -> str:
    rows = [
        {"bot": name, "means": dict(entry.mean_scores), "offered": entry.offered, "summary": speak(entry.summary)}
        for name, entry in known.items()
    ]
    return json.dumps(rows, indent=1, ensure_ascii=False)


def _as_text(known: Mapping[str, BotEntry], speak: Catalogue) -> str:
    rows = [
        (name, " / ".join(f"{mean:.2f}" for mean in entry.mean_scores.values()), speak(entry.summary))
        for name, entry in known.items()
    ]
    return "\n".join(as_text([*rows], names=3))
