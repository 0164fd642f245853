"""What a move was worth: from the view that its player had, and from nothing else.

All moves race against the one that was played. What looks better then was chosen where it looked best, so it is tried again in
other worlds. Where the loss may matter, it is looked at twice more: in worlds in which the partners kept to the agreements
nearly always, and again in those in which people did as people do. What counts is where less was surely lost: a move is
wrong only if it was so to somebody who trusts the agreements and to somebody who does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamaya.engine import Game, View
from tamaya.record import Record, play_again
from tamaya.review.analysis import AGREEMENTS, GameAnalysis, MoveAnalysis, MoveGrade, empty_analysis, points
from tamaya.review.comparison import MoveComparison, compared
from tamaya.rules import Action, Arrange, IllegalError, say
from tamaya.search import Budget, Estimate, Search
from tamaya.search.beliefs import SEARCHER_NOISE, noise_of
from tamaya.search.search import MIN_HANDS

SLIP, BLUNDER = 0.3, 1.0
"""What a slip and a blunder cost at least, in points."""
TRUST = SEARCHER_NOISE
"""The noise of all seats for somebody who trusts the agreements: people are taken for bots that leave them now and then."""
RACING = 0.1
"""In the race, a move goes on that may be better by so much."""
RIVALS = 3
"""Better moves that are looked at again, and besides them what the agreements say."""
LINE = 3
"""Moves of a likely way on: the better one, and what each partner does then; so many at least."""
OPEN = 3.0
"""A loss that is so many standard errors from that of a slip is decided."""
TRIES = 10
"""How many hands are tried for each that is looked for."""
MOST_SEARCHES = 8
"""Of one move."""


@dataclass(frozen=True)
class EvaluationBudget:
    """How hard to look: games played on in the race of all moves; hands that are looked for; the standard error that values
    should have, and in how many worlds at most; in how many worlds a loss is looked at that may matter; and if that leaves open
    whether it is one, in how many of how many hands."""

    race: int = 900
    hands: float = 128.0
    error: float = 0.09
    worlds: int = 600
    check: int = 250
    recheck: int = 800
    more_hands: float = 400.0


ORDINARY = EvaluationBudget()
SHALLOW = EvaluationBudget(race=150, hands=30.0, error=0.3, worlds=64, check=128, recheck=0)
"""For very many games: what is plainly wrong is found, and values are rough."""


def evaluate_move(
    view: View,
    played: Action,
    noise: Sequence[float],
    *,
    depth: EvaluationBudget = ORDINARY,
    seed: int = 0,
    speed: str = "compiled",
) -> MoveAnalysis:
    """What a move was worth to somebody with this view. Noise (a number for each seat), seed and speed are those of
    `Search`."""
    return _Evaluation(view, played, tuple(noise), depth, seed, speed).judgement()


@dataclass(frozen=True)
class _Found:
    """What came out of a trial of some moves in one search."""

    search: Search
    trial: MoveComparison
    own: int

    @property
    def best(self) -> int:
        return self.trial.best(self.own, self.search.policy_move)

    @property
    def loss(self) -> Estimate:
        return self.trial.loss(self.own, self.search.policy_move)

    @property
    def may_matter(self) -> bool:
        most = self.trial.gain(self.trial.moves[0], self.own)
        return self.trial.moves[0] != self.own and most.mean + most.error > SLIP

    @property
    def surely_lost(self) -> float:
        return max(0.0, self.loss.mean - 2 * self.loss.error)

    @property
    def is_open(self) -> bool:
        """Whether it is neither surely a slip nor surely none."""
        return abs(self.loss.mean - SLIP) < OPEN * self.loss.error


class _Evaluation:
    """One move that is being weighed."""

    def __init__(
        self, view: View, played: Action, noise: tuple[float, ...], depth: EvaluationBudget, seed: int, speed: str
    ) -> None:
        self._view, self._noise, self._depth, self._seed, self._speed = view, noise, depth, seed, speed
        self._searches = 0
        self._search = self._searching(noise, depth.hands)
        self._own = self._search.number(played)

    def _searching(self, noise: tuple[float, ...], hands: float) -> Search:
        """A search that shares no chance with those before it."""
        self._searches += 1
        seed = MOST_SEARCHES * self._seed + self._searches
        return Search(
            self._view,
            AGREEMENTS,
            noise=noise,
            seed=seed,
            speed=self._speed,
            target_hands=hands,
            max_tries=int(TRIES * hands),
        )

    def judgement(self) -> MoveAnalysis:
        """What the move was worth."""
        search, own = self._search, self._own
        moves = list(dict.fromkeys([own, *search.legal_moves]))
        race = MoveComparison.of(search, search.race(moves, [own], Budget(self._depth.race), RACING))
        rivals = [move for move in race.moves if move != own and race.gain(move, own).mean > 0][:RIVALS]
        rivals = rivals or [search.policy_move] * (search.policy_move != own)
        trial = race if race.exact else compared(search, [own, *rivals[:1]], self._worlds_needed(race))
        first, value = _Found(search, trial, own), race.value_with(trial, own)
        if not first.may_matter:
            return _judgement(first, value)
        return _judgement(self._checked([own, *rivals, search.policy_move]), value)

    def _worlds_needed(self, race: MoveComparison) -> int:
        """In how many more worlds the move is to be tried until the error of its value is small enough."""
        known, error = len(race.scores[self._own]), race.value(self._own).error
        needed = known * (error / self._depth.error) ** 2 - known
        return int(min(max(needed, self._depth.worlds / 8), self._depth.worlds))

    def _checked(self, moves: list[int]) -> _Found:
        """A loss that may matter: to somebody who trusts the agreements, and if it still may, to somebody who does not. Both
        compare with the same better move."""
        trusting = tuple(min(noise, TRUST) for noise in self._noise)
        found = self._compared(self._searching(trusting, self._depth.hands), trusting, moves)
        if not found.may_matter or found.best == self._own or trusting == self._noise:
            return found
        other = self._compared(self._search, self._noise, [self._own, found.best])
        return min(found, other, key=lambda one: (one.surely_lost, one.loss.mean))

    def _compared(self, search: Search, noise: tuple[float, ...], moves: list[int]) -> _Found:
        """Moves in worlds that were not used before; if they leave open whether the first was a slip, the best once more in
        worlds of more hands, and of others."""
        depth = self._depth
        found = _Found(search, compared(search, list(dict.fromkeys(moves)), depth.check), self._own)
        if not depth.recheck or not found.is_open or found.best == self._own:
            return found
        search = self._searching(noise, depth.more_hands)
        return _Found(search, compared(search, [self._own, found.best], depth.recheck), self._own)


def _judgement(found: _Found, value: Estimate) -> MoveAnalysis:
    search, trial, own, best = found.search, found.trial, found.own, found.best
    loss, error = points(found.loss.mean), points(found.loss.error)
    doubtful = search.low_confidence or (not trial.exact and search.effective_hands < MIN_HANDS)
    verdict = grade_of(loss, error, doubtful)
    return MoveAnalysis(
        turn=search.view.turn + 1,
        seat=search.view.seat or 0,
        played=str(search.action(own)),
        best=str(search.action(best)),
        agreed=str(search.action(search.policy_move)),
        value=points(value.mean),
        error=points(value.error),
        best_value=points(points(value.mean) + loss),
        loss=loss,
        loss_error=error,
        perfect=points(trial.perfect(own)),
        best_perfect=points(trial.perfect(best)),
        verdict=verdict,
        doubtful=doubtful,
        line=tuple(map(str, search.continuation(best, max(LINE, search.view.rules.players)))) if verdict.is_flag else (),
    )


def grade_of(loss: float, error: float, doubtful: bool = False) -> MoveGrade:
    """The word for a loss with its standard error. Nothing is called wrong that may be chance, or where the worlds are too few
    to say."""
    if loss <= error:
        return MoveGrade.BEST
    if loss <= SLIP or loss <= 2 * error or doubtful:
        return MoveGrade.GOOD
    return MoveGrade.BLUNDER if loss >= BLUNDER else MoveGrade.SLIP


def analyse_move(
    record: Record, turn: int, *, depth: EvaluationBudget = ORDINARY, seed: int = 0, speed: str = "compiled"
) -> MoveAnalysis:
    """What the move of a turn was worth; turns count from 1."""
    return _analyse(record, play_again(record).game, turn, depth, seed, speed)


def analyse_other_move(record: Record, turn: int, action: Action, *, speed: str = "compiled") -> MoveAnalysis:
    """What another move would have been worth than that of a turn, to the same player."""
    return _evaluate(record, play_again(record).game, turn, action, ORDINARY, 0, speed)


def analyse_moves(
    record: Record, *, depth: EvaluationBudget = ORDINARY, seed: int = 0, speed: str = "compiled"
) -> Iterator[MoveAnalysis]:
    """What the moves of a game were worth, one after the other."""
    game = play_again(record).game
    for turn in range(1, game.turn + 1):
        yield _analyse(record, game, turn, depth, seed, speed)


def analyse_game(record: Record, *, depth: EvaluationBudget = ORDINARY, seed: int = 0, speed: str = "compiled") -> GameAnalysis:
    """The whole game, judged here and now."""
    judged = tuple(analyse_moves(record, depth=depth, seed=seed, speed=speed))
    return empty_analysis(record).and_also(judged)


def _analyse(record: Record, game: Game, turn: int, depth: EvaluationBudget, seed: int, speed: str) -> MoveAnalysis:
    if not 1 <= turn <= game.turn:
        raise IllegalError("no_such_turn", say("This game has turns from {first} to {last}.", first=1, last=game.turn))
    moves = [move for move in record.moves if not isinstance(move, Arrange)]
    return _evaluate(record, game, turn, moves[turn - 1], depth, seed, speed)


def _evaluate(
    record: Record, game: Game, turn: int, action: Action, depth: EvaluationBudget, seed: int, speed: str
) -> MoveAnalysis:
    before = game.at(turn - 1)
    assert before.to_move is not None
    return evaluate_move(before.view(before.to_move), action, noise_in(record), depth=depth, seed=seed, speed=speed)


def noise_in(record: Record) -> tuple[float, ...]:
    """How much each seat is assumed to deviate from the agreements. Not even a bot's is trusted blindly: some of its moves may
    be those of a guided deal, or of the person whose seat it took."""
    return tuple(max(SEARCHER_NOISE, noise) for noise in noise_of(record.bots, AGREEMENTS))
