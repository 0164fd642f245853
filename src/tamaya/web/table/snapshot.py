"""A game as one viewer sees it at one time, live or past: everything a board is rendered from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tamaya.bots import DEFAULT_BOT, Advice
from tamaya.engine import Event, View
from tamaya.record import AdvisedTurn, Undone, hanab_live
from tamaya.rules import IllegalError, Message, RecordError
from tamaya.table import (
    ChatMessage,
    ChatPolicy,
    ClueMemory,
    Guidance,
    Note,
    Phase,
    SpectatorMode,
    Table,
    commands,
    guidance,
    notes_at,
)
from tamaya.web.rendering.symbols import distinct_avatars

MAX_MESSAGES = 40
"""Messages shown on a page."""


@dataclass(frozen=True, slots=True)
class Player:
    """The player at a seat: a person, a bot, or a bot that stands in for a person. Only people are `away`."""

    name: str
    bot: str = ""
    stands_in: bool = False
    away: bool = False
    avatar: str = ""

    @property
    def as_seated(self) -> Player:
        """The player as they sat down, before bots stood in or people left."""
        return replace(self, bot="" if self.stands_in else self.bot, stands_in=False, away=False)


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open take-back request: its number, the seat, the turn, and the seats yet to answer."""

    number: int
    seat: int
    turn: int
    waits_for: tuple[int, ...]


ADVICE_STEPS = (1, 2, 3)
"""Advice comes in steps: idea, move, reason."""


