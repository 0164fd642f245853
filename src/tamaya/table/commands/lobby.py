"""Commands outside the game: opening tables, seats, the start, imports, rematches and removals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from tamaya.bots import DEFAULT_BOT, offered_bots
from tamaya.record import Origin, Record, native
from tamaya.rules import (
    EDITIONS,
    Action,
    Arrange,
    Card,
    IllegalError,
    Message,
    Rules,
    read_move,
    say,
)
from tamaya.table.commands._checks import (
    REMOVED,
    checked_name,
    own_seat,
    require_free_name,
    require_host,
    require_offered,
    require_open,
    seat_at,
)
from tamaya.table.events import (
    AnyEvent,
    BotSat,
    GameImported,
    GameRemoved,
    Moved,
    Opened,
    Readmitted,
    Rematched,
    Sat,
    SeatFreed,
    Started,
    StartPosition,
    StoredMessage,
)
from tamaya.table.lesson import FIRST_SEAT, prepared_deck
from tamaya.table.names import available_bot_name
from tamaya.table.settings import Settings, SpectatorMode
from tamaya.table.state import Phase
from tamaya.table.table import Table

Deal = Callable[[Rules], Sequence[Card]]


def open_table(settings: Settings, host: str, name: str) -> list[AnyEvent]:
    """Open a table and sit down at it. A table where spectators see every hand needs trust, so it cannot be listed."""
    if settings.listed and settings.watching is SpectatorMode.HANDS:
        message = say("A table where spectators see every hand cannot be listed; choose one of the two.")
        raise IllegalError("listed_hands", message)
    return [Opened(host, settings), Sat(0, host, checked_name(name))]


def sit(table: Table, person: str, name: str, seat: int | None = None) -> list[AnyEvent]:
    """Take a free seat: the requested one, or the first."""
    require_open(table)
    name = checked_name(name)
    free = [place for place, taken in enumerate(table.seats) if taken.free]
    own = table.seat_of(person)
    if own is not None and seat in (None, own):
        raise IllegalError("already_seated", say("You already sit at this table."))
    if table.is_removed(person):
        raise IllegalError("removed", REMOVED)
    if not free:
        raise IllegalError("table_full", say("Every seat is taken."))
    if seat is not None and seat not in free:
        raise IllegalError("seat_taken", say("That seat is taken; take a free one."))
    require_free_name(table, person, name)
    place = free[0] if seat is None else seat
    return [*([SeatFreed(own)] if own is not None else []), Sat(place, person, name)]


def rename(table: Table, person: str, name: str) -> list[AnyEvent]:
    """Change one's name at the table before the game begins."""
    require_open(table)
    seat, name = own_seat(table, person), checked_name(name)
    require_free_name(table, person, name)
    return [Sat(seat, person, name)] if name != table.seats[seat].name else []


def leave_seat(table: Table, person: str, seat: int) -> list[AnyEvent]:
    """Free one's own seat, or any seat as host. A person whom the host removed needs the host to sit down again."""
    require_open(table)
    taken = seat_at(table, seat)
    if taken.free:
        raise IllegalError("seat_free", say("Nobody sits there."))
    if taken.person != person:
        require_host(table, person)
    return [SeatFreed(seat, removed=bool(taken.person) and taken.person != person)]


def readmit(table: Table, person: str, number: int) -> list[AnyEvent]:
    """Let a removed person sit down again; `number` is that of the removal, from 0."""
    require_open(table)
    require_host(table, person)
    if not (0 <= number < len(table.removals) and not table.removals[number].let_back):
        raise IllegalError("not_removed", say("There is nobody to let back; look again before you decide."))
    return [Readmitted(number)]


def seat_bot(table: Table, person: str, seat: int, bot: str) -> list[AnyEvent]:
    """Put a bot on a free seat."""
    require_open(table)
    require_host(table, person)
    if not seat_at(table, seat).free:
        raise IllegalError("seat_taken", say("That seat is taken; take a free one."))
    require_offered(table, bot)
    return [BotSat(seat, bot, available_bot_name(table.names))]


def start(table: Table, person: str, first: int, deal: Deal, host_away: bool = False) -> list[AnyEvent]:
    """Deal the cards; the player at seat `first` begins. While the host is away, every seated player may do this."""
    require_open(table)
    if not host_away or table.seat_of(person) is None:
        require_host(table, person)
    if any(seat.free for seat in table.seats):
        raise IllegalError("seats_free", say("There are still free seats; wait for friends or put bots on them."))
    if not any(seat.person for seat in table.seats):
        raise IllegalError("no_people", say("At least one person has to play."))
    seat_at(table, first)
    if table.prepared:
        return list(start_events(table))
    return [Started(" ".join(map(str, deal(table.settings.rules))), first)]


