"""Server-sent events: one stream per page, which always carries the newest drawing and nothing older."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tamaya.rules import TamayaError
from tamaya.table import Bus, Table
from tamaya.web.context import Visit, no_spectators

HEARTBEAT = 15.0
AGAIN = 250
"""The milliseconds after which a page comes back whose stream has ended; `base.html` says the same."""


async def stream(request: Request) -> Response:
    """The live part of a table, whenever it changes."""
    visit = Visit(request)
    table = await visit.table()
    return streamed(visit, table, _drawings(visit, table))


def streamed(visit: Visit, table: Table, messages: AsyncGenerator[bytes, None]) -> Response:
    """The answer that carries a stream's messages about a table, unless somebody has too many streams."""
    visit.house.limits.check_stream(visit.caller(table))
    if visit.request.method == "HEAD":
        return Response(media_type="text/event-stream")
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_until_handed_over(visit, messages), media_type="text/event-stream", headers=headers)


async def _until_handed_over(visit: Visit, messages: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The messages and, where the server stops, when to come back: not all pages at once."""
    house, retry = visit.house, b"retry: %d\n" % AGAIN
    async with aclosing(_while_signed_in(visit, messages)) as signed_in:
        async for message in signed_in:
            yield retry + message
            retry = b""
    if house.tables.bus.closed:
        yield b"event: handover\nretry: %d\ndata:\n\n" % (AGAIN + random.uniform(0, house.coming_back))


async def _while_signed_in(visit: Visit, messages: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The messages of a stream, until the session ends by which somebody asked for it; heartbeats are messages, too."""
    sessions, ticket = visit.house.sessions, visit.visitor.ticket
    with sessions.page_open(ticket):
        async with aclosing(messages):
            async for message in messages:
                if not sessions.still_holds(ticket):
                    return
                yield message


async def _drawings(visit: Visit, table: Table) -> AsyncGenerator[bytes, None]:
    """The drawings of a table, until it is gone or no longer open to the person."""
    house, code, person, now = visit.house, table.code, visit.person.id, table

    async def draw(sequence: int) -> tuple[str, int]:
        nonlocal now
        now = await house.tables.refresh(code, sequence)
        if not now.may_look(person):
            raise no_spectators()
        recount(visit.caller(now))
        house.tables.schedule_bots(now)
        return visit.draw(now), now.sequence

    def has_seat() -> bool:
        return now.seat_of(person) is not None

    with suppress(TamayaError), house.presence.page_open(code, person, visit.caller(table), shown=has_seat) as recount:
        async with aclosing(newest(house.tables.bus, code, draw)) as messages:
            async for message in messages:
                yield message


async def newest(bus: Bus, channel: str, draw: Callable[[int], Awaitable[tuple[str, int]]]) -> AsyncGenerator[bytes, None]:
    """Whenever there is news on a channel of the bus, what is drawn then, with its number, if it differs from what was sent
    before. `draw` is told how many events the table has, and may refuse, which ends the stream."""
    with bus.subscribe(channel) as subscription:
        sent, sequence = 0, 0  # a hash: thousands of pages would hold as many drawings
        while not bus.closed:
            drawn, number = await draw(sequence)
            if (now := hash(drawn)) != sent:
                sent = now
                yield event(drawn, number)
            del drawn
            try:
                async with asyncio.timeout(HEARTBEAT):
                    sequence = await subscription.news()
            except TimeoutError:
                yield b": still here\n\n"


def event(html: str, number: int) -> bytes:
    """One message of a stream; nothing that is drawn holds a carriage return."""
    return b"id: %d\ndata: %b\n\n" % (number, html.encode().replace(b"\n", b"\ndata: "))
