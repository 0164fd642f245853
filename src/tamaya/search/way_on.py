"""How a game may go on: what policies do in one world."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tamaya.engine.layout import ENDED, LAST_ACTION, RUNNING, SEAT
from tamaya.rules import Action, action_of
from tamaya.search.trace import Trace
from tamaya.search.worlds import Worlds
from tamaya.sim.games import CHOOSE
from tamaya.sim.team import Team


def way_on(trace: Trace, team: Team, lineup: Sequence[str], world: Worlds, move: int, turns: int) -> tuple[Action, ...]:
    """A move and what the policies do after it in a single world, in so many turns or until the game is over."""
    states, memories = trace.positions(trace.turns, world.decks), world.memories[world.whose].copy()
    actions: list[Action] = []
    while len(actions) < turns and states[0][ENDED] == RUNNING:
        seat, chosen = int(states[0][SEAT]), CHOOSE if actions else move
        team.advance(tuple(lineup), states, memories, np.array([chosen]), checked=False)
        actions.append(action_of(int(states[0][LAST_ACTION]), trace.rules, seat))
    return tuple(actions)
