"""The bot that thinks ahead: it plays by a policy, and leaves it where another move is clearly better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamaya.bots.policy_bot import PolicyBot
from tamaya.bots.registry import find_fair_policy
from tamaya.engine import View
from tamaya.rules import Action, Message
from tamaya.search.budget import Budget
from tamaya.search.hands import Recollection
from tamaya.search.race import Estimate
from tamaya.search.trust import softness_of
from tamaya.search.values import DEFAULT_BLUEPRINT, Search
from tamaya.search.words import why_left

NAME = "search"
MARGIN = 0.05
"""The gain that is worth leaving the policy for, if it is clear."""
CONFIRMED = 0.35
"""The share of the budget that goes into trying the best move again, in other worlds than those in which it looked best."""
TOO_DOUBTFUL = 4.0
"""With hands found that say less than so many equally likely ones, it keeps to the policy."""
ROLLOUTS = {2: 5000, 3: 5000, 4: 4000, 5: 4000}
"""For one move, by the number of players: about half a second of one core."""
AT_A_TABLE = 1.5
"""The seconds that a move may take where people wait."""


@dataclass(frozen=True)
class Departure:
    """A move that is better than the policy's own, and by how much."""

    action: Action
    instead_of: Action
    gain: Estimate
    value: Estimate


def departure(search: Search, budget: Budget) -> Departure | None:
    """The move for which it is worth leaving the policy, if there is one.

    All moves race against the policy's own. The winner looks better than it is, for it was chosen where it looked best; so it
    is tried again in other worlds, and these decide.
    """
    own = search.policy
    first, second = budget.part(1 - CONFIRMED), budget.part(CONFIRMED)
    race = search.race([own, *(move for move in search.legal if move != own)], [own], first, MARGIN)
    longest = max(map(len, race.scores.values()))
    tried = [move for move, scores in race.scores.items() if len(scores) == longest]
    best = max(tried, key=lambda move: race.value(move).mean)
    guessed = search.shares is None and search.fitting < TOO_DOUBTFUL
    if best == own or race.gain(best, own).mean <= MARGIN or guessed:
        return None
    again = search.race([own, best], [own, best], second)
    gain = again.gain(best, own)
    if gain.mean <= MARGIN or not gain.is_clear:
        return None
    return Departure(search.action(best), search.action(own), gain, again.value(best))


class SearchBot:
    """Thinks ahead: asks in every turn what each move would come to, in the worlds that fit all it has seen.

    A class of your own names its policy in `searches`: tables then know what to compile before its first turn. A `budget` holds
    wherever it plays; without one it takes so many `rollouts`, or the usual number, and less time where people wait.
    """

    base_policy = DEFAULT_BLUEPRINT

    def __init__(
        self,
        blueprint: str = "",
        budget: Budget | None = None,
        *,
        name: str = NAME,
        speed: str = "compiled",
        rollouts: int | None = None,
    ) -> None:
        self._blueprint, self._budget, self._name, self._speed = blueprint or self.base_policy, budget, name, speed
        self._rollouts = rollouts
        self._plain = PolicyBot(find_fair_policy(self._blueprint))
        self._seats: tuple[str, ...] = ()
        self._why: Message | None = None
        self._recollection: Recollection | None = None

    def meet(self, seats: Sequence[str]) -> None:
        """Hear who plays: the bot of each seat, nothing for people."""
        self._seats = tuple(seats)

    def act(self, view: View) -> Action:
        """The policy's move, or a better one. Of several that search, the first does: each takes the others for players who
        keep to the policy, so two would mislead each other."""
        choice, self._why = self._plain.act(view), None
        if view.seat != self._searching_seat(view):
            return choice
        search = Search(
            view,
            self._blueprint,
            softness=self._softness(view),
            seed=view.turn,
            speed=self._speed,
            before=self._recollection,
        )
        found = departure(search, self._budget or self._usual_budget(view))
        self._recollection = search.recollection
        if found is None:
            return choice
        self._why = why_left(search, found.instead_of, found.action, found.value, found.gain)
        return found.action

    def _usual_budget(self, view: View) -> Budget:
        return Budget(self._rollouts or ROLLOUTS[view.rules.players], AT_A_TABLE if "" in self._seats else None)

    def _searching_seat(self, view: View) -> int | None:
        return self._seats.index(self._name) if self._name in self._seats else view.seat

    def _softness(self, view: View) -> tuple[float, ...]:
        """Whoever else could search keeps to the policy, and so does everybody if nobody said who plays."""
        seats = self._seats or (self._blueprint,) * view.rules.players
        return softness_of([self._blueprint if name == self._name else name for name in seats], self._blueprint)

    def explain(self) -> Message | None:
        """Why the policy was left, or the policy's own reason."""
        return self._why or self._plain.explain()
