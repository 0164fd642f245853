"""A table of people and bots: commands in, events out, and ports to the world."""

from tamaya.table.events import AnyEvent
from tamaya.table.memory import Recalled, recall
from tamaya.table.ports import Batch, Bus, Chance, Listing, Store, Subscription, TakenError, Thinker
from tamaya.table.remarks import REMARKS
from tamaya.table.service import KEPT_FOR, Decision, Tables
from tamaya.table.settings import Memory, Settings, Starter, Talk, Watching
from tamaya.table.table import Phase, Seat, Table

__all__ = [
    "KEPT_FOR",
    "REMARKS",
    "AnyEvent",
    "Batch",
    "Bus",
    "Chance",
    "Decision",
    "Listing",
    "Memory",
    "Phase",
    "Recalled",
    "Seat",
    "Settings",
    "Starter",
    "Store",
    "Subscription",
    "Table",
    "Tables",
    "TakenError",
    "Talk",
    "Thinker",
    "Watching",
    "recall",
]
