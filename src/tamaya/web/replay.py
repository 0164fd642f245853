"""The replay of a game: any moment of it at an address of its own, what other moves would have led to, and playing on from
there. While the game goes on, one's own look back at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tamaya.engine import View
from tamaya.record import hanablive
from tamaya.review import FactMark, GameFacts
from tamaya.rules import (
    VARIANTS,
    Action,
    IllegalError,
    MalformedError,
    Message,
    RecordError,
    Rules,
    read_action,
    read_number,
    say,
    say_n,
)
from tamaya.table import Onlooker, Origin, Phase, Table, Watching, play_on
from tamaya.web import board
from tamaya.web.facts import draw_now, draw_search, draw_story
from tamaya.web.guards import Limits
from tamaya.web.lobby import free_name
from tamaya.web.moment import Moment, past_moment, tried_moment
from tamaya.web.pages import draw
from tamaya.web.parts import ReplayFrame
from tamaya.web.reviews import WinSearch
from tamaya.web.visit import Visit, form_number

END = "end"
"""What an address calls the last turn, whose number would tell how long the game was."""
MOST_TRIED = 100


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a replay somebody is: after how many turns, through whose eyes, and how far they have been (nothing later is
    sent to them). Whoever is `trying` other moves has come here by those of `then`, and sees every hand."""

    code: str
    turn: int
    eyes: Onlooker
    seen: int
    trying: bool = False
    then: tuple[Action, ...] = ()

    @property
    def eyes_word(self) -> str:
        """The eyes as an address names them: a seat from 1, or what a spectator sees."""
        return str(self.eyes + 1) if isinstance(self.eyes, int) else self.eyes.value

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What an address says of this place."""
        trying = [("try", "yes"), *(("then", str(action)) for action in self.then)] if self.trying else []
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
        return replace(self, turn=turn, trying=True, then=then).link


@dataclass(frozen=True, slots=True)
class ReplayControls:
    """How one goes through a replay; `last` says whether this is the last turn, `now` whether the game still goes on."""

    place: Place
    last: bool
    now: bool
    names: tuple[str, ...]
    marks: tuple[FactMark, ...]
    problem: Message | None

    @property
    def next_mark(self) -> int | None:
        """The next turn with a mark, as far as the reader has been."""
        return next((mark.turn for mark in self.marks if mark.turn > self.place.turn), None)

    @property
    def step(self) -> Message:
        """Where one is."""
        if self.place.trying and not self.place.then:
            return say("Turn {turn}: try any move.", turn=self.place.turn)
        if self.place.trying:
            return say_n("{n} move tried after turn {turn}", "{n} moves tried after turn {turn}", len(self.place.then),
                         turn=self.place.turn)  # fmt: skip
        return say("Turn {turn}", turn=self.place.turn)

    @property
    def undone(self) -> str:
        """Where one is without the last move that was tried."""
        return replace(self.place, then=self.place.then[:-1]).link

    @property
    def tried(self) -> str:
        """Where one tries other moves."""
        return replace(self.place, trying=True).link


@dataclass(frozen=True, slots=True)
class ReplayMore:
    """What else one can do with a game that is looked at; `forms` are those that can express its record."""

    place: Place
    now: bool
    forms: tuple[str, ...]
    origin: Origin | None
    facts: Markup
    story: Markup


async def replay(request: Request) -> Response:
    """A moment of a game; for a page that asks, that part alone."""
    visit = Visit(request)
    table = await visit.past_table()
    place = place_of(visit, table)
    visit.house.limits.check(Limits.STEPS, visit.client if visit.is_new else visit.person.id)
    if place.trying:
        visit.check_costly()
    if visit.from_page:
        return HTMLResponse(draw_place(visit, table, place, await _facts_of(visit, table)))
    return await replay_page(visit, table, place)


async def _facts_of(visit: Visit, table: Table) -> GameFacts | None:
    return None if table.phase is Phase.PLAYING else await visit.house.reviews.facts(table)


async def replay_page(visit: Visit, table: Table, place: Place, template: str = "replay.html", **more: Any) -> Response:
    """The whole page at a place of a replay."""
    return visit.page(
        template,
        table=table,
        variants=[VARIANTS[name] for name in table.settings.variants],
        drawn=draw_place(visit, table, place, await _facts_of(visit, table)),
        **more,
    )


async def possibilities(request: Request) -> Response:
    """What the cards of a hand could be at a moment."""
    visit = Visit(request)
    visit.check_costly()
    table = await visit.past_table()
    seat = form_number(request.query_params, "seat")
    moment = _moment(visit, table, place_of(visit, table))
    if seat >= len(table.seats):
        raise MalformedError("unknown_seat", say("The seats of this table go from 1 to {players}.", players=len(table.seats)))
    return visit.page("possibilities.html", possibilities=board.possibilities(moment, seat, visit.language))


async def play_on_from(request: Request) -> Response:
    """Open a table at which the game goes on from a moment of it."""
    visit = Visit(request)
    visit.check_change()
    visit.house.limits.check(Limits.OPENINGS, visit.client)
    table = await visit.past_table()
    fields = await visit.form()
    then = _actions(fields["then"].split("|") if fields.get("then") else ())
    turn = min(form_number(fields, "turn"), table.past().turns)
    name = free_name(visit.name, [seat.name for seat in table.seats if seat.bot])
    opened = await visit.house.tables.begin(play_on(table, visit.person.id, name, turn, then))
    visit.remember(visit.person)
    return visit.redirect(f"/t/{opened.code}")


def draw_place(visit: Visit, table: Table, place: Place, facts: GameFacts | None) -> Markup:
    """The board at a place of a replay, with its controls and the facts of the game as far as the reader has been."""
    moment, playing = _moment(visit, table, place), table.phase is Phase.PLAYING
    controls = ReplayControls(
        place=place,
        last=place.turn == table.turn,
        now=playing,
        names=moment.names,
        marks=facts.until(place.seen).marks if facts else (),
        problem=table.problem if place.seen == table.turn or visit.person.id == table.host else None,
    )
    more = ReplayMore(place, playing, _forms(table.settings.rules), table.settings.origin,
                      *(_facts(visit, table, place, facts) if facts else (Markup(), Markup())))  # fmt: skip
    frame = ReplayFrame(draw(controls, visit.language), draw(more, visit.language), place.fields)
    return board.draw_board(moment, visit.language, board.draw_side(moment, visit.language), frame)


def _facts(visit: Visit, table: Table, place: Place, facts: GameFacts) -> tuple[Markup, Markup]:
    """The facts of the moment and of the game, with what the solver has found out for whoever has seen the end."""
    solver = Markup()
    if place.seen == table.turn:
        solver = draw_solver(table, visit.house.reviews.known(table.record()), place, visit)
    known = facts.until(place.seen)
    reader = table.seat_of(visit.person.id)
    now = draw_now(known, place.turn, place, visit.language, reader)
    return now, draw_story(known, place, visit.language, solver, reader)


def draw_solver(table: Table, search: WinSearch, place: Place, visit: Visit) -> Markup:
    """What the solver says of the game, with links to each move of its line."""
    again = f"/t/{table.code}/replay/solver?{urlencode({'turn': END, 'eyes': place.eyes_word})}"
    return draw_search(table.record(), search, place, again, visit.language, table.seat_of(visit.person.id))


def place_of(visit: Visit, table: Table, query: QueryParams | None = None) -> Place:
    """Where an address leads, by itself that of the visit: without a turn, to the end for whoever has been there, else to the
    beginning."""
    query = visit.request.query_params if query is None else query
    own, last = table.seat_of(visit.person.id), table.turn
    reached = last if own is not None or table.phase is Phase.PLAYING else min(_number(query, "seen", 0, last), last)
    turn = _number(query, "turn", last if own is not None else 0, last)
    then = _actions([*query.getlist("then"), *query.getlist("move")])
    trying = bool(then) or "try" in query
    return Place(table.code, turn, _eyes(table, own, query.get("eyes", "")), max(turn, reached), trying, then)


def _number(query: Mapping[str, str], name: str, usual: int, last: int) -> int:
    """A turn of the game; one after its end is the last, as its number must not tell how long the game was."""
    text = query.get(name, "")
    found = last if text == END else read_number(text, 5)
    if found is None and text:
        raise MalformedError("bad_turn", say("A turn is a whole number or “{end}”, not “{text}”.", end=END, text=text[:20]))
    return usual if found is None else min(found, last)


def _eyes(table: Table, own: int | None, word: str) -> Onlooker:
    """The eyes that an address names; while the game goes on, one's own and no others."""
    running = table.phase is Phase.PLAYING
    sees_hands = not running or table.settings.watching is Watching.HANDS
    usual = own if own is not None else Watching.HANDS if sees_hands else Watching.TABLE
    seats = {str(seat + 1): seat for seat in range(len(table.seats))}
    known: dict[str, Onlooker] = {**seats, **{way.value: way for way in (Watching.TABLE, Watching.HANDS)}}
    if word and word not in known:
        raise MalformedError("bad_eyes", say("Nobody has these eyes; choose one of {known}.", known=tuple(known)))
    eyes = known.get(word, usual)
    if running and eyes != usual:
        raise IllegalError("own_eyes", say("While the game goes on, you look back with your own eyes."))
    return eyes


