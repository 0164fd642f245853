"""Server-sent events: one stream per live page, which carries the latest rendering only."""

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
"""The delay after which a page reconnects; `base.html` repeats the number."""


async def stream(request: Request) -> Response:
    """Stream the live part of a table's page."""
    ctx = RequestContext(request)
    table = await ctx.table()
    return stream_response(ctx, table, _table_updates(ctx, table))


def stream_response(ctx: RequestContext, table: Table, messages: AsyncGenerator[bytes, None]) -> Response:
    """A response that streams messages about a table, unless the visitor has too many streams open."""
    ctx.services.limits.check_stream(ctx.client(table))
    if ctx.request.method == "HEAD":
        return Response(media_type="text/event-stream")
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_with_handover(ctx, messages), media_type="text/event-stream", headers=headers)


async def _with_handover(ctx: RequestContext, messages: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The messages, and at a server stop a last one with a random reconnect delay."""
    services, retry = ctx.services, b"retry: %d\n" % RECONNECT_DELAY_MS
    async with aclosing(_while_signed_in(ctx, messages)) as signed_in:
        async for message in signed_in:
            yield retry + message
            retry = b""
    if services.tables.bus.closed:
        yield b"event: handover\nretry: %d\ndata:\n\n" % (RECONNECT_DELAY_MS + random.uniform(0, services.reconnect_spread_ms))


async def _while_signed_in(ctx: RequestContext, messages: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The messages, until the visitor's session ends; heartbeats count as messages."""
    sessions, ticket = ctx.services.sessions, ctx.session.claim
    with sessions.page_open(ticket):
        async with aclosing(messages):
            async for message in messages:
                if not sessions.is_active(ticket):
                    return
                yield message


async def _table_updates(ctx: RequestContext, table: Table) -> AsyncGenerator[bytes, None]:
    """Renderings of a table, until it is deleted or closed to the visitor."""
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
    """Render on every notification of a bus channel, and send what differs from the last message.

    `render` takes the table's sequence number and returns HTML and the message's id; its errors end the stream.
    """
    with bus.subscribe(channel) as subscription:
        sent, sequence = 0, 0  # a hash, so that thousands of pages do not each hold their HTML
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
    """One server-sent event; the HTML must not contain carriage returns."""
    return b"id: %d\ndata: %b\n\n" % (number, html.encode().replace(b"\n", b"\ndata: "))
