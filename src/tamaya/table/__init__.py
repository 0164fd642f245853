"""A table of people and bots: commands in, events out, and ports to the world."""

from tamaya.table.coach import Coach
from tamaya.table.events import AnyEvent
from tamaya.table.lesson import Guidance, guidance
from tamaya.table.looking_back import bring, play_on
from tamaya.table.memory import Recalled, next_discard, recall
from tamaya.table.past import Onlooker, Past
from tamaya.table.ports import (
    Bus,
    Chance,
    EventBatch,
    Keeping,
    Listing,
    Progress,
    Store,
    Subscription,
    Swept,
    TakenError,
    Thinker,
)
from tamaya.table.remarks import REMARKS
from tamaya.table.service import KEEPING, Decision, Tables
from tamaya.table.settings import Memory, Origin, Settings, Starter, Talk, Watching
from tamaya.table.table import Phase, Seat, Spoken, Table

__all__ = [
    "KEEPING",
    "REMARKS",
    "AnyEvent",
    "Bus",
    "Chance",
    "Coach",
    "Decision",
    "EventBatch",
    "Guidance",
    "Keeping",
    "Listing",
    "Memory",
    "Onlooker",
    "Origin",
    "Past",
    "Phase",
    "Progress",
    "Recalled",
    "Seat",
    "Settings",
    "Spoken",
    "Starter",
    "Store",
    "Subscription",
    "Swept",
    "Table",
    "Tables",
    "TakenError",
    "Talk",
    "Thinker",
    "Watching",
    "bring",
    "guidance",
    "next_discard",
    "play_on",
    "recall",
]
