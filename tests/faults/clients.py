"""Clients that are slow, silent, not reading or half disconnected: each holds a connection, and none may block others."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from tests.faults.wire import HERE, Wire

SLOWLY = 0.2
Client = Callable[[Wire, str], Awaitable[socket.socket]]


async def _connected(wire: Wire) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.setblocking(False)
    client.bind((wire.source, 0))
    await asyncio.get_running_loop().sock_connect(client, (HERE, wire.port))
    return client


async def _having_sent(wire: Wire, text: str) -> socket.socket:
    client = await _connected(wire)
    await asyncio.get_running_loop().sock_sendall(client, text.encode())
    return client


async def silent(wire: Wire, path: str) -> socket.socket:
    """Send nothing."""
    return await _connected(wire)


async def half_a_head(wire: Wire, path: str) -> socket.socket:
    """Never finish the headers."""
    return await _having_sent(wire, wire.head("GET", path).removesuffix("\r\n"))


async def half_a_body(wire: Wire, path: str) -> socket.socket:
    """Announce a longer body than is sent."""
    head = wire.head("POST", f"{path}/move", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 900")
    return await _having_sent(wire, f"{head}move=play+1&turn=")


async def deaf(wire: Wire, path: str) -> socket.socket:
    """Request the stream, but never read it."""
    return await _having_sent(wire, wire.head("GET", f"{path}/stream"))


async def half_closed(wire: Wire, path: str) -> socket.socket:
    """Request the stream, then shut down the sending side."""
    client = await _having_sent(wire, wire.head("GET", f"{path}/stream"))
    client.shutdown(socket.SHUT_WR)
    return client


async def torn_off(wire: Wire, path: str) -> socket.socket:
    """Reset the connection in the middle of a form."""
    client = await half_a_body(wire, path)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()
    return client


CLIENTS: tuple[Client, ...] = (silent, half_a_head, half_a_body, deaf, half_closed, torn_off)


@asynccontextmanager
async def held(port: int, code: str, count: int, chance: random.Random) -> AsyncIterator[None]:
    """Hold connections of all kinds, some of which send a byte now and then, until the end of the block."""
    async with AsyncExitStack() as stack:
        open_ones = []
        for number in range(count):
            wire = Wire(port, f"127.0.3.{number % 50 + 1}")
            with suppress(OSError):
                client = await chance.choice(CLIENTS)(wire, f"/t/{code}")
                stack.callback(client.close)
                open_ones.append(client)
        dripping = asyncio.create_task(_drip(open_ones[::2]))
        stack.callback(dripping.cancel)
        yield


async def _drip(clients: list[socket.socket]) -> None:
    while True:
        for client in clients:
            with suppress(OSError):
                client.send(b"x")
        await asyncio.sleep(SLOWLY)
