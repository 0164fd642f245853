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
"""What an address calls the last turn, whose number would tell how long the game was."""
AS_PLAYER = "yourself"
"""What an address says where one tries a move with no more than its player knew."""
MAX_TRIED_MOVES = 100


@dataclass(frozen=True, slots=True)
class ReplayLocation:
    """Where in a replay somebody is: after how many turns, through whose eyes, and how far they have been (nothing later is
    sent to them). Whoever is `trying` other moves has come here by those of `then`, and sees every hand; whoever tries
    `yourself` decides for the player to move and sees what that player saw."""

    code: str
    turn: int
    eyes: Viewpoint
    seen_until: int
    trying: bool = False
    tried_moves: tuple[Action, ...] = ()
    as_player: bool = False

    @property
    def eyes_word(self) -> str:
        """The eyes as an address names them: a seat from 1, or what a spectator sees."""
        return str(self.eyes + 1) if isinstance(self.eyes, int) else self.eyes.value

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What an address says of this place."""
        trying = (
            [("try", AS_PLAYER if self.as_player else "yes"), *(("then", str(action)) for action in self.tried_moves)]
            if self.trying
            else []
        )
        return (("turn", str(self.turn)), ("eyes", self.eyes_word), *trying)

    @property
    def query(self) -> str:
        """What comes behind the question mark in the address of this place."""
        return urlencode(self.fields)

    @property
    def link(self) -> str:
        """The address of this place."""
        return f"/t/{self.code}/replay?{self.query}"

    def at(self, turn: int | str) -> str:
        """The address of another turn, which may be the end."""
        return f"/t/{self.code}/replay?{urlencode({'turn': turn, 'eyes': self.eyes_word})}"

    def after(self, turn: int, then: tuple[Action, ...]) -> str:
        """The address of what these actions after a turn lead to."""
        return replace(self, turn=turn, trying=True, tried_moves=then, as_player=False).link

    def as_player_at(self, turn: int, seat: int) -> str:
        """The address at which one decides for the player at a seat after a turn."""
        return replace(self, turn=turn, eyes=seat, trying=True, tried_moves=(), as_player=True).link


def location_of(ctx: RequestContext, table: Table, query: QueryParams | None = None) -> ReplayLocation:
    """Where an address leads, by itself that of the visit: without a turn, to the end for whoever has been there, else to the
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
    """A turn of the game; one after its end is the last, as its number must not tell how long the game was."""
    text = query.get(name, "")
    found = last if text == END else read_number(text, 5)
    if found is None and text:
        raise MalformedError("bad_turn", say("A turn is a whole number or “{end}”, not “{text}”.", end=END, text=text[:20]))
    return usual if found is None else min(found, last)


def _eyes(table: Table, own: int | None, word: str) -> Viewpoint:
    """The eyes that an address names; while the game goes on, one's own and no others."""
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
    """Actions of an address or a form."""
    if len(texts) > MAX_TRIED_MOVES:
        raise MalformedError("too_many", say("At most {most} moves can be tried.", most=MAX_TRIED_MOVES))
    return tuple(map(read_action, texts))
