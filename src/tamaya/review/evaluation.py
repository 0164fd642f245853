"""The evaluation of a move from its player's view alone.

All moves race against the move played. The apparent best is biased, as it was chosen where it looked best, so it is tried again
in other worlds. A loss that may matter is checked twice more: in worlds where the partners nearly always kept to the
agreements, and in worlds where they deviated as people do. The smaller of the certain losses counts: a move is wrong only if it
was wrong for a player who trusts the agreements and for one who does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamaya.engine import Game, View
from tamaya.record import Record, play_again
from tamaya.review.analysis import AGREEMENTS, GameAnalysis, MoveAnalysis, MoveGrade, empty_analysis, points
from tamaya.review.comparison import MoveComparison, compare
from tamaya.rules import Action, Arrange, IllegalError, say
from tamaya.search import Budget, Estimate, Search
from tamaya.search.beliefs import SEARCHER_NOISE, noise_of
from tamaya.search.search import MIN_HANDS

SLIP, BLUNDER = 0.3, 1.0
"""The least losses of a slip and of a blunder, in points."""
TRUSTING_NOISE = SEARCHER_NOISE
"""The noise of all seats for a player who trusts the agreements: people are treated as bots that rarely deviate."""
RACE_MARGIN = 0.1
"""A move stays in the race if it may be better by this many points."""
MAX_RIVALS = 3
"""Better moves that are checked again, in addition to the agreed one."""
MIN_LINE = 3
"""The least number of moves in a line: the better move and the replies."""
OPEN_ERRORS = 3.0
"""Standard errors between a loss and that of a slip from which the verdict is decided."""
TRIES_PER_HAND = 10
"""Hands tried for each one wanted."""
MAX_SEARCHES = 8
"""Searches for one move."""


@dataclass(frozen=True)
class EvaluationBudget:
    """The budget for one move: rollouts in the race of all moves, hands wanted, the wanted standard error of values and the
    most worlds spent on it, worlds to check a loss that may matter, and worlds and hands to recheck one that is then still
    open."""

    race: int = 900
    hands: float = 128.0
    error: float = 0.09
    worlds: int = 600
    check: int = 250
    recheck: int = 800
    more_hands: float = 400.0


FULL_BUDGET = EvaluationBudget()
SHALLOW_BUDGET = EvaluationBudget(race=150, hands=30.0, error=0.3, worlds=64, check=128, recheck=0)
"""For many games: finds plain errors, with rough values."""


def evaluate_move(
    view: View,
    played: Action,
    noise: Sequence[float],
    *,
    depth: EvaluationBudget = FULL_BUDGET,
    seed: int = 0,
    speed: str = "compiled",
) -> MoveAnalysis:
    """Evaluate a move from a view. Noise (a number for each seat), seed and speed are those of `Search`."""
    return _Evaluation(view, played, tuple(noise), depth, seed, speed).run()


@dataclass(frozen=True)
class _Trial:
    """The results of a trial of some moves in one search."""

    search: Search
    comparison: MoveComparison
    own: int

    @property
    def best(self) -> int:
        return self.comparison.best(self.own, self.search.policy_move)

    @property
    def loss(self) -> Estimate:
        return self.comparison.loss(self.own, self.search.policy_move)

    @property
    def may_matter(self) -> bool:
        most = self.comparison.gain(self.comparison.moves[0], self.own)
        return self.comparison.moves[0] != self.own and most.mean + most.error > SLIP

    @property
    def surely_lost(self) -> float:
        return max(0.0, self.loss.mean - 2 * self.loss.error)

    @property
    def is_open(self) -> bool:
        """Whether the loss is neither certainly a slip nor certainly none."""
        return abs(self.loss.mean - SLIP) < OPEN_ERRORS * self.loss.error


class _Evaluation:
    """The evaluation of one move."""

    def __init__(
        self, view: View, played: Action, noise: tuple[float, ...], depth: EvaluationBudget, seed: int, speed: str
    ) -> None:
        self._view, self._noise, self._depth, self._seed, self._speed = view, noise, depth, seed, speed
        self._searches = 0
        self._search = self._new_search(noise, depth.hands)
        self._own = self._search.number(played)

    def _new_search(self, noise: tuple[float, ...], hands: float) -> Search:
        """A search with a seed of its own."""
        self._searches += 1
        seed = MAX_SEARCHES * self._seed + self._searches
        return Search(
            self._view,
            AGREEMENTS,
            noise=noise,
            seed=seed,
            speed=self._speed,
            target_hands=hands,
            max_tries=int(TRIES_PER_HAND * hands),
        )

    def run(self) -> MoveAnalysis:
        """Evaluate the move."""
        search, own = self._search, self._own
        moves = list(dict.fromkeys([own, *search.legal_moves]))
        race = MoveComparison.of(search, search.race(moves, [own], Budget(self._depth.race), RACE_MARGIN))
        rivals = [move for move in race.moves if move != own and race.gain(move, own).mean > 0][:MAX_RIVALS]
        rivals = rivals or [search.policy_move] * (search.policy_move != own)
        trial = race if race.exact else compare(search, [own, *rivals[:1]], self._worlds_needed(race))
        first, value = _Trial(search, trial, own), race.value_with(trial, own)
        if not first.may_matter:
            return _analysis(first, value)
        return _analysis(self._check([own, *rivals, search.policy_move]), value)

    def _worlds_needed(self, race: MoveComparison) -> int:
        """The number of further worlds until the error of the value is small enough."""
        known, error = len(race.scores[self._own]), race.value(self._own).error
        needed = known * (error / self._depth.error) ** 2 - known
        return int(min(max(needed, self._depth.worlds / 8), self._depth.worlds))

    def _check(self, moves: list[int]) -> _Trial:
        """Check a loss for a player who trusts the agreements and, if it still may matter, for one who does not. Both compare
        with the same better move."""
        trusting = tuple(min(noise, TRUSTING_NOISE) for noise in self._noise)
        found = self._compare(self._new_search(trusting, self._depth.hands), trusting, moves)
        if not found.may_matter or found.best == self._own or trusting == self._noise:
            return found
        other = self._compare(self._search, self._noise, [self._own, found.best])
        return min(found, other, key=lambda one: (one.surely_lost, one.loss.mean))

    def _compare(self, search: Search, noise: tuple[float, ...], moves: list[int]) -> _Trial:
        """Compare moves in fresh worlds; if that leaves open whether the first was a slip, compare it with the best again, in
        worlds with more hands."""
        depth = self._depth
        found = _Trial(search, compare(search, list(dict.fromkeys(moves)), depth.check), self._own)
        if not depth.recheck or not found.is_open or found.best == self._own:
            return found
        search = self._new_search(noise, depth.more_hands)
        return _Trial(search, compare(search, [self._own, found.best], depth.recheck), self._own)


def _analysis(found: _Trial, value: Estimate) -> MoveAnalysis:
    search, trial, own, best = found.search, found.comparison, found.own, found.best
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
        line=_line(search, best) if verdict.is_flag else (),
    )


def _line(search: Search, best: int) -> tuple[str, ...]:
    return tuple(map(str, search.continuation(best, max(MIN_LINE, search.view.rules.players))))


def grade_of(loss: float, error: float, doubtful: bool = False) -> MoveGrade:
    """The grade for a loss with its standard error. A loss that may be chance, or that is doubtful, is no slip."""
    if loss <= error:
        return MoveGrade.BEST
    if loss <= SLIP or loss <= 2 * error or doubtful:
        return MoveGrade.GOOD
    return MoveGrade.BLUNDER if loss >= BLUNDER else MoveGrade.SLIP


def analyse_move(
    record: Record, turn: int, *, depth: EvaluationBudget = FULL_BUDGET, seed: int = 0, speed: str = "compiled"
) -> MoveAnalysis:
    """Analyse the move of a turn; turns count from 1."""
    return _analyse(record, play_again(record).game, turn, depth, seed, speed)


def analyse_other_move(record: Record, turn: int, action: Action, *, speed: str = "compiled") -> MoveAnalysis:
    """Analyse another move of the same player at a turn."""
    return _evaluate(record, play_again(record).game, turn, action, FULL_BUDGET, 0, speed)


def analyse_moves(
    record: Record, *, depth: EvaluationBudget = FULL_BUDGET, seed: int = 0, speed: str = "compiled"
) -> Iterator[MoveAnalysis]:
    """Analyse the moves of a game, one after the other."""
    game = play_again(record).game
    for turn in range(1, game.turn + 1):
        yield _analyse(record, game, turn, depth, seed, speed)


def analyse_game(
    record: Record, *, depth: EvaluationBudget = FULL_BUDGET, seed: int = 0, speed: str = "compiled"
) -> GameAnalysis:
    """Analyse a whole game."""
    judged = tuple(analyse_moves(record, depth=depth, seed=seed, speed=speed))
    return empty_analysis(record).extended(judged)


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
    """How much each seat is assumed to deviate from the agreements. A bot's seat has some noise, too: its moves may be those of
    a guided deal, or of the person for whom it took over."""
    return tuple(max(SEARCHER_NOISE, noise) for noise in noise_of(record.bots, AGREEMENTS))
