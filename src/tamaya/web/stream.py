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
from tamaya.web.context import RequestContext, no_spectators_error

HEARTBEAT_INTERVAL = 15.0
RECONNECT_DELAY_MS = 250
"""The milliseconds after which a page comes back whose stream has ended; `base.html` says the same."""


async def stream(request: Request) -> Response:
    """The live part of a table, whenever it changes."""
    ctx = RequestContext(request)
    table = await ctx.table()
    return stream_response(ctx, table, _table_updates(ctx, table))


def stream_response(ctx: RequestContext, table: Table, messages: AsyncGenerator[bytes, None]) -> Response:
    """The answer that carries a stream's messages about a table, unless somebody has too many streams."""
    ctx.services.limits.check_stream(ctx.client(table))
    if ctx.request.method == "HEAD":
        return Response(media_type="text/event-stream")
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_with_handover(ctx, messages), media_type="text/event-stream", headers=headers)


async def _with_handover(ctx: RequestContext, messages: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The messages and, where the server stops, when to come back: not all pages at once."""
    services, retry = ctx.services, b"retry: %d\n" % RECONNECT_DELAY_MS
    async with aclosing(_while_signed_in(ctx, messages)) as signed_in:
        async for message in signed_in:
            yield retry + message
            retry = b""
    if services.tables.bus.closed:
        yield b"event: handover\nretry: %d\ndata:\n\n" % (RECONNECT_DELAY_MS + random.uniform(0, services.reconnect_spread_ms))


async def _while_signed_in(ctx: RequestContext, messages: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The messages of a stream, until the session ends by which somebody asked for it; heartbeats are messages, too."""
    sessions, ticket = ctx.services.sessions, ctx.session.claim
    with sessions.page_open(ticket):
        async with aclosing(messages):
            async for message in messages:
                if not sessions.is_active(ticket):
                    return
                yield message


async def _table_updates(ctx: RequestContext, table: Table) -> AsyncGenerator[bytes, None]:
    """The drawings of a table, until it is gone or no longer open to the person."""
    services, code, person, now = ctx.services, table.code, ctx.profile.id, table

    async def draw(sequence: int) -> tuple[str, int]:
        nonlocal now
        now = await services.tables.refresh(code, sequence)
        if not now.may_look(person):
            raise no_spectators_error()
        recount(ctx.client(now))
        services.tables.schedule_bots(now)
        return ctx.render_live(now), now.sequence

    def has_seat() -> bool:
        return now.seat_of(person) is not None

    with suppress(TamayaError), services.presence.page_open(code, person, ctx.client(table), shown=has_seat) as recount:
        async with aclosing(latest_updates(services.tables.bus, code, draw)) as messages:
            async for message in messages:
                yield message


async def latest_updates(
    bus: Bus, channel: str, render: Callable[[int], Awaitable[tuple[str, int]]]
) -> AsyncGenerator[bytes, None]:
    """Whenever there is news on a channel of the bus, what is drawn then, with its number, if it differs from what was sent
    before. `draw` is told how many events the table has, and may refuse, which ends the stream."""
    with bus.subscribe(channel) as subscription:
        sent, sequence = 0, 0  # a hash: thousands of pages would hold as many drawings
        while not bus.closed:
            drawn, number = await render(sequence)
            if (now := hash(drawn)) != sent:
                sent = now
                yield sse_message(drawn, number)
            del drawn
            try:
                async with asyncio.timeout(HEARTBEAT_INTERVAL):
                    sequence = await subscription.news()
            except TimeoutError:
                yield b": still here\n\n"


def sse_message(html: str, number: int) -> bytes:
    """One message of a stream; nothing that is drawn holds a carriage return."""
    return b"id: %d\ndata: %b\n\n" % (number, html.encode().replace(b"\n", b"\ndata: "))
