"""The state of a table, built from its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import replace

from tamaya.engine import Arranged, Game, View
from tamaya.record import AdvisedTurn, Record, TakeBack, Undone, add_undone, from_text
from tamaya.rules import Arrange, Ending, IllegalError, Message, read_card, say
from tamaya.table.events import (
    AdviceTaken,
    AnyEvent,
    BotSat,
    GameImported,
    GameRemoved,
    GivenBack,
    Moved,
    Noted,
    NotesShown,
    Opened,
    Readmitted,
    Rematched,
    Said,
    Sat,
    SeatEvent,
    SeatFreed,
    Started,
    StartPosition,
    TakeBackApproved,
    TakeBackDeclined,
    TakeBackEvent,
    TakeBackRequested,
    TakenBack,
    TakenOver,
)
from tamaya.table.settings import Settings, SpectatorMode
from tamaya.table.state import REMARKS, ChatMessage, Note, Phase, Removal, Seat, TakeBackRequest, notes_after_take_back, readmit
from tamaya.table.store import GameKind
from tamaya.table.visibility import PastGame


class Table:
    """A table: its settings, its seats, the game once it has begun, and the messages.

    Tables are immutable: `after` returns the next one. Only `view_for`, `explanations_for` and `notes_for` decide what is shown
    to whom; the game, notes and reasons behind them stay private to this class.

    `bot_turns` are the turns that bots took, `failed_turns` those in which a bot failed and a safe action was taken for it.
    `prepared` is the start position of a game that continues another one; `brought` is the record of an imported game and
    `problem` what could not be read of it. `undone` is what was taken back, `question` the open request to take back, and
    `refused_turns` are those for which a request was declined. `advised` are the turns with advice, `removals` the people whom
    the host removed.
    """

    def __init__(self, code: str, events: Iterable[AnyEvent]) -> None:
        self.code = code
        self.host = ""
        self.settings: Settings
        self.sequence = 0
        self.seats: list[Seat] = []
        self.removals: tuple[Removal, ...] = ()
        self.said: list[ChatMessage] = []
        self.rematch = ""
        self.prepared: StartPosition | None = None
        self.brought: Record | None = None
        self.problem: Message | None = None
        self.failed_turns: frozenset[int] = frozenset()
        self.bot_turns: frozenset[int] = frozenset()
        self.undone: tuple[Undone, ...] = ()
        self.question: TakeBackRequest | None = None
        self.questions = 0
        self.refused_turns: frozenset[int] = frozenset()
        self.shown_notes: frozenset[int] = frozenset()
        self.advised: tuple[AdvisedTurn, ...] = ()
        self._notes: tuple[Note, ...] = ()
        self._reasons: dict[int, Message] = {}
        self._game: Game | None = None
        for event in events:
            self._apply(event)

    def after(self, events: Iterable[AnyEvent]) -> Table:
        """The table after these further events; raises if the rules do not allow a move."""
        table = copy(self)
        table.seats, table.said, table._reasons = list(self.seats), list(self.said), dict(self._reasons)
        table._game = self._game.copy() if self._game else None
        for event in events:
            table._apply(event)
        return table

    def _apply(self, event: AnyEvent) -> None:
        match event:
            case Opened(host, settings):
                self.host, self.settings = host, settings
                self.seats = [Seat()] * settings.rules.players
            case GameImported():
                self._import(event)
            case StartPosition():
                self.prepared = event
            case Started(deck, first):
                self.seats = self.seats[first:] + self.seats[:first]
                self._game = Game(self.settings.rules, deck=[read_card(word) for word in deck.split()])
            case Moved():
                self._apply_move(event)
            case Said() | Rematched() | Readmitted():
                self._apply_outside_game(event)
            case TakeBackRequested() | TakeBackApproved() | TakeBackDeclined() | TakenBack():
                self._apply_take_back(event)
            case Noted() | NotesShown() | AdviceTaken():
                self._apply_note(event)
            case _:
                self.seats[event.seat] = self._seat_after(event)
        self.sequence += 1

    def _import(self, event: GameImported) -> None:
        replay = from_text(event.record)
        self.host, self.settings, self.brought = event.host, event.settings, replay.record
        self.problem = event.problem.message if event.problem else None
        seats = zip(replay.record.names, replay.record.bots, strict=True)
        self.seats, self._game = [Seat(bot=bot or "", name=name) for name, bot in seats], replay.game
        self.undone, self.advised = replay.undone, replay.record.advised

    def _apply_outside_game(self, event: Said | Rematched | Readmitted) -> None:
        """Apply events outside the game."""
        match event:
            case Said(seat, remark, text):
                words = REMARKS[remark] if remark else text
                self.said.append(ChatMessage(self.turn, self.seats[seat].name, words))
            case Rematched(code):
                self.rematch = code
            case Readmitted(number):
                self.removals = readmit(self.removals, number)

    def _apply_move(self, event: Moved) -> None:
        self._running.move(event.parsed)
        if not isinstance(event.parsed, Arrange):
            self.question = None
            self.bot_turns |= {self.turn} if event.bot else set()
        if event.replaced:
            self.failed_turns |= {self.turn}
        if event.why:
            self._reasons[self.turn] = event.why.message

    def _apply_take_back(self, event: TakeBackEvent) -> None:
        match event:
            case TakeBackRequested(seat, turn):
                self.question, self.questions = TakeBackRequest(seat, turn), self.questions + 1
            case TakeBackApproved(seat) if self.question:
                self.question = replace(self.question, agreed=self.question.agreed | {seat})
            case TakeBackDeclined(seat) if self.question:
                if seat != self.question.seat:
                    self.refused_turns |= {self.question.turn}
                self.question = None
            case TakenBack(_, turn):
                self._take_back(turn)

    def _take_back(self, turn: int) -> None:
        """Go back to before the action that followed `turn`. Messages and notes stay, with the action taken instead."""
        game, log, moves = self._running, self._running.log, self._running.moves
        while game.turn > turn:
            game.undo()
        after = len(game.log)
        self.undone = add_undone(self.undone, TakeBack(after, moves[after:]), log[after:])
        self.said = [replace(spoken, turn=min(spoken.turn, turn + 1)) for spoken in self.said]
        self.advised = tuple(replace(taken, turn=min(taken.turn, turn + 1)) for taken in self.advised)
        self._notes = notes_after_take_back(self._notes, turn)
        self._reasons = {before: why for before, why in self._reasons.items() if before <= turn}
        self.failed_turns = frozenset(before for before in self.failed_turns if before <= turn)
        self.bot_turns = frozenset(before for before in self.bot_turns if before <= turn)
        self.question, self.refused_turns = None, frozenset()

    def _apply_note(self, event: Noted | NotesShown | AdviceTaken) -> None:
        """Apply events that concern one player only."""
        match event:
            case Noted(seat, text, card, turn):
                self._notes += (Note(seat, self.turn, text, card, turn),)
            case AdviceTaken(seat):
                self.advised += (AdvisedTurn(seat, self.turn + 1),)
            case NotesShown(seat, shown):
                self.shown_notes = self.shown_notes | {seat} if shown else self.shown_notes - {seat}

    def _seat_after(self, event: SeatEvent) -> Seat:
        match event:
            case Sat(_, person, name):
                return Seat(person=person, name=name)
            case BotSat(_, bot, name):
                return Seat(bot=bot, name=name)
            case SeatFreed(seat, removed):
                if removed:
                    self.removals += (Removal(self.seats[seat].person, self.seats[seat].name),)
                return Seat()
            case TakenOver(seat, bot):
                if self.question and self.question.seat == seat:
                    self.question = None
                return replace(self.seats[seat], bot=bot)
            case GivenBack(seat):
                return replace(self.seats[seat], bot="")
            case GameRemoved(seat):
                self.host = "" if self.seats[seat].person == self.host else self.host
                self._notes = tuple(note for note in self._notes if note.seat != seat)
                return replace(self.seats[seat], person="", parted=True)

    @property
    def phase(self) -> Phase:
        """The phase of the game; an imported game has ended."""
        if self._game is None:
            return Phase.OPEN
        return Phase.PLAYING if self._game.outcome is None and not self.brought else Phase.ENDED

    @property
    def turn(self) -> int:
        """The number of actions taken."""
        return self._game.turn if self._game else 0

    @property
    def branch(self) -> int:
        """The number of the line of play: each take-back begins a new one, in which turns are different turns."""
        return len(self.undone)

    @property
    def to_move(self) -> int | None:
        """The seat to move while the game goes on."""
        return self._game.to_move if self._game and not self.brought else None

    @property
    def points(self) -> int:
        """The points so far; after the end, the score."""
        outcome = self._running.outcome
        return self._running.points if outcome is None or outcome.score is None else outcome.score

    @property
    def lost(self) -> bool:
        """Whether the game was lost without a score."""
        outcome = self._running.outcome
        return outcome is not None and outcome.score is None and outcome.ending.lost

    @property
    def perfect(self) -> bool:
        """Whether every firework was completed."""
        outcome = self._running.outcome
        return outcome is not None and outcome.ending is Ending.WON

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def people(self) -> tuple[str, ...]:
        """The people to whom the table belongs: the seated ones, or the owner of an imported game."""
        return (self.host,) if self.brought else tuple(seat.person for seat in self.seats if seat.person)

    @property
    def bots(self) -> tuple[str, ...]:
        """The bot of each seat; empty for people, even while a bot plays for them."""
        return tuple("" if seat.person or seat.parted else seat.bot for seat in self.seats)

    @property
    def kind(self) -> GameKind:
        """How the game came about."""
        if self.brought:
            return GameKind.BROUGHT
        if self.settings.lesson:
            return GameKind.LESSON
        return GameKind.PLAYED_ON if self.settings.origin else GameKind.PLAIN

    def is_removed(self, person: str) -> bool:
        """Whether the host removed a person from their seat and has not let them back."""
        return any(removal.person == person and not removal.let_back for removal in self.removals)

    def seat_of(self, person: str) -> int | None:
        """The seat of a person."""
        return next((place for place, seat in enumerate(self.seats) if person and seat.person == person), None)

    @property
    def bot_to_move(self) -> str:
        """The bot to move, if a bot is. Bots wait while a take-back is being discussed."""
        return self.seats[self.to_move].bot if self.to_move is not None and not self.question else ""

    @property
    def human_seats(self) -> tuple[int, ...]:
        """The seats at which people play, without those for whom a bot plays."""
        return tuple(place for place, seat in enumerate(self.seats) if seat.person and not seat.bot)

    @property
    def is_take_back_agreed(self) -> bool:
        """Whether all other players have agreed to the requested take-back."""
        return self.question is not None and not self.question.awaited_from(self.human_seats)

    def last_turn_of(self, seat: int) -> int | None:
        """The last turn in which a seat acted at this table, from 1."""
        turns = (event for event in reversed(self._running.log) if not isinstance(event, Arranged) and event.turn > self._begun)
        return next((event.turn for event in turns if event.seat == seat), None)

    def acted_here(self, turn: int) -> bool:
        """Whether a person took this turn at this table."""
        return turn > self._begun and turn not in self.bot_turns

    @property
    def _begun(self) -> int:
        """The number of turns that were taken in the game which this one continues."""
        return sum(not text.startswith("arrange") for text in self.prepared.moves) if self.prepared else 0

    @property
    def _running(self) -> Game:
        if self._game is None:
            raise IllegalError("not_started", say("The game has not begun."))
        return self._game

    def view_for(self, person: str) -> View:
        """The view of the game for a person: their seat's, or the spectators'. After the end, all hands are shown."""
        game = self._running
        seat = self.seat_of(person)
        if self.phase is Phase.ENDED:
            return game.reveal_hands()
        if seat is not None:
            return game.view(seat)
        return game.reveal_hands() if self.sees_every_hand(person) else game.spectator_view()

    def sees_every_hand(self, person: str) -> bool:
        """Whether a person sees every hand: after the end all people do, before only spectators whom the settings allow it."""
        return self.phase is Phase.ENDED or (self.seat_of(person) is None and self.settings.watching is SpectatorMode.HANDS)

    def explanations_for(self, person: str) -> Mapping[int, Message]:
        """The reasons of bots, by turn. They may name any card, so only people who see every hand get them."""
        return self._reasons if self._game and self.sees_every_hand(person) else {}

    def notes_for(self, person: str) -> tuple[Note, ...]:
        """The notes that a person may read, in order: their own, and after the end, if they may look at the table, those that
        other players show."""
        own = self.seat_of(person)
        shown = self.shown_notes if self.phase is Phase.ENDED and self.may_look(person) else frozenset[int]()
        return tuple(note for note in self._notes if note.seat == own or note.seat in shown)

    def view_of_seat(self, seat: int) -> View:
        """The view of a seat, for the bot that plays there."""
        return self._running.view(seat)

    def may_look(self, person: str) -> bool:
        """Whether a person may see the table at all."""
        if self.phase is Phase.OPEN or person == self.host or self.seat_of(person) is not None:
            return True
        return self.settings.watching is not SpectatorMode.NOBODY

    def hand_numbers(self, seat: int) -> tuple[int, ...]:
        """The deal numbers of a hand's cards, from left to right."""
        return self._running.hand_numbers(seat)

    @property
    def cards_drawn(self) -> range:
        """The deal numbers of all cards that have been drawn."""
        return range(self.settings.rules.deck_size - self._running.deck_count)

    @property
    def arrangements(self) -> int:
        """The number of rearrangements, including those taken back."""
        before = sum(isinstance(move, Arrange) for back in self.undone for move in back.take_back.moves)
        return before + (len(self._game.moves) - self._game.turn if self._game else 0)

    def record(self) -> Record:
        """The whole game with its deck, once it is over."""
        game = self._running
        if self.phase is not Phase.ENDED:
            raise IllegalError("game_not_over", say("The record shows the deck; it can be had when the game is over."))
        if self.brought:
            return self.brought
        record = Record.of(game, self.names, [seat.bot or None for seat in self.seats])
        undone = tuple(back.take_back for back in self.undone)
        return replace(record, taken_back=undone, origin=self.settings.origin, advised=self.advised)

    # Looking back.

    def may_look_back(self, person: str) -> bool:
        """Whether a person may see the past of the game: after the end, every person with the link may."""
        return self.phase is Phase.ENDED or self.may_look(person)

    def past(self) -> PastGame:
        """All moments of the game, from every viewpoint, once it is over."""
        if self.phase is not Phase.ENDED:
            raise IllegalError("game_not_over", say("The replay shows every hand; it can be had when the game is over."))
        return PastGame(self._running)

    def earlier_view_for(self, person: str, turn: int) -> View:
        """The view of a person after an earlier turn of the running game, if the table keeps its history."""
        if not self.settings.memory.keeps_history:
            message = say("At this table everybody remembers every clue themselves; you can look back when the game is over.")
            raise IllegalError("nothing_remembered", message)
        earlier = copy(self)
        earlier._game = self._running.at(turn)
        return earlier.view_for(person)


Decision = Callable[[Table], list[AnyEvent]]
"""What a command makes of a table: the events that follow; it raises to refuse."""
