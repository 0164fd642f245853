"""The form for a new table, and what it creates."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tamaya.bots import DEFAULT_BOT, offered_bots
from tamaya.i18n import catalogue
from tamaya.rules import (
    EDITIONS,
    VARIANTS,
    MalformedError,
    Message,
    TamayaError,
    UnavailableError,
    find_edition,
    find_variant,
    say,
)
from tamaya.rules.ruleset import ALLOWED, read_setting
from tamaya.table import AdvicePolicy, ChatPolicy, ClueMemory, Decision, Settings, SpectatorMode, Starter, commands
from tamaya.web.bot_profiles import compile_notice
from tamaya.web.context import RequestContext, form_number
from tamaya.web.site.home import PLAYERS

OWN_SETTINGS = ("empty_clues", "clue_tokens")
"""The settings that the form offers besides editions and variants."""
PRINTED_EDITIONS = tuple(edition for edition in EDITIONS.values() if edition.name != "standard")
"""The editions with a booklet."""
BOOKLETS = {
    name: {edition.name: edition.booklet[name] for edition in PRINTED_EDITIONS if name in edition.booklet} for name in VARIANTS
}
"""The names of each variant in those booklets."""
MAX_SCORES = {name: EDITIONS["standard"].rules(2, [name]).maximum for name in VARIANTS}
"""The best score with each variant."""


class OtherSeats(StrEnum):
    """Who takes the other seats."""

    FRIENDS = "friends"
    BOTS = "bots"
    SOME = "some"

    @property
    def word(self) -> Message:
        """The label of the choice."""
        return {
            OtherSeats.FRIENDS: say("Friends by link"),
            OtherSeats.BOTS: say("Bots"),
            OtherSeats.SOME: say("Some of each"),
        }[self]


DEFAULTS = {
    "players": "3",
    "who": str(OtherSeats.FRIENDS),
    "bots": "1",
    "bot": DEFAULT_BOT,
    "variant": "",
    "empty_clues": "",
    "clue_tokens": "",
    "talk": str(ChatPolicy.REMARKS),
    "memory": str(ClueMemory.RULED_OUT),
    "watching": str(SpectatorMode.TABLE),
    "starter": str(Starter.RANDOM),
    "take_backs": "no",
    "advice": str(AdvicePolicy.ALONE),
    "listed": "no",
}
"""The defaults, except for the edition."""


async def new(request: Request) -> Response:
    """The form, filled in as last time."""
    ctx = RequestContext(request)
    ctx.limit_expensive()
    return _form(ctx, {**dict(parse_qsl(ctx.profile.opened)), **request.query_params})


def _form(ctx: RequestContext, fields: Mapping[str, str], problem: str = "", status: int = 200) -> Response:
    chosen = {"name": "", **_defaults(ctx.language), **fields}
    if chosen["edition"] not in EDITIONS:
        chosen["edition"] = "standard"
    return ctx.page(
        "new.html",
        status,
        chosen=chosen,
        usual=DEFAULTS,
        problem=problem,
        editions=EDITIONS,
        own_titles={edition.name: catalogue(edition.language)(edition.title) for edition in PRINTED_EDITIONS},
        variants=_variants(chosen["edition"]),
        all_variants=VARIANTS,
        wanted=chosen["variant"].split(),
        booklets=BOOKLETS,
        others=OtherSeats,
        talks=ChatPolicy,
        memories=ClueMemory,
        watchings=SpectatorMode,
        advices=AdvicePolicy,
        players=PLAYERS,
        clue_tokens=ALLOWED["clue_tokens"],
        maximum=MAX_SCORES,
        compile_notices=_compile_notices(ctx, chosen),
        points=EDITIONS["standard"].rules(2).maximum,
    )


def _compile_notices(ctx: RequestContext, chosen: Mapping[str, str]) -> dict[str, Message]:
    """The bots that are not compiled yet for the chosen edition and number of players."""
    players = int(chosen["players"]) if chosen["players"] in map(str, PLAYERS) else int(DEFAULTS["players"])
    rules = EDITIONS[chosen["edition"]].rules(players)
    notices = {bot: compile_notice(ctx.services.search_pool, bot, rules) for bot in offered_bots()}
    return {bot: words for bot, words in notices.items() if words}


def _variants(edition: str) -> list[str]:
    """The variants of an edition's own booklet, a gap, and the others."""
    own = [name for name in VARIANTS if name in EDITIONS[edition].booklet]
    return [*own, "", *(name for name in VARIANTS if name not in own)]


