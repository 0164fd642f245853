"""The services of one server, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.applications import Starlette

from tamaya.coach.solver import WinSolver
from tamaya.table import TableService
from tamaya.web.http.cookies import People
from tamaya.web.http.rate_limits import Limits
from tamaya.web.http.sessions import Sessions
from tamaya.web.ops.endpoints import Health
from tamaya.web.ops.metrics import PrometheusMetrics
from tamaya.web.options import ServerOptions
from tamaya.web.rendering.images import Codes
from tamaya.web.replay.panel import FactsCache
from tamaya.web.replay.shared import Circles
from tamaya.web.table.advice import AdviceDesk
from tamaya.web.table.board_cache import Drawings
from tamaya.web.table.presence import Presence
from tamaya.workers import SearchPool


@dataclass
class House:
    """What a running server consists of."""

    options: ServerOptions
    people: People
    sessions: Sessions
    limits: Limits
    tables: TableService
    searching: SearchPool
    advice: AdviceDesk
    metrics: PrometheusMetrics
    drawings: Drawings = field(default_factory=Drawings)
    codes: Codes = field(default_factory=Codes)
    reviews: WinSolver = field(default_factory=WinSolver)
    facts: FactsCache = field(default_factory=FactsCache)
    presence: Presence = field(init=False)
    circles: Circles = field(init=False)
    coming_back: float = 0.0
    """Over how many milliseconds pages are to come back when the server stops."""
    health: Health = field(init=False)

    def __post_init__(self) -> None:
        self.presence = Presence(self.tables, self.limits)
        self.circles = Circles(self.presence, self.tables.bus)
        self.health = Health(self.tables.store.probe)


def services_of(app: Starlette) -> House:
    """The services of a running application."""
    services: House = app.state.house
    return services
