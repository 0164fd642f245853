"""Tables that begin with a game that is over: one that was brought from elsewhere, or one that somebody plays on from a moment
of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from tamaya.bots import DEFAULT_BOT, offered_bots
from tamaya.record import Origin, Record, native
from tamaya.rules import EDITIONS, Action, Arrange, IllegalError, Message, Rules, read_move, say
from tamaya.table.events import AnyEvent, BotSat, Brought, Moved, Opened, Prepared, Sat, Started
from tamaya.table.settings import Settings, Watching
from tamaya.table.stored_message import StoredMessage
from tamaya.table.table import Table


def bring(record: Record, person: str, problem: Message | None = None) -> list[AnyEvent]:
    """Put a game from elsewhere on a table, as far as it could be read; `problem` says what could not."""
    settings = Settings(str(record.rules), edition_name=_edition_of(record.rules), watching=Watching.HANDS)
    return [Brought(person, settings, native.write(record), StoredMessage.of(problem) if problem else None)]


def _edition_of(rules: Rules) -> str:
    """The first edition with these rules; the standard one for rules that no booklet has."""
    return next((name for name, edition in EDITIONS.items() if edition.rules(rules.players) == rules), "standard")


def play_on(table: Table, person: str, name: str, turn: int, then: Sequence[Action] = ()) -> list[AnyEvent]:
    """Open a table at which the game goes on from one of its moments, or from what others would have made of it.

    Whoever asks has the seat they had, or that of the player to move; bots have theirs; the others' are free. If none is,
    the game begins at once.
    """
    past = table.past()
    view = past.suppose(turn, then)
    if view.to_move is None:
        raise IllegalError("game_over", say("The game is over there; go back to an earlier turn."))
    watching = Watching.TABLE if table.brought else table.settings.watching
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


def _prepared(table: Table, moves: tuple[str, ...]) -> Prepared:
    return Prepared(" ".join(map(str, table.record().deck)), moves)


def started(table: Table) -> Iterator[AnyEvent]:
    """The cards are dealt as they were, and what had been done is done again."""
    assert table.prepared is not None
    yield Started(table.prepared.deck, 0)
    turn = 0
    for text in table.prepared.moves:
        move = read_move(text)
        yield Moved.of(move.seat if isinstance(move, Arrange) else turn % len(table.seats), move)
        turn += not isinstance(move, Arrange)
