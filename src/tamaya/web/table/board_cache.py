"""Rendered boards with the players' badges filled in, cached per table and viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from tamaya.rules import Message, say, say_in
from tamaya.table import Phase, Table
from tamaya.web.context import Viewer
from tamaya.web.rendering.cache import BOARD_CACHE_SIZE, RENDER_CACHE, PlaceholderHtml, RenderCache, text_size
from tamaya.web.rendering.templates import render_cached
from tamaya.web.table.board import (
    COMPILE_NOTICE,
    badges_placeholder_name,
    illustration_with_placeholders,
    render_discards_and_chat,
    render_with_placeholders,
)
from tamaya.web.table.components import CompileNotice, PlayerBadges, ReplayFrame
from tamaya.web.table.lobby import render_lobby
from tamaya.web.table.log import render_log
from tamaya.web.table.snapshot import GameSnapshot, Player, ShownAdvice, live_snapshot, players_at


def render_board(snapshot: GameSnapshot, language: str, replay: ReplayFrame | None = None) -> Markup:
    """The board of a moment, in a replay or not."""
    side = render_side(snapshot, language)
    return Markup(render_with_placeholders(snapshot, language, side, replay).fill(badges_html(snapshot, language)).text)


def render_side(snapshot: GameSnapshot, language: str) -> Markup:
    """The part beside the board: log, discard pile and chat."""
    return Markup("".join((render_log(snapshot, language), render_discards_and_chat(snapshot, language))))


def render_illustration(snapshot: GameSnapshot, language: str, points: frozenset[int] = frozenset()) -> Markup:
    """A picture of a moment for another page; it points at these cards and tells the moves that led there."""
    html = illustration_with_placeholders(snapshot, language, points)
    return Markup(html.fill(badges_html(snapshot, language, picture=True)).text)


@dataclass(frozen=True, slots=True)
class _CachedBoard:
    """A board with its badges filled in, and what they were filled in from."""

    advice: ShownAdvice | None
    away: frozenset[str]
    notices: tuple[Message, ...]
    html: PlaceholderHtml


class BoardCache:
    """Renders tables. A `Table` never changes, so its HTML holds until the next `Table` replaces it; badges, which change more
    often, are filled into placeholders."""

    def __init__(self, cache: RenderCache | None = None) -> None:
        self._cache = cache or RenderCache(BOARD_CACHE_SIZE)

    @property
    def size(self) -> int:
        """The approximate number of bytes of all cached boards and their parts."""
        return self._cache.size + RENDER_CACHE.size

    def render(self, table: Table, viewer: Viewer, away: frozenset[str], notices: tuple[Message, ...] = ()) -> str:
        """The live part of the page; `away` are the people without an open page."""
        if table.phase is Phase.OPEN:
            return render_lobby(table, viewer, away, notices)
        seat, language, advice = table.seat_of(viewer.person), viewer.language, viewer.advice
        key = "board", table.code, seat, language, viewer.next_discard, viewer.tips_enabled and seat is not None
        cached_board: _CachedBoard | None = self._cache.get_for(table, key)
        if cached_board and cached_board.advice == advice:
            if (cached_board.away, cached_board.notices) == (away, notices):
                return cached_board.html.text
            html = cached_board.html
        else:
            snapshot = live_snapshot(table, viewer.person, away)
            snapshot = replace(
                snapshot, tips_enabled=viewer.tips_enabled, wants_next_discard=viewer.next_discard, advice=advice
            )
            html = render_with_placeholders(snapshot, language, self._side(table, snapshot, language))
        html = html.fill(live_badges_html(table, seat, away, notices, language))
        self._cache.put_for(table, key, _CachedBoard(advice, away, notices, html), text_size(html.text))
        return html.text

    def _side(self, table: Table, snapshot: GameSnapshot, language: str) -> Markup:
        """The viewer's log; discard pile and chat are the same for everyone."""
        key = "side", table.code, language
        side: Markup | None = self._cache.get_for(table, key)
        if side is None:
            side = render_discards_and_chat(snapshot, language)
            self._cache.put_for(table, key, side, text_size(side))
        return Markup("".join((render_log(snapshot, language), side)))


def badges_html(snapshot: GameSnapshot, language: str, picture: bool = False) -> dict[str, Markup]:
    """The HTML for a board's placeholders. In a `picture`, the viewer's own hand has no badge: its name says enough."""
    code = snapshot.table.code if snapshot.live and not snapshot.ended else None
    badges: Iterable[PlayerBadges] = _badges(snapshot.players, snapshot.seat, snapshot.view.to_move, code)
    if picture:
        badges = (replace(one, marks=()) if one.seat == snapshot.eyes else one for one in badges)
    return _render_badges(badges, snapshot.compile_notices, language)


def live_badges_html(
    table: Table, seat: int | None, away: frozenset[str], notices: tuple[Message, ...], language: str
) -> dict[str, Markup]:
    """The same for a live table."""
    code = table.code if table.phase is Phase.PLAYING else None
    return _render_badges(_badges(players_at(table, away), seat, table.to_move, code), notices, language)


def _render_badges(badges: Iterable[PlayerBadges], notices: tuple[Message, ...], language: str) -> dict[str, Markup]:
    html = {badges_placeholder_name(badge.seat): render_cached(badge, language) for badge in badges}
    return html | {COMPILE_NOTICE: render_cached(CompileNotice(notices), language)}


def _badges(players: Sequence[Player], viewer: int | None, to_move: int | None, code: str | None) -> Iterator[PlayerBadges]:
    """The badges of each player; with the `code` of a table, also offers to change who plays."""
    for seat, player in enumerate(players):
        offer = "" if code is None or viewer is None else _offer(player, seat == viewer)
        bot = "" if player.stands_in else player.bot
        yield PlayerBadges(
            seat, bot, tuple(_marks(player, seat == viewer, seat == to_move)), offer, (code or "") if offer else ""
        )


def _marks(player: Player, is_reader: bool, turn: bool) -> Iterator[Message]:
    if is_reader:
        yield say_in("player", "you")
    if player.bot:
        if player.stands_in:
            yield say("a bot plays")
    elif player.away and not is_reader:
        yield say_in("player", "away")
    if turn and not is_reader and (player.bot or not player.away):
        yield say_in("player", "thinks")


def _offer(player: Player, is_reader: bool) -> str:
    """The change that a viewer with a seat can make here: hand the seat to a bot, or take it back."""
    if is_reader:
        return "give-back" if player.bot else ""
    return "take-over" if player.away and not player.bot else ""
