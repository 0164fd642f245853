"""The application: routes as a list, one start-up, one way to answer errors."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tamaya.bots import known_bots
from tamaya.bus import LocalBus
from tamaya.coach.coach import Coach
from tamaya.coach.solver import WinSolver
from tamaya.rules import IllegalError, Message, TamayaError, UnavailableError, say
from tamaya.storage import PostgresStore, SqliteStore, SqlStore, address_for_drivers
from tamaya.table import Adviser, BotExecutor, Bus, Metrics, Runtime, TableService
from tamaya.web.bot_profiles import prewarm_common
from tamaya.web.context import RequestContext
from tamaya.web.games import imports as imports
from tamaya.web.games import pages as games_pages
from tamaya.web.http.cookies import CookieSigner
from tamaya.web.http.rate_limits import RateLimiter
from tamaya.web.http.security import SecurityMiddleware, safe_headers
from tamaya.web.http.sessions import SessionMiddleware, SessionRegistry
from tamaya.web.ops import endpoints as ops_endpoints
from tamaya.web.ops.backups import run_backups
from tamaya.web.ops.metrics import MetricsMiddleware, PrometheusMetrics, sample_metrics
from tamaya.web.options import ServerOptions, database_path, signing_key
from tamaya.web.rendering import images
from tamaya.web.rendering.templates import STATIC
from tamaya.web.replay import pages as replay_pages
from tamaya.web.replay import panel as panel
from tamaya.web.replay import shared
from tamaya.web.replay import slips as slips
from tamaya.web.services import Services, services_of
from tamaya.web.site import devices, home, new_table, pwa
from tamaya.web.site import rules as rules
from tamaya.web.site import teammates as teammates
from tamaya.web.stream import stream
from tamaya.web.table import pages as table_pages
from tamaya.web.table.advice import AdviceService
from tamaya.workers import PoolBotExecutor, SearchBotExecutor, SearchingAdviser, SearchPool

logger = logging.getLogger(__name__)
SWEEP_EVERY = 3600.0
STATUS_CODES = {
    "unknown_table": 404,
    "foreign_origin": 403,
    "stranger": 403,
    "no_spectators": 403,
    "signed_out": 403,
    "too_often": 429,
    "too_large": 413,
    "unavailable": 503,
}
RETRY_AFTER = "5"
"""After how many seconds programs should try again what could not be kept."""


class VersionedStaticFiles(StaticFiles):
    """Files whose address changes with their content, so that browsers keep them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """One file."""
        response = await super().get_response(path, scope)
        if scope["query_string"].startswith(b"v="):
            response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


ROUTES = [
    Route("/", home.home),
    Route("/play", home.play_now, methods=["POST"]),
    Route("/learn", home.learn, methods=["POST"]),
    Route("/join", home.join, methods=["POST"]),
    Route("/preferences", home.preferences, methods=["POST"]),
    Route("/games", games_pages.my_games),
    Route("/games/slips", slips.my_slips),
    Route("/games/export", games_pages.export),
    Route("/games/delete", games_pages.ask_to_delete),
    Route("/games/delete", games_pages.delete, methods=["POST"]),
    Route("/new", new_table.new),
    Route("/new", new_table.create, methods=["POST"]),
    Route("/bring", imports.import_form),
    Route("/bring", imports.import_games, methods=["POST"]),
    Route("/rules", rules.any_rules),
    Route("/teammates", teammates.all_teammates),
    Route("/teammates/{bot}", teammates.teammate_page),
    Route("/me", devices.my_devices),
    Route("/me/link", devices.make_link, methods=["POST"]),
    Route("/me/end", devices.end, methods=["POST"]),
    *(Route(path, devices.back) for path in ("/me/link", "/me/end")),
    Route("/me/{token}", devices.use_link, methods=["GET", "POST"]),
    Route("/healthz", ops_endpoints.alive),
    Route("/readyz", ops_endpoints.ready),
    Route("/health", ops_endpoints.ready),
    Route("/metrics", ops_endpoints.metrics),
    Route("/preview/{fireworks:int}.png", images.link_picture),
    Route("/manifest.webmanifest", pwa.manifest),
    Route("/sw.js", pwa.worker),
    Route(pwa.PAGE, pwa.offline),
    Route("/t/{code}", table_pages.table_page),
    Route("/t/{code}/stream", stream),
    Route("/t/{code}/qr.svg", table_pages.invitation),
    Route("/t/{code}/rules", rules.table_rules),
    Route("/t/{code}/result.svg", table_pages.picture),
    Route("/t/{code}/possibilities", table_pages.possibilities),
    Route("/t/{code}/replay/together", shared.together),
    Route("/t/{code}/replay/together/stream", shared.together_stream),
    *(
        Route(f"/t/{{code}}/replay/together/{name}", shared.command_endpoint(act), methods=["POST"])
        for name, act in shared.COMMANDS.items()
    ),
    Route("/t/{code}/record/{form}", table_pages.record),
    Route("/t/{code}/replay", replay_pages.replay),
    Route("/t/{code}/replay/possibilities", replay_pages.possibilities),
    Route("/t/{code}/play-on", replay_pages.play_on_from, methods=["POST"]),
    Route("/t/{code}/replay/solver", panel.solver),
    Route("/t/{code}/advice", table_pages.advice, methods=["POST"]),
    Route("/t/{code}/replay/coach", replay_pages.coach_begins, methods=["POST"]),
    Route("/t/{code}/rematch", table_pages.rematch, methods=["POST"]),
    *(
        Route(f"/t/{{code}}/{name}", table_pages.command_endpoint(decide), methods=["POST"])
        for name, decide in table_pages.COMMANDS.items()
    ),
    Mount("/static", VersionedStaticFiles(directory=STATIC)),
]


