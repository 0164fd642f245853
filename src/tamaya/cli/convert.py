"""``tamaya convert``: write saved games in another format."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tamaya.cli.common import has_several, in_language
from tamaya.i18n import Catalogue
from tamaya.record import Record, hanab_live, native, read_file

FORMATS = ("tamaya", "hanab-live", "link")


def write(record: Record, target: str, one_per_line: bool) -> str:
    """A record in the target format; with `a_line_each`, our own format takes a single line."""
    if target == "link":
        return hanab_live.write_link(record) + "\n"
    if target == "tamaya" and not one_per_line:
        return native.write(record)
    data = native.to_json(record) if target == "tamaya" else hanab_live.to_json(record)
    return json.dumps(data, ensure_ascii=False) + "\n"


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--to", "target", type=click.Choice(FORMATS), default="tamaya", show_default=True, help="The wanted format.")
@in_language
def convert(speak: Catalogue, file: Path, target: str) -> None:
    """Write the games of FILE to the standard output; of a damaged game, the part before the damage."""
    several, entries = has_several(read_file(file))
    wrong = False
    for entry in entries:
        if entry.replay:
            click.echo(write(entry.replay.record, target, several), nl=False)
        if entry.error:
            click.echo(f"{entry.id}: {speak(entry.error.message)}", err=True)
            wrong = True
    raise SystemExit(2 if wrong else 0)
