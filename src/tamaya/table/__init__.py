"""A table of people and bots: commands in, events out, and ports to the world."""

from tamaya.record import Origin
from tamaya.table.clue_memory import Recalled, next_discard, recall
from tamaya.table.commands import bring, play_on
from tamaya.table.events import AnyEvent
from tamaya.table.lesson import Guidance, guidance
from tamaya.table.ports import (
    Adviser,
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
from tamaya.table.service import KEEPING, Decision, Tables
from tamaya.table.settings import AdviceFor, ClueMemory, Settings, Starter, Talk, Watching
from tamaya.table.state import REMARKS, BackQuestion, Note, Phase, Seat, Spoken, notes_at
from tamaya.table.store import EVERY_GAME, GameCount, GameFilter, GameKind, GameState, Partner, Stretch, Summary
from tamaya.table.table import Table
from tamaya.table.telemetry import About, Meter
from tamaya.table.tips import Coach
from tamaya.table.visibility import Onlooker, Past

__all__ = [
    "EVERY_GAME",
    "KEEPING",
    "REMARKS",
    "About",
    "AdviceFor",
    "Adviser",
    "AnyEvent",
    "BackQuestion",
    "Bus",
    "Chance",
    "ClueMemory",
    "Coach",
    "Decision",
    "EventBatch",
    "GameCount",
    "GameFilter",
    "GameKind",
    "GameState",
    "Guidance",
    "Keeping",
    "Listing",
    "Meter",
    "Note",
    "Onlooker",
    "Origin",
    "Partner",
    "Past",
    "Phase",
    "Progress",
    "Recalled",
    "Seat",
    "Settings",
    "Spoken",
    "Starter",
    "Store",
    "Stretch",
    "Subscription",
    "Summary",
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
    "notes_at",
    "play_on",
    "recall",
]
