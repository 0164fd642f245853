"""The application: its routes, its middleware and its error responses."""

from __future__ import annotations

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

from tamaya.rules import IllegalError, Message, TamayaError, UnavailableError, say
from tamaya.table import Adviser, BotExecutor, Runtime
from tamaya.web.context import RequestContext
from tamaya.web.games import imports
from tamaya.web.games import pages as games_pages
from tamaya.web.http.security import SecurityMiddleware, safe_headers
from tamaya.web.http.sessions import SessionMiddleware
from tamaya.web.ops import endpoints as ops_endpoints
from tamaya.web.ops.metrics import MetricsMiddleware
from tamaya.web.options import ServerOptions
from tamaya.web.rendering import images
from tamaya.web.rendering.templates import STATIC
from tamaya.web.replay import pages as replay_pages
from tamaya.web.replay import panel, shared, slips
from tamaya.web.services import running_services, services_of
from tamaya.web.site import devices, home, new_table, pwa, rules, teammates
from tamaya.web.stream import stream
from tamaya.web.table import pages as table_pages

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
"""The Retry-After header, in seconds, of responses while the store is unavailable."""


class VersionedStaticFiles(StaticFiles):
    """Static files; browsers cache those whose URL carries a version forever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The response that carries a file."""
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
    Route("/me/end", devices.end_session, methods=["POST"]),
    *(Route(path, devices.redirect_to_devices) for path in ("/me/link", "/me/end")),
    Route("/me/{token}", devices.use_link, methods=["GET", "POST"]),
    Route("/healthz", ops_endpoints.alive),
    Route("/readyz", ops_endpoints.ready),
    Route("/health", ops_endpoints.ready),
    Route("/metrics", ops_endpoints.metrics),
    Route("/preview/{fireworks:int}.png", images.link_preview),
    Route("/manifest.webmanifest", pwa.manifest),
    Route("/sw.js", pwa.worker),
    Route(pwa.OFFLINE_PATH, pwa.offline),
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
    Route("/t/{code}/replay/coach", replay_pages.start_coach, methods=["POST"]),
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
    """The application of a server; tests pass their own clock, randomness and bots."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with running_services(options, runtime=runtime, bot_executor=bot_executor, adviser=adviser) as services:
            app.state.services = services
            yield

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


async def _refuse(request: Request, error: TamayaError) -> Response:
    services_of(request.app).metrics.count_refusal(error.code)
    status = STATUS_CODES.get(error.code, 409 if isinstance(error, IllegalError) else 400)
    response = _error_response(request, error.message, status)
    if isinstance(error, UnavailableError):
        response.headers["retry-after"] = RETRY_AFTER
    return response


async def _http_error(request: Request, error: HTTPException) -> Response:
    message = {
        404: say("There is nothing at this address."),
        405: say("This address does not take that kind of request."),
    }.get(error.status_code, say("This request cannot be understood."))
    return _error_response(request, message, error.status_code)


async def _server_error(request: Request, error: Exception) -> Response:
    response = _error_response(request, say("Something went wrong on our side. Nothing was changed; try again."), 500)
    address = services_of(request.app).options.address
    response.headers.update(safe_headers(request.scope, address))  # this response bypasses SecurityMiddleware
    return response


async def _client_disconnected(request: Request, error: Exception) -> Response:
    """Answer a client that is gone: the rest of its request never arrived."""
    return Response(status_code=400)


EXCEPTION_HANDLERS: Mapping[Any, Any] = {
    TamayaError: _refuse,
    HTTPException: _http_error,
    ClientDisconnect: _client_disconnected,
    Exception: _server_error,
}


def _error_response(request: Request, message: Message, status: int) -> Response:
    """An error in the visitor's language: a sentence for htmx, a whole page otherwise."""
    ctx = RequestContext(request)
    if ctx.is_htmx:
        return PlainTextResponse(ctx.translate(message), status)
    return ctx.page("error.html", status, message=message)
