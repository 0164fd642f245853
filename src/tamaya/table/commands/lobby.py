"""Commands around the game: opening a table, seats, the start, imports, rematches and removal."""

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
from tamaya.table.lesson import FIRST, prepared
from tamaya.table.names import available_bot_name
from tamaya.table.settings import Settings, SpectatorMode
from tamaya.table.state import Phase
from tamaya.table.table import Table

Deal = Callable[[Rules], Sequence[Card]]


def open_table(settings: Settings, host: str, name: str) -> list[AnyEvent]:
    """Open a table and sit down at it. Where spectators see every hand, people have to trust each other: no list invites
    strangers there."""
    if settings.listed and settings.watching is SpectatorMode.HANDS:
        message = say("A table where spectators see every hand cannot be listed; choose one of the two.")
        raise IllegalError("listed_hands", message)
    return [Opened(host, settings), Sat(0, host, checked_name(name))]


def sit(table: Table, person: str, name: str, seat: int | None = None) -> list[AnyEvent]:
    """Take a free seat: the one asked for, or the first."""
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
    """Be called something else at the table, before the game begins."""
    require_open(table)
    seat, name = own_seat(table, person), checked_name(name)
    require_free_name(table, person, name)
    return [Sat(seat, person, name)] if name != table.seats[seat].name else []


def leave_seat(table: Table, person: str, seat: int) -> list[AnyEvent]:
    """Free a seat: one's own, or as host anybody's. Whoever is removed by the host does not sit down again by themselves."""
    require_open(table)
    taken = seat_at(table, seat)
    if taken.free:
        raise IllegalError("seat_free", say("Nobody sits there."))
    if taken.person != person:
        require_host(table, person)
    return [SeatFreed(seat, removed=bool(taken.person) and taken.person != person)]


def readmit(table: Table, person: str, number: int) -> list[AnyEvent]:
    """Let somebody sit down again whom the host had removed; `number` is that of the removal, from 0."""
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
    """Deal the cards; the player at seat `first` begins. While the host is away, anybody with a seat can do it."""
    require_open(table)
    if not host_away or table.seat_of(person) is None:
        require_host(table, person)
    if any(seat.free for seat in table.seats):
        raise IllegalError("seats_free", say("There are still free seats; wait for friends or put bots on them."))
    if not any(seat.person for seat in table.seats):
        raise IllegalError("no_people", say("At least one person has to play."))
    seat_at(table, first)
    if table.prepared:
        return list(started(table))
    return [Started(" ".join(map(str, deal(table.settings.rules))), first)]


def start_lesson(table: Table, person: str, deal: Deal) -> list[AnyEvent]:
    """Deal the cards of the guided first deal."""
    return start(table, person, FIRST, lambda rules: prepared(deal(rules)))


def rematch(table: Table, person: str, code: str) -> tuple[list[AnyEvent], list[AnyEvent]]:
    """Go on at another table with the same people, bots and rules; the next player clockwise will begin. Whoever had let a bot
    play has their seat back. The cards are dealt when people have come (`start`)."""
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
    """Delete an ended game from one's own. Whoever brought one from elsewhere has no seat to leave: there, nothing happens."""
    if person not in table.people or not person:
        raise IllegalError("not_yours", say("This game is not among yours."))
    if table.phase is not Phase.ENDED:
        message = say("A game can be deleted when it is over; play it to its end, or let a bot play for you.")
        raise IllegalError("game_not_over", message)
    seat = table.seat_of(person)
    return [] if seat is None else [GameRemoved(seat)]


def import_game(record: Record, person: str, problem: Message | None = None) -> list[AnyEvent]:
    """Put a game from elsewhere on a table, as far as it could be read; `problem` says what could not."""
    settings = Settings(str(record.rules), edition_name=_edition_of(record.rules), watching=SpectatorMode.HANDS)
    return [GameImported(person, settings, native.write(record), StoredMessage.of(problem) if problem else None)]


def _edition_of(rules: Rules) -> str:
    """The first edition with these rules; the standard one for rules that no booklet has."""
    return next((name for name, edition in EDITIONS.items() if edition.rules(rules.players) == rules), "standard")


def continue_from(table: Table, person: str, name: str, turn: int, then: Sequence[Action] = ()) -> list[AnyEvent]:
    """Open a table at which the game goes on from one of its moments, or from what others would have made of it.

    Whoever asks has the seat they had, or that of the player to move; bots have theirs; the others' are free. If none is,
    the game begins at once.
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
    events: list[AnyEvent] = [Opened(person, settings), _prepared(table, past.moves(turn, then)), Sat(own, person, name)]

    def can_play(bot: str) -> bool:
        return bot in offered_bots() and offered_bots()[bot].knows(settings.rules)

    for place, bot in enumerate(table.bots):
        if bot and place != own:
            events.append(BotSat(place, bot if can_play(bot) else DEFAULT_BOT, table.names[place]))
    opened = Table(table.code, events)
    return events if any(seat.free for seat in opened.seats) else [*events, *started(opened)]


def _prepared(table: Table, moves: tuple[str, ...]) -> StartPosition:
    return StartPosition(" ".join(map(str, table.record().deck)), moves)


def started(table: Table) -> Iterator[AnyEvent]:
    """The cards are dealt as they were, and what had been done is done again."""
    assert table.prepared is not None
    yield Started(table.prepared.deck, 0)
    turn = 0
    for text in table.prepared.moves:
        move = read_move(text)
        yield Moved.of(move.seat if isinstance(move, Arrange) else turn % len(table.seats), move)
        turn += not isinstance(move, Arrange)
