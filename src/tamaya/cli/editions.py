"""``tamaya editions``: what can be played."""

from __future__ import annotations

import click

from tamaya.cli.common import in_language
from tamaya.i18n import LANGUAGES, Catalogue
from tamaya.rules import EDITIONS, VARIANTS


@click.command()
@in_language
def editions(speak: Catalogue) -> None:
    """List the editions, and the variants with the titles that booklets give them."""
    for edition in EDITIONS.values():
        click.secho("  ".join(filter(None, (edition.name, edition.box, LANGUAGES[edition.language]))), bold=True)
        for name, title in edition.booklet.items():
            variant = VARIANTS[name]
            click.echo(f"  {variant.letter}  {name:<20} {title if title != name else speak(variant.summary)}")
