"""Checks that commands share: each returns its result or raises."""

from __future__ import annotations

from tamaya.bots import find_bot, offered_bots
from tamaya.record.validation import MAX_NAME_LENGTH, is_name
from tamaya.rules import (
    IllegalError,
    MalformedError,
    say,
)
from tamaya.table.events import (
    AnyEvent,
    TakenBack,
)
from tamaya.table.names import is_reserved, look_alike, visible
from tamaya.table.state import Phase, Seat
from tamaya.table.table import Table

REMOVED = say("The host has removed you from your seat; only the host can let you sit down again.")


def checked_name(name: str) -> str:
    """A valid name, stripped of blanks and invisible characters."""
    name = visible(name)
    if not is_name(name):
        raise MalformedError("bad_name", say("A name has from 1 to {most} printable characters.", most=MAX_NAME_LENGTH))
    if is_reserved(name):
        raise MalformedError("own_word", say("“{name}” is reserved for the table itself; take another name.", name=name))
    return name


def with_agreed_take_back(table: Table, event: AnyEvent) -> list[AnyEvent]:
    """The event, followed by the take-back if all players have then agreed to it."""
    following = table.after([event])
    asked = following.question
    return [event, TakenBack(asked.seat, asked.turn)] if asked and following.is_take_back_agreed else [event]


def seat_at(table: Table, seat: int) -> Seat:
    """The seat with this number."""
    if not 0 <= seat < len(table.seats):
        raise MalformedError("unknown_seat", say("The seats of this table go from 1 to {players}.", players=len(table.seats)))
    return table.seats[seat]


def own_seat(table: Table, person: str) -> int:
    """The seat of a person who sits at the table."""
    seat = table.seat_of(person)
    if seat is None:
        raise IllegalError("no_seat", say("You have no seat at this table."))
    return seat


def playing_seat(table: Table, person: str) -> int:
    """The seat of a person in a running game for whom no bot plays."""
    seat = own_seat(table, person)
    require_running(table)
    if table.seats[seat].bot:
        raise IllegalError("bot_plays", say("A bot plays for you; take your seat back first."))
    return seat


def outdated_turn() -> IllegalError:
    """The error for a decision based on an outdated table."""
    return IllegalError("turn_over", say("The table has moved on since; look again before you decide."))


def outdated_hand() -> IllegalError:
    return IllegalError("hand_changed", say("Your hand has changed since; look again before you decide."))


def require_offered(table: Table, bot: str) -> None:
    """Refuse a bot that is not offered, or does not know the rules of the table. Visitors can send any name, so only offered
    bots are imported."""
    if not find_bot(bot).offered:
        known = tuple(offered_bots())
        raise MalformedError("unknown_bot", say("There is no bot “{name}”; the bots are {known}.", name=bot[:40], known=known))
    find_bot(bot).check_rules(table.settings.rules)


def require_free_name(table: Table, person: str, name: str) -> None:
    others = (taken.name for taken in table.seats if taken.person != person)
    if other := next((other for other in others if look_alike(name, other)), ""):
        raise IllegalError("name_taken", say("Somebody at this table is called {name}; take another name.", name=other))


def require_open(table: Table) -> None:
    if table.phase is not Phase.OPEN:
        raise IllegalError("started", say("The game has begun; seats no longer change."))


def require_host(table: Table, person: str) -> None:
    if person != table.host:
        raise IllegalError("not_host", say("Only the host of the table can do that."))


def require_running(table: Table) -> None:
    """Refuse unless the game is running."""
    if table.phase is Phase.OPEN:
        raise IllegalError("not_started", say("The game has not begun."))
    if table.phase is Phase.ENDED:
        raise IllegalError("game_over", say("The game is over."))
