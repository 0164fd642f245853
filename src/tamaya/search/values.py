"""What every move is worth to somebody who sees what a seat sees, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tamaya.bots.registry import find_fair_policy
from tamaya.engine import View
from tamaya.engine.refusals import why_illegal
from tamaya.rules import Action, Card, IllegalError, MalformedError, action_of, number_of, say
from tamaya.search.budget import ENDLESS, Budget, Clock
from tamaya.search.hands import PossibleHands, Recollection
from tamaya.search.race import Estimate, Race
from tamaya.search.trace import Trace
from tamaya.search.trust import PEOPLE
from tamaya.search.way_on import way_on
from tamaya.search.worlds import Belief, Worlds
from tamaya.sim import validation
from tamaya.sim.speeds import SPEEDS
from tamaya.sim.team import team
from tamaya.sim.threads import Array

DEFAULT_BLUEPRINT = "convention"
MOST_WORLDS = 2048
"""Worlds that moves are tried in at most."""
EXACT = 400
"""With no more orders of the unseen cards than this, all of them are looked at."""
ENOUGH = 300.0
"""Equally likely hands that are enough to draw worlds from."""
TRIES = 8192
"""Hands that are tried at most to find those."""
TOO_FEW = 8.0
"""With fewer hands than this that fit what partners did, partners are trusted no more than people."""
LOOKING = 0.5
"""The share of the time that may go into finding hands."""


@dataclass(frozen=True)
class MoveValue:
    """What a move is worth: the expected score, how likely a perfect game is, and by how much it is better than what the policy
    would do. `worlds` says in how many worlds it was tried."""

    action: Action
    value: Estimate
    perfect: float
    gain: Estimate
    worlds: int


@dataclass(frozen=True)
class Values:
    """The legal moves, those that were tried longest first and the best of these first, and the policy's own choice.

    `exact` says that all worlds were looked at, so that there is no error. `fitting` says how many equally likely hands would
    say as much as those that were found. Where too few fit what partners did, the values are `doubtful`: they come from hands
    with which partners did not always do as their policies say.
    """

    moves: tuple[MoveValue, ...]
    policy: Action
    exact: bool
    fitting: float
    doubtful: bool
    rollouts: int

    @property
    def best(self) -> MoveValue:
        """The best move."""
        return self.moves[0]

    def of(self, action: Action) -> MoveValue:
        """What is known of one of the legal moves."""
        for move in self.moves:
            if move.action == action:
                return move
        legal = tuple(str(move.action) for move in self.moves)
        message = say("{action} is not legal here; legal are {legal}.", action=str(action), legal=legal)
        raise IllegalError("not_legal_here", message)


class Search:
    """One decision thought over from a view. `blueprint` is the policy of all seats, or those of each; `softness`, for all
    alike or seat by seat, is the factor by which a partner's turn that does not fit makes a world less likely. So many `tries`
    at most are made to find `enough` hands that fit. What was found `before`, at an earlier turn of the same seat, says where
    to look for them first."""

    def __init__(
        self,
        view: View,
        blueprint: str | Sequence[str] = DEFAULT_BLUEPRINT,
        *,
        softness: float | Sequence[float] = 0.0,
        seed: int = 0,
        speed: str = "compiled",
        enough: float = ENOUGH,
        tries: int = TRIES,
        before: Recollection | None = None,
    ) -> None:
        players = view.rules.players
        self._lineup = (blueprint,) * players if isinstance(blueprint, str) else tuple(blueprint)
        self._softness = (float(softness),) * players if isinstance(softness, (int, float)) else tuple(softness)
        _check(self._lineup, self._softness, players)
        self.view, self._seed, self._enough, self._tries = view, seed, enough, tries
        self._trace = Trace(view)
        self._team = team(view.rules, tuple(sorted(set(self._lineup))), validation.one_of("speed", speed, SPEEDS))
        self._before = before
        self._belief = self._believing(self._softness)
        self._looking = ENDLESS
        self.doubtful = False

    @cached_property
    def policy(self) -> int:
        """The number of the policy's own choice."""
        return self._belief.own_choice

    @property
    def fitting(self) -> float:
        """How many equally likely hands fit what is known, at least."""
        return self._every_world.fitting if self._every_world else self._hands.effective

    @property
    def shares(self) -> Array | None:
        """How likely each world is, if they are so few that all of them are looked at."""
        return self._every_world.shares if self._every_world else None

    @cached_property
    def legal(self) -> list[int]:
        """The numbers of the legal moves."""
        return [self.number(action) for action in self.view.legal_actions]

    def number(self, action: Action) -> int:
        """The number of an action of this seat; one that is not legal is refused."""
        number = number_of(action, self.view.rules, self._trace.seat)
        if number is None or action not in self.view.legal_actions:
            view, seat = self.view, self._trace.seat
            raise why_illegal(action, view.rules, seat, len(view.hand), view.clue_tokens)
        return number

    def action(self, number: int) -> Action:
        """The action of a number."""
        return action_of(number, self.view.rules, self._trace.seat)

    @cached_property
    def _every_world(self) -> Worlds | None:
        return self._belief.every_world(EXACT)

    @cached_property
    def _found(self) -> tuple[Belief, PossibleHands]:
        """Hands that fit, and the belief in which they do; where they are too few, with less weight on what partners did."""
        belief, hands = self._belief, self._belief.hands(self._enough, self._tries, self._looking)
        if hands.effective < TOO_FEW and len(hands) < TOO_FEW and not all(self._softness):
            self.doubtful = True
            belief = self._believing([max(softness, PEOPLE) for softness in self._softness])
            hands = belief.hands(self._enough, self._tries // 4, self._looking)
        return belief, hands

    @property
    def _hands(self) -> PossibleHands:
        return self._found[1]

    def _believing(self, softness: Sequence[float]) -> Belief:
        return Belief(self._trace, self._team, self._lineup, softness, self._seed, self._before)

    @property
    def recollection(self) -> Recollection | None:
        """What a search at a later turn can begin with: the hands that were found, if any were looked for."""
        return Recollection.of(self._trace, self._hands) if "_found" in vars(self) else None

    def chances(self, slot: int) -> dict[Card, float]:
        """How likely each card is in a slot of the hand, as far as it may be there."""
        every = self._every_world
        cards = every.decks[:, self._trace.hand[slot]] if every else self._hands.cards[:, slot]
        shares = np.bincount(cards, every.shares if every else self._hands.shares, minlength=self._trace.layout.cards)
        return {card: float(share) for card, share in zip(self.view.rules.cards, shares, strict=True) if share}

    def race(self, moves: Sequence[int], keep: Sequence[int], budget: Budget, margin: float | None = None) -> Race:
        """Try moves in worlds that no race before this one has used, unless they are all there are."""
        clock, self._looking = Clock(budget.seconds), Clock(budget.seconds and LOOKING * budget.seconds)
        worlds = self._every_world or self._drawn(min(MOST_WORLDS, max(budget.rollouts, 1)))
        race = Race(self._trace, self._team, self._lineup, worlds, budget.rollouts, clock)
        race.run(moves, keep, margin)
        return race

    def _drawn(self, count: int) -> Worlds:
        belief, hands = self._found
        return belief.worlds(hands, count)

    def way_on(self, move: int, turns: int) -> tuple[Action, ...]:
        """A move and what the policies would do next, so many turns at most, with the hand that is most likely. What they draw
        is any of the cards that are not seen."""
        return way_on(self._trace, self._team, self._lineup, self._likely_world, move, turns)

    @property
    def _likely_world(self) -> Worlds:
        if worlds := self._every_world:
            return worlds.likeliest
        belief, hands = self._found
        return belief.worlds(hands.likeliest, 1)

    def values(self, budget: Budget, keep: Sequence[Action] = ()) -> Values:
        """What every legal move is worth. The policy's choice and the moves to `keep` are tried as long as the best."""
        kept = list(dict.fromkeys([self.policy, *map(self.number, keep)]))
        race = self.race(self.legal, kept, budget)
        ranked = sorted(race.scores, key=lambda move: (-len(race.scores[move]), -race.value(move).mean))
        return Values(
            moves=tuple(
                MoveValue(
                    self.action(move),
                    race.value(move),
                    race.perfect(move),
                    race.gain(move, self.policy),
                    len(race.scores[move]),
                )
                for move in ranked
            ),
            policy=self.action(self.policy),
            exact=race.is_exact,
            fitting=self.fitting,
            doubtful=self.doubtful,
            rollouts=race.rollouts,
        )


def values(
    view: View,
    blueprint: str | Sequence[str] = DEFAULT_BLUEPRINT,
    *,
    budget: Budget | int = 2000,
    softness: float | Sequence[float] = 0.0,
    seed: int = 0,
    keep: Sequence[Action] = (),
    speed: str = "compiled",
) -> Values:
    """What every legal move of the seat to move is worth, if all play on by the policy: see `Search` for what can be chosen."""
    limit = budget if isinstance(budget, Budget) else Budget(budget)
    return Search(view, blueprint, softness=softness, seed=seed, speed=speed).values(limit, keep)


def _check(lineup: tuple[str, ...], softness: tuple[float, ...], players: int) -> None:
    if len(lineup) != players or len(softness) != players:
        message = say("Give one policy and one softness for all seats, or one for each of the {players}.", players=players)
        raise MalformedError("bad_lineup", message)
    if not all(0 <= soft <= 1 for soft in softness):
        raise MalformedError("bad_softness", say("Softness is a number from 0 to 1."))
    for name in lineup:
        find_fair_policy(name)
