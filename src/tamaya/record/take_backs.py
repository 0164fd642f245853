"""Take-backs: a record keeps the moves that were taken back beside the moves of its game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from tamaya.engine import Arranged, Event, Game
from tamaya.record.validation import field_error, integer, mapping, sequence
from tamaya.rules import Arrange, Clue, Move, RecordError, TamayaError, read_move, say

if TYPE_CHECKING:
    from tamaya.record.record import Record

MAX_TAKE_BACKS = 200
"""How many times moves may be taken back in a game."""
MAX_MOVES = 2500
"""The moves of a record, with those taken back: more than the rules and the other limits of a table allow."""
MAX_ARRANGEMENTS = 1000
"""How many times hands may be rearranged in a game, including what was taken back."""
KEYS = ("after", "moves", "seen")


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The moves that were taken back at one time, an action and all that followed it; `after` moves remained."""

    after: int
    moves: tuple[Move, ...]

    @property
    def seen(self) -> bool:
        """Whether a card was seen that would otherwise have stayed hidden: one that was played, discarded or drawn."""
        return not all(isinstance(move, (Clue, Arrange)) for move in self.moves)


@dataclass(frozen=True, slots=True)
class Undone:
    """A take-back as all players saw it: its events, and the `turn` after which it is shown.

    If the game went back further later on, that is the turn it went back to.
    """

    take_back: TakeBack
    events: tuple[Event, ...]
    turn: int

    @property
    def seat(self) -> int:
        """The seat that took its action back."""
        return self.events[0].seat


def add_undone(undone: Sequence[Undone], take_back: TakeBack, events: tuple[Event, ...]) -> tuple[Undone, ...]:
    """Append a take-back; none is shown later than the turn that the game went back to."""
    turn = events[0].turn - 1
    told = (before if before.turn <= turn else replace(before, turn=turn) for before in undone)
    return (*told, Undone(take_back, events, turn))


def undone(record: Record) -> tuple[Undone, ...]:
    """The take-backs of a record, in order; raises `RecordError` for an impossible one."""
    told: tuple[Undone, ...] = ()
    game = Game(record.rules, deck=record.deck)
    for take_back, line in reversed(list(_lines(record))):
        if line is None:
            raise _impossible_error()
        told = add_undone(told, take_back, _play_and_take_back(game, take_back, line))
    return told


def without_lost_take_backs(record: Record) -> Record:
    """The record without the take-backs whose moves it no longer has."""
    kept = [take_back for take_back, line in _lines(record) if line is not None]
    return replace(record, taken_back=tuple(kept[::-1]))


def _lines(record: Record) -> Iterator[tuple[TakeBack, tuple[Move, ...] | None]]:
    """Each take-back, the last one first, with all moves before it, None where the record has lost them."""
    line = record.moves
    for take_back in reversed(record.taken_back):
        known = take_back.after <= len(line)
        line = line[: take_back.after] + take_back.moves if known else line
        yield take_back, line if known else None


def _play_and_take_back(game: Game, take_back: TakeBack, line: tuple[Move, ...]) -> tuple[Event, ...]:
    """Play the rest of a line, take it back, and return its events: a player's last action and what followed."""
    try:
        for move in line[len(game.log) :]:
            game.move(move)
    except TamayaError:
        raise _impossible_error() from None
    events = game.log[take_back.after :]
    turns = [event.seat for event in events if not isinstance(event, Arranged)]
    first_is_action = bool(events) and not isinstance(events[0], Arranged)
    if game.outcome is not None or not first_is_action or events[0].seat in turns[1:]:
        raise _impossible_error()
    for _ in events:
        game.undo()
    return events


def _impossible_error() -> RecordError:
    return field_error("taken_back", say("moves that could be taken back at that time"))


def require_bounded(moves: Sequence[Move], taken_back: Sequence[TakeBack]) -> None:
    """Refuse a game in which hands were rearranged more often than a table allows."""
    everything = chain(moves, *(take_back.moves for take_back in taken_back))
    if sum(isinstance(move, Arrange) for move in everything) > MAX_ARRANGEMENTS:
        message = say("The hands of this game are rearranged too often; the most is {most} times.", most=MAX_ARRANGEMENTS)
        raise RecordError("too_many", message)


def to_json(take_back: TakeBack) -> dict[str, Any]:
    """A take-back as plain values."""
    return {"after": take_back.after, "moves": [str(move) for move in take_back.moves], "seen": take_back.seen}


def read_take_backs(value: object, moves: int) -> tuple[TakeBack, ...]:
    """The take-backs of a record that has `moves` other moves, from plain values."""
    found = sequence(value, "taken_back")
    if len(found) > MAX_TAKE_BACKS:
        raise field_error("taken_back", say("a list of at most {most}", most=MAX_TAKE_BACKS))
    parts = [mapping(part, "taken_back") for part in found]
    if moves + sum(len(part["moves"]) for part in parts if isinstance(part.get("moves"), list)) > MAX_MOVES:
        message = say("A record has at most {most} moves, with those that were taken back.", most=MAX_MOVES)
        raise RecordError("too_many", message)
    return tuple(map(_read, parts))


def _read(fields: Mapping[str, Any]) -> TakeBack:
    if set(fields) != set(KEYS):
        raise field_error("taken_back", say("a list of objects with {known}", known=KEYS))
    moves = tuple(map(_read_move, sequence(fields["moves"], "taken_back")))
    take_back = TakeBack(integer(fields["after"], "taken_back", 0, MAX_MOVES), moves)
    if fields["seen"] is not take_back.seen:
        raise field_error("taken_back", say("true about “seen” where a card was played or discarded, and false elsewhere"))
    return take_back


def _read_move(text: object) -> Move:
    try:
        return read_move(str(text))
    except TamayaError:
        raise field_error("taken_back", say("a list of moves such as {example}", example="play 1")) from None
