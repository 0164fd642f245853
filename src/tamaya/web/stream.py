"""Server-sent events: one stream per page, which always carries the newest drawing and nothing older."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tamaya.rules import TamayaError
from tamaya.table import Table
from tamaya.web.visit import Visit

HEARTBEAT = 15.0


async def stream(request: Request) -> Response:
    """The live part of a table, whenever it changes."""
    visit = Visit(request)
    table = await visit.table()
    visit.house.presence.check(visit.person.id, visit.client)
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")
    return StreamingResponse(
        _drawings(visit, table),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _drawings(visit: Visit, table: Table) -> AsyncIterator[bytes]:
    """Every drawing that differs from the one before, until the table is gone or no longer open to the person."""
    with suppress(TamayaError):
        house, code = visit.house, table.code
        with house.presence.page_open(table, visit.person.id, visit.client), house.tables.bus.subscribe(code) as subscription:
            sent, sequence = "", 0
            while not house.tables.bus.closed:
                table = await house.tables.refresh(code, sequence)
                if not table.may_look(visit.person.id):
                    return
                house.tables.wake(table)
                drawn = visit.draw(table)
                if drawn != sent:
                    sent = drawn
                    yield event(drawn, table.sequence)
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        sequence = await subscription.news()
                except TimeoutError:
                    yield b": still here\n\n"


def event(html: str, number: int) -> bytes:
    """One message of a stream; nothing that is drawn holds a carriage return."""
    return b"id: %d\ndata: %b\n\n" % (number, html.encode().replace(b"\n", b"\ndata: "))
