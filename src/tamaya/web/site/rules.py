"""The rules in words and pictures, of any edition and variants, or of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tamaya.bots import BOT_NAMES
from tamaya.engine import Clued
from tamaya.i18n import explain, tell
from tamaya.rules import EDITIONS, VALUES, VARIANTS, Card, Colour, Edition, Message, Rules, find_edition, find_variant, say
from tamaya.table import Phase, Starter, Table
from tamaya.web.context import RequestContext, form_number
from tamaya.web.rendering.cache import cached
from tamaya.web.rendering.templates import render_component
from tamaya.web.site.home import PLAYERS
from tamaya.web.table.components import Back, Face

EXAMPLE_HAND = ((0, 4), (1, 2), (-1, 1), (0, 3), (1, 5), (-1, 2))
"""A teammate's hand: indices of colours (-1 may be the multicolour) and values."""


@dataclass(frozen=True, slots=True)
class PictureCard:
    """A card of a picture, with its CSS classes."""

    look: str
    drawn: Markup


@dataclass(frozen=True, slots=True)
class RulesPicture:
    """A picture: cards in a row, a firework, tokens (how many of how many), and a caption."""

    caption: Message
    cards: tuple[PictureCard, ...] = ()
    firework: tuple[str, int] | None = None
    clue_tokens: tuple[int, int] | None = None
    mistakes: tuple[int, int] | None = None


@cached
def pictures(rules: Rules, language: str) -> Mapping[str, tuple[Markup, ...]]:
    """The pictures for each topic of the rules."""
    first = rules.suits[0]
    tokens = rules.clue_tokens
    found = {
        "goal": (
            RulesPicture(
                say("A complete firework: 1 to 5 in one colour."),
                tuple(_picture_card(Card(first, value), language) for value in VALUES),
                firework=(first, len(VALUES)),
            ),
        ),
        "cards": (
            RulesPicture(
                say("Your own cards: you see their backs, all others see their faces."),
                (PictureCard("back", render_component(Back(rules.suits, VALUES, rules.suits), language)),) * rules.hand_size,
            ),
        ),
        "clue": (_clue(rules, language),),
        "discard": (
            RulesPicture(
                say("The card goes away, a clue token comes back."),
                (_picture_card(Card(rules.suits[-1], 2), language),),
                clue_tokens=(tokens, tokens),
            ),
        ),
        "play": (
            RulesPicture(
                say("Right: {card} continues the firework.", card=Card(first, 3).word),
                tuple(_picture_card(Card(first, value), language) for value in (1, 2, 3)),
                firework=(first, 3),
            ),
            RulesPicture(
                say("Wrong: {card} does not fit yet. That is a mistake.", card=Card(first, 5).word),
                (_picture_card(Card(first, 5), language),),
                mistakes=(1, rules.mistakes),
            ),
        ),
    }
    return {topic: tuple(render_component(picture, language) for picture in found[topic]) for topic in found}


def _clue(rules: Rules, language: str) -> RulesPicture:
    """A teammate is told a colour, and the matching cards rise."""
    hand = [Card(rules.suits[min(place, len(rules.suits) - 1)], value) for place, value in EXAMPLE_HAND[: rules.hand_size]]
    hint = rules.suits[0]
    touched = tuple(slot for slot, card in enumerate(hand) if rules.matches(hint, card))
    (sentence,) = tell(Clued(1, 0, 1, hint, touched, touched), ("", BOT_NAMES[0]), rules, reader=0)
    known = hint if rules.multicolour_named else None
    cards = tuple(_picture_card(card, language, slot in touched, known) for slot, card in enumerate(hand))
    return RulesPicture(sentence, cards, clue_tokens=(rules.clue_tokens - 1, rules.clue_tokens))


def _picture_card(card: Card, language: str, touched: bool = False, known: Colour | None = None) -> PictureCard:
    face = render_component(Face(card, known if touched else None, None, touched), language)
    return PictureCard(f"face {card.colour}{' clued touched' if touched else ''}", face)


async def any_rules(request: Request) -> Response:
    """The rules of any edition with any variants."""
    ctx = RequestContext(request)
    query = request.query_params
    edition = find_edition(query.get("edition", "standard"))
    names = [find_variant(name, edition).name for name in query.getlist("variant") if name]
    players = form_number({"players": query.get("players", "3")}, "players")
    return _page(ctx, edition.rules(players, names), edition, names)


async def table_rules(request: Request) -> Response:
    """The rules of a table, with its own tokens and settings."""
    ctx = RequestContext(request)
    table = await ctx.table()
    settings = table.settings
    return _page(ctx, settings.rules, settings.edition, settings.variants, table)


def starter_of(table: Table) -> Message:
    """Who starts at a table, or how that will be decided."""
    starter, seats = table.settings.starter, table.seats
    if table.phase is not Phase.OPEN:
        return say("{name} starts.", name=seats[0].name)  # seats were rotated when the game began
    if starter == Starter.CUSTOM:
        return table.settings.edition.starter
    if starter == Starter.RANDOM:
        return say("A player drawn at random starts.")
    name = seats[int(starter) - 1].name
    return say("{name} starts.", name=name) if name else say("The player at seat {seat} starts.", seat=starter)


def _page(ctx: RequestContext, rules: Rules, edition: Edition, names: Sequence[str], table: Table | None = None) -> Response:
    return ctx.page(
        "rules.html",
        sections=explain(rules, edition, starter_of(table) if table else None),
        pictures=pictures(rules, ctx.language),
        edition=edition,
        editions=EDITIONS,
        titles=[edition.title_of(VARIANTS[name]) for name in names],
        variants=VARIANTS,
        chosen=names,
        rules=rules,
        players=PLAYERS,
        table=table,
    )
