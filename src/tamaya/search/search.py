"""`Search`: the value of each move to a player who sees what one seat sees; and `values`, the same in one call.

The functions that a search runs are compiled for given rules and policies, which takes half a minute, and cached on disk:
`is_ready` says whether that has been done, `prepare` does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tamaya.bots.registry import find_fair_policy
from tamaya.engine import View
from tamaya.engine.refusals import illegal_action_error
from tamaya.rules import Action, Card, IllegalError, MalformedError, Rules, action_of, number_of, say
from tamaya.search.beliefs import NO_DEADLINE, PEOPLE_NOISE, Belief, Deadline, Worlds
from tamaya.search.hand_sampling import HandSamples, PriorHands
from tamaya.search.history import SeatHistory
from tamaya.search.rollouts import Estimate, RolloutRace, continuation
from tamaya.sim import validation
from tamaya.sim.speeds import SPEEDS
from tamaya.sim.team import Team, team
from tamaya.sim.threads import Array

DEFAULT_POLICY = "convention"
MAX_WORLDS = 2048
"""The most worlds in which a move is tried."""
MAX_ORDERS = 400
"""If the unseen cards have no more orders than this, all of them are considered."""
TARGET_HANDS = 300.0
"""An effective number of hands that is enough to draw worlds from."""
MAX_TRIES = 8192
"""The most hands that are drawn to find those."""
MIN_HANDS = 8.0
"""If fewer hands than this are consistent with the partners' actions, partners are trusted no more than people."""
SAMPLING_TIME = 0.5
"""The share of the time that may be spent on finding hands."""


@dataclass(frozen=True)
class Budget:
    """The limits of a search: rollouts, and optionally seconds. With rollouts alone, a seed gives the same results
    everywhere."""

    rollouts: int = 2000
    seconds: float | None = None

    def part(self, share: float) -> Budget:
        """A share of the budget."""
        return Budget(int(self.rollouts * share), None if self.seconds is None else self.seconds * share)


@dataclass(frozen=True)
class MoveValue:
    """The expected score of a move, its chance of a perfect game, its gain over the policy's move, and the worlds tried."""

    action: Action
    value: Estimate
    perfect: float
    gain: Estimate
    worlds: int


@dataclass(frozen=True)
class Values:
    """The legal moves, those tried in the most worlds first and the best of these first, and the policy's own choice.

    `exact` says that all worlds were considered, so that there is no error. The hands found are as informative as
    `effective_hands` equally likely ones. `low_confidence` says that too few hands are consistent with the partners' actions,
    so that the values come from hands with which the partners sometimes deviated from their policies.
    """

    moves: tuple[MoveValue, ...]
    policy: Action
    exact: bool
    effective_hands: float
    low_confidence: bool
    rollouts: int

    @property
    def best(self) -> MoveValue:
        """The best move."""
        return self.moves[0]

    def of(self, action: Action) -> MoveValue:
        """The value of a legal move."""
        for move in self.moves:
            if move.action == action:
                return move
        legal = tuple(str(move.action) for move in self.moves)
        message = say("{action} is not legal here; legal are {legal}.", action=str(action), legal=legal)
        raise IllegalError("not_legal_here", message)


