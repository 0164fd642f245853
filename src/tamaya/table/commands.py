"""What people can ask of a table. Each command either refuses or answers with events; it changes nothing itself.

Whether the rules allow a move is decided once, when `Table.after` applies its event: it refuses the event before anything is
kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from tamaya.bots import DEFAULT_BOT, BotMove, find_bot, offered_bots
from tamaya.record import MOST_ARRANGEMENTS
from tamaya.record.checks import LONGEST_NAME, is_name
from tamaya.rules import Action, Arrange, Card, IllegalError, MalformedError, Rules, read_action, say
from tamaya.table.beginnings import started
from tamaya.table.events import (
    AnyEvent,
    BotSat,
    GivenBack,
    LetBack,
    Moved,
    Opened,
    Parted,
    Rematched,
    Said,
    Sat,
    Started,
    Stood,
    TakenBack,
    TakenOver,
)
from tamaya.table.lesson import FIRST, guidance, prepared
from tamaya.table.names import alike, free_bot_name, is_own_word, visible
from tamaya.table.remarks import REMARKS
from tamaya.table.seats import Phase, Seat
from tamaya.table.settings import Settings, Talk, Watching
from tamaya.table.stored_message import StoredMessage
from tamaya.table.table import Table

LONGEST_TEXT = 200
MOST_SAID = 500
REMOVED = say("The host has removed you from your seat; only the host can let you sit down again.")
"""What somebody is told whom the host removed."""
Deal = Callable[[Rules], Sequence[Card]]


def checked_name(name: str) -> str:
    """A name that can be shown, without blanks around it and without what nobody sees."""
    name = visible(name)
    if not is_name(name):
        raise MalformedError("bad_name", say("A name has from 1 to {most} printable characters.", most=LONGEST_NAME))
    if is_own_word(name):
        raise MalformedError("own_word", say("“{name}” is reserved for the table itself; take another name.", name=name))
    return name


def open_table(settings: Settings, host: str, name: str) -> list[AnyEvent]:
    """Open a table and sit down at it. Where spectators see every hand, people have to trust each other: no list invites
    strangers there."""
    if settings.listed and settings.watching is Watching.HANDS:
        message = say("A table where spectators see every hand cannot be listed; choose one of the two.")
        raise IllegalError("listed_hands", message)
    return [Opened(host, settings), Sat(0, host, checked_name(name))]


def sit(table: Table, person: str, name: str, seat: int | None = None) -> list[AnyEvent]:
    """Take a free seat: the one asked for, or the first."""
    _require_open(table)
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
    _require_free_name(table, person, name)
    place = free[0] if seat is None else seat
    return [*([Stood(own)] if own is not None else []), Sat(place, person, name)]


def rename(table: Table, person: str, name: str) -> list[AnyEvent]:
    """Be called something else at the table, before the game begins."""
    _require_open(table)
    seat, name = own_seat(table, person), checked_name(name)
    _require_free_name(table, person, name)
    return [Sat(seat, person, name)] if name != table.seats[seat].name else []


def stand(table: Table, person: str, seat: int) -> list[AnyEvent]:
    """Free a seat: one's own, or as host anybody's. Whoever is removed by the host does not sit down again by themselves."""
    _require_open(table)
    taken = seat_at(table, seat)
    if taken.free:
        raise IllegalError("seat_free", say("Nobody sits there."))
    if taken.person != person:
        _require_host(table, person)
    return [Stood(seat, removed=bool(taken.person) and taken.person != person)]


def let_back(table: Table, person: str, number: int) -> list[AnyEvent]:
    """Let somebody sit down again whom the host had removed; `number` is that of the removal, from 0."""
    _require_open(table)
    _require_host(table, person)
    if not (0 <= number < len(table.removals) and not table.removals[number].let_back):
        raise IllegalError("not_removed", say("There is nobody to let back; look again before you decide."))
    return [LetBack(number)]


def seat_bot(table: Table, person: str, seat: int, bot: str) -> list[AnyEvent]:
    """Put a bot on a free seat."""
    _require_open(table)
    _require_host(table, person)
    if not seat_at(table, seat).free:
        raise IllegalError("seat_taken", say("That seat is taken; take a free one."))
    _require_offered(table, bot)
    return [BotSat(seat, bot, free_bot_name(table.names))]


def start(table: Table, person: str, first: int, deal: Deal, host_away: bool = False) -> list[AnyEvent]:
    """Deal the cards; the player at seat `first` begins. While the host is away, anybody with a seat can do it."""
    _require_open(table)
    if not host_away or table.seat_of(person) is None:
        _require_host(table, person)
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


def move(table: Table, person: str, text: str, turn: int, hand: str | None = None, line: int = 0) -> list[AnyEvent]:
    """Take one's turn. `turn` is the turn that the person saw, on the `line` of play that the table then followed, and `hand`,
    where given, the numbers of the cards that lay before them: slots mean other cards once the table has moved on, something
    was taken back or the hand was rearranged."""
    seat = playing_seat(table, person)
    action = read_action(text)
    if (turn, line) != (table.turn, table.line):
        raise moved_on()
    if table.to_move != seat:
        raise IllegalError("not_your_turn", say("It is not your turn."))
    if hand is not None and hand.split() != [str(number) for number in table.hand_numbers(seat)]:
        raise _hand_changed()
    _require_right(table, seat, action)
    return [Moved.of(seat, action)]


def _require_right(table: Table, seat: int, action: Action) -> None:
    """In the steps of the guided first deal, refuse an action that the rules allow but the step does not ask for."""
    guide = guidance(table.view_of_seat(seat), table.names) if table.settings.lesson else None
    objection = guide.objection(action) if guide and action in guide.view.legal_actions else None
    if objection:
        raise IllegalError("wrong_step", objection)


def arrange(table: Table, person: str, wanted: str) -> list[AnyEvent]:
    """Rearrange one's hand: the numbers of its cards from left to right, with ``-`` after those that lie sideways."""
    seat = playing_seat(table, person)
    numbers = table.hand_numbers(seat)
    words = wanted.split()
    order = [word.removesuffix("-") for word in words]
    if sorted(order) != sorted(map(str, numbers)):
        raise _hand_changed()
    if table.arrangements >= MOST_ARRANGEMENTS:
        raise IllegalError("too_many", say("The hands of this game have been rearranged often enough."))
    turned = tuple(place for place, word in enumerate(words) if word.endswith("-"))
    return [Moved.of(seat, Arrange(seat, tuple(numbers.index(int(number)) for number in order), turned))]


