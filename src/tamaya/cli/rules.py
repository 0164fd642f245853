"""``tamaya rules`` and ``tamaya editions``: explain the rules, list the editions and variants."""

from __future__ import annotations

import json

import click

from tamaya.cli.common import chosen_rules, in_language, rules_options
from tamaya.i18n import LANGUAGES, Catalogue, explain
from tamaya.rules import EDITIONS, VARIANTS, find_variant


@click.command()
@click.argument("edition", default="standard")
@rules_options
@click.option("--json", "as_json", is_flag=True, help="The settings instead of sentences.")
@in_language
def rules(
    speak: Catalogue, edition: str, players: str, variants: tuple[str, ...], settings: tuple[str, ...], as_json: bool
) -> None:
    """Explain the exact rules of an EDITION with any variants."""
    chosen, found = chosen_rules(edition, players, variants, settings)
    if as_json:
        click.echo(json.dumps(chosen.to_json(), indent=1))
        return
    titles = (speak(found.title_of(find_variant(name, found))) for name in variants)
    click.secho(" · ".join(filter(None, (speak(found.title), found.box, *titles, *settings))), dim=True)
    for section in explain(chosen, found):
        click.secho(speak(section.title), bold=True)
        for sentence in section.sentences:
            click.echo(f"  {speak(sentence)}")


@click.command()
@in_language
def editions(speak: Catalogue) -> None:
    """List the editions, and the variants with the titles that booklets give them."""
    for edition in EDITIONS.values():
        click.secho("  ".join(filter(None, (edition.name, edition.box, LANGUAGES[edition.language]))), bold=True)
        for name, title in edition.booklet.items():
            variant = VARIANTS[name]
            click.echo(f"  {variant.letter}  {name:<20} {title if title != name else speak(variant.summary)}")
