"""The events of a table, its only source of truth, and their encoding."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

from tamaya.rules import Message, Move, read_move
from tamaya.table.settings import Settings


class StoredMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A `Message` as plain data."""

    text: str
    plural: str = ""
    count: int = 1
    context: str = ""
    values: dict[str, str | int | StoredMessage | tuple[str | StoredMessage, ...]] = {}

    @classmethod
    def of(cls, message: Message) -> StoredMessage:
        """The message as plain data."""
        values: dict[str, str | int | StoredMessage | tuple[str | StoredMessage, ...]] = {}
        for name, value in message.values.items():
            if isinstance(value, Message):
                values[name] = cls.of(value)
            elif isinstance(value, tuple):
                values[name] = tuple(cls.of(part) if isinstance(part, Message) else part for part in value)
            else:
                values[name] = value
        return cls(message.text, message.plural, message.count, message.context, values)

    @property
    def message(self) -> Message:
        """The message itself."""
        values: dict[str, Any] = {}
        for name, value in self.values.items():
            if isinstance(value, StoredMessage):
                values[name] = value.message
            elif isinstance(value, tuple):
                values[name] = tuple(part.message if isinstance(part, StoredMessage) else part for part in value)
            else:
                values[name] = value
        return Message(self.text, self.plural, self.count, self.context, values)


class TableEvent(msgspec.Struct, frozen=True, tag_field="event"):
    """The base of all events; each is stored as one line of JSON."""


class Opened(TableEvent, frozen=True, tag="opened"):
    """A person opened the table and is its host."""

    host: str
    settings: Settings


class Sat(TableEvent, frozen=True, tag="sat"):
    """A person took a seat."""

    seat: int
    person: str
    name: str


class BotSat(TableEvent, frozen=True, tag="bot"):
    """The host put a bot on a seat."""

    seat: int
    bot: str
    name: str


class SeatFreed(TableEvent, frozen=True, tag="stood", omit_defaults=True):
    """A seat became free before the game began. `removed` says that the host removed the person who sat there; older logs lack
    it."""

    seat: int
    removed: bool = False


class Readmitted(TableEvent, frozen=True, tag="let back"):
    """The host lets a removed person sit down again; removals are numbered from 0 in the order of the log."""

    removal: int


class Started(TableEvent, frozen=True, tag="started"):
    """The cards were dealt. `first` is the seat that begins: it becomes seat 0, the others follow clockwise."""

    deck: str
    first: int


class StartPosition(TableEvent, frozen=True, tag="prepared"):
    """The game will continue another one: its deck, and its moves up to that point, in the notation of records."""

    deck: str
    moves: tuple[str, ...] = ()


class GameImported(TableEvent, frozen=True, tag="brought"):
    """A person imported a game that was played elsewhere, to look at it. `record` is in our own format, `problem` says what
    could not be read."""

    host: str
    settings: Settings
    record: str
    problem: StoredMessage | None = None


class Moved(TableEvent, frozen=True, tag="moved", omit_defaults=True, dict=True):
    """An action or a rearrangement by a seat, in the notation of records; `bot` says whether a bot chose it.

    `why` holds the bot's reasons, which may name any card it saw. `replaced` says that the bot failed and a safe action was
    taken for it.
    """

    seat: int
    move: str
    bot: bool = False
    why: StoredMessage | None = None
    replaced: bool = False

    @classmethod
    def of(cls, seat: int, move: Move, *, bot: bool = False, why: StoredMessage | None = None, replaced: bool = False) -> Moved:
        """The event of a move."""
        return cls(seat, str(move), bot, why, replaced)

    @cached_property
    def parsed(self) -> Move:
        """The parsed move."""
        return read_move(self.move)


class Said(TableEvent, frozen=True, tag="said"):
    """A player sent a message: a remark by its key, or free text."""

    seat: int
    remark: str = ""
    text: str = ""


class TakenOver(TableEvent, frozen=True, tag="taken over"):
    """A bot plays for the person at a seat until that person takes it back."""

    seat: int
    bot: str


class GivenBack(TableEvent, frozen=True, tag="given back"):
    """The person plays again."""

    seat: int


class TakeBackRequested(TableEvent, frozen=True, tag="back asked"):
    """A player asks to take back their last action and all that followed: back to `turn`."""

    seat: int
    turn: int


class TakeBackApproved(TableEvent, frozen=True, tag="back agreed"):
    """A player agreed to the request."""

    seat: int


class TakeBackDeclined(TableEvent, frozen=True, tag="back refused"):
    """A player declined the request, or its author withdrew it: it is closed."""

    seat: int


class TakenBack(TableEvent, frozen=True, tag="taken back"):
    """The last action of a player was taken back: the game is where it was after `turn`."""

    seat: int
    turn: int


class AdviceTaken(TableEvent, frozen=True, tag="advised"):
    """The player to move asked for advice. The advice itself is not stored."""

    seat: int


class Noted(TableEvent, frozen=True, tag="noted", omit_defaults=True):
    """A player wrote a private note on a card, by its number, or on the moment after a turn; empty text deletes it."""

    seat: int
    text: str
    card: int | None = None
    turn: int | None = None


class NotesShown(TableEvent, frozen=True, tag="notes shown"):
    """After the game, a player showed their notes to all, or hid them again."""

    seat: int
    shown: bool


class Rematched(TableEvent, frozen=True, tag="rematched"):
    """The players went on to a rematch at another table."""

    code: str


class GameRemoved(TableEvent, frozen=True, tag="parted"):
    """A person removed the finished game from theirs: the seat keeps its name but no longer the person."""

    seat: int


SeatEvent = Sat | BotSat | SeatFreed | TakenOver | GivenBack | GameRemoved
TakeBackEvent = TakeBackRequested | TakeBackApproved | TakeBackDeclined | TakenBack
AnyEvent = (
    Opened | StartPosition | GameImported | Started | SeatEvent | Readmitted | Moved
    | Said | TakeBackEvent | AdviceTaken | Noted | NotesShown | Rematched
)  # fmt: skip

_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


def encode(event: AnyEvent) -> str:
    """The event as a line of JSON."""
    return _encoder.encode(event).decode()


def decode(line: str) -> AnyEvent:
    """The event that a line of JSON holds."""
    return _decoder.decode(line)