@dataclass(frozen=True, slots=True)
class ShownAdvice:
    """Advice on the current action, and how many of its steps the viewer has read."""

    advice: Advice
    steps: int


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What a board shows besides the view. Messages, reasons, take-backs and notes carry their turn, so one instance serves
    every moment of the game.

    `take_back_turn` is the turn that the viewer can take back now, or 0. `shows_notes`: the viewer shows their notes to the
    others. `open_hands`: spectators see every hand. `code`, `sequence` and `rematch` are empty for a game without a table,
    `link` for one that Hanab Live cannot show.
    """

    players: tuple[Player, ...]
    memory: ClueMemory = ClueMemory.RULED_OUT
    talk: ChatPolicy = ChatPolicy.STRICT
    said: tuple[ChatMessage, ...] = ()
    failed_turns: frozenset[int] = frozenset()
    explanations: Mapping[int, Message] = field(default_factory=dict)
    undone: tuple[Undone, ...] = ()
    notes: tuple[Note, ...] = ()
    shows_notes: bool = False
    take_back_turn: int = 0
    question: OpenQuestion | None = None
    advised: tuple[AdvisedTurn, ...] = ()
    may_ask_advice: bool = False
    code: str = ""
    sequence: int = 0
    rematch: str = ""
    link: str = ""
    lesson: bool = False
    open_hands: bool = False

    @property
    def branch(self) -> int:
        """The branch of play that the table is on."""
        return len(self.undone)

    def until(self, turn: int) -> TableInfo:
        """The same without what belongs to later turns."""
        return replace(
            self,
            said=tuple(message for message in self.said if message.turn <= turn),
            failed_turns=frozenset(failed for failed in self.failed_turns if failed <= turn),
            explanations={explained: why for explained, why in self.explanations.items() if explained <= turn},
            undone=tuple(take_back for take_back in self.undone if take_back.turn < turn),
            notes=tuple(note for note in self.notes if note.written <= turn),
            advised=tuple(advice for advice in self.advised if advice.turn <= turn),
        )


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """The coach's verdict on a move: kind, sign and words."""

    kind: str
    sign: str
    words: Message


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """A view of a game with the facts of its table, and nothing later than the view.

    `seat` is the viewer's own. A `live` snapshot is the table now, on which the viewer can act; others are past moments. In a
    `tried` one, the viewer can choose any action for the player to move. `meanings` says by turn what moves meant by the
    conventions, `verdicts` what the coach says of them.
    """

    view: View
    table: TableInfo
    seat: int | None = None
    live: bool = False
    tried: bool = False
    tips_enabled: bool = False
    wants_next_discard: bool = False
    compile_notices: tuple[Message, ...] = ()
    advice: ShownAdvice | None = None
    meanings: Mapping[int, Message] = field(default_factory=dict)
    verdicts: Mapping[int, LogVerdict] = field(default_factory=dict)

    @property
    def eyes(self) -> int | None:
        """The seat at the bottom of the board: that of the view, else the viewer's own."""
        return self.seat if self.view.seat is None else self.view.seat

    @property
    def players(self) -> tuple[Player, ...]:
        """The player at each seat."""
        return self.table.players if self.live else tuple(player.as_seated for player in self.table.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(player.name for player in self.table.players)

    @property
    def ended(self) -> bool:
        """Whether the game is over."""
        return self.view.outcome is not None

    @property
    def active(self) -> bool:
        """Whether the viewer has to choose an action."""
        if self.tried:
            return not self.ended and self.view.seat == self.view.to_move
        seat = self.view.seat
        return self.live and seat is not None and seat == self.view.to_move and not self.table.players[seat].bot

    @property
    def shows_next_discard(self) -> bool:
        """Whether to mark the cards that would be discarded next."""
        return self.wants_next_discard and not self.ended and self.table.memory.shows_clues

    @property
    def bot_stands_in(self) -> bool:
        """Whether a bot plays for the viewer."""
        return self.live and self.seat is not None and bool(self.table.players[self.seat].bot)

    @property
    def guidance(self) -> Guidance | None:
        """What the guided first deal tells the viewer now."""
        return guidance(self.view, self.names) if self.live and self.table.lesson else None

    @property
    def replay(self) -> str:
        """The address of the replay, if the viewer may look back."""
        remembered = self.ended or not self.live or self.table.memory.keeps_history
        return f"/t/{self.table.code}/replay" if self.table.code and remembered else ""

    @property
    def rematch(self) -> str:
        """The code of the table at which the same people went on."""
        return self.table.rematch if self.live else ""

    @property
    def said(self) -> tuple[ChatMessage, ...]:
        """The messages so far."""
        return tuple(spoken for spoken in self.table.said if spoken.turn <= self.view.turn or self.live)

    @property
    def undone(self) -> tuple[Undone, ...]:
        """The take-backs so far; in a past moment, without the take-back of that moment."""
        return tuple(back for back in self.table.undone if back.turn < self.view.turn or self.live)

    @property
    def advised(self) -> tuple[AdvisedTurn, ...]:
        """The advice taken so far."""
        return tuple(taken for taken in self.table.advised if taken.turn <= self.view.turn or self.live)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes as they stood, as far as the viewer may read them."""
        return notes_at(self.table.notes, None if self.live else self.view.turn) if self.table.notes else ()

    @property
    def writes_notes(self) -> bool:
        """Whether the viewer can write notes."""
        return self.live and not self.ended and self.seat is not None and self.table.memory.keeps_history

    @property
    def heard(self) -> int:
        """The number of messages from others."""
        reader = None if self.seat is None else self.names[self.seat]
        return sum(spoken.name != reader for spoken in self.said)

    @property
    def explanations(self) -> Mapping[int, Message]:
        """The bots' reasons by turn: only for viewers who see every hand, for they may name any card."""
        hidden = any(seen.card is None for hand in self.view.hands for seen in hand)
        return {} if hidden else self.table.explanations

    def explanation(self, event: Event) -> Message | None:
        """What stands beside a move: the bot's reason, or the meaning by the conventions if the player goes by them."""
        player, turn = self.table.players[event.seat], event.turn
        stranger = player.bot not in ("", DEFAULT_BOT) and (not player.stands_in or turn in self.table.explanations)
        reason = self.explanations.get(turn) if turn in self.table.explanations else None
        return reason or (None if stranger else self.meanings.get(turn))

    @property
    def speech(self) -> str:
        """How the viewer may chat now: not at all (an empty string), by set remarks, or freely."""
        return speech(self.table.talk, playing=not self.ended) if self.live and self.seat is not None else ""


def speech(talk: ChatPolicy, playing: bool) -> str:
    """How seated people may chat."""
    return {ChatPolicy.STRICT: "", ChatPolicy.REMARKS: "remarks", ChatPolicy.FREE: "free"}[talk] if playing else "free"


def newest_messages(said: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    """The newest messages first."""
    return said[: -MAX_MESSAGES - 1 : -1]


def live_snapshot(table: Table, person: str, away: frozenset[str]) -> GameSnapshot:
    """The table as a person may see it now."""
    facts = table_info(table, person, away)
    if table.phase is Phase.ENDED:
        facts = replace(facts, link=_hanab_live_link(table))
    return GameSnapshot(table.view_for(person), facts, table.seat_of(person), live=True)


def past_snapshot(table: Table, person: str, view: View, meanings: Mapping[int, Message]) -> GameSnapshot:
    """A moment of the game that a person looks back at."""
    return GameSnapshot(view, table_info(table, person), table.seat_of(person), meanings=meanings)


def tried_snapshot(table: Table, person: str, view: View, turn: int, meanings: Mapping[int, Message]) -> GameSnapshot:
    """A moment that other moves would have led to after `turn`, with the table's facts up to there."""
    facts = table_info(table, person).until(turn)
    return GameSnapshot(view, facts, table.seat_of(person), tried=True, meanings=meanings)


def table_info(table: Table, person: str, away: frozenset[str] = frozenset()) -> TableInfo:
    """What a person may know of a table besides its game. Only people who may look at the table read the messages."""
    return TableInfo(
        players=players_at(table, away),
        memory=table.settings.memory,
        talk=table.settings.talk,
        said=tuple(table.said) if table.may_look(person) else (),
        failed_turns=table.failed_turns,
        explanations=table.explanations_for(person),
        undone=table.undone,
        notes=table.notes_for(person),
        shows_notes=table.seat_of(person) in table.shown_notes,
        take_back_turn=_take_back_turn(table, person),
        question=_question(table),
        advised=table.advised,
        may_ask_advice=_may_ask_advice(table, person),
        code=table.code,
        sequence=table.sequence,
        rematch=table.rematch,
        lesson=table.settings.lesson,
        open_hands=table.settings.watching is SpectatorMode.HANDS,
    )


def players_at(table: Table, away: frozenset[str]) -> tuple[Player, ...]:
    """The player at each seat of a table."""
    return tuple(
        Player(seat.name, seat.bot, bool((seat.person or seat.parted) and seat.bot), seat.person in away, sign)
        for seat, sign in zip(table.seats, avatars_at(table), strict=True)
    )


def avatars_at(table: Table) -> tuple[str, ...]:
    """The avatar of each seat, which follows from who sits there; "" for a free seat. Of two people with the same one, the one
    nearer to the host keeps it."""
    first = table.seat_of(table.host) or 0
    keys = [seat.person or seat.name for seat in table.seats]
    avatars = distinct_avatars((*keys[first:], *keys[:first]))
    return tuple(avatars[(seat - first) % len(keys)] for seat in range(len(keys)))


def _take_back_turn(table: Table, person: str) -> int:
    """The turn that a person can take back now, or 0."""
    try:
        return commands.turn_to_take_back(table, person)
    except IllegalError:
        return 0


def _may_ask_advice(table: Table, person: str) -> bool:
    """Whether a person can ask for advice now."""
    try:
        commands.seat_to_advise(table, person)
    except IllegalError:
        return False
    return True


def _question(table: Table) -> OpenQuestion | None:
    request = table.question
    return (
        OpenQuestion(table.questions, request.seat, request.turn + 1, request.awaited_from(table.human_seats))
        if request
        else None
    )


def _hanab_live_link(table: Table) -> str:
    """The address of the ended game at Hanab Live, or "" if it cannot express the rules."""
    try:
        return hanab_live.write_link(table.record())
    except RecordError:
        return ""
