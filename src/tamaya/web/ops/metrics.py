"""Metrics in the Prometheus format.

They name no tables, players or cards: labels are route templates and fixed words.

Several processes share values through a folder, which ``prometheus_client`` chooses when it is first imported. The supervisor
empties the folder with `prepare_folder`, gives each worker the variables of `worker_environment` before it creates a
`PrometheusMetrics` (which alone imports the package), and calls `forget_worker` when one has ended. Each worker then reports
the sums of all.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from tamaya.table.telemetry import CounterName, QueueName, TimerName
    from tamaya.web.services import Services

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The bounds of histogram buckets, in seconds."""


def prepare_folder(folder: Path) -> None:
    """Create or empty the folder of the workers' values, before the first worker starts."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)


def worker_environment(folder: Path) -> Mapping[str, str]:
    """The environment variables with which workers share their values."""
    return {FOLDER_VARIABLE: str(folder)}


def forget_worker(folder: Path, process: int) -> None:
    """Remove the gauges of a worker that has ended from the sums; its counters stay."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(process, str(folder))  # type: ignore[no-untyped-call]


class PrometheusMetrics:
    """The metrics of a server; implements `tamaya.table.Metrics` for the layers below."""

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

        self.requests = counter("requests", "Requests, by route template and status class", "route", "status")
        self.latency = histogram("request", "Time from a request to the beginning of its response", "route")
        self.refusals = counter("refusals", "Refused requests, by error code", "code")
        self.streams = gauge("streams", "Open live pages")
        self.tables = gauge("tables_in_memory", "Tables held in memory")
        self.cache_size = gauge("drawings_bytes", "Approximate size of the render caches")
        self.ready = gauge("ready", "Whether the last probe succeeded (1) or not (0)", mode="livemostrecent")
        self.lag = histogram("loop_lag", "Delay of a timer in the event loop")
        self._counts: Mapping[CounterName, Counter] = {
            "move": counter("moves", "Saved moves, by people and by bots", "by"),
            "bot_given_up": counter("bots_given_up", "Turns of bots dropped because the queue was full, by kind", "kind"),
            "search_given_up": counter("searches_given_up", "Searches without a result, by reason", "reason"),
            "database_error": counter("database_errors", "Failed database operations, by reason", "reason"),
            "database_reconnect": counter("database_reconnects", "Reconnections to the database"),
        }
        self._times: Mapping[TimerName, Histogram] = {
            "append": histogram("append", "Time from a decision until it is on disk"),
            "bot_wait": histogram("bot_wait", "Time that bots waited for a process", "kind"),
            "bot_think": histogram("bot_think", "Time that bots thought in a process", "kind"),
        }
        self._queues: Mapping[QueueName, Gauge] = {
            "append": gauge("appends_waiting", "Changes waiting to be on disk"),
            "bot": gauge("bots_waiting", "Bots waiting for a process", "kind"),
        }

    def count(self, what: CounterName, kind: str = "") -> None:
        """Increment a counter."""
        metric = self._counts[what]
        (metric.labels(kind) if kind else metric).inc()

    def time(self, what: TimerName, seconds: float, kind: str = "") -> None:
        """Observe a duration."""
        metric = self._times[what]
        (metric.labels(kind) if kind else metric).observe(seconds)

    def queue(self, what: QueueName, change: int, kind: str = "") -> None:
        """Change the length of a queue."""
        metric = self._queues[what]
        (metric.labels(kind) if kind else metric).inc(change)

    def count_refusal(self, code: str) -> None:
        """Count a refused request by its error code."""
        self.refusals.labels(code).inc()

    def observe_response(self, route: str, status: int, seconds: float) -> None:
        """Count a response and its latency."""
        self.requests.labels(route, f"{status // 100}xx").inc()
        self.latency.labels(route).observe(seconds)

    def render(self) -> bytes:
        """The metrics of all processes in the Prometheus text format."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        if not self._shared:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together, self._shared)  # type: ignore[no-untyped-call]
        return generate_latest(together)


OTHER_ROUTE = "other"
"""The label of URLs without a route, so that made-up URLs create no labels."""
SAMPLE_INTERVAL = 1.0
"""The seconds between samples of loop lag and sizes."""


class MetricsMiddleware:
    """ASGI middleware that counts requests by route template, and open streams."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        from starlette.routing import Mount, Route  # lazy, as the supervisor imports this module without serving

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
    """Record the number of tables in memory and the size of the render caches."""
    services.metrics.tables.set(services.tables.in_memory)
    services.metrics.cache_size.set(services.boards.size)


async def sample_metrics(services: Services, clock: Callable[[], float] = time.perf_counter) -> None:
    """Record the event loop's lag and the sizes every second, until cancelled."""
    while True:
        record_sizes(services)
        due = clock() + SAMPLE_INTERVAL
        await asyncio.sleep(SAMPLE_INTERVAL)
        services.metrics.lag.observe(max(0.0, clock() - due))