def bot_move(table: Table, thought: BotMove, turn: int, hand: tuple[int, ...] | None = None, line: int = 0) -> list[AnyEvent]:
    """The action that a bot chose for the seat whose turn it is; nothing if the turn, the line of play or the hand has changed
    since, or if people talk about taking something back."""
    seat = table.to_move
    if (turn, line) != (table.turn, table.line) or seat is None or not table.bot_to_move:
        return []
    if hand is not None and hand != table.hand_numbers(seat):
        return []
    why = StoredMessage.of(thought.why) if thought.why else None
    return [Moved.of(seat, thought.action, bot=True, why=why, replaced=bool(thought.problem))]


def speak(table: Table, person: str, remark: str = "", text: str = "") -> list[AnyEvent]:
    """Say something, a set remark or free text, if the table allows it now."""
    seat = own_seat(table, person)
    text = " ".join(text.split())
    if bool(remark) == bool(text) or (remark and remark not in REMARKS):
        raise MalformedError("nothing_said", say("Choose a remark, or write something."))
    if len(text) > LONGEST_TEXT or not text.isprintable():
        raise MalformedError("bad_text", say("Write at most {most} printable characters.", most=LONGEST_TEXT))
    if table.phase is Phase.PLAYING:
        if table.settings.talk is Talk.STRICT:
            raise IllegalError("strict_talk", say("At this table nobody talks while the game goes on."))
        if text and table.settings.talk is Talk.REMARKS:
            raise IllegalError("remarks_only", say("At this table only the set remarks are allowed while the game goes on."))
    if len(table.said) >= MOST_SAID:
        raise IllegalError("too_many", say("Enough has been said at this table."))
    return [Said(seat, remark, text)]


