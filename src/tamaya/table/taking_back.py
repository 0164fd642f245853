"""Taking back one's last action, if everybody who plays agrees. What happened stays in the table's log and in the record."""

from __future__ import annotations

from tamaya.record import MOST_TAKEN_BACK
from tamaya.rules import IllegalError, say
from tamaya.table.commands import agreed_by_all, moved_on, own_seat, playing_seat, require_running
from tamaya.table.events import AnyEvent, BackAgreed, BackAsked, BackRefused, TakenBack
from tamaya.table.table import Table

MOST_QUESTIONS = 500


def take_back(table: Table, person: str, turn: int, line: int = 0) -> list[AnyEvent]:
    """Take back one's last action, that of `turn` on the `line` of play that the person saw, and all that has followed it.
    Where other people play, they are asked; bots do not mind."""
    last = turn_to_take_back(table, person)
    if (turn, line) != (last, table.line):
        raise moved_on()
    asked = agreed_by_all(table, BackAsked(own_seat(table, person), last - 1))
    return [event for event in asked if isinstance(event, TakenBack)] or asked


def turn_to_take_back(table: Table, person: str) -> int:
    """The turn that a person can take back now, or ask to; refuses whoever cannot."""
    seat = playing_seat(table, person)
    if not table.settings.take_backs or table.settings.lesson:
        raise IllegalError("no_take_backs", say("At this table nothing is taken back."))
    if table.question:
        raise IllegalError("asked_already", say("Somebody has asked already; answer first."))
    last = table.last_turn_of(seat)
    if last is None:
        raise IllegalError("nothing_to_undo", say("You have not done anything yet that could be taken back."))
    if last - 1 in table.refused_turns:
        raise IllegalError("refused_before", say("Somebody has said no to that already."))
    if table.line >= MOST_TAKEN_BACK or table.questions >= MOST_QUESTIONS:
        raise IllegalError("too_many", say("Enough has been taken back in this game."))
    return last


def answer(table: Table, person: str, agrees: bool, question: int) -> list[AnyEvent]:
    """Agree that a player takes back their last action, or not; `question` is the number of the question that the person saw.
    Whoever asked can say no as well: then they no longer want it."""
    seat = own_seat(table, person)
    require_running(table)
    if not table.question or question != table.questions:
        raise IllegalError("question_closed", say("That question is no longer open."))
    asks = seat == table.question.seat
    if seat not in table.question.open_to(table.seats_of_people) and not asks:
        raise IllegalError("not_asked", say("You have answered already, or a bot plays for you."))
    if not agrees:
        return [BackRefused(seat)]
    if asks:
        raise IllegalError("not_asked", say("It is for the others to agree."))
    return agreed_by_all(table, BackAgreed(seat))
