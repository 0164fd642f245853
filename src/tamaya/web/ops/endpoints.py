"""Health, readiness and metrics endpoints."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tamaya.web.ops.metrics import CONTENT_TYPE, record_sizes
from tamaya.web.options import ServerOptions, read_networks

if TYPE_CHECKING:
    from tamaya.web.services import Services

logger = logging.getLogger(__name__)
RESULT_LIFETIME = 1.0
"""The seconds for which the result of a probe is cached."""
PROBE_TIMEOUT = 5.0
"""The seconds that a request waits for a probe of the store."""


class Health:
    """Probes the store, at most once at a time and once a second."""

    def __init__(self, probe: Callable[[], Awaitable[Sequence[str]]], clock: Callable[[], float] = time.monotonic) -> None:
        self._probe, self._clock = probe, clock
        self._problems: Sequence[str] = ()
        self._probed: float | None = None
        self._probing: asyncio.Task[None] | None = None

    async def problems(self) -> Sequence[str]:
        """The current problems of the store, empty if it works."""
        probing = self._probing
        if probing is None and (self._probed is None or self._clock() >= self._probed + RESULT_LIFETIME):
            probing = self._probing = asyncio.get_running_loop().create_task(self._run_probe())
        if probing:
            await asyncio.wait((probing,), timeout=PROBE_TIMEOUT)
            if not probing.done():
                return ("the database does not answer",)
        return self._problems

    async def _run_probe(self) -> None:
        try:
            self._problems = tuple(await self._probe())
        except Exception as error:
            logger.error("database probe failed: %s", type(error).__name__)
            self._problems = ("the database cannot be probed",)
        finally:
            self._probed, self._probing = self._clock(), None

    async def close(self) -> None:
        """Wait for a running probe, before the store is closed."""
        if self._probing:
            await asyncio.wait((self._probing,))


PROXY_HEADERS = ("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via")
"""Headers that proxies add; some proxies add only one of them."""
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


async def alive(request: Request) -> Response:
    """Answer as long as the process responds, without asking the store."""
    return PlainTextResponse("ok\n")


async def ready(request: Request) -> Response:
    """Answer “ok”, or a line per problem and status 503."""
    problems = await _problems(request.app.state.services)
    return PlainTextResponse("".join(f"{problem}\n" for problem in problems or ("ok",)), 503 if problems else 200)


async def _problems(services: Services) -> Sequence[str]:
    """The reasons why a load balancer should send no requests here."""
    found = await services.health.problems()
    services.metrics.ready.set(not found)
    bus = services.tables.bus
    more = {"the server is stopping": bus.closed, "news of other processes is cut off": not bus.is_connected}
    return [*(problem for problem, is_so in more.items() if is_so), *found]


async def metrics(request: Request) -> Response:
    """The metrics, for the host only; others receive a 404."""
    services: Services = request.app.state.services
    if not may_read_metrics(services.options, request.client.host if request.client else "", request.headers):
        raise HTTPException(404)
    await _problems(services)
    record_sizes(services)
    return Response(services.metrics.render(), media_type=CONTENT_TYPE)


def may_read_metrics(options: ServerOptions, client: str, headers: Headers) -> bool:
    """Whether a client has the token or one of the host's addresses.

    Behind a proxy on this machine every visitor has a local address, so requests with proxy headers are refused. So are local
    requests whose Host header is not this machine's: they come from proxies or through pages of other sites.
    """
    token = options.metrics_token
    if token and hmac.compare_digest(headers.get("authorization", "").encode(), f"Bearer {token}".encode()):
        return True
    if any(name in headers for name in PROXY_HEADERS):
        return False
    try:
        address, host = ip_address(client), urlsplit(f"//{headers.get('host', '')}").hostname
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback and host not in LOOPBACK_NAMES:
        return False
    return any(address in network for network in read_networks(options.metrics))
