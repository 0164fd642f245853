"""A bot that searches: it plays by a policy and deviates from it if another move is clearly better. And its advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamaya.bots.advice import Advice, plain_advice
from tamaya.bots.policy_bot import PolicyBot
from tamaya.bots.registry import find_fair_policy
from tamaya.engine import View
from tamaya.i18n import propose
from tamaya.rules import Action, Clue, Discard, Message, say, say_n
from tamaya.search.beliefs import noise_of
from tamaya.search.explanations import explain_deviation, main_reason
from tamaya.search.hand_sampling import PriorHands
from tamaya.search.rollouts import Estimate
from tamaya.search.search import DEFAULT_POLICY, Budget, Search

NAME = "search"
MIN_GAIN = 0.05
"""The least gain for which the bot deviates from the policy."""
CONFIRMATION = 0.35
"""The share of the budget for trying the best move again, in worlds other than those in which it looked best."""
MIN_HANDS = 4.0
"""With fewer effective hands than this the bot follows the policy."""
ROLLOUTS = {2: 5000, 3: 5000, 4: 4000, 5: 4000}
"""Rollouts per move, by the number of players: about half a second of one core."""
SECONDS_WITH_PEOPLE = 1.5
"""The time for a move at a table with people."""
ADVICE_BUDGET = Budget(rollouts=1200)
"""The budget for advice. Time is not limited, so that the same view always gets the same advice."""
FORECAST_BUDGET = Budget(rollouts=300)
"""The budget for the expected score if the policy's own move is advised."""


@dataclass(frozen=True)
class Deviation:
    """A move that is better than the policy's own, its expected score, and how much better it is."""

    action: Action
    policy_action: Action
    gain: Estimate
    value: Estimate


def deviation(search: Search, budget: Budget) -> Deviation | None:
    """The move for which it is worth deviating from the policy; None if there is none.

    All moves race against the policy's own. The winner looks better than it is, since it was chosen where it looked best. So it
    is tried again in other worlds, and these decide.
    """
    own = search.policy_move
    first, second = budget.part(1 - CONFIRMATION), budget.part(CONFIRMATION)
    race = search.race([own, *(move for move in search.legal_moves if move != own)], [own], first, MIN_GAIN)
    most = max(map(len, race.scores.values()))
    finalists = [move for move, scores in race.scores.items() if len(scores) == most]
    best = max(finalists, key=lambda move: race.value(move).mean)
    too_few_hands = search.world_weights is None and search.effective_hands < MIN_HANDS
    if best == own or race.gain(best, own).mean <= MIN_GAIN or too_few_hands:
        return None
    confirmation = search.race([own, best], [own, best], second)
    gain = confirmation.gain(best, own)
    if gain.mean <= MIN_GAIN or not gain.is_clear:
        return None
    return Deviation(search.action(best), search.action(own), gain, confirmation.value(best))


class SearchBot:
    """A bot that compares all moves on each of its turns, in worlds that are consistent with everything it has seen.

    A subclass names its policy in `base_policy`, so that tables know what to compile before its first turn. A `budget` applies
    everywhere; without one the bot uses `rollouts`, or the default number, and limits its time at tables with people.
    """

    base_policy = DEFAULT_POLICY

    def __init__(
        self,
        policy: str = "",
        budget: Budget | None = None,
        *,
        name: str = NAME,
        speed: str = "compiled",
        rollouts: int | None = None,
    ) -> None:
        self._policy, self._budget, self._name, self._speed = policy or self.base_policy, budget, name, speed
        self._rollouts = rollouts
        self._policy_bot = PolicyBot(find_fair_policy(self._policy))
        self._seats: tuple[str, ...] = ()
        self._reason: Message | None = None
        self._prior_hands: PriorHands | None = None

    def meet(self, seats: Sequence[str]) -> None:
        """Note the bot at each seat; an empty name means a person."""
        self._seats = tuple(seats)

    def act(self, view: View) -> Action:
        """Choose the policy's move, or a better one. Only the first of several searching bots searches: two would mislead
        each other, as each assumes that the others follow the policy."""
        choice, self._reason = self._policy_bot.act(view), None
        if view.seat != self._searching_seat(view):
            return choice
        search = Search(
            view,
            self._policy,
            noise=self._noise(view),
            seed=view.turn,
            speed=self._speed,
            prior_hands=self._prior_hands,
        )
        found = deviation(search, self._budget or self._usual_budget(view))
        self._prior_hands = search.found_hands
        if found is None:
            return choice
        self._reason = explain_deviation(search, found.policy_action, found.action, found.value, found.gain)
        return found.action

    def _usual_budget(self, view: View) -> Budget:
        return Budget(self._rollouts or ROLLOUTS[view.rules.players], SECONDS_WITH_PEOPLE if "" in self._seats else None)

    def _searching_seat(self, view: View) -> int | None:
        return self._seats.index(self._name) if self._name in self._seats else view.seat

    def _noise(self, view: View) -> tuple[float, ...]:
        """The noise of each seat. Other bots that could search follow the policy, and all seats do if `meet` was not called."""
        seats = self._seats or (self._policy,) * view.rules.players
        return noise_of([self._policy if name == self._name else name for name in seats], self._policy)

    def explain(self) -> Message | None:
        """The reason for deviating from the policy, or the policy's own reason."""
        return self._reason or self._policy_bot.explain()


# Advice.


def advice(
    view: View, seats: Sequence[str] = (), *, budget: Budget = ADVICE_BUDGET, seed: int = 0, speed: str = "compiled"
) -> Advice:
    """Advise the player to move: the policy's move, or one that is clearly better. `seats` names the bot at each seat; an empty
    name means a person, who is trusted less to follow the conventions."""
    plain = plain_advice(view)
    search = Search(view, noise=noise_of(seats or [""] * view.rules.players, DEFAULT_POLICY), seed=seed, speed=speed)
    better = deviation(search, budget)
    if better:
        return Advice(_idea(better.action), better.action, _reasons(search, better))
    value = search.values(FORECAST_BUDGET).of(search.action(search.policy_move)).value
    return Advice(plain.idea, plain.action, (*plain.reasons, _expected(value.mean)))


def _idea(action: Action) -> Message:
    if isinstance(action, Clue):
        return say("A clue is worth most now.")
    return say("This is a moment to discard.") if isinstance(action, Discard) else say("A card of yours is worth playing.")


def _reasons(search: Search, better: Deviation) -> tuple[Message, ...]:
    more = say_n(
        "Over ten games this is worth about one point more than what the agreements say: {move}",
        "Over ten games this is worth about {n} points more than what the agreements say: {move}",
        max(1, round(10 * better.gain.mean)),
        move=propose(better.policy_action, search.view),
    )
    reason = main_reason(search, better.policy_action, better.action)
    return more, *([reason] if reason else []), _expected(better.value.mean)


def _expected(points: float) -> Message:
    return say_n("You can then expect about one point.", "You can then expect about {n} points.", round(points))