def take_over(table: Table, person: str, seat: int, bot: str, away: bool) -> list[AnyEvent]:
    """Let a bot play for somebody who is away, or for oneself. Only for oneself can one choose which: nobody puts a bot that
    loses games on a teammate's seat."""
    own = own_seat(table, person)
    require_running(table)
    taken = seat_at(table, seat)
    if taken.bot:
        raise IllegalError("bot_plays_already", say("A bot plays there already."))
    if seat != own and not away:
        raise IllegalError("not_away", say("{name} is at the table; a bot can play only for somebody who left.",
                                           name=taken.name))  # fmt: skip
    _require_offered(table, bot)
    if seat != own and bot != DEFAULT_BOT:
        message = say("You can choose a bot only for yourself; for somebody who is away, “{name}” plays.",
                      name=find_bot(DEFAULT_BOT).title or DEFAULT_BOT)  # fmt: skip
        raise IllegalError("not_your_bot", message)
    return agreed_by_all(table, TakenOver(seat, bot))


def agreed_by_all(table: Table, event: AnyEvent) -> list[AnyEvent]:
    """An event, and what was asked for is taken back if nobody is left then who has to agree."""
    following = table.after([event])
    asked = following.question
    return [event, TakenBack(asked.seat, asked.turn)] if asked and following.back_agreed else [event]


def give_back(table: Table, person: str) -> list[AnyEvent]:
    """Take one's seat back from the bot."""
    seat = own_seat(table, person)
    require_running(table)
    if not table.seats[seat].bot:
        raise IllegalError("no_bot_there", say("You play yourself already."))
    return [GivenBack(seat)]


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


def part(table: Table, person: str) -> list[AnyEvent]:
    """Delete an ended game from one's own. Whoever brought one from elsewhere has no seat to leave: there, nothing happens."""
    if person not in table.people or not person:
        raise IllegalError("not_yours", say("This game is not among yours."))
    if table.phase is not Phase.ENDED:
        message = say("A game can be deleted when it is over; play it to its end, or let a bot play for you.")
        raise IllegalError("game_not_over", message)
    seat = table.seat_of(person)
    return [] if seat is None else [Parted(seat)]


def seat_at(table: Table, seat: int) -> Seat:
    """The seat of that number."""
    if not 0 <= seat < len(table.seats):
        raise MalformedError("unknown_seat", say("The seats of this table go from 1 to {players}.", players=len(table.seats)))
    return table.seats[seat]


def own_seat(table: Table, person: str) -> int:
    """Where a person sits; refuses those who do not."""
    seat = table.seat_of(person)
    if seat is None:
        raise IllegalError("no_seat", say("You have no seat at this table."))
    return seat


def playing_seat(table: Table, person: str) -> int:
    """Where a person plays, while the game goes on and no bot plays for them."""
    seat = own_seat(table, person)
    require_running(table)
    if table.seats[seat].bot:
        raise IllegalError("bot_plays", say("A bot plays for you; take your seat back first."))
    return seat


def moved_on() -> IllegalError:
    """The refusal of what somebody decided on a table that is another one by now."""
    return IllegalError("turn_over", say("The table has moved on since; look again before you decide."))


def _hand_changed() -> IllegalError:
    return IllegalError("hand_changed", say("Your hand has changed since; look again before you decide."))


def _require_offered(table: Table, bot: str) -> None:
    """Refuse a bot that is not meant for tables, or does not know the rules of this one. Anybody may have typed the name, so
    nothing is imported for it."""
    if not find_bot(bot).offered:
        known = tuple(offered_bots())
        raise MalformedError("unknown_bot", say("There is no bot “{name}”; the bots are {known}.", name=bot[:40], known=known))
    find_bot(bot).check_rules(table.settings.rules)


def _require_free_name(table: Table, person: str, name: str) -> None:
    others = (taken.name for taken in table.seats if taken.person != person)
    if other := next((other for other in others if alike(name, other)), ""):
        raise IllegalError("name_taken", say("Somebody at this table is called {name}; take another name.", name=other))


def _require_open(table: Table) -> None:
    if table.phase is not Phase.OPEN:
        raise IllegalError("started", say("The game has begun; seats no longer change."))


def _require_host(table: Table, person: str) -> None:
    if person != table.host:
        raise IllegalError("not_host", say("Only the host of the table can do that."))


def require_running(table: Table) -> None:
    """Refuse what belongs to a game that goes on."""
    if table.phase is Phase.OPEN:
        raise IllegalError("not_started", say("The game has not begun."))
    if table.phase is Phase.ENDED:
        raise IllegalError("game_over", say("The game is over."))
