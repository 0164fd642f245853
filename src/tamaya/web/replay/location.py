"""A location in a replay, as addresses name it: the turn, the point of view, the moves tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from tamaya.rules import Action, IllegalError, MalformedError, read_action, read_number, say
from tamaya.table import Phase, SpectatorMode, Table, Viewpoint
from tamaya.web.context import RequestContext

END = "end"
"""The address's word for the last turn, whose number would tell the length of the game."""
AS_PLAYER = "yourself"
"""The address's word for trying a move with no more than its player knew."""
MAX_TRIED_MOVES = 100


@dataclass(frozen=True, slots=True)
class ReplayLocation:
    """A place in a replay: turn, point of view, and how far the viewer has been (they are sent nothing later).

    While `trying`, the position after `tried_moves`, with every hand visible; `as_player`, the viewer decides for the player to
    move and sees what that player saw.
    """

    code: str
    turn: int
    eyes: Viewpoint
    seen_until: int
    trying: bool = False
    tried_moves: tuple[Action, ...] = ()
    as_player: bool = False

    @property
    def eyes_word(self) -> str:
        """The point of view in an address: a seat from 1, or a spectator's."""
        return str(self.eyes + 1) if isinstance(self.eyes, int) else self.eyes.value

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The query fields of this place."""
        trying = (
            [("try", AS_PLAYER if self.as_player else "yes"), *(("then", str(action)) for action in self.tried_moves)]
            if self.trying
            else []
        )
        return (("turn", str(self.turn)), ("eyes", self.eyes_word), *trying)

    @property
    def query(self) -> str:
        """The query of this place's address."""
        return urlencode(self.fields)

    @property
    def link(self) -> str:
        """The address of this place."""
        return f"/t/{self.code}/replay?{self.query}"

    def at(self, turn: int | str) -> str:
        """The address of another turn, which may be `END`."""
        return f"/t/{self.code}/replay?{urlencode({'turn': turn, 'eyes': self.eyes_word})}"

    def after(self, turn: int, then: tuple[Action, ...]) -> str:
        """The address of the position after a turn and these actions."""
        return replace(self, turn=turn, trying=True, tried_moves=then, as_player=False).link

    def as_player_at(self, turn: int, seat: int) -> str:
        """The address at which the viewer decides for the player at `seat`."""
        return replace(self, turn=turn, eyes=seat, trying=True, tried_moves=(), as_player=True).link


def location_of(ctx: RequestContext, table: Table, query: QueryParams | None = None) -> ReplayLocation:
    """The place that a query names, by default the request's own. Without a turn, players start at the end and others at the
    beginning."""
    query = ctx.request.query_params if query is None else query
    own, last = table.seat_of(ctx.profile.id), table.turn
    reached = last if own is not None or table.phase is Phase.PLAYING else min(_number(query, "seen", 0, last), last)
    turn = _number(query, "turn", last if own is not None else 0, last)
    then = read_actions([*query.getlist("then"), *query.getlist("move")])
    yourself = query.get("try") == AS_PLAYER
    eyes = turn % len(table.seats) if yourself else _eyes(table, own, query.get("eyes", ""))
    return ReplayLocation(table.code, turn, eyes, max(turn, reached), bool(then) or "try" in query, then, yourself)


def _number(query: Mapping[str, str], name: str, usual: int, last: int) -> int:
    """A turn of the game; later ones mean the last, so that an address does not reveal the length of the game."""
    text = query.get(name, "")
    found = last if text == END else read_number(text, 5)
    if found is None and text:
        raise MalformedError("bad_turn", say("A turn is a whole number or “{end}”, not “{text}”.", end=END, text=text[:20]))
    return usual if found is None else min(found, last)


def _eyes(table: Table, own: int | None, word: str) -> Viewpoint:
    """The point of view that an address names; while the game goes on, only the viewer's own."""
    running = table.phase is Phase.PLAYING
    sees_hands = not running or table.settings.watching is SpectatorMode.HANDS
    usual = own if own is not None else SpectatorMode.HANDS if sees_hands else SpectatorMode.TABLE
    seats = {str(seat + 1): seat for seat in range(len(table.seats))}
    known: dict[str, Viewpoint] = {**seats, **{way.value: way for way in (SpectatorMode.TABLE, SpectatorMode.HANDS)}}
    if word and word not in known:
        raise MalformedError("bad_eyes", say("Nobody has these eyes; choose one of {known}.", known=tuple(known)))
    eyes = known.get(word, usual)
    if running and eyes != usual:
        raise IllegalError("own_eyes", say("While the game goes on, you look back with your own eyes."))
    return eyes


def read_actions(texts: Sequence[str]) -> tuple[Action, ...]:
    """Parse the actions of an address or a form."""
    if len(texts) > MAX_TRIED_MOVES:
        raise MalformedError("too_many", say("At most {most} moves can be tried.", most=MAX_TRIED_MOVES))
    return tuple(map(read_action, texts))