def _defaults(language: str) -> dict[str, str]:
    return {"edition": _edition_of(language), **DEFAULTS}


def _edition_of(language: str) -> str:
    """The edition in a language, else the standard one."""
    return next((edition.name for edition in EDITIONS.values() if edition.language == language), "standard")


async def create(request: Request) -> Response:
    """Create the table, or show the form again with the reason. With bots alone and no open question, the game begins at
    once."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    ctx.check_new_table()
    fields = dict(await ctx.form())
    try:
        settings = _settings(fields)
        name = commands.checked_name(fields.get("name") or ctx.name)
        table = await ctx.services.tables.create(settings, ctx.profile.id, name, *_decisions(ctx, fields, settings))
    except TamayaError as problem:
        return _form(ctx, fields, ctx.translate(problem.message), 503 if isinstance(problem, UnavailableError) else 400)
    person = msgspec.structs.replace(ctx.profile, opened=_changed_fields(fields, ctx.language))
    ctx.update_profile(msgspec.structs.replace(person, name=name) if fields.get("name") else person)
    return ctx.redirect(f"/t/{table.code}")


def _changed_fields(fields: Mapping[str, str], language: str) -> str:
    """The fields that differ from the defaults, to remember."""
    return urlencode({name: fields[name] for name, usual in _defaults(language).items() if fields.get(name, usual) != usual})


def _decisions(ctx: RequestContext, fields: Mapping[str, str], settings: Settings) -> list[Decision]:
    """The commands that seat bots and may start the game."""
    players, me = settings.rules.players, ctx.profile.id
    try:
        company = OtherSeats(fields.get("who", OtherSeats.FRIENDS))
    except ValueError:
        raise _no_such_choice() from None
    count_asked = form_number(fields, "bots") if company is OtherSeats.SOME else 0
    count = players - 1 if company is OtherSeats.BOTS else min(count_asked, players - 1)
    bot = fields.get("bot") or DEFAULT_BOT
    decisions: list[Decision] = [partial(commands.seat_bot, person=me, seat=seat, bot=bot) for seat in range(1, count + 1)]
    if company is OtherSeats.BOTS and settings.starter != Starter.CUSTOM:
        chance = ctx.services.tables.runtime
        decisions.append(lambda table: commands.start(table, me, table.settings.first(chance.seat), chance.deal))
    return decisions


def _settings(fields: Mapping[str, str]) -> Settings:
    edition = find_edition(fields.get("edition", "standard"))
    players = form_number(fields, "players")
    names = fields.get("variant", "").split()
    if len(names) > len(VARIANTS):
        raise _no_such_choice()
    variants = tuple(dict.fromkeys(find_variant(name, edition).name for name in names))
    own = {name: read_setting(name, fields[name]) for name in OWN_SETTINGS if fields.get(name)}
    starter = fields.get("starter", Starter.RANDOM)
    if starter not in (*Starter, *(str(seat + 1) for seat in range(players))):
        raise _no_such_choice()
    try:
        return Settings(
            rules_text=str(edition.rules(players, variants, **own)),
            edition_name=edition.name,
            variants=variants,
            talk=ChatPolicy(fields.get("talk", ChatPolicy.REMARKS)),
            memory=ClueMemory(fields.get("memory", ClueMemory.RULED_OUT)),
            watching=SpectatorMode(fields.get("watching", SpectatorMode.TABLE)),
            starter=str(starter),
            take_backs=fields.get("take_backs") == "yes",
            advice=AdvicePolicy(fields.get("advice", AdvicePolicy.ALONE)),
            listed=fields.get("listed") == "yes",
        )
    except TamayaError:
        raise
    except ValueError:
        raise _no_such_choice() from None


def _no_such_choice() -> MalformedError:
    return MalformedError("bad_form", say("There is no such choice; go back and choose again."))