def _actions(texts: Sequence[str]) -> tuple[Action, ...]:
    if len(texts) > MOST_TRIED:
        raise MalformedError("too_many", say("At most {most} moves can be tried.", most=MOST_TRIED))
    return tuple(map(read_action, texts))


def _moment(visit: Visit, table: Table, place: Place) -> Moment:
    person, view = visit.person.id, _view(visit, table, place)
    if place.trying:
        return tried_moment(table, person, view, place.turn, table.past().supposed_meanings(place.turn, place.then))
    playing = table.phase is Phase.PLAYING
    return past_moment(table, person, view, {} if playing else table.past().meanings(place.eyes))


def _view(visit: Visit, table: Table, place: Place) -> View:
    """What the eyes of a place see there."""
    if place.trying:
        return table.past().suppose(place.turn, place.then)
    if table.phase is Phase.PLAYING:
        return table.earlier_view_for(visit.person.id, place.turn)
    return table.past().view(place.turn, place.eyes)


def _forms(rules: Rules) -> tuple[str, ...]:
    """In which forms a game by these rules can be taken: Hanab Live does not have all of them, and a link tells no options."""
    try:
        hanablive.variant_of(rules)
    except RecordError:
        return ("tamaya",)
    return ("tamaya", "hanab-live") if hanablive.options_of(rules) else ("tamaya", "hanab-live", "link")
