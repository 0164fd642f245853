"""The replay of a game: any moment of it at an address of its own, what other moves would have led to, and playing on from
there. While the game goes on, one's own look back at it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tamaya.engine import View
from tamaya.record import hanab_live
from tamaya.review import FactMark
from tamaya.rules import VARIANTS, IllegalError, MalformedError, Message, RecordError, Rules, say, say_n
from tamaya.table import Origin, Phase, SpectatorMode, Table, continue_from
from tamaya.table.names import available_name
from tamaya.web.context import Visit, form_number
from tamaya.web.http.rate_limits import Limits
from tamaya.web.rendering.templates import draw
from tamaya.web.replay.location import Place, place_of, read_actions
from tamaya.web.replay.panel import DrawnReview, GameReview, draw_review, review_of
from tamaya.web.table import board
from tamaya.web.table.components import ReplayFrame
from tamaya.web.table.snapshot import Moment, past_moment, tried_moment


@dataclass(frozen=True, slots=True)
class ReplayControls:
    """How one goes through a replay; `last` says whether this is the last turn, `now` whether the game still goes on."""

    place: Place
    last: bool
    now: bool
    names: tuple[str, ...]
    marks: tuple[FactMark, ...]
    problem: Message | None
    verdict: Markup
    strip: Markup
    onward: str

    @property
    def next_mark(self) -> int | None:
        """The next turn with a mark, as far as the reader has been."""
        return next((mark.turn for mark in self.marks if mark.turn > self.place.turn), None)

    @property
    def step(self) -> Message:
        """Where one is."""
        if self.place.yourself and not self.place.then:
            return say("Turn {turn}: what would you do?", turn=self.place.turn + 1)
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
    coach: Markup
    story: Markup


async def replay(request: Request) -> Response:
    """A moment of a game; for a page that asks, that part alone."""
    visit = Visit(request)
    table = await visit.past_table()
    place = place_of(visit, table)
    visit.check_limit(Limits.STEPS, table)
    if place.trying:
        visit.check_costly(table)
    if visit.from_page:
        return HTMLResponse(draw_place(visit, table, place, await review_of(visit, table, place)))
    return await replay_page(visit, table, place)


async def coach_begins(request: Request) -> Response:
    """Set the coach to work on a game that is over; the page then shows how far it is."""
    visit = Visit(request)
    visit.check_change()
    table = await visit.past_table()
    table.past()
    place, reviews = place_of(visit, table), visit.house.reviews
    if not (await reviews.coached(table)).requested:
        visit.check_limit(Limits.SEARCHES)
        if not (await reviews.coaching(table)).requested:
            raise IllegalError("too_busy", say("The coach has too much to do just now; ask again in a few minutes."))
    if visit.from_page:
        return HTMLResponse(draw_place(visit, table, place, await review_of(visit, table, place)))
    return visit.redirect(place.link)


async def replay_page(visit: Visit, table: Table, place: Place, template: str = "replay.html", **more: Any) -> Response:
    """The whole page at a place of a replay."""
    return visit.page(
        template,
        table=table,
        variants=[VARIANTS[name] for name in table.settings.variants],
        drawn=draw_place(visit, table, place, await review_of(visit, table, place)),
        **more,
    )


async def possibilities(request: Request) -> Response:
    """What the cards of a hand could be at a moment."""
    visit = Visit(request)
    table = await visit.past_table()
    visit.check_costly(table)
    seat = form_number(request.query_params, "seat")
    moment = _moment(visit, table, place_of(visit, table))
    if seat >= len(table.seats):
        raise MalformedError("unknown_seat", say("The seats of this table go from 1 to {players}.", players=len(table.seats)))
    return visit.page("possibilities.html", possibilities=board.possibilities(moment, seat, visit.language))


async def play_on_from(request: Request) -> Response:
    """Open a table at which the game goes on from a moment of it."""
    visit = Visit(request)
    visit.check_change()
    visit.check_opening()
    table = await visit.past_table()
    fields = await visit.form()
    then = read_actions(fields["then"].split("|") if fields.get("then") else ())
    turn = min(form_number(fields, "turn"), table.past().turns)
    name = available_name(visit.name, [seat.name for seat in table.seats if seat.bot])
    opened = await visit.house.tables.begin(continue_from(table, visit.person.id, name, turn, then))
    visit.remember(visit.person)
    return visit.redirect(f"/t/{opened.code}")


def draw_place(visit: Visit, table: Table, place: Place, review: GameReview | None) -> Markup:
    """The board at a place of a replay, with its controls and what is known of the game as far as the reader has been."""
    moment, playing = _moment(visit, table, place), table.phase is Phase.PLAYING
    drawn = draw_review(visit, table, place, review) if review else DrawnReview()
    controls = ReplayControls(
        place=place,
        last=place.turn == table.turn,
        now=playing,
        names=moment.names,
        marks=drawn.marks,
        problem=table.problem if place.seen == table.turn or visit.person.id == table.host else None,
        verdict=drawn.verdict,
        strip=drawn.strip,
        onward=drawn.onward,
    )
    told = drawn.now, drawn.coach, drawn.story
    more = ReplayMore(place, playing, _forms(table.settings.rules), table.settings.origin, *told)
    frame = ReplayFrame(draw(controls, visit.language), draw(more, visit.language), place.fields)
    moment = replace(moment, verdicts=drawn.verdicts)
    return board.draw_board(moment, visit.language, board.draw_side(moment, visit.language), frame)


def _moment(visit: Visit, table: Table, place: Place) -> Moment:
    person, view = visit.person.id, _view(visit, table, place)
    if place.trying:
        eyes = place.eyes if place.yourself else SpectatorMode.HANDS
        return tried_moment(table, person, view, place.turn, table.past().what_if_meanings(place.turn, place.then, eyes))
    playing = table.phase is Phase.PLAYING
    return past_moment(table, person, view, {} if playing else table.past().meanings(place.eyes))


def _view(visit: Visit, table: Table, place: Place) -> View:
    """What the eyes of a place see there."""
    if place.trying:
        seat = place.eyes if place.yourself and isinstance(place.eyes, int) else None
        return table.past().what_if(place.turn, place.then, seat)
    if table.phase is Phase.PLAYING:
        return table.earlier_view_for(visit.person.id, place.turn)
    return table.past().view(place.turn, place.eyes)


def _forms(rules: Rules) -> tuple[str, ...]:
    """In which forms a game by these rules can be taken: Hanab Live does not have all of them, and a link tells no options."""
    try:
        hanab_live.variant_of(rules)
    except RecordError:
        return ("tamaya",)
    return ("tamaya", "hanab-live") if hanab_live.options_of(rules) else ("tamaya", "hanab-live", "link")
