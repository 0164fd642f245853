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
from tamaya.web.games.filters import PLAYERS, STATES, address, chosen_words, fields_of, read_filter, read_page
from tamaya.web.games.score_plot import score_plot
from tamaya.web.http.rate_limits import RateLimiter

MARKS: Mapping[GameKind, Message] = {
    GameKind.LESSON: say("guided first deal"),
    GameKind.PLAYED_ON: say_in("game", "played on from another"),
    GameKind.BROUGHT: say_in("game", "from elsewhere"),
}
"""What a list says of games that are not counted."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as its line says it: where it is, with whom, when it ended or was last touched, by which edition and how far it
    has come. It `waits` if it is the reader's turn, and says if players were `advised`."""

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
    """The line of a game in the list of one of its people."""
    over, progress = game.phase is Phase.ENDED, game.progress
    return GameRow(
        code=game.code,
        address=f"/t/{game.code}/replay" if over else f"/t/{game.code}",
        names=tuple(name for name in game.names if name and name != own_name(game, person)) or game.names[:1],
        when=game.updated_at if game.ended is None else game.ended,
        edition=EDITIONS[game.edition].title,
        how_far=_how_far(game, person),
        mark=MARKS.get(game.kind),
        over=over,
        waits=is_waiting(game, person),
        advised=progress is not None and progress.advised > 0,
        perfect=over and progress is not None and progress.perfect and game.kind is not GameKind.BROUGHT,
    )


def own_name(game: TableSummary, person: str) -> str:
    """What a person is called in a game, as far as it is known."""
    return dict(zip(game.player_ids, game.player_names, strict=False)).get(person, "")


def is_waiting(game: TableSummary, person: str) -> bool:
    """Whether a game goes on and it is the person's turn."""
    return game.phase is Phase.PLAYING and game.progress is not None and game.progress.person == person


def _how_far(game: TableSummary, person: str) -> Message:
    if game.phase is Phase.OPEN:
        return say("waiting for players") if "" in game.names else say("about to start")
    if game.phase is Phase.PLAYING:
        if game.progress is None:
            return say_in("game", "goes on")
        return say("Your turn") if is_waiting(game, person) else say("{player}'s turn", player=game.progress.turn_of)
    if game.kind is GameKind.BROUGHT:
        return say("Replay")  # whoever brought it may not have seen how it ends
    if game.progress is None:
        return say_in("game", "over")
    return say("Lost") if game.progress.lost else say_n("{n} point", "{n} points", game.progress.points)


A_PAGE = 25
"""How many games a page shows."""
FILE = "tamaya-games.jsonl"


@dataclass(frozen=True, slots=True)
class CountedGames:
    """A line of a small table: which games, the address that shows them alone, and what they came to."""

    words: Message
    address: str
    count: GameCount


async def my_games(request: Request) -> Response:
    """All games of the person that are wanted, page by page, and what they came to."""
    ctx = RequestContext(request)
    ctx.limit_expensive()
    wanted, page = read_filter(request.query_params), read_page(request.query_params)
    store, me = ctx.services.tables.store, ctx.profile.id
    listed = await store.tables_of(me, wanted, A_PAGE, (page - 1) * A_PAGE)
    summary = await store.summary_of(me, wanted)
    partners = await store.partners_of(me)
    fields = fields_of(wanted)
    first = (page - 1) * A_PAGE + 1
    return ctx.page(
        "games.html",
        rows=[game_row(game, me) for game in listed],
        summary=summary,
        plot=score_plot(summary),
        counted=_counted(summary, fields),
        wanted=wanted,
        fields=fields,
        states={words: address(fields, state=state) for state, words in STATES.items()},
        state=STATES[wanted.state],
        chosen={words: address(fields, **{name: ""}) for name, words in chosen_words(wanted, ctx.language).items()},
        editions=EDITIONS,
        players=PLAYERS,
        partners=[one.name for one in partners if one.name],
        bots=[teammate_of(one.bot) for one in partners if one.bot],
        first=first,
        last=first + len(listed) - 1,
        previous=address(fields, page=page - 1 if page > 2 else "") if page > 1 else "",
        following=address(fields, page=page + 1) if first + A_PAGE <= summary.found else "",
    )


def _counted(summary: GameStats, fields: dict[str, str]) -> dict[Message, list[CountedGames]]:
    """The small tables by what they are called, each as long as there is more than one line to compare."""
    found = {
        say("By edition"): [
            CountedGames(EDITIONS[name].title, address(fields, edition=name), count)
            for name, count in summary.by_edition.items()
        ],
        say("By number of players"): [
            CountedGames(say_n("{n} player", "{n} players", players), address(fields, players=players), count)
            for players, count in summary.by_players.items()
        ],
        say("By teammate"): [
            CountedGames(_called(one), address(fields, partner=one.name, bot=one.bot), count)
            for one, count in summary.by_partner.items()
        ],
    }
    return {words: lines for words, lines in found.items() if lines}


def _called(partner: Partner) -> Message:
    return teammate_of(partner.bot).mark if partner.bot else quote(partner.name)


async def export(request: Request) -> Response:
    """Every ended game of the person as a record, one a line. They are read while they are sent: ten thousand fill nothing."""
    ctx = RequestContext(request)
    ctx.check_limit(RateLimiter.EXPORTS)
    kind, headers = "application/x-ndjson", {"content-disposition": f'attachment; filename="{FILE}"'}
    if request.method == "HEAD":
        return Response(media_type=kind, headers=headers)
    return StreamingResponse(_lines(ctx), media_type=kind, headers=headers)


async def _lines(ctx: RequestContext) -> AsyncIterator[str]:
    async for record in ctx.services.tables.records_of(ctx.profile.id):
        yield json.dumps(native.to_json(record), ensure_ascii=False) + "\n"


async def ask_to_delete(request: Request) -> Response:
    """Say what it means to delete a game, or all of them, before anybody does it."""
    ctx = RequestContext(request)
    me, code = ctx.profile.id, request.query_params.get("code", "")
    if code:
        table = await ctx.find_table(code)
        commands.remove_game(table, me)
        meaning = _meaning(table, me)
        return ctx.page("delete_games.html", code=table.code, names=table.names, result=_result(table), meaning=meaning)
    over = len(await ctx.services.tables.store.finished_codes(me))
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
    """Delete a game, or all of them, from the person's own."""
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
