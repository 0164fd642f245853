"""A game as one viewer sees it at one time, live or past: all that a board is drawn from."""

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
from tamaya.web.rendering.symbols import distinct

MAX_MESSAGES = 40
"""How much of the talk a page shows."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays at a seat: a person, a bot, or a bot that stands in for a person. Nobody is `away` but people. `sign` is the
    picture by which one knows them."""

    name: str
    bot: str = ""
    stands_in: bool = False
    away: bool = False
    avatar: str = ""

    @property
    def as_seated(self) -> Player:
        """The player without what may have changed since the game began."""
        return replace(self, bot="" if self.stands_in else self.bot, stands_in=False, away=False)


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Whether a player may take back the action of a turn: the number of the question, and the seats yet to answer."""

    number: int
    seat: int
    turn: int
    waits_for: tuple[int, ...]


ADVICE_STEPS = (1, 2, 3)
"""Advice comes step by step: the idea, the move, the reason."""


@dataclass(frozen=True, slots=True)
class ShownAdvice:
    """Advice on the action that the reader is to take, and how many of its steps they have read."""

    advice: Advice
    steps: int


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What a board shows that is not in a view. Talk, bots' failures and their reasons, what was taken back and the notes that
    the reader may read come with the turn they belong to, so that one set of facts serves every moment of the game.

    `back_turn` is the turn that the reader can take back now, or 0; `question` asks everybody about one. `shows_notes` says
    whether the reader lets the others read theirs. `advised` are the turns for which somebody took advice, `may_ask_advice`
    says whether the reader can ask for some now.
    `open_hands` says that spectators see every hand.
    `code`, `sequence` and `rematch` are empty for a game without a table, `link` for one that Hanab Live cannot show.
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
        """The line of play that the table follows by now."""
        return len(self.undone)

    def until(self, turn: int) -> TableInfo:
        """The facts without what belongs to later turns."""
        return replace(
            self,
            said=tuple(spoken for spoken in self.said if spoken.turn <= turn),
            failed_turns=frozenset(failed for failed in self.failed_turns if failed <= turn),
            explanations={told: why for told, why in self.explanations.items() if told <= turn},
            undone=tuple(back for back in self.undone if back.turn < turn),
            notes=tuple(note for note in self.notes if note.written <= turn),
            advised=tuple(taken for taken in self.advised if taken.turn <= turn),
        )


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """What the coach says of a move, in a word or two: of which kind it is, its sign, and the words."""

    kind: str
    sign: str
    words: Message


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """A view of a game with the facts of its table. Nothing that happened after the view is in what it tells.

    `seat` is the reader's own. In a `live` moment the reader can act, talk and see who is away; a past one is only looked at.
    In one that is `tried`, the player to move can be given any action, whoever looks.
    Whoever is `coached` reads a sentence on each action before they confirm it.
    `wants_next_discard` is the reader's wish to see which card of each hand custom discards next.
    `cold` says which bots cannot think ahead yet.
    `advice` is what the reader has read of the advice they asked for.
    `meanings` are, by turn, what moves meant by the conventions to the eyes of the view, `verdicts` what the coach says of
    them.
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
        """The seat from which the board is drawn: that of the view, else the reader's own."""
        return self.seat if self.view.seat is None else self.view.seat

    @property
    def players(self) -> tuple[Player, ...]:
        """Who plays at each seat."""
        return self.table.players if self.live else tuple(player.as_seated for player in self.table.players)

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return tuple(player.name for player in self.table.players)

    @property
    def ended(self) -> bool:
        """Whether the game is over."""
        return self.view.outcome is not None

    @property
    def active(self) -> bool:
        """Whether the reader is to choose an action."""
        if self.tried:
            return not self.ended and self.view.seat == self.view.to_move
        seat = self.view.seat
        return self.live and seat is not None and seat == self.view.to_move and not self.table.players[seat].bot

    @property
    def shows_next_discard(self) -> bool:
        """Whether the cards that would be discarded next are marked: where the table remembers clues."""
        return self.wants_next_discard and not self.ended and self.table.memory.shows_clues

    @property
    def bot_stands_in(self) -> bool:
        """Whether a bot plays for the reader."""
        return self.live and self.seat is not None and bool(self.table.players[self.seat].bot)

    @property
    def guidance(self) -> Guidance | None:
        """What the guided first deal tells the reader now."""
        return guidance(self.view, self.names) if self.live and self.table.lesson else None

    @property
    def replay(self) -> str:
        """Where any turn up to this one is seen again, where the reader may look back."""
        remembered = self.ended or not self.live or self.table.memory.keeps_history
        return f"/t/{self.table.code}/replay" if self.table.code and remembered else ""

    @property
    def rematch(self) -> str:
        """The code of the table at which the same people went on."""
        return self.table.rematch if self.live else ""

    @property
    def said(self) -> tuple[ChatMessage, ...]:
        """What had been said by then."""
        return tuple(spoken for spoken in self.table.said if spoken.turn <= self.view.turn or self.live)

    @property
    def undone(self) -> tuple[Undone, ...]:
        """What had been taken back by then. In a past moment, what was taken back there lies ahead."""
        return tuple(back for back in self.table.undone if back.turn < self.view.turn or self.live)

    @property
    def advised(self) -> tuple[AdvisedTurn, ...]:
        """The advice that had been taken by then."""
        return tuple(taken for taken in self.table.advised if taken.turn <= self.view.turn or self.live)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes as they stood by then, as far as the reader may read them."""
        return notes_at(self.table.notes, None if self.live else self.view.turn) if self.table.notes else ()

    @property
    def writes_notes(self) -> bool:
        """Whether the reader can write notes."""
        return self.live and not self.ended and self.seat is not None and self.table.memory.keeps_history

    @property
    def heard(self) -> int:
        """How many times others than the reader had spoken."""
        reader = None if self.seat is None else self.names[self.seat]
        return sum(spoken.name != reader for spoken in self.said)

    @property
    def explanations(self) -> Mapping[int, Message]:
        """The bots' reasons by turn. They may name any card, so they are for eyes from which none is hidden."""
        hidden = any(seen.card is None for hand in self.view.hands for seen in hand)
        return {} if hidden else self.table.explanations

    def explanation(self, event: Event) -> Message | None:
        """What stands beside a move: the reason that a bot gave, else what the move meant by the conventions. What other bots
        mean by their moves is not told by those."""
        player, turn = self.table.players[event.seat], event.turn
        stranger = player.bot not in ("", DEFAULT_BOT) and (not player.stands_in or turn in self.table.explanations)
        reason = self.explanations.get(turn) if turn in self.table.explanations else None
        return reason or (None if stranger else self.meanings.get(turn))

    @property
    def speech(self) -> str:
        """How the reader may speak now: not at all, by set remarks, or in their own words."""
        return speech(self.table.talk, playing=not self.ended) if self.live and self.seat is not None else ""


