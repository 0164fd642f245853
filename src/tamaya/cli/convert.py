"""``tamaya convert``: a saved game in another format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from tamaya.cli.common import fail, in_language
from tamaya.i18n import Catalogue
from tamaya.record import Record, hanablive, link, own, read_file

WRITERS: Mapping[str, Callable[[Record], str]] = {
    "tamaya": own.write,
    "hanab-live": lambda record: json.dumps(hanablive.to_json(record), ensure_ascii=False) + "\n",
    "link": lambda record: link.write(record) + "\n",
}


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--to", "target", type=click.Choice(list(WRITERS)), default="tamaya", show_default=True, help="The wanted format."
)
@in_language
def convert(speak: Catalogue, file: Path, target: str) -> None:
    """Write the games of FILE to the standard output; of a damaged game, the part before the damage."""
    damaged = None
    for entry in read_file(file):
        damaged = entry.error or damaged
        if entry.replay:
            click.echo(WRITERS[target](entry.replay.record), nl=False)
    if damaged:
        fail(speak, damaged)
