"""The facts of a game as data: plays, discards, clues, losses, and the state of the game after each turn."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from tamaya.engine import Clued, Discarded, Game, Played
from tamaya.record import Record, Stop, undone
from tamaya.review.odds import MoveOdds, possible_cards
from tamaya.rules import VALUES, Action, Arrange, Card, Clue, Discard, Ending, Outcome, Play, Rules


class DropReason(StrEnum):
    """Why the maximum dropped."""

    LOST_CARD = "lost_card"
    MISTAKES = "mistakes"
    FEW_TURNS = "few_turns"


class MarkKind(StrEnum):
    """The kinds of marks on turns."""

    MISTAKE = "mistake"
    LOSS = "loss"
    FALL = "fall"
    COMPLETED = "completed"
    TAKEN_BACK = "taken_back"
    SLIP = "slip"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """The state of the game after a turn; turn 0 is the deal.

    `maximum` is the points still possible by the cards on the table. `pace` is the number of further cards that can be
    discarded, or turns spent otherwise at the end, with that maximum in reach; None in the last round, and if there is none.
    """

    turn: int
    points: int
    maximum: int
    clue_tokens: int
    mistakes: int
    deck: int
    pace: int | None


@dataclass(frozen=True, slots=True)
class ClueFact:
    """A clue: the number of cards it touched, and whether it ruled out any hand that its receiver had thought possible."""

    turn: int
    seat: int
    target: int
    touched: int
    new: bool


@dataclass(frozen=True, slots=True)
class PlayFact:
    """A play, and its chance of success by what the player knew."""

    turn: int
    seat: int
    card: Card
    placed: bool
    chance: Fraction

    @property
    def known(self) -> bool:
        """Whether the player could be certain of success."""
        return self.chance == 1


@dataclass(frozen=True, slots=True)
class DiscardFact:
    """A discard, and its chance of costing points by what the player knew."""

    turn: int
    seat: int
    card: Card
    chance: Fraction


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of the last copy of a needed card.

    `chance` is its probability by what the player knew: 1 if the player could be certain. `could_warn` are the teammates who
    had a turn and a clue token while they saw the card as the last of its kind."""

    turn: int
    seat: int
    card: Card
    played: bool
    chance: Fraction
    could_warn: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MaximumDrop:
    """A turn in which the maximum dropped, and why."""

    turn: int
    before: int
    after: int
    reason: DropReason


@dataclass(frozen=True, slots=True)
class FactMark:
    """A turn worth a mark, and what happened in it."""

    turn: int
    kind: MarkKind


@dataclass(frozen=True)
class GameFacts:
    """The facts of a game. Those `until` a turn do not depend on later turns."""

    rules: Rules
    names: tuple[str, ...]
    turns: tuple[TurnFacts, ...]
    clues: tuple[ClueFact, ...] = ()
    plays: tuple[PlayFact, ...] = ()
    discards: tuple[DiscardFact, ...] = ()
    losses: tuple[Loss, ...] = ()
    falls: tuple[MaximumDrop, ...] = ()
    completed: tuple[int, ...] = ()
    taken_back: tuple[int, ...] = ()
    outcome: Outcome | None = None
    stopped: Stop | None = None

    @property
    def last(self) -> TurnFacts:
        """The state after the last known turn."""
        return self.turns[-1]

    @property
    def over(self) -> bool:
        """Whether the game has ended or was stopped."""
        return self.outcome is not None or self.stopped is not None

    @property
    def placed(self) -> tuple[PlayFact, ...]:
        """The plays that continued a firework."""
        return tuple(play for play in self.plays if play.placed)

    @property
    def mistakes(self) -> tuple[PlayFact, ...]:
        """The plays that were mistakes."""
        return tuple(play for play in self.plays if not play.placed)

    @property
    def clues_per_card(self) -> Fraction | None:
        """Clues given for each card placed; None before the first card."""
        return Fraction(len(self.clues), len(self.placed)) if self.placed else None

    @property
    def marks(self) -> tuple[FactMark, ...]:
        """The turns worth a mark, in order."""
        found = [
            *(FactMark(play.turn, MarkKind.MISTAKE) for play in self.mistakes),
            *(FactMark(loss.turn, MarkKind.LOSS) for loss in self.losses),
            *(FactMark(fall.turn, MarkKind.FALL) for fall in self.falls),
            *(FactMark(turn, MarkKind.COMPLETED) for turn in self.completed),
            *(FactMark(turn, MarkKind.TAKEN_BACK) for turn in self.taken_back),
        ]
        return tuple(sorted(found, key=lambda mark: mark.turn))

    def until(self, turn: int) -> GameFacts:
        """The facts known to a reader who has seen the game up to a turn."""
        if turn >= self.last.turn:
            return self
        return replace(
            self,
            turns=self.turns[: max(turn, 0) + 1],
            clues=tuple(fact for fact in self.clues if fact.turn <= turn),
            plays=tuple(fact for fact in self.plays if fact.turn <= turn),
            discards=tuple(fact for fact in self.discards if fact.turn <= turn),
            losses=tuple(fact for fact in self.losses if fact.turn <= turn),
            falls=tuple(fact for fact in self.falls if fact.turn <= turn),
            completed=self.completed[: bisect_right(self.completed, turn)],
            taken_back=self.taken_back[: bisect_left(self.taken_back, turn)],
            outcome=None,
            stopped=None,
        )


