"""Tables: commands, the events they produce, and the ports through which tables reach storage, news, bots and the clock."""

from tamaya.record import Origin
from tamaya.table.clue_memory import KnownCard, known_cards, next_discard
from tamaya.table.commands import continue_from, import_game
from tamaya.table.events import AnyEvent
from tamaya.table.lesson import Guidance, guidance
from tamaya.table.ports import Adviser, BotExecutor, Bus, Runtime, Subscription
from tamaya.table.service import RETENTION, TableService
from tamaya.table.sessions import Session, SessionClaim, SessionStore, SignedOutError, hash_secret
from tamaya.table.settings import AdvicePolicy, ChatPolicy, ClueMemory, Settings, SpectatorMode, Starter
from tamaya.table.state import REMARKS, ChatMessage, Note, Phase, Seat, TakeBackRequest, notes_at
from tamaya.table.store import (
    EVERY_GAME,
    ConflictError,
    EventBatch,
    GameCount,
    GameFilter,
    GameKind,
    GameProgress,
    GameState,
    GameStats,
    Partner,
    Period,
    RetentionPolicy,
    Store,
    SweepResult,
    TableSummary,
)
from tamaya.table.table import Decision, Table
from tamaya.table.telemetry import Metrics, TableLogger
from tamaya.table.tips import MoveTips
from tamaya.table.visibility import PastGame, Viewpoint

__all__ = [
    "EVERY_GAME",
    "REMARKS",
    "RETENTION",
    "AdvicePolicy",
    "Adviser",
    "AnyEvent",
    "BotExecutor",
    "Bus",
    "ChatMessage",
    "ChatPolicy",
    "ClueMemory",
    "ConflictError",
    "Decision",
    "EventBatch",
    "GameCount",
    "GameFilter",
    "GameKind",
    "GameProgress",
    "GameState",
    "GameStats",
    "Guidance",
    "KnownCard",
    "Metrics",
    "MoveTips",
    "Note",
    "Origin",
    "Partner",
    "PastGame",
    "Period",
    "Phase",
    "RetentionPolicy",
    "Runtime",
    "Seat",
    "Session",
    "SessionClaim",
    "SessionStore",
    "Settings",
    "SignedOutError",
    "SpectatorMode",
    "Starter",
    "Store",
    "Subscription",
    "SweepResult",
    "Table",
    "TableLogger",
    "TableService",
    "TableSummary",
    "TakeBackRequest",
    "Viewpoint",
    "continue_from",
    "guidance",
    "hash_secret",
    "import_game",
    "known_cards",
    "next_discard",
    "notes_at",
]
