"""Counts requests, live pages and how late the event loop is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamaya.web.house import House

ELSEWHERE = "other"
"""The template of every address at which there is nothing: whoever makes up addresses makes no new labels."""
EVERY = 1.0
"""The seconds between two looks at the loop and at what has a size."""


class Metering:
    """ASGI middleware: counts requests by the templates of their addresses, and streams while they last."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self._app = app
        self._templates: dict[object, str] = {}
        for route in routes:
            if isinstance(route, Route):
                self._templates.setdefault(route.endpoint, route.path)
            elif isinstance(route, Mount):
                self._templates.setdefault(route.app, route.path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        house: House = scope["app"].state.house
        began, status, streams = time.perf_counter(), 0, False

        def answered(now: int) -> None:
            template = self._templates.get(scope.get("endpoint"), ELSEWHERE)
            house.metrics.answered(template, now, time.perf_counter() - began)

        async def metered_send(message: Message) -> None:
            nonlocal status, streams
            if message["type"] == "http.response.start":
                status = message["status"]
                answered(status)
                streams = _is_stream(message)
                if streams:
                    house.metrics.streams.inc()
            await send(message)

        try:
            await self._app(scope, receive, metered_send)
        except Exception:
            if not status:
                answered(500)
            raise
        finally:
            if streams:
                house.metrics.streams.dec()


def _is_stream(message: Message) -> bool:
    return any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in message["headers"])


def note_sizes(house: House) -> None:
    """Note how many tables are in memory, and how much of it drawings take."""
    house.metrics.tables.set(house.tables.in_memory)
    house.metrics.drawings.set(house.drawings.size)


async def watch_loop(house: House, clock: Callable[[], float] = time.perf_counter) -> None:
    """See every second how late the event loop is, and what has a size."""
    while True:
        note_sizes(house)
        due = clock() + EVERY
        await asyncio.sleep(EVERY)
        house.metrics.lag.observe(max(0.0, clock() - due))
