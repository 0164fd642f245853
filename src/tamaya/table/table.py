"""A table as its events have left it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum

from tamaya.engine import Game, View
from tamaya.record import Record, from_text
from tamaya.rules import IllegalError, Message, read_card, say
from tamaya.table.events import (
    AnyEvent,
    BotSat,
    Brought,
    GivenBack,
    Moved,
    Opened,
    Prepared,
    Rematched,
    Said,
    Sat,
    Started,
    Stood,
    TakenOver,
)
from tamaya.table.past import Past
from tamaya.table.remarks import REMARKS
from tamaya.table.settings import Memory, Settings, Watching


class Phase(StrEnum):
    """Where a table is in its life."""

    OPEN = "open"
    PLAYING = "playing"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who has a seat: nobody, a person, a bot, or a bot that plays for a person."""

    person: str = ""
    bot: str = ""
    name: str = ""

    @property
    def free(self) -> bool:
        """Whether somebody can sit down here."""
        return not self.name


@dataclass(frozen=True, slots=True)
class Spoken:
    """Something that was said at a table after so many turns: by whom, and the words."""

    turn: int
    name: str
    words: Message | str


class Table:
    """One table: its settings, who sits where, the game once it has begun, and what was said.

    A table is never changed: `after` makes the next one. Only `view_for` and `explanations_for` say what may be shown to whom.
    `failed_turns` are those in which a bot failed and a safe action was taken for it. `prepared` is what a game that goes on
    from another one will begin with, `brought` the record of a game that was played elsewhere, `problem` what is wrong with it.
    """

    def __init__(self, code: str, events: Iterable[AnyEvent]) -> None:
        self.code = code
        self.host = ""
        self.settings: Settings
        self.sequence = 0
        self.seats: list[Seat] = []
        self.said: list[Spoken] = []
        self.rematch = ""
        self.prepared: Prepared | None = None
        self.brought: Record | None = None
        self.problem: Message | None = None
        self.failed_turns: frozenset[int] = frozenset()
        self._why: dict[int, Message] = {}
        self._game: Game | None = None
        for event in events:
            self._apply(event)

    def after(self, events: Iterable[AnyEvent]) -> Table:
        """The table after these further events; this one stays as it is. Refuses a move that the rules do not allow."""
        table = copy(self)
        table.seats, table.said, table._why = list(self.seats), list(self.said), dict(self._why)
        table._game = self._game.copy() if self._game else None
        for event in events:
            table._apply(event)
        return table

    def _apply(self, event: AnyEvent) -> None:
        match event:
            case Opened(host, settings):
                self.host, self.settings = host, settings
                self.seats = [Seat()] * settings.rules.players
            case Brought():
                self._bring(event)
            case Prepared():
                self.prepared = event
            case Started(deck, first):
                self.seats = self.seats[first:] + self.seats[:first]
                self._game = Game(self.settings.rules, deck=[read_card(word) for word in deck.split()])
            case Moved():
                self._moved(event)
            case Said(seat, remark, text):
                words = REMARKS[remark] if remark else text
                self.said.append(Spoken(self.turn, self.seats[seat].name, words))
            case Rematched(code):
                self.rematch = code
            case _:
                self.seats[event.seat] = self._reseated(event)
        self.sequence += 1

    def _bring(self, event: Brought) -> None:
        replay = from_text(event.record)
        self.host, self.settings, self.brought = event.host, event.settings, replay.record
        self.problem = event.problem.message if event.problem else None
        seats = zip(replay.record.names, replay.record.bots, strict=True)
        self.seats, self._game = [Seat(bot=bot or "", name=name) for name, bot in seats], replay.game

    def _moved(self, event: Moved) -> None:
        self._running.move(event.parsed)
        if event.replaced:
            self.failed_turns |= {self.turn}
        if event.why:
            self._why[self.turn] = event.why.message

    def _reseated(self, event: Sat | BotSat | Stood | TakenOver | GivenBack) -> Seat:
        match event:
            case Sat(_, person, name):
                return Seat(person=person, name=name)
            case BotSat(_, bot, name):
                return Seat(bot=bot, name=name)
            case Stood():
                return Seat()
            case TakenOver(seat, bot):
                return replace(self.seats[seat], bot=bot)
            case GivenBack(seat):
                return replace(self.seats[seat], bot="")

    @property
    def phase(self) -> Phase:
        """Whether the game has begun and whether it is over; one that was brought is not played on here."""
        if self._game is None:
            return Phase.OPEN
        return Phase.PLAYING if self._game.outcome is None and not self.brought else Phase.ENDED

    @property
    def turn(self) -> int:
        """How many actions have been taken."""
        return self._game.turn if self._game else 0

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is, while the game goes on."""
        return self._game.to_move if self._game and not self.brought else None

    @property
    def points(self) -> int:
        """The points so far; after the end, those that count."""
        outcome = self._running.outcome
        return self._running.points if outcome is None or outcome.score is None else outcome.score

    @property
    def lost(self) -> bool:
        """Whether the game was lost, without any points."""
        outcome = self._running.outcome
        return outcome is not None and outcome.score is None and outcome.ending.lost

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return tuple(seat.name for seat in self.seats)

    @property
    def people(self) -> tuple[str, ...]:
        """The people whose table it is: those who sit at it, or whoever brought the game."""
        return (self.host,) if self.brought else tuple(seat.person for seat in self.seats if seat.person)

    def seat_of(self, person: str) -> int | None:
        """Where a person sits."""
        return next((place for place, seat in enumerate(self.seats) if person and seat.person == person), None)

    @property
    def bot_to_move(self) -> str:
        """The bot that has to choose the next action, if it is a bot's turn."""
        return self.seats[self.to_move].bot if self.to_move is not None else ""

    @property
    def _running(self) -> Game:
        if self._game is None:
            raise IllegalError("not_started", say("The game has not begun."))
        return self._game

    def view_for(self, person: str) -> View:
        """What a person may see of the game: their seat's view, or what the table lets spectators see. After the end, all."""
        game = self._running
        seat = self.seat_of(person)
        if self.phase is Phase.ENDED:
            return game.reveal_hands()
        if seat is not None:
            return game.view(seat)
        return game.reveal_hands() if self.sees_every_hand(person) else game.spectator_view()

    def sees_every_hand(self, person: str) -> bool:
        """Whether a person sees every hand: everybody does after the end, and so do spectators whom the table trusts."""
        return self.phase is Phase.ENDED or (self.seat_of(person) is None and self.settings.watching is Watching.HANDS)

    def explanations_for(self, person: str) -> Mapping[int, Message]:
        """Why bots acted as they did, by turn. A bot names cards that it sees, so only those who see every hand may read it."""
        return self._why if self._game and self.sees_every_hand(person) else {}

    def view_of_seat(self, seat: int) -> View:
        """What the player at a seat may see, for the bot that chooses there."""
        return self._running.view(seat)

    def may_look(self, person: str) -> bool:
        """Whether a person may see the table at all."""
        if self.phase is Phase.OPEN or person == self.host or self.seat_of(person) is not None:
            return True
        return self.settings.watching is not Watching.NOBODY

    def hand_numbers(self, seat: int) -> tuple[int, ...]:
        """The numbers under which the cards of a hand were dealt, from left to right."""
        return self._running.hand_numbers(seat)

    @property
    def arrangements(self) -> int:
        """How often hands have been rearranged."""
        return len(self._game.moves) - self._game.turn if self._game else 0

    def record(self) -> Record:
        """The whole game with its deck, once it is over."""
        game = self._running
        if self.phase is not Phase.ENDED:
            raise IllegalError("game_not_over", say("The record shows the deck; it can be had when the game is over."))
        return self.brought or Record.of(game, self.names, [seat.bot or None for seat in self.seats])

    # Looking back.

    def may_look_back(self, person: str) -> bool:
        """Whether a person may see the game that was played here: once it is over, everybody who was given the link."""
        return self.phase is Phase.ENDED or self.may_look(person)

    def past(self) -> Past:
        """The whole game, to look at it through any eyes, once it is over."""
        if self.phase is not Phase.ENDED:
            raise IllegalError("game_not_over", say("The replay shows every hand; it can be had when the game is over."))
        return Past(self._running)

    def earlier_view_for(self, person: str, turn: int) -> View:
        """What a person could see after so many turns of the game that goes on, where the table remembers for its players."""
        if self.settings.memory is Memory.NOTHING:
            message = say("At this table everybody remembers every clue themselves; you can look back when the game is over.")
            raise IllegalError("nothing_remembered", message)
        earlier = copy(self)
        earlier._game = self._running.at(turn)
        return earlier.view_for(person)
