"""My games: the list, its statistics, export and deletion."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tamaya.record import native
from tamaya.rules import EDITIONS, MalformedError, Message, say, say_in, say_n
from tamaya.rules.message import quote
from tamaya.table import GameCount, GameKind, GameStats, Partner, Phase, Table, TableSummary, commands
from tamaya.web.bot_profiles import teammate_of
from tamaya.web.context import RequestContext
from tamaya.web.games.filters import PLAYERS, STATES, filter_fields, filter_words, games_address, read_filter, read_page
from tamaya.web.games.score_plot import score_plot
from tamaya.web.http.rate_limits import RateLimiter

KIND_MARKS: Mapping[GameKind, Message] = {
    GameKind.LESSON: say("guided first deal"),
    GameKind.PLAYED_ON: say_in("game", "played on from another"),
    GameKind.BROUGHT: say_in("game", "from elsewhere"),
}
"""Labels of games that do not count in the statistics."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in the list. It `waits` if it is the viewer's turn; `advised` says that players took advice."""

    code: str
    address: str
    names: tuple[str, ...]
    when: float
    edition: Message
    how_far: Message
    mark: Message | None = None
    over: bool = False
    waits: bool = False
    perfect: bool = False
    advised: bool = False


def game_row(game: TableSummary, person: str) -> GameRow:
    """A game in the list of one of its people."""
    over, progress = game.phase is Phase.ENDED, game.progress
    return GameRow(
        code=game.code,
        address=f"/t/{game.code}/replay" if over else f"/t/{game.code}",
        names=tuple(name for name in game.names if name and name != own_name(game, person)) or game.names[:1],
        when=game.updated_at if game.ended is None else game.ended,
        edition=EDITIONS[game.edition].title,
        how_far=_progress_words(game, person),
        mark=KIND_MARKS.get(game.kind),
        over=over,
        waits=is_waiting(game, person),
        advised=progress is not None and progress.advised > 0,
        perfect=over and progress is not None and progress.perfect and game.kind is not GameKind.BROUGHT,
    )


def own_name(game: TableSummary, person: str) -> str:
    """A person's name in a game, if known."""
    return dict(zip(game.player_ids, game.player_names, strict=False)).get(person, "")


def is_waiting(game: TableSummary, person: str) -> bool:
    """Whether a game goes on and it is the person's turn."""
    return game.phase is Phase.PLAYING and game.progress is not None and game.progress.person == person


def _progress_words(game: TableSummary, person: str) -> Message:
    if game.phase is Phase.OPEN:
        return say("waiting for players") if "" in game.names else say("about to start")
    if game.phase is Phase.PLAYING:
        if game.progress is None:
            return say_in("game", "goes on")
        return say("Your turn") if is_waiting(game, person) else say("{player}'s turn", player=game.progress.turn_of)
    if game.kind is GameKind.BROUGHT:
        return say("Replay")  # the person who imported it may not have seen the end
    if game.progress is None:
        return say_in("game", "over")
    return say("Lost") if game.progress.lost else say_n("{n} point", "{n} points", game.progress.points)


PAGE_SIZE = 25
"""Games per page."""
EXPORT_FILE = "tamaya-games.jsonl"


@dataclass(frozen=True, slots=True)
class CountedGames:
    """A line of a statistics table: the games, the address that lists them, and their results."""

    words: Message
    address: str
    count: GameCount


async def my_games(request: Request) -> Response:
    """A page of the person's games that match the filter, with statistics."""
    ctx = RequestContext(request)
    ctx.limit_expensive()
    wanted, page = read_filter(request.query_params), read_page(request.query_params)
    store, me = ctx.services.store, ctx.profile.id
    games = await store.tables_of(me, wanted, PAGE_SIZE, (page - 1) * PAGE_SIZE)
    summary = await store.summary_of(me, wanted)
    partners = await store.partners_of(me)
    fields = filter_fields(wanted)
    first = (page - 1) * PAGE_SIZE + 1
    return ctx.page(
        "games.html",
        rows=[game_row(game, me) for game in games],
        summary=summary,
        plot=score_plot(summary),
        counted=_counted(summary, fields),
        wanted=wanted,
        fields=fields,
        states={words: games_address(fields, state=state) for state, words in STATES.items()},
        state=STATES[wanted.state],
        chosen={words: games_address(fields, **{name: ""}) for name, words in filter_words(wanted, ctx.language).items()},
        editions=EDITIONS,
        players=PLAYERS,
        partners=[one.name for one in partners if one.name],
        bots=[teammate_of(one.bot) for one in partners if one.bot],
        first=first,
        last=first + len(games) - 1,
        previous=games_address(fields, page=page - 1 if page > 2 else "") if page > 1 else "",
        following=games_address(fields, page=page + 1) if first + PAGE_SIZE <= summary.found else "",
    )