class Search:
    """One decision, analysed from a view.

    `policy` names the policy of all seats, or one for each. `noise`, for all seats or for each, is the factor by which a
    partner's turn that does not follow the policy makes a world less likely. At most `max_tries` hands are drawn to find
    `target_hands` consistent ones. `prior_hands` are the `found_hands` of a search at an earlier turn of the same seat, which
    are tried first.
    """

    def __init__(
        self,
        view: View,
        policy: str | Sequence[str] = DEFAULT_POLICY,
        *,
        noise: float | Sequence[float] = 0.0,
        seed: int = 0,
        speed: str = "compiled",
        target_hands: float = TARGET_HANDS,
        max_tries: int = MAX_TRIES,
        prior_hands: PriorHands | None = None,
    ) -> None:
        players = view.rules.players
        self._lineup = (policy,) * players if isinstance(policy, str) else tuple(policy)
        self.noise = (float(noise),) * players if isinstance(noise, (int, float)) else tuple(noise)
        _check(self._lineup, self.noise, players)
        self.view, self._seed, self._target_hands, self._max_tries = view, seed, target_hands, max_tries
        self._history = SeatHistory(view)
        self._team = team(view.rules, tuple(sorted(set(self._lineup))), validation.one_of("speed", speed, SPEEDS))
        self._prior_hands = prior_hands
        self._belief = self._belief_with(self.noise)
        self._sampling_deadline = NO_DEADLINE
        self.low_confidence = False

    # Moves.

    @cached_property
    def policy_move(self) -> int:
        """The number of the policy's own choice."""
        return self._belief.own_choice

    @cached_property
    def legal_moves(self) -> list[int]:
        """The numbers of the legal moves."""
        return [self.number(action) for action in self.view.legal_actions]

    def number(self, action: Action) -> int:
        """The number of a legal action of this seat; raises `IllegalError` for another."""
        number = number_of(action, self.view.rules, self._history.seat)
        if number is None or action not in self.view.legal_actions:
            view, seat = self.view, self._history.seat
            raise illegal_action_error(action, view.rules, seat, len(view.hand), view.clue_tokens)
        return number

    def action(self, number: int) -> Action:
        """The action with a number."""
        return action_of(number, self.view.rules, self._history.seat)

    # Hands and worlds.

    @property
    def effective_hands(self) -> float:
        """The number of equally likely hands that would be as informative as those found."""
        return self._all_worlds.effective_hands if self._all_worlds else self._hands.effective_size

    @property
    def world_weights(self) -> Array | None:
        """The probability of each world, if there are few enough to consider all of them."""
        return self._all_worlds.weights if self._all_worlds else None

    @property
    def found_hands(self) -> PriorHands | None:
        """The hands that were found, if any were needed, for a search at a later turn to start from."""
        return PriorHands.of(self._history, self._hands) if "_found" in vars(self) else None

    def card_probabilities(self, slot: int) -> dict[Card, float]:
        """The probability of each card that may be in a slot of the hand."""
        worlds = self._all_worlds
        cards = worlds.decks[:, self._history.hand[slot]] if worlds else self._hands.cards[:, slot]
        weights = np.bincount(cards, worlds.weights if worlds else self._hands.weights, minlength=self._history.layout.cards)
        return {card: float(weight) for card, weight in zip(self.view.rules.cards, weights, strict=True) if weight}

    @cached_property
    def _all_worlds(self) -> Worlds | None:
        return self._belief.all_worlds(MAX_ORDERS)

    @cached_property
    def _found(self) -> tuple[Belief, HandSamples]:
        """Consistent hands, and the belief that they come from; if there are too few, a belief with more noise."""
        belief, deadline = self._belief, self._sampling_deadline
        hands = belief.hands(self._target_hands, self._max_tries, deadline)
        if hands.effective_size < MIN_HANDS and len(hands) < MIN_HANDS and not all(self.noise):
            self.low_confidence = True
            belief = self._belief_with([max(noise, PEOPLE_NOISE) for noise in self.noise])
            hands = belief.hands(self._target_hands, self._max_tries // 4, deadline)
        return belief, hands

    @property
    def _hands(self) -> HandSamples:
        return self._found[1]

    def _belief_with(self, noise: Sequence[float]) -> Belief:
        return Belief(self._history, self._team, self._lineup, noise, self._seed, self._prior_hands)

    def _worlds(self, count: int) -> Worlds:
        belief, hands = self._found
        return belief.worlds(hands, count)

    # Rollouts.

    def race(
        self, moves: Sequence[int], always_include: Sequence[int], budget: Budget, margin: float | None = None
    ) -> RolloutRace:
        """Compare moves in worlds that no earlier race has used, unless all worlds are considered anyway."""
        deadline = Deadline(budget.seconds)
        self._sampling_deadline = Deadline(budget.seconds and SAMPLING_TIME * budget.seconds)
        worlds = self._all_worlds or self._worlds(min(MAX_WORLDS, max(budget.rollouts, 1)))
        race = RolloutRace(self._history, self._team, self._lineup, worlds, budget.rollouts, deadline)
        race.run(moves, always_include, margin)
        return race

    def continuation(self, move: int, turns: int) -> tuple[Action, ...]:
        """A move and what the policies would do next, with the most likely hand and any of the unseen cards drawn."""
        if self._all_worlds:
            world = self._all_worlds.most_likely
        else:
            belief, hands = self._found
            world = belief.worlds(hands.most_likely, 1)
        return continuation(self._history, self._team, self._lineup, world, move, turns)

    def values(self, budget: Budget, always_include: Sequence[Action] = ()) -> Values:
        """The values of all legal moves. The policy's move and those of `always_include` are tried as often as the best."""
        included = list(dict.fromkeys([self.policy_move, *map(self.number, always_include)]))
        race = self.race(self.legal_moves, included, budget)
        ranked = sorted(race.scores, key=lambda move: (-len(race.scores[move]), -race.value(move).mean))
        return Values(
            moves=tuple(self._move_value(race, move) for move in ranked),
            policy=self.action(self.policy_move),
            exact=race.is_exact,
            effective_hands=self.effective_hands,
            low_confidence=self.low_confidence,
            rollouts=race.rollouts,
        )

    def _move_value(self, race: RolloutRace, move: int) -> MoveValue:
        gain, worlds = race.gain(move, self.policy_move), len(race.scores[move])
        return MoveValue(self.action(move), race.value(move), race.perfect(move), gain, worlds)


def values(
    view: View,
    policy: str | Sequence[str] = DEFAULT_POLICY,
    *,
    budget: Budget | int = 2000,
    noise: float | Sequence[float] = 0.0,
    seed: int = 0,
    always_include: Sequence[Action] = (),
    speed: str = "compiled",
) -> Values:
    """The value of every legal move of the seat to move, if all continue by the policy; see `Search` for the arguments."""
    limit = budget if isinstance(budget, Budget) else Budget(budget)
    return Search(view, policy, noise=noise, seed=seed, speed=speed).values(limit, always_include)


def _check(lineup: tuple[str, ...], noise: tuple[float, ...], players: int) -> None:
    if len(lineup) != players or len(noise) != players:
        message = say("Give one policy and one softness for all seats, or one for each of the {players}.", players=players)
        raise MalformedError("bad_lineup", message)
    if not all(0 <= factor <= 1 for factor in noise):
        raise MalformedError("bad_softness", say("Softness is a number from 0 to 1."))
    for name in lineup:
        find_fair_policy(name)


# Readiness.


def is_ready(rules: Rules, policies: Iterable[str]) -> bool:
    """Whether the compiled functions for these rules and policies are in this process or on disk. This compiles nothing."""
    return _team(rules, policies).is_ready


def prepare(rules: Rules, policies: Iterable[str]) -> None:
    """Load these functions from disk, or compile them and cache them if the disk allows."""
    _team(rules, policies).prepare()


def _team(rules: Rules, policies: Iterable[str]) -> Team:
    return team(rules, tuple(sorted(set(policies))), "compiled")
