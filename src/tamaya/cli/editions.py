"""``tamaya editions``: what can be played."""

from __future__ import annotations

import click

from tamaya.cli.common import in_language
from tamaya.i18n import Catalogue
from tamaya.rules import EDITIONS, VARIANTS


@click.command()
@in_language
def editions(say: Catalogue) -> None:
    """List the editions, and the variants with the titles that booklets give them."""
    for edition in EDITIONS.values():
        click.secho(f"{edition.name}  {edition.box}", bold=True)
        for name, title in edition.booklet.items():
            click.echo(f"  {name:<20} {title if title != name else say(VARIANTS[name].summary)}")
