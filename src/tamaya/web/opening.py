"""Opening a table: the form and what becomes of it."""

from __future__ import annotations

from collections import defaultdict
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tamaya.rules import EDITIONS, VARIANTS, MalformedError, TamayaError, find_edition, find_variant, say
from tamaya.rules.ruleset import ALLOWED, read_setting
from tamaya.table import Memory, Settings, Starter, Talk, Watching, commands
from tamaya.web.guards import Limits
from tamaya.web.home import PLAYERS
from tamaya.web.visit import Visit, form_number

OWN_SETTINGS = ("empty_clues", "clue_tokens")
"""The settings that the form offers besides editions and variants."""
MAXIMUM = {name: EDITIONS["standard"].rules(2, [name]).maximum for name in VARIANTS}
"""The best score with each variant."""


async def new(request: Request) -> Response:
    """The form."""
    visit = Visit(request)
    visit.check_costly()
    return _form(visit, dict(request.query_params))


def _form(visit: Visit, fields: dict[str, str], problem: str = "", status: int = 200) -> Response:
    chosen = fields.get("edition", _edition_of(visit.language))
    return visit.page(
        "new.html",
        status,
        fields=defaultdict(str, fields),
        problem=problem,
        editions=EDITIONS,
        chosen=chosen if chosen in EDITIONS else "standard",
        variants=VARIANTS,
        wanted=fields.get("variant", "").split(),
        talks=Talk,
        memories=Memory,
        watchings=Watching,
        players=PLAYERS,
        clue_tokens=ALLOWED["clue_tokens"],
        maximum=MAXIMUM,
        usual=EDITIONS["standard"].rules(2).maximum,
    )


def _edition_of(language: str) -> str:
    """The edition in the cupboards of people who speak a language."""
    return next((edition.name for edition in EDITIONS.values() if edition.language == language), "standard")


async def create(request: Request) -> Response:
    """Open the table that the form describes; a contradiction brings the form back, filled in, with the reason."""
    visit = Visit(request)
    visit.check_change()
    visit.house.limits.check(Limits.OPENINGS, visit.client)
    fields = dict(await visit.form())
    try:
        settings = _settings(fields)
        me = visit.person.id
        seats = [fields.get(f"seat{seat + 1}", "") for seat in range(settings.rules.players)]
        decisions = [
            partial(commands.seat_bot, person=me, seat=seat, bot=bot) for seat, bot in enumerate(seats) if seat and bot
        ]
        name = commands.checked_name(fields.get("name") or visit.name)
        table = await visit.house.tables.open(settings, me, name, *decisions)
    except TamayaError as problem:
        return _form(visit, fields, visit.speak(problem.message), 400)
    visit.remember(msgspec.structs.replace(visit.person, name=name) if fields.get("name") else visit.person)
    return visit.redirect(f"/t/{table.code}")


def _settings(fields: dict[str, str]) -> Settings:
    edition = find_edition(fields.get("edition", "standard"))
    players = form_number(fields, "players")
    variants = tuple(dict.fromkeys(find_variant(name, edition).name for name in fields.get("variant", "").split()))
    own = {name: read_setting(name, fields[name]) for name in OWN_SETTINGS if fields.get(name)}
    starter = fields.get("starter", Starter.RANDOM)
    if starter not in (*Starter, *(str(seat + 1) for seat in range(players))):
        raise _no_such_choice()
    try:
        return Settings(
            rules_text=str(edition.rules(players, variants, **own)),
            edition_name=edition.name,
            variants=variants,
            talk=Talk(fields.get("talk", Talk.REMARKS)),
            memory=Memory(fields.get("memory", Memory.RULED_OUT)),
            watching=Watching(fields.get("watching", Watching.TABLE)),
            starter=str(starter),
            listed=fields.get("listed") == "yes",
        )
    except TamayaError:
        raise
    except ValueError:
        raise _no_such_choice() from None


def _no_such_choice() -> MalformedError:
    return MalformedError("bad_form", say("There is no such choice; go back and choose again."))
