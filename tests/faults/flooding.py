"""Floods beyond the rate limits: missing tables, new tables, changes and streams, from a few addresses."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

from tamaya.table.ports import CODE_LENGTH, CODE_LETTERS
from tests.faults.people import TOO_OFTEN
from tests.faults.wire import LostError, Response, Wire

CONNECTIONS = 3
FLOOD_TIMEOUT = 240.0


class Flood:
    """A client that exceeds every limit."""

    def __init__(self, port: int, code: str, seed: int) -> None:
        self._code, self._chance = code, random.Random(seed)
        self._wires = [Wire(port, f"127.0.2.{number + 1}") for number in range(CONNECTIONS)]
        self.statuses: Counter[int] = Counter()

    async def run(self, requests: int, streams: int) -> None:
        """Send requests at full speed, and more until one is refused, while one address opens this many streams."""
        for wire in self._wires:
            await wire.get_cookie()
        held = [asyncio.create_task(self._hold_stream()) for _ in range(streams)]
        try:
            async with asyncio.timeout(FLOOD_TIMEOUT):
                await asyncio.gather(*(self._send_on(wire, requests) for wire in self._wires))
        finally:
            for stream in held:
                stream.cancel()
            await asyncio.gather(*held, return_exceptions=True)

    async def _hold_stream(self) -> None:
        async for _ in self._wires[0].listen(f"/t/{self._code}/stream"):
            pass

    async def _send_on(self, wire: Wire, requests: int) -> None:
        while self.statuses.total() < requests or not self.statuses[TOO_OFTEN]:
            try:
                status = (await self._send(wire)).status
            except LostError:
                status = 0
            self.statuses[status] += 1

    async def _send(self, wire: Wire) -> Response:
        guess, here = "".join(self._chance.choices(CODE_LETTERS, k=CODE_LENGTH)), f"/t/{self._code}"
        wishes: tuple[tuple[str, str, dict[str, object]], ...] = (
            ("GET", f"/t/{guess}", {}),
            ("GET", f"{here}/possibilities?seat=0", {}),
            ("POST", "/new", {"players": 2, "edition": "standard"}),
            ("POST", f"{here}/say", {"text": "hello"}),
            ("POST", f"{here}/move", {"move": "play 1", "turn": 0}),
        )
        return await wire.request(*self._chance.choice(wishes))