def facts_of(record: Record) -> GameFacts:
    """All facts of a finished or imported game; never to be shown to its players while it goes on."""
    gathering = _FactsBuilder(record)
    for move in record.moves:
        if isinstance(move, Arrange):
            gathering.game.move(move)
        else:
            gathering.take(move)
    return gathering.facts()


class _FactsBuilder:
    """Replays a game and collects its facts."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = Game(record.rules, deck=record.deck)
        self.turns = [_turn_facts(self.game)]
        self.clues: list[ClueFact] = []
        self.plays: list[PlayFact] = []
        self.discards: list[DiscardFact] = []
        self.losses: list[Loss] = []
        self.falls: list[MaximumDrop] = []
        self.completed: list[int] = []
        self.drawn_in: dict[int, int] = {}
        self.discarded_in: dict[Card, int] = {}
        self.clue_turns: list[tuple[int, int]] = []

    def take(self, action: Action) -> None:
        """Take a turn and collect its facts."""
        game = self.game
        assert game.to_move is not None
        if game.clue_tokens:
            self.clue_turns.append((game.turn + 1, game.to_move))
        if isinstance(action, Clue):
            self._take_clue(action)
        else:
            self._take_card(action, game.to_move)
        self.turns.append(_turn_facts(game))
        self._note_drop()

    def _take_clue(self, clue: Clue) -> None:
        before = possible_cards(self.game.view(clue.seat))
        event = self.game.act(clue)
        assert isinstance(event, Clued)
        new = possible_cards(self.game.view(clue.seat)) != before
        self.clues.append(ClueFact(event.turn, event.seat, event.target, len(event.slots), new))

    def _take_card(self, action: Play | Discard, seat: int) -> None:
        judge = MoveOdds(self.game.view(seat))
        event = self.game.act(action)
        assert isinstance(event, Played | Discarded)
        risk = judge.chance_of_loss(action)
        if isinstance(action, Play):
            assert isinstance(event, Played)
            self.plays.append(PlayFact(event.turn, seat, event.card, event.placed, judge.chance_to_fit(action)))
            if event.placed and event.card.value == VALUES[-1]:
                self.completed.append(event.turn)
        else:
            self.discards.append(DiscardFact(event.turn, seat, event.card, risk))
        if judge.loses(action, event.card):
            played = isinstance(action, Play)
            self.losses.append(Loss(event.turn, seat, event.card, played, risk, self._could_warn(event)))
        if isinstance(event, Discarded) or not event.placed:
            self.discarded_in[event.card] = event.turn
        if event.drew is not None:
            self.drawn_in[event.drew] = event.turn

    def _could_warn(self, event: Played | Discarded) -> tuple[int, ...]:
        """The teammates who had a turn and a clue token since the card was in this hand and the last of its kind."""
        since = max(self.drawn_in.get(event.number, 0), self.discarded_in.get(event.card, 0))
        seats = {seat for turn, seat in self.clue_turns if since < turn < event.turn and seat != event.seat}
        return tuple(sorted(seats))

    def _note_drop(self) -> None:
        before, after = (standing.maximum for standing in self.turns[-2:])
        if before == after:
            return
        outcome, reason = self.game.outcome, DropReason.FEW_TURNS
        if self.losses and self.losses[-1].turn == self.game.turn:
            reason = DropReason.LOST_CARD
        elif outcome and outcome.ending is Ending.MISTAKES:
            reason = DropReason.MISTAKES
        self.falls.append(MaximumDrop(self.game.turn, before, after, reason))

    def facts(self) -> GameFacts:
        """The facts collected."""
        return GameFacts(
            rules=self.record.rules,
            names=self.record.names,
            turns=tuple(self.turns),
            clues=tuple(self.clues),
            plays=tuple(self.plays),
            discards=tuple(self.discards),
            losses=tuple(self.losses),
            falls=tuple(self.falls),
            completed=tuple(self.completed),
            taken_back=tuple(sorted({told.turn for told in undone(self.record)})),
            outcome=self.game.outcome,
            stopped=self.record.stopped,
        )


def _turn_facts(game: Game) -> TurnFacts:
    return TurnFacts(
        turn=game.turn,
        points=game.points,
        maximum=game.maximum,
        clue_tokens=game.clue_tokens,
        mistakes=game.mistakes,
        deck=game.deck_count,
        pace=_pace(game),
    )


def _pace(game: Game) -> int | None:
    """Points plus cards in the deck plus players, less the maximum: each card played or discarded draws one, and then every
    player has one more turn."""
    if not game.rules.has_last_round or not game.deck_count or game.outcome is not None:
        return None
    return game.points + game.deck_count + game.rules.players - game.maximum
