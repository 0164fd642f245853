"""What a good player would do, for somebody who asks: the policy's move, or one that is clearly better."""

from __future__ import annotations

from collections.abc import Sequence

from tamaya.bots.advice import Advice, plain_advice
from tamaya.engine import View
from tamaya.i18n import propose
from tamaya.rules import Action, Clue, Discard, Message, say, say_n
from tamaya.search.bot import Departure, departure
from tamaya.search.budget import Budget
from tamaya.search.trust import softness_of
from tamaya.search.values import DEFAULT_BLUEPRINT, Search
from tamaya.search.words import because

ADVISING = Budget(rollouts=1200)
"""How much is thought before advice is given. There is no clock, so that the same view always gets the same advice."""
SURVEY = Budget(rollouts=300)
"""How much goes into what the policy's own move will come to."""


def advice(
    view: View, seats: Sequence[str] = (), *, budget: Budget = ADVISING, seed: int = 0, speed: str = "compiled"
) -> Advice:
    """What to do in the place of the player whose turn it is. `seats` names the bot at each seat, nothing for people, who are
    trusted less to keep to the agreements."""
    plain = plain_advice(view)
    search = Search(view, softness=softness_of(seats or [""] * view.rules.players, DEFAULT_BLUEPRINT), seed=seed, speed=speed)
    better = departure(search, budget)
    if better:
        return Advice(_idea(better.action), better.action, _reasons(search, better))
    value = search.values(SURVEY).of(search.action(search.policy)).value
    return Advice(plain.idea, plain.action, (*plain.reasons, _expected(value.mean)))


def _idea(action: Action) -> Message:
    if isinstance(action, Clue):
        return say("A clue is worth most now.")
    return say("This is a moment to discard.") if isinstance(action, Discard) else say("A card of yours is worth playing.")


def _reasons(search: Search, better: Departure) -> tuple[Message, ...]:
    more = say_n(
        "Over ten games this is worth about one point more than what the agreements say: {move}",
        "Over ten games this is worth about {n} points more than what the agreements say: {move}",
        max(1, round(10 * better.gain.mean)),
        move=propose(better.instead_of, search.view),
    )
    shown = because(search, better.instead_of, better.action)
    return more, *([shown] if shown else []), _expected(better.value.mean)


def _expected(points: float) -> Message:
    return say_n("You can then expect about one point.", "You can then expect about {n} points.", round(points))
