"""The services of one server, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.applications import Starlette

from tamaya.coach.solver import WinSolver
from tamaya.table import TableService
from tamaya.web.http.cookies import CookieSigner
from tamaya.web.http.rate_limits import RateLimiter
from tamaya.web.http.sessions import SessionRegistry
from tamaya.web.ops.endpoints import Health
from tamaya.web.ops.metrics import PrometheusMetrics
from tamaya.web.options import ServerOptions
from tamaya.web.rendering.images import QrCodes
from tamaya.web.replay.panel import FactsCache
from tamaya.web.replay.shared import SharedReplays
from tamaya.web.table.advice import AdviceService
from tamaya.web.table.board_cache import BoardCache
from tamaya.web.table.presence import Presence
from tamaya.workers import SearchPool


@dataclass
class Services:
    """What a running server consists of."""

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
    solver: WinSolver = field(default_factory=WinSolver)
    facts: FactsCache = field(default_factory=FactsCache)
    presence: Presence = field(init=False)
    shared_replays: SharedReplays = field(init=False)
    reconnect_spread_ms: float = 0.0
    """Over how many milliseconds pages are to come back when the server stops."""
    health: Health = field(init=False)

    def __post_init__(self) -> None:
        self.presence = Presence(self.tables, self.limits)
        self.shared_replays = SharedReplays(self.presence, self.tables.bus)
        self.health = Health(self.tables.store.probe)


def services_of(app: Starlette) -> Services:
    """The services of a running application."""
    services: Services = app.state.services
    return services