def create_app(
    options: ServerOptions,
    *,
    runtime: Runtime | None = None,
    bot_executor: BotExecutor | None = None,
    adviser: Adviser | None = None,
) -> Starlette:
    """The application of a server; tests bring their own chance and bots."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        key = signing_key(options)
        known_bots()  # packages are imported before anybody waits for a page
        meter = PrometheusMetrics()
        store, bus = await _store_and_bus(options, meter)
        searching = SearchPool(options.bot_processes, meter=meter)
        all_tables = TableService(
            store,
            bus,
            bot_executor or SearchBotExecutor(PoolBotExecutor(options.bot_processes, meter=meter), searching),
            chance=runtime,
            pause=options.bot_pause,
            meter=meter,
        )
        desk = AdviceService(adviser or SearchingAdviser(searching), bus)
        reviews = WinSolver(coachings=Coach(store, bus=bus))
        limits, people = RateLimiter(options.limits), CookieSigner(key)
        sessions = SessionRegistry(store.sessions, people, all_tables.chance.now)
        app.state.services = Services(options, people, sessions, limits, all_tables, searching, desk, meter, solver=reviews)
        if options.warm_up:
            prewarm_common(searching)
        work = [_sweep(all_tables, sessions), sessions.run(), sample_metrics(services_of(app))]
        if options.backup_to:
            work.append(run_backups(options))
        chores = [asyncio.create_task(chore) for chore in work]
        try:
            yield
        finally:
            for chore in chores:
                chore.cancel()
            await asyncio.gather(*chores, return_exceptions=True)
            await sessions.close()
            await services_of(app).health.close()
            await services_of(app).solver.close()
            await desk.close()
            await all_tables.close()
            await bus.close()
            await searching.close()

    return Starlette(
        routes=ROUTES,
        middleware=[
            Middleware(MetricsMiddleware, routes=ROUTES),
            Middleware(SecurityMiddleware, options.address),
            Middleware(SessionMiddleware, _refuse),
        ],
        lifespan=lifespan,
        exception_handlers=EXCEPTION_HANDLERS,
    )


async def _store_and_bus(options: ServerOptions, meter: Metrics) -> tuple[SqlStore, Bus]:
    """Where tables are kept, and how processes hear of each other's changes."""
    if not options.database:
        return await SqliteStore.open(database_path(options), meter), LocalBus()
    from tamaya.bus.postgres import PostgresBus  # whoever serves from SQLite need not have the driver

    store = await PostgresStore.open(options.database, meter)
    return store, await PostgresBus.open(address_for_drivers(options.database))


async def _sweep(all_tables: TableService, sessions: SessionRegistry) -> None:
    """Keep house once an hour: forget abandoned tables and sessions, and let go of what no longer hangs together with
    anything."""
    while True:
        try:
            await all_tables.sweep()
        except Exception:
            logger.exception("abandoned tables could not be swept")
        try:
            await sessions.store.sweep(sessions.now())
        except Exception:
            logger.exception("unused sessions could not be swept")
        gc.collect()
        await asyncio.sleep(SWEEP_EVERY)


async def _refuse(request: Request, problem: TamayaError) -> Response:
    services_of(request.app).metrics.count_refusal(problem.code)
    status = STATUS_CODES.get(problem.code, 409 if isinstance(problem, IllegalError) else 400)
    response = _error_response(request, problem.message, status)
    if isinstance(problem, UnavailableError):
        response.headers["retry-after"] = RETRY_AFTER
    return response


async def _http_error(request: Request, problem: HTTPException) -> Response:
    message = {
        404: say("There is nothing at this address."),
        405: say("This address does not take that kind of request."),
    }.get(problem.status_code, say("This request cannot be understood."))
    return _error_response(request, message, problem.status_code)


async def _server_error(request: Request, problem: Exception) -> Response:
    response = _error_response(request, say("Something went wrong on our side. Nothing was changed; try again."), 500)
    address = services_of(request.app).options.address
    response.headers.update(safe_headers(request.scope, address))  # this answer does not pass the guard
    return response


async def _client_disconnected(request: Request, problem: Exception) -> Response:
    """Nobody is there to be answered: the rest of their request never came."""
    return Response(status_code=400)


EXCEPTION_HANDLERS: Mapping[Any, Any] = {
    TamayaError: _refuse,
    HTTPException: _http_error,
    ClientDisconnect: _client_disconnected,
    Exception: _server_error,
}


def _error_response(request: Request, message: Message, status: int) -> Response:
    """An error in the person's language: a sentence for a page that asked, a page for a person."""
    ctx = RequestContext(request)
    if ctx.is_htmx:
        return PlainTextResponse(ctx.translate(message), status)
    return ctx.page("error.html", status, message=message)
