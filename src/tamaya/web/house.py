"""Everything that serving needs, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from tamaya.live import SearchPool
from tamaya.table import Tables
from tamaya.web.advice_desk import AdviceDesk
from tamaya.web.circles import Circles
from tamaya.web.drawings import Drawings
from tamaya.web.health import Health
from tamaya.web.limits import Limits
from tamaya.web.metrics import Metrics
from tamaya.web.options import ServerOptions
from tamaya.web.people import People
from tamaya.web.presence import Presence
from tamaya.web.qr import Codes
from tamaya.web.reviews import Reviews
from tamaya.web.sessions import Sessions


@dataclass
class House:
    """What a running server consists of."""

    options: ServerOptions
    people: People
    sessions: Sessions
    limits: Limits
    tables: Tables
    searching: SearchPool
    advice: AdviceDesk
    metrics: Metrics
    drawings: Drawings = field(default_factory=Drawings)
    codes: Codes = field(default_factory=Codes)
    reviews: Reviews = field(default_factory=Reviews)
    presence: Presence = field(init=False)
    circles: Circles = field(init=False)
    coming_back: float = 0.0
    """Over how many milliseconds pages are to come back when the server stops."""
    health: Health = field(init=False)

    def __post_init__(self) -> None:
        self.presence = Presence(self.tables, self.limits)
        self.circles = Circles(self.presence, self.tables.bus)
        self.health = Health(self.tables.store.probe)
