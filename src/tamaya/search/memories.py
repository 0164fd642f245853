"""What policies have in mind at each turn of a game that one seat has seen.

A policy's memory follows from what its seat has seen. As long as that is the same in every world, because the memory is public
or because everybody has kept to a policy whose memory is shared, it is worked out once. From then on (`open` says from which
turn; one that is yet to come if that never was) every world has memories of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tamaya.search.hands import PossibleHands
from tamaya.search.trace import Trace
from tamaya.sim.team import Team
from tamaya.sim.threads import Array


class Memories:
    """The memories of all seats before each turn, as far as they are the same in every world; `hand` is any one that agrees
    with the clues. With `strict` worlds, every partner has kept to its policy in each of them."""

    def __init__(self, trace: Trace, team: Team, lineup: Sequence[str], hand: Array, strict: bool) -> None:
        self._trace, self._team, self._lineup = trace, team, tuple(lineup)
        shared = strict and team.shares_memory
        deck = trace.decks(hand)
        self._kept = np.zeros((trace.turns + 1, team.memories, team.saved_size), np.int64)
        self.open = trace.turns + 1 if team.memories == 1 or shared else 0
        memories = team.start(self._lineup, trace.positions(0, deck), checked=False)
        for turn in range(trace.turns + 1):
            if shared and turn <= self.open:  # what the seat itself has noted, all have
                memories[:] = memories[:, trace.seat if team.memories > 1 else 0, np.newaxis]
            self._kept[turn] = memories[0]
            choice = self._ask(turn, deck, memories[0]) if turn == trace.turns or trace.movers[turn] == trace.seat else None
            if turn == trace.turns:
                break
            if choice is not None and team.memories > 1 and choice[0] != trace.actions[turn]:
                self.open = min(self.open, turn)
            positions, action = trace.positions(turn, deck), trace.actions[turn : turn + 1]
            team.advance(self._lineup, positions, memories, action, checked=False)
        assert choice is not None
        self.own_choice = int(choice[0])

    def _ask(self, turn: int, decks: Array, memories: Array) -> Array:
        return self._team.ask(self._lineup, self._trace.positions(turn, decks), memories, checked=False)

    def opened(self, hands: PossibleHands) -> Array:
        """The memories before the first turn that is `open`, with each of these hands. At the start of a game that is what each
        seat makes of the hands that it sees; later, what all worlds have had in common."""
        if self.open == 0:
            return self._team.start(self._lineup, self._trace.positions(0, self._trace.decks(hands.cards)), checked=False)
        return np.repeat(self._kept[self.open][np.newaxis], len(hands), axis=0)

    def choices(self, turn: int, hands: PossibleHands) -> Array:
        """What the policy whose turn it was would have done with each of these hands in sight."""
        memories = self._kept[turn] if turn < self.open else hands.memories
        return self._ask(turn, self._trace.decks(hands.cards), memories)

    def advance(self, turn: int, hands: PossibleHands) -> None:
        """Let everybody take notes of a turn, in each world."""
        states = self._trace.positions(turn, self._trace.decks(hands.cards))
        actions = np.full(len(hands), self._trace.actions[turn])
        self._team.advance(self._lineup, states, hands.memories, actions, checked=False)

    def now(self, hands: PossibleHands, which: Array) -> tuple[Array, Array]:
        """Present memories, and which of them go with some of the hands."""
        if self.open > self._trace.turns:
            return self._kept[-1:], np.zeros(len(which), np.int64)
        return np.ascontiguousarray(hands.memories), which.astype(np.int64)
