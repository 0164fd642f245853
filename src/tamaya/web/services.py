"""The services of one server: built, wired together, kept running and closed."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette

from tamaya.bots import known_bots
from tamaya.bus import LocalBus
from tamaya.coach.coach import Coach
from tamaya.coach.solver import WinSolver
from tamaya.storage import PostgresStore, SqliteStore, SqlStore, address_for_drivers
from tamaya.table import Adviser, BotExecutor, Bus, Metrics, Runtime, Store, TableService
from tamaya.web.bot_profiles import prewarm_common
from tamaya.web.http.cookies import CookieSigner
from tamaya.web.http.rate_limits import RateLimiter
from tamaya.web.http.sessions import SessionRegistry
from tamaya.web.ops.backups import run_backups
from tamaya.web.ops.endpoints import Health
from tamaya.web.ops.metrics import PrometheusMetrics, sample_metrics
from tamaya.web.options import ServerOptions, database_path, signing_key
from tamaya.web.rendering.images import QrCodes
from tamaya.web.replay.panel import FactsCache
from tamaya.web.replay.shared import SharedReplays
from tamaya.web.table.advice import AdviceService
from tamaya.web.table.board_cache import BoardCache
from tamaya.web.table.presence import Presence
from tamaya.workers import PoolBotExecutor, SearchBotExecutor, SearchingAdviser, SearchPool

logger = logging.getLogger(__name__)
SWEEP_INTERVAL = 3600.0


@dataclass
class Services:
    """The services of a running server."""

    options: ServerOptions
    cookies: CookieSigner
    sessions: SessionRegistry
    limits: RateLimiter
    tables: TableService
    search_pool: SearchPool
    advice: AdviceService
    metrics: PrometheusMetrics
    boards: BoardCache = field(default_factory=BoardCache)
    qr_codes: QrCodes = field(default_factory=QrCodes)
    coach: Coach = field(default_factory=Coach)
    solver: WinSolver = field(default_factory=WinSolver)
    facts: FactsCache = field(default_factory=FactsCache)
    presence: Presence = field(init=False)
    shared_replays: SharedReplays = field(init=False)
    reconnect_spread_ms: float = 0.0
    """The window over which live pages reconnect when the server stops."""
    health: Health = field(init=False)

    def __post_init__(self) -> None:
        self.presence = Presence(self.tables, self.limits)
        self.shared_replays = SharedReplays(self.presence, self.tables.bus)
        self.health = Health(self.store.probe)

    @property
    def store(self) -> Store:
        """The store of tables, games and sessions."""
        return self.tables.store

    async def close(self) -> None:
        """Close the services in the order of their dependencies."""
        await self.sessions.close()
        await self.health.close()
        await self.coach.close()
        await self.solver.close()
        await self.advice.close()
        await self.tables.close()
        await self.tables.bus.close()
        await self.search_pool.close()


def services_of(app: Starlette) -> Services:
    """The services of a running application."""
    services: Services = app.state.services
    return services


@asynccontextmanager
async def running_services(
    options: ServerOptions,
    *,
    runtime: Runtime | None = None,
    bot_executor: BotExecutor | None = None,
    adviser: Adviser | None = None,
) -> AsyncIterator[Services]:
    """Build the services of a server, run its background tasks, and close everything on exit."""
    cookies = CookieSigner(signing_key(options))
    known_bots()  # imports bot packages before the first request needs them
    metrics = PrometheusMetrics()
    store, bus = await _open_store_and_bus(options, metrics)
    search_pool = SearchPool(options.bot_processes, meter=metrics)
    tables = TableService(
        store,
        bus,
        bot_executor or SearchBotExecutor(PoolBotExecutor(options.bot_processes, meter=metrics), search_pool),
        runtime=runtime,
        bot_delay=options.bot_pause,
        metrics=metrics,
    )
    services = Services(
        options,
        cookies,
        SessionRegistry(store.sessions, cookies, tables.runtime.now),
        RateLimiter(options.limits),
        tables,
        search_pool,
        AdviceService(adviser or SearchingAdviser(search_pool), bus),
        metrics,
        coach=Coach(store, bus=bus),
    )
    if options.warm_up:
        prewarm_common(search_pool)
    jobs = [_sweep(services), services.sessions.run(), sample_metrics(services)]
    if options.backup_to:
        jobs.append(run_backups(options))
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        yield services
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await services.close()


async def _open_store_and_bus(options: ServerOptions, metrics: Metrics) -> tuple[SqlStore, Bus]:
    if not options.database:
        return await SqliteStore.open(database_path(options), metrics), LocalBus()
    from tamaya.bus.postgres import PostgresBus  # its driver is optional

    store = await PostgresStore.open(options.database, metrics)
    return store, await PostgresBus.open(address_for_drivers(options.database))


async def _sweep(services: Services) -> None:
    """Every hour, delete abandoned tables and unused sessions, and run a full garbage collection."""
    tables, sessions = services.tables, services.sessions
    while True:
        try:
            await tables.sweep()
        except Exception:
            logger.exception("abandoned tables were not deleted")
        try:
            await sessions.store.sweep(sessions.now())
        except Exception:
            logger.exception("unused sessions were not deleted")
        gc.collect()
        await asyncio.sleep(SWEEP_INTERVAL)
