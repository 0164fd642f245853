"""``tamaya games``: let bots play and write their games as records."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tamaya.cli.batch_options import chosen_games, chosen_runner, chosen_seed, many_games_options, show_progress
from tamaya.cli.common import chosen_rules, edition_option, in_language, rules_options
from tamaya.cli.grids import as_text
from tamaya.cli.league.report import results_grid
from tamaya.i18n import Catalogue
from tamaya.league import Match, write_games


@click.command()
@click.argument("bot", metavar="BOT[+BOT...]")
@click.option("--out", "file", required=True, metavar="FILE", type=click.Path(path_type=Path), help="The file to write.")
@edition_option
@rules_options
@many_games_options
@click.option("--json", "as_json", is_flag=True, help="A row of figures instead of a table.")
@in_language
def games(
    speak: Catalogue,
    bot: str,
    file: Path,
    edition: str,
    players: str,
    variants: tuple[str, ...],
    settings: tuple[str, ...],
    games: str,
    seed: str,
    workers: str | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Let BOT play with itself, or a team together, and write the games to a new file: one record a line, in the order of
    their numbers.

    The file is the same whatever the number of workers or machines.
    """
    rules = chosen_rules(edition, players, variants, settings)[0]
    match = Match(bot, rules, chosen_seed(seed), chosen_games(games))
    runner = chosen_runner(workers, cluster)
    with show_progress(speak, match.games) as watch:
        standing = write_games(match, runner, file, watch)
    if as_json:
        click.echo(json.dumps(standing.row() | {"file": str(file)}, indent=1, ensure_ascii=False))
    else:
        click.echo("\n".join(as_text(results_grid([standing], speak))))