def speech(talk: ChatPolicy, playing: bool) -> str:
    """How people with a seat may speak."""
    return {ChatPolicy.STRICT: "", ChatPolicy.REMARKS: "remarks", ChatPolicy.FREE: "free"}[talk] if playing else "free"


def newest_messages(said: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    """The last things that were said, newest first."""
    return said[: -MAX_MESSAGES - 1 : -1]


def live_snapshot(table: Table, person: str, away: frozenset[str]) -> GameSnapshot:
    """The table as a person may see it now; `away` are its people whom no page shows."""
    facts = table_info(table, person, away)
    if table.phase is Phase.ENDED:
        facts = replace(facts, link=_hanab_live_link(table))
    return GameSnapshot(table.view_for(person), facts, table.seat_of(person), live=True)


def past_snapshot(table: Table, person: str, view: View, meanings: Mapping[int, Message]) -> GameSnapshot:
    """A moment of the game that a person looks back at."""
    return GameSnapshot(view, table_info(table, person), table.seat_of(person), meanings=meanings)


def tried_snapshot(table: Table, person: str, view: View, turn: int, meanings: Mapping[int, Message]) -> GameSnapshot:
    """A moment that other moves would have led to after so many turns; of the table, what had been said by then."""
    facts = table_info(table, person).until(turn)
    return GameSnapshot(view, facts, table.seat_of(person), tried=True, meanings=meanings)


def table_info(table: Table, person: str, away: frozenset[str] = frozenset()) -> TableInfo:
    """What a person may know of a table besides its game. What was said is for those who may look at the table itself."""
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
    """Who plays at each seat of a table; `away` are its people whom no page shows."""
    return tuple(
        Player(seat.name, seat.bot, bool((seat.person or seat.parted) and seat.bot), seat.person in away, sign)
        for seat, sign in zip(table.seats, avatars_at(table), strict=True)
    )


def avatars_at(table: Table) -> tuple[str, ...]:
    """The avatar of each seat, which follows from who sits there; "" for a free seat. Of two people with the same one, the one
    nearer to the host keeps it."""
    first = table.seat_of(table.host) or 0
    keys = [seat.person or seat.name for seat in table.seats]
    avatars = distinct((*keys[first:], *keys[:first]))
    return tuple(avatars[(seat - first) % len(keys)] for seat in range(len(keys)))


def _take_back_turn(table: Table, person: str) -> int:
    """The turn that a person can take back now; 0 if there is none."""
    try:
        return commands.turn_to_take_back(table, person)
    except IllegalError:
        return 0


def _may_ask_advice(table: Table, person: str) -> bool:
    """Whether a person can ask now what a good player would do."""
    try:
        commands.seat_to_advise(table, person)
    except IllegalError:
        return False
    return True


def _question(table: Table) -> OpenQuestion | None:
    asked = table.question
    return OpenQuestion(table.questions, asked.seat, asked.turn + 1, asked.awaited_from(table.human_seats)) if asked else None


def _hanab_live_link(table: Table) -> str:
    """Where Hanab Live shows the ended game; nothing if it cannot express the rules."""
    try:
        return hanab_live.write_link(table.record())
    except RecordError:
        return ""
