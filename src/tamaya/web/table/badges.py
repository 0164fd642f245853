"""Player badges: you, away, thinks, a bot plays; and the offer to hand a seat to a bot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from markupsafe import Markup

from tamaya.rules import Message, say, say_in
from tamaya.table import Phase, Table
from tamaya.web.rendering.cache import placeholder
from tamaya.web.rendering.templates import render_cached
from tamaya.web.table.snapshot import GameSnapshot, Player, players_at

COMPILE_NOTICE = "cold"
"""The gap for which bots are not ready yet."""


@dataclass(frozen=True, slots=True)
class PlayerBadges:
    """What stands beside a name: the teammate who holds the hand, if that is no person, small words, and the change of who
    plays there that is open to the reader."""

    seat: int
    bot: str
    marks: tuple[Message, ...]
    offer: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class CompileNotice:
    """Which bots cannot think ahead yet."""

    words: tuple[Message, ...]


@cache
def badge_placeholder(seat: int) -> Markup:
    """Where it stands."""
    return placeholder(_name(seat))


def _name(seat: int) -> str:
    return f"beside-{seat}"


def badges_html(snapshot: GameSnapshot, language: str, picture: bool = False) -> dict[str, Markup]:
    """What goes into the gaps of a moment's board. In a `picture`, nothing is said of the reader's own hand: its name does."""
    code = snapshot.table.code if snapshot.live and not snapshot.ended else None
    besides: Iterable[PlayerBadges] = _badges(snapshot.players, snapshot.seat, snapshot.view.to_move, code)
    if picture:
        besides = (replace(one, marks=()) if one.seat == snapshot.eyes else one for one in besides)
    return _html(besides, snapshot.compile_notices, language)


def live_badges_html(
    table: Table, seat: int | None, away: frozenset[str], cold: tuple[Message, ...], language: str
) -> dict[str, Markup]:
    """The same of a table as it is now, for the reader at a seat."""
    code = table.code if table.phase is Phase.PLAYING else None
    return _html(_badges(players_at(table, away), seat, table.to_move, code), cold, language)


def _html(besides: Iterable[PlayerBadges], cold: tuple[Message, ...], language: str) -> dict[str, Markup]:
    drawn = {_name(beside.seat): render_cached(beside, language) for beside in besides}
    return drawn | {COMPILE_NOTICE: render_cached(CompileNotice(cold), language)}


def _badges(players: Sequence[Player], reader: int | None, to_move: int | None, code: str | None) -> Iterator[PlayerBadges]:
    """What stands beside each name; with the `code` of its table, where somebody else may take a place."""
    for seat, player in enumerate(players):
        offer = "" if code is None or reader is None else _offer(player, seat == reader)
        bot = "" if player.stands_in else player.bot
        yield PlayerBadges(
            seat, bot, tuple(_marks(player, seat == reader, seat == to_move)), offer, (code or "") if offer else ""
        )


def _marks(player: Player, is_reader: bool, turn: bool) -> Iterator[Message]:
    """The small words."""
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
    """Whether a reader with a seat can hand this place to a bot, or take it back."""
    if is_reader:
        return "give-back" if player.bot else ""
    return "take-over" if player.away and not player.bot else ""
