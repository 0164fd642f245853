"""``tamaya probe``: find out what a bot's clues mean from the actions that follow them."""

from __future__ import annotations

import json
from typing import Any

import click

from tamaya.cli.batch_options import chosen_games, chosen_seed
from tamaya.cli.common import chosen_rules, edition_option, in_language, variant_options
from tamaya.cli.grids import Grid, as_text
from tamaya.i18n import Catalogue


@click.command()
@click.argument("bot", metavar="BOT[+BOT...]")
@edition_option
@variant_options
@click.option("--players", default="2", show_default=True, metavar="N", help="Players at the table, 2 to 5.")
@click.option("--games", default="1000", show_default=True, metavar="N", help="How many games.")
@click.option("--seed", default="0", show_default=True, metavar="S", help="A number that decides the deals.")
@click.option("--json", "as_json", is_flag=True, help="A list of objects instead of a table.")
@in_language
def probe(
    speak: Catalogue,
    bot: str,
    edition: str,
    players: str,
    variants: tuple[str, ...],
    settings: tuple[str, ...],
    games: str,
    seed: str,
    as_json: bool,
) -> None:
    """Watch BOT, which must be a policy, play with itself: after each clue, what whoever got it did on their next turn.

    Slot 1 is the oldest card of a hand. Of the cards that were then played, "touched" is the share that the clue had touched,
    and "placed" the share that fitted.
    """
    from tamaya.league.matches import checked_team, lineup
    from tamaya.sim.clue_probe import probe as watch  # needs the compiler

    rules = chosen_rules(edition, players, variants, settings)[0]
    rows = watch(lineup(checked_team(bot, rules), rules.players), rules, chosen_seed(seed), chosen_games(games))
    click.echo(json.dumps(rows, indent=1) if as_json else "\n".join(as_text(_grid(rows, rules.hand_size))))


def _grid(rows: list[dict[str, Any]], slots: int) -> Grid:
    heads = ("clue", "given", *(f"plays {slot + 1}" for slot in range(slots)), "discards", "clues", "touched", "placed")
    return [heads, *(_cells(row) for row in rows)]


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    shares = (*row["plays"], row["discards"], row["clues"], row["touched"], row["placed"])
    return (row["clue"], f"{row['given']:,}", *("" if share is None else f"{share:.0%}" for share in shares))
