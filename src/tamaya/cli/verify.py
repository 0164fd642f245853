"""``tamaya verify``: replay saved games and check their expected results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from tamaya.cli.common import in_language
from tamaya.i18n import Catalogue
from tamaya.record import Entry, read_file
from tamaya.rules import say, say_n

COLUMNS = ("id", "ok", "fireworks", "mistakes", "ended", "turns", "error")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, the summary last.")
@click.option("--quiet", is_flag=True, help="Only games that are wrong, and the summary.")
@in_language
def verify(speak: Catalogue, files: tuple[Path, ...], as_json: bool, quiet: bool) -> None:
    """Replay the games in FILES: our own format, Hanab Live's JSON or link, or a JSON object a line.

    Each line is: id, ok, fireworks, mistakes, ended, turns, error. The exit status is 0 only if every game is legal and
    comes to what it says it should.
    """
    games = right = 0
    for path in files:
        for entry in read_file(path):
            row = judge(entry, speak)
            games, right = games + 1, right + row["ok"]
            if quiet and row["ok"]:
                continue
            line = json.dumps(row, ensure_ascii=False) if as_json else "  ".join(_cell(row[column]) for column in COLUMNS)
            click.echo(line)
    if as_json:
        click.echo(json.dumps({"games": games, "ok": right, "wrong": games - right}))
    else:
        click.echo(speak(say_n("{n} game, {right} right.", "{n} games, {right} right.", games, right=right)))
    raise SystemExit(0 if games == right else 1)


def judge(entry: Entry, speak: Catalogue) -> dict[str, Any]:
    """The output row of one game."""
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    if entry.replay:
        game = entry.replay.game
        row |= {"fireworks": game.points, "mistakes": game.mistakes, "ended": entry.replay.ended, "turns": game.turn}
    problem = entry.error.message if entry.error else None
    for name, expected in entry.expected.items():
        if problem is None and row.get(name) != expected:
            found, wanted = json.dumps(row.get(name)), json.dumps(expected)[:40]
            problem = say("{name} is {found}, expected {wanted}.", name=name[:40], found=found, wanted=wanted)
    return row | {"id": entry.id, "ok": problem is None, "error": None if problem is None else speak(problem)}


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "ok" if value else "WRONG"
    return "-" if value is None else str(value)