def start_lesson(table: Table, person: str, deal: Deal) -> list[AnyEvent]:
    """Deal the prepared cards of the guided first deal."""
    return start(table, person, FIRST_SEAT, lambda rules: prepared_deck(deal(rules)))


def rematch(table: Table, person: str, code: str) -> tuple[list[AnyEvent], list[AnyEvent]]:
    """Open another table with the same people, bots and rules; the next player clockwise will begin. People for whom a bot
    played have their seats back. The cards are dealt by `start`, once players have arrived."""
    own_seat(table, person)
    if table.phase is not Phase.ENDED:
        raise IllegalError("game_not_over", say("A rematch comes after the end of the game."))
    if table.rematch:
        raise IllegalError("rematch_begun", say("The rematch has begun already."))
    seats: list[AnyEvent] = [
        Sat(place, seat.person, seat.name) if seat.person else BotSat(place, seat.bot, seat.name)
        for place, seat in enumerate(table.seats[1:] + table.seats[:1])
        if not seat.parted
    ]
    settings = msgspec.structs.replace(table.settings.next_game, starter="1")
    return [Rematched(code)], [Opened(person, settings), *seats]


def remove_game(table: Table, person: str) -> list[AnyEvent]:
    """Remove a finished game from a person's games. No event results for the owner of an imported game, who has no seat."""
    if person not in table.people or not person:
        raise IllegalError("not_yours", say("This game is not among yours."))
    if table.phase is not Phase.ENDED:
        message = say("A game can be deleted when it is over; play it to its end, or let a bot play for you.")
        raise IllegalError("game_not_over", message)
    seat = table.seat_of(person)
    return [] if seat is None else [GameRemoved(seat)]


def import_game(record: Record, person: str, problem: Message | None = None) -> list[AnyEvent]:
    """Create a table with an imported game; `problem` says what could not be read of it."""
    settings = Settings(str(record.rules), edition_name=_edition_of(record.rules), watching=SpectatorMode.HANDS)
    return [GameImported(person, settings, native.write(record), StoredMessage.of(problem) if problem else None)]


def _edition_of(rules: Rules) -> str:
    """The first edition with these rules, otherwise the standard one."""
    return next((name for name, edition in EDITIONS.items() if edition.rules(rules.players) == rules), "standard")


def continue_from(table: Table, person: str, name: str, turn: int, then: Sequence[Action] = ()) -> list[AnyEvent]:
    """Open a table that continues the game after a turn, or after the moves `then` tried from there.

    The person keeps their seat, or gets that of the player to move; bots keep theirs, and the other seats are free. If no seat
    is, the game begins at once.
    """
    past = table.past()
    view = past.what_if(turn, then)
    if view.to_move is None:
        raise IllegalError("game_over", say("The game is over there; go back to an earlier turn."))
    watching = SpectatorMode.TABLE if table.brought else table.settings.watching
    settings = msgspec.structs.replace(
        table.settings.next_game, starter="1", listed=False, watching=watching, origin=Origin(table.code, turn)
    )
    own = table.seat_of(person)
    own = view.to_move if own is None else own
    events: list[AnyEvent] = [Opened(person, settings), _start_position(table, past.moves(turn, then)), Sat(own, person, name)]

    def can_play(bot: str) -> bool:
        return bot in offered_bots() and offered_bots()[bot].knows(settings.rules)

    for place, bot in enumerate(table.bots):
        if bot and place != own:
            events.append(BotSat(place, bot if can_play(bot) else DEFAULT_BOT, table.names[place]))
    opened = Table(table.code, events)
    return events if any(seat.free for seat in opened.seats) else [*events, *start_events(opened)]


def _start_position(table: Table, moves: tuple[str, ...]) -> StartPosition:
    return StartPosition(" ".join(map(str, table.record().deck)), moves)


def start_events(table: Table) -> Iterator[AnyEvent]:
    """The events that deal the original cards and repeat the moves."""
    assert table.prepared is not None
    yield Started(table.prepared.deck, 0)
    turn = 0
    for text in table.prepared.moves:
        move = read_move(text)
        yield Moved.of(move.seat if isinstance(move, Arrange) else turn % len(table.seats), move)
        turn += not isinstance(move, Arrange)
