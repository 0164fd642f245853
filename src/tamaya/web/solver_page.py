"""What the solver makes of a game that is over, for a page that asks until it is done."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tamaya.rules import IllegalError, say
from tamaya.web.limits import Limits
from tamaya.web.place import place_of
from tamaya.web.reviewing import draw_solver
from tamaya.web.visit import Visit


async def solver(request: Request) -> Response:
    """How far the solver is, or what it found out; only for somebody who has seen the end of the game."""
    visit = Visit(request)
    table = await visit.past_table()
    visit.check_costly(table)
    record, place = table.record(), place_of(visit, table)
    if place.seen < table.turn:
        raise IllegalError("end_not_seen", say("Look at the end of the game first: what could have been tells how it went."))
    reviews, anew = visit.house.reviews, request.query_params.get("anew") == "yes"
    if anew or not reviews.known(record).begun:
        visit.check_limit(Limits.SEARCHES)
    return HTMLResponse(draw_solver(table, reviews.search(record, anew), place, visit))
