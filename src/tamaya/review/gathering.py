"""From a record to its facts: the game is played again, and each move judged by what its player could know."""

from __future__ import annotations

from tamaya.engine import Clued, Discarded, Game, Played
from tamaya.record import Record, undone
from tamaya.review.facts import ClueFact, DiscardFact, Fall, FallReason, GameFacts, Loss, PlayFact, TurnFacts
from tamaya.review.judging import Judge, possible_cards
from tamaya.rules import VALUES, Action, Arrange, Card, Clue, Discard, Ending, Play


def facts_of(record: Record) -> GameFacts:
    """All facts of a game that is over or was brought from elsewhere. Nobody who still plays it may read them."""
    gathering = _Gathering(record)
    for move in record.moves:
        if isinstance(move, Arrange):
            gathering.game.move(move)
        else:
            gathering.take(move)
    return gathering.facts()


class _Gathering:
    """A game that is played again, and what has been found so far."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = Game(record.rules, deck=record.deck)
        self.turns = [_standing(self.game)]
        self.clues: list[ClueFact] = []
        self.plays: list[PlayFact] = []
        self.discards: list[DiscardFact] = []
        self.losses: list[Loss] = []
        self.falls: list[Fall] = []
        self.completed: list[int] = []
        self.drawn: dict[int, int] = {}
        self.thrown: dict[Card, int] = {}
        self.chances_to_clue: list[tuple[int, int]] = []

    def take(self, action: Action) -> None:
        """Take a turn and note what there is to say of it."""
        game = self.game
        assert game.to_move is not None
        if game.clue_tokens:
            self.chances_to_clue.append((game.turn + 1, game.to_move))
        if isinstance(action, Clue):
            self._clue(action)
        else:
            self._card(action, game.to_move)
        self.turns.append(_standing(game))
        self._fall()

    def _clue(self, clue: Clue) -> None:
        before = possible_cards(self.game.view(clue.seat))
        event = self.game.act(clue)
        assert isinstance(event, Clued)
        new = possible_cards(self.game.view(clue.seat)) != before
        self.clues.append(ClueFact(event.turn, event.seat, event.target, len(event.slots), new))

    def _card(self, action: Play | Discard, seat: int) -> None:
        judge = Judge(self.game.view(seat))
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
            self.thrown[event.card] = event.turn
        if event.drew is not None:
            self.drawn[event.drew] = event.turn

    def _could_warn(self, event: Played | Discarded) -> tuple[int, ...]:
        """Who had a turn and a clue token since the card lay in this hand and was the last of its kind."""
        since = max(self.drawn.get(event.number, 0), self.thrown.get(event.card, 0))
        seats = {seat for turn, seat in self.chances_to_clue if since < turn < event.turn and seat != event.seat}
        return tuple(sorted(seats))

    def _fall(self) -> None:
        before, after = (standing.maximum for standing in self.turns[-2:])
        if before == after:
            return
        outcome, reason = self.game.outcome, FallReason.FEW_TURNS
        if self.losses and self.losses[-1].turn == self.game.turn:
            reason = FallReason.LOST_CARD
        elif outcome and outcome.ending is Ending.MISTAKES:
            reason = FallReason.MISTAKES
        self.falls.append(Fall(self.game.turn, before, after, reason))

    def facts(self) -> GameFacts:
        """What has been found."""
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


def _standing(game: Game) -> TurnFacts:
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
    """Points, cards in the deck and players, less the points still possible: one card is drawn for each that is played or
    discarded, and then everybody has one more turn."""
    if game.rules.all_or_nothing or not game.deck_count or game.outcome is not None:
        return None
    return game.points + game.deck_count + game.rules.players - game.maximum
