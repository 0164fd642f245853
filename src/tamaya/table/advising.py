"""Asking what a good player would do, at tables that allow it. That somebody asked stays in the log and in the record."""

from __future__ import annotations

from tamaya.record import MOST_ADVICE, AdvisedTurn
from tamaya.rules import IllegalError, say
from tamaya.table.commands import moved_on, playing_seat
from tamaya.table.events import AdviceTaken, AnyEvent
from tamaya.table.lesson import right_actions
from tamaya.table.settings import AdviceFor
from tamaya.table.table import Table


def take_advice(table: Table, person: str, turn: int, line: int = 0) -> list[AnyEvent]:
    """Have asked for advice on one's action, in the `turn` and on the `line` of play that the person saw. Asking again before
    one has acted is still the same advice."""
    seat = seat_to_advise(table, person)
    if (turn, line) != (table.turn, table.line):
        raise moved_on()
    return [] if AdvisedTurn(seat, turn + 1) in table.advised else [AdviceTaken(seat)]


def seat_to_advise(table: Table, person: str) -> int:
    """The seat of a person who can ask for advice now; refuses whoever cannot."""
    seat = playing_seat(table, person)
    if not gives_advice(table):
        raise IllegalError("no_advice", say("At this table everybody decides without advice."))
    if table.to_move != seat:
        raise IllegalError("not_your_turn", say("It is not your turn."))
    if table.settings.lesson and right_actions(table.view_of_seat(seat)):
        raise IllegalError("guided", say("The guided first deal tells you what to do here."))
    if len(table.advised) >= MOST_ADVICE:
        raise IllegalError("too_many", say("Enough advice has been taken in this game."))
    return seat


def gives_advice(table: Table) -> bool:
    """Whether players can ask at a table: as its settings say, and among people only where those who sat down had read so."""
    alone = len(table.people) == 1
    return {AdviceFor.NOBODY: False, AdviceFor.ALONE: alone, AdviceFor.EVERYBODY: True}[table.settings.advice]