def _counted(summary: GameStats, fields: dict[str, str]) -> dict[Message, list[CountedGames]]:
    """The statistics tables by title; those without lines are left out."""
    tables = {
        say("By edition"): [
            CountedGames(EDITIONS[name].title, games_address(fields, edition=name), count)
            for name, count in summary.by_edition.items()
        ],
        say("By number of players"): [
            CountedGames(say_n("{n} player", "{n} players", players), games_address(fields, players=players), count)
            for players, count in summary.by_players.items()
        ],
        say("By teammate"): [
            CountedGames(_partner_name(one), games_address(fields, partner=one.name, bot=one.bot), count)
            for one, count in summary.by_partner.items()
        ],
    }
    return {words: lines for words, lines in tables.items() if lines}


def _partner_name(partner: Partner) -> Message:
    return teammate_of(partner.bot).mark if partner.bot else quote(partner.name)


async def export(request: Request) -> Response:
    """Stream every ended game of the person as a record, one a line."""
    ctx = RequestContext(request)
    ctx.check_limit(RateLimiter.EXPORTS)
    kind, headers = "application/x-ndjson", {"content-disposition": f'attachment; filename="{EXPORT_FILE}"'}
    if request.method == "HEAD":
        return Response(media_type=kind, headers=headers)
    return StreamingResponse(_exported_lines(ctx), media_type=kind, headers=headers)


async def _exported_lines(ctx: RequestContext) -> AsyncIterator[str]:
    async for record in ctx.services.tables.records_of(ctx.profile.id):
        yield json.dumps(native.to_json(record), ensure_ascii=False) + "\n"


async def ask_to_delete(request: Request) -> Response:
    """Explain what deleting means, before it is done."""
    ctx = RequestContext(request)
    me, code = ctx.profile.id, request.query_params.get("code", "")
    if code:
        table = await ctx.find_table(code)
        commands.remove_game(table, me)
        meaning = _meaning(table, me)
        return ctx.page("delete_games.html", code=table.code, names=table.names, result=_result(table), meaning=meaning)
    over = len(await ctx.services.store.finished_codes(me))
    return ctx.page("delete_games.html", code="", over=over, meaning=_MEANING_OF_ALL)


_FOR_GOOD = say("Nobody can bring it back.")
_MEANING_OF_ALL = (
    say("Games in which other people played stay with them, and your name stays there as it was."),
    say("All others are deleted with their replays, and their links lead nowhere. Unfinished games stay."),
    say("Nobody can bring back what is deleted."),
)


def _meaning(table: Table, person: str) -> tuple[Message, ...]:
    others = tuple(seat.name for seat in table.seats if seat.person not in ("", person))
    if others:
        keeping = say(
            "It will no longer be among your games. It stays with {names}, and your name stays there as it was.", names=others
        )
        return keeping, _FOR_GOOD
    return say("It is yours alone: it is deleted with its replay, and its link leads nowhere."), _FOR_GOOD


def _result(table: Table) -> Message:
    return say("Lost") if table.lost else say_n("{n} point", "{n} points", table.points)


async def delete(request: Request) -> Response:
    """Delete one game, or all, from the person's list."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    fields = await ctx.form()
    if fields.get("all") == "yes":
        await ctx.services.tables.remove_all_games(ctx.profile.id)
    elif fields.get("code"):
        await ctx.services.tables.remove_game((await ctx.find_table(fields["code"])).code, ctx.profile.id)
    else:
        raise MalformedError("bad_form", say("Say which game is to be deleted; go back and choose one."))
    return ctx.redirect("/games")
