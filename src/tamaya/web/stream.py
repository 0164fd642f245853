"""Server-sent events: one stream per page, which always carries the newest drawing and nothing older."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tamaya.rules import TamayaError
from tamaya.table import Bus, Table
from tamaya.web.visit import Visit, no_spectators

HEARTBEAT = 15.0


async def stream(request: Request) -> Response:
    """The live part of a table, whenever it changes."""
    visit = Visit(request)
    return streamed(visit, _drawings(visit, await visit.table()))


def streamed(visit: Visit, messages: AsyncIterator[bytes]) -> Response:
    """The answer that carries a stream's messages, unless somebody has too many streams."""
    visit.house.presence.check(visit.person.id, visit.client)
    if visit.request.method == "HEAD":
        return Response(media_type="text/event-stream")
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(messages, media_type="text/event-stream", headers=headers)


async def _drawings(visit: Visit, table: Table) -> AsyncIterator[bytes]:
    """The drawings of a table, until it is gone or no longer open to the person."""
    house, code, person, now = visit.house, table.code, visit.person.id, table

    async def draw(sequence: int) -> tuple[str, int]:
        nonlocal now
        now = await house.tables.refresh(code, sequence)
        if not now.may_look(person):
            raise no_spectators()
        house.tables.wake(now)
        return visit.draw(now), now.sequence

    def has_seat() -> bool:
        return now.seat_of(person) is not None

    with suppress(TamayaError), house.presence.page_open(code, person, visit.client, shown=has_seat):
        async with aclosing(newest(house.tables.bus, code, draw)) as messages:
            async for message in messages:
                yield message


async def newest(bus: Bus, channel: str, draw: Callable[[int], Awaitable[tuple[str, int]]]) -> AsyncGenerator[bytes, None]:
    """Whenever there is news on a channel of the bus, what is drawn then, with its number, if it differs from what was sent
    before. `draw` is told how many events the table has, and may refuse, which ends the stream."""
    with bus.subscribe(channel) as subscription:
        sent, sequence = "", 0
        while not bus.closed:
            drawn, number = await draw(sequence)
            if drawn != sent:
                sent = drawn
                yield event(drawn, number)
            try:
                async with asyncio.timeout(HEARTBEAT):
                    sequence = await subscription.news()
            except TimeoutError:
                yield b": still here\n\n"


def event(html: str, number: int) -> bytes:
    """One message of a stream; nothing that is drawn holds a carriage return."""
    return b"id: %d\ndata: %b\n\n" % (number, html.encode().replace(b"\n", b"\ndata: "))
