"""``tamaya review``: the facts of saved games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from tamaya.cli.common import chosen_number, in_language, new_file
from tamaya.engine.plain import plain
from tamaya.i18n import Catalogue, tell
from tamaya.record import Entry, read_file
from tamaya.review import GameFacts, facts_of, slips, summary
from tamaya.review.winning import BUDGET, MOST_BUDGET, Winning, line_of, told, winning_of
from tamaya.rules import Message


@dataclass(frozen=True)
class Reviewed:
    """One game of a file: what was found out about it, as far as it could be read."""

    entry: Entry
    facts: GameFacts | None
    winning: Winning | None

    @property
    def problem(self) -> Message | None:
        """What is wrong with the game."""
        return self.entry.error.message if self.entry.error else None


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, with every fact.")
@click.option(
    "--html", metavar="OUT", type=click.Path(path_type=Path), help="One page with a plot of each game, as a new file."
)
@click.option("--solve", is_flag=True, help="Find out until which turn each game could be won, with every card known.")
@click.option(
    "--budget", default=str(BUDGET), show_default=True, metavar="N", help="With --solve: positions to look at, a turn."
)
@in_language
def review(speak: Catalogue, files: tuple[Path, ...], as_json: bool, html: Path | None, solve: bool, budget: str) -> None:
    """Look back at the games in FILES: what was lost, who could have known, which plays were certain and which were not.

    FILES are as for tamaya verify. Of a damaged game the part before the damage is looked at. The exit status is 0 if every
    game could be read whole, else 2.
    """
    positions = chosen_number("--budget", budget, 1, MOST_BUDGET) if solve else 0
    reviewed = (_review(entry, positions) for path in files for entry in read_file(path))
    if html is None:
        wrong = sum([_show(game, as_json, speak) for game in reviewed])
    else:
        from tamaya.cli.review_page import page

        with new_file(html) as file:
            games = list(reviewed)
            file.write(page(games, speak))
        wrong = sum([_warn(game, speak) for game in games])
    raise SystemExit(2 if wrong else 0)


def _review(entry: Entry, budget: int) -> Reviewed:
    if entry.replay is None:
        return Reviewed(entry, None, None)
    record = entry.replay.record
    return Reviewed(entry, facts_of(record), winning_of(record, budget) if budget else None)


def _show(game: Reviewed, as_json: bool, speak: Catalogue) -> bool:
    """Print what was found out; says whether something was wrong."""
    if as_json:
        click.echo(json.dumps(row_of(game, speak), ensure_ascii=False, default=_fraction))
        return game.problem is not None
    if game.facts:
        click.echo("\n".join(_lines(game, game.facts, speak)))
    return _warn(game, speak)


def _warn(game: Reviewed, speak: Catalogue) -> bool:
    if game.problem:
        click.echo(f"{game.entry.id}: {speak(game.problem)}", err=True)
    return game.problem is not None


def _lines(game: Reviewed, facts: GameFacts, speak: Catalogue) -> Iterator[str]:
    """The sentences for people; below them, the line that would have won."""
    yield game.entry.id
    for finding in (*summary(facts), *slips(facts)):
        yield f"  {speak.text(finding.words)}"
    if game.winning and game.entry.replay:
        record = game.entry.replay.record
        yield f"  {speak.text(told(game.winning, record.names))}"
        for event in line_of(record, game.winning):
            yield f"    {event.turn:3}. {speak.text(tell(event, record.names, record.rules))}"


def row_of(game: Reviewed, speak: Catalogue) -> dict[str, Any]:
    """Everything about a game, for programs; chances are fractions, written "3/8"."""
    facts: dict[str, Any] = plain(game.facts) if game.facts else {}
    if game.facts:
        facts |= {"clues_per_card": game.facts.clues_per_card, "marks": plain(game.facts.marks)}
    winning = game.winning
    if winning:
        facts["winning"] = plain(winning) | {"reason": speak(winning.reason) if winning.reason else None}
    return {"id": game.entry.id, "error": speak(game.problem) if game.problem else None, **facts}


def _fraction(value: object) -> str:
    """How JSON writes a chance."""
    assert isinstance(value, Fraction)
    return str(value)
