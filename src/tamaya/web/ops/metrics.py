"""The host's metrics, in the form that Prometheus reads.

Nothing in them says which table, who or which card: labels are the templates of addresses and fixed words of our own.

Several processes: where values lie is decided when ``prometheus_client`` is first imported. Whoever starts workers empties a
folder with `prepare_folder`, gives each worker the variables of `worker_environment(folder)` before it imports that package
(which nothing but this module does, and only when a `Metrics` is made), and calls `forget_worker` when one has ended. Any
worker then answers for all of them.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamaya.table.telemetry import Counted, Queued, Timed

if TYPE_CHECKING:
    from tamaya.web.services import Services

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram


FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Bounds of the histograms, in seconds."""


def prepare_folder(folder: Path) -> None:
    """Make the folder in which workers count, or empty it of what earlier ones left; before the first worker starts."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)


def worker_environment(folder: Path) -> Mapping[str, str]:
    """What a worker's environment must hold so that it counts together with the others."""
    return {FOLDER_VARIABLE: str(folder)}


def forget_worker(folder: Path, process: int) -> None:
    """Take what a worker that has ended had at the moment (streams, queues) out of the sums; what it counted stays."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(process, str(folder))  # type: ignore[no-untyped-call]


class PrometheusMetrics:
    """Everything that a server counts. It is the `Meter` of the rooms below the web."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
        from prometheus_client.process_collector import ProcessCollector

        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        self._shared = os.environ.get(FOLDER_VARIABLE)
        if not self._shared:
            ProcessCollector(registry=self._registry)

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"tamaya_{name}", text, labels, registry=self._registry)

        def gauge(name: str, text: str, *labels: str, mode: str = "livesum") -> Gauge:
            return Gauge(f"tamaya_{name}", text, labels, registry=self._registry, multiprocess_mode=mode)  # type: ignore[arg-type]

        def histogram(name: str, text: str, *labels: str) -> Histogram:
            return Histogram(f"tamaya_{name}_seconds", text, labels, registry=self._registry, buckets=BUCKETS)

        self.requests = counter("requests", "Requests, by the template of their address and class of status", "route", "status")
        self.latency = histogram("request", "From a request to the beginning of its answer", "route")
        self.refusals = counter("refusals", "Requests that were refused in words, by the code of the refusal", "code")
        self.streams = gauge("streams", "Live pages that are open")
        self.tables = gauge("tables_in_memory", "Tables that need not be read again")
        self.drawings = gauge("drawings_bytes", "What drawings take that are kept to be sent again, about")
        self.ready = gauge("ready", "Whether the last probe found everything well (1) or not (0)", mode="livemostrecent")
        self.lag = histogram("loop_lag", "How late the event loop came to what was due")
        self._counts: Mapping[Counted, Counter] = {
            "move": counter("moves", "Moves that were kept, by people and by bots", "by"),
            "bot_given_up": counter("bots_given_up", "Turns of bots for which there was no room to wait, by kind", "kind"),
            "search_given_up": counter("searches_given_up", "Searches without an answer, by reason", "reason"),
            "database_error": counter("database_errors", "Attempts at the database that failed, by reason", "reason"),
            "database_reconnect": counter("database_reconnects", "Connections to the database that were made again"),
        }
        self._times: Mapping[Timed, Histogram] = {
            "append": histogram("append", "From a decision to its being on disk"),
            "bot_wait": histogram("bot_wait", "How long bots waited for a process", "kind"),
            "bot_think": histogram("bot_think", "How long bots thought in a process", "kind"),
        }
        self._queues: Mapping[Queued, Gauge] = {
            "append": gauge("appends_waiting", "Changes on their way to the disk"),
            "bot": gauge("bots_waiting", "Bots that wait for a process", "kind"),
        }

    def count(self, what: Counted, kind: str = "") -> None:
        """One more of these."""
        metric = self._counts[what]
        (metric.labels(kind) if kind else metric).inc()

    def time(self, what: Timed, seconds: float, kind: str = "") -> None:
        """One more that took so long."""
        metric = self._times[what]
        (metric.labels(kind) if kind else metric).observe(seconds)

    def queue(self, what: Queued, change: int, kind: str = "") -> None:
        """One more that waits, or one fewer."""
        metric = self._queues[what]
        (metric.labels(kind) if kind else metric).inc(change)

    def count_refusal(self, code: str) -> None:
        """One more refusal in words."""
        self.refusals.labels(code).inc()

    def observe_response(self, route: str, status: int, seconds: float) -> None:
        """One more request that was answered."""
        self.requests.labels(route, f"{status // 100}xx").inc()
        self.latency.labels(route).observe(seconds)

    def render(self) -> bytes:
        """All of it, of all processes, as Prometheus reads it."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        if not self._shared:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together, self._shared)  # type: ignore[no-untyped-call]
        return generate_latest(together)


OTHER_ROUTE = "other"
"""The template of every address at which there is nothing: whoever makes up addresses makes no new labels."""
SAMPLE_INTERVAL = 1.0
"""The seconds between two looks at the loop and at what has a size."""


class MetricsMiddleware:
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
        services: Services = scope["app"].state.services
        began, status, streams = time.perf_counter(), 0, False

        def answered(now: int) -> None:
            template = self._templates.get(scope.get("endpoint"), OTHER_ROUTE)
            services.metrics.observe_response(template, now, time.perf_counter() - began)

        async def metered_send(message: Message) -> None:
            nonlocal status, streams
            if message["type"] == "http.response.start":
                status = message["status"]
                answered(status)
                streams = _is_stream(message)
                if streams:
                    services.metrics.streams.inc()
            await send(message)

        try:
            await self._app(scope, receive, metered_send)
        except Exception:
            if not status:
                answered(500)
            raise
        finally:
            if streams:
                services.metrics.streams.dec()


def _is_stream(message: Message) -> bool:
    return any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in message["headers"])


def record_sizes(services: Services) -> None:
    """Note how many tables are in memory, and how much of it drawings take."""
    services.metrics.tables.set(services.tables.in_memory)
    services.metrics.drawings.set(services.boards.size)


async def sample_metrics(services: Services, clock: Callable[[], float] = time.perf_counter) -> None:
    """See every second how late the event loop is, and what has a size."""
    while True:
        record_sizes(services)
        due = clock() + SAMPLE_INTERVAL
        await asyncio.sleep(SAMPLE_INTERVAL)
        services.metrics.lag.observe(max(0.0, clock() - due))
