"""A record (saved game), its replay up to the first invalid move, and the advice taken in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from tamaya.engine import Game
from tamaya.record.take_backs import TakeBack, Undone
from tamaya.record.validation import MAX_TURNS, field_error, integer, sequence
from tamaya.rules import Card, Move, RecordError, Rules, TamayaError, say

T = TypeVar("T")


class Stop(StrEnum):
    """Why players stopped a game before its end."""

    TERMINATED = "terminated"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Origin:
    """The game that a game was played on from, by name, and the turn at which it left that game."""

    game: str
    turn: int


@dataclass(frozen=True)
class Record:
    """Everything needed to replay a game.

    Rules, deck, names, the bot of each seat, moves, why it was stopped, what was taken back, the game it was played on
    from, and who took advice in which turn.
    """

    rules: Rules
    deck: tuple[Card, ...] = field(repr=False)
    names: tuple[str, ...]
    bots: tuple[str | None, ...] = ()
    moves: tuple[Move, ...] = ()
    stopped: Stop | None = None
    taken_back: tuple[TakeBack, ...] = ()
    origin: Origin | None = None
    advised: tuple[AdvisedTurn, ...] = ()

    def __post_init__(self) -> None:
        if not self.bots:
            object.__setattr__(self, "bots", (None,) * self.rules.players)

    @classmethod
    def of(cls, game: Game, names: Iterable[str], bots: Iterable[str | None] = ()) -> Record:
        """The record of a game; `bots` has the bot of each seat, None for people."""
        return cls(game.rules, game.reveal_deck(), tuple(names), tuple(bots), game.moves)


@dataclass(frozen=True)
class Replay:
    """The replay of a record: its valid part, the game after it, and the error of the next move, if any.

    A replay read from a file has the moves that were `undone`, too.
    """

    record: Record
    game: Game
    error: RecordError | None = None
    undone: tuple[Undone, ...] = ()

    @property
    def ended(self) -> str:
        """How it ended: ``normal``, ``strikeout``, ``lost``, ``terminated``, ``timeout`` or ``unfinished``.

        Stopping when no further point can be made is a normal end: some tables play on, some do not.
        """
        if self.game.outcome is not None:
            names = {"mistakes": "strikeout", "missing_card": "lost", "deadlock": "lost"}
            return names.get(self.game.outcome.ending.name.lower(), "normal")
        if self.record.stopped is not None:
            return self.record.stopped.value
        return "unfinished" if _can_still_score(self.game) else "normal"


def _can_still_score(game: Game) -> bool:
    view = game.reveal_hands()
    if view.to_move is None or view.points == view.maximum:
        return False
    if view.last_turns == 0:
        return True
    seats = [(view.to_move + later) % view.rules.players for later in range(view.last_turns)]
    faces = [seen.card for seat in seats for seen in view.hands[seat] if seen.card]
    return any(map(view.is_playable, faces))


def replay(start: Record, steps: Iterable[T], read_step: Callable[[T, Game], Move | Stop]) -> Replay:
    """Play `steps` from the beginning of `start`; `read_step` reads one, given the game so far."""
    game = Game(start.rules, deck=start.deck)
    stopped: Stop | None = None
    error: RecordError | None = None
    for place, step in enumerate(steps, start=1):
        try:
            if stopped is not None:
                raise RecordError("after_stop", say("The game had been stopped before this move."))
            move = read_step(step, game)
            if isinstance(move, Stop):
                stopped = move
            else:
                game.move(move)
        except TamayaError as problem:
            error = RecordError(problem.code, say("Move {place}: {problem}", place=place, problem=problem.message))
            break
    return Replay(replace(start, moves=game.moves, stopped=stopped), game, error)


def play_again(record: Record) -> Replay:
    """The game of a record."""
    result = replay(record, record.moves, lambda move, _: move)
    return replace(result, record=replace(result.record, stopped=record.stopped))


MAX_ADVICE = 500
"""How many times players may take advice in a game."""


@dataclass(frozen=True, slots=True)
class AdvisedTurn:
    """The player at `seat` took advice on their action of `turn`.

    If that action was taken back, `turn` is at most the turn that the game went back to.
    """

    seat: int
    turn: int


def advised_to_json(advised: AdvisedTurn) -> list[int]:
    """An advised turn as plain values: player and turn, both from 1."""
    return [advised.seat + 1, advised.turn]


def read_advised(value: object, players: int) -> tuple[AdvisedTurn, ...]:
    """The advised turns of a record, from plain values."""
    found = sequence(value, "advised")
    if len(found) > MAX_ADVICE:
        raise field_error("advised", say("a list of at most {most}", most=MAX_ADVICE))
    return tuple(_read_advised(sequence(part, "advised"), players) for part in found)


def _read_advised(part: list[object], players: int) -> AdvisedTurn:
    if len(part) != 2:
        raise field_error("advised", say("a list of pairs, each a player and a turn"))
    return AdvisedTurn(integer(part[0], "advised", 1, players) - 1, integer(part[1], "advised", 1, MAX_TURNS))
