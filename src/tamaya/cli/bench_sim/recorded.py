"""Games written down, for others to play them again."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tamaya.engine.kernel import interpreted, interpreted_kernel
from tamaya.engine.layout import ENDED, RUNNING
from tamaya.rules import Rules
from tamaya.sim.choices import POLICIES
from tamaya.sim.seeds import seed_of

SEED = 0


class Recorded(NamedTuple):
    """A finished game: its deck from the top, and the actions by number."""

    deck: tuple[int, ...]
    actions: tuple[int, ...]


@lru_cache(maxsize=16)
def recorded_games(players: int, policy: str, count: int) -> tuple[Recorded, ...]:
    """The first games that a batch with the seed 0 would play by a policy."""
    kernel = interpreted_kernel(Rules(players=players))
    choose = POLICIES[policy](kernel, interpreted)
    games = []
    for number in range(count):
        state, mask = bytearray(kernel.layout.size), bytearray(kernel.layout.actions)
        high, low = divmod(seed_of(SEED, number), 1 << 32)
        kernel.deal(state, high, low)
        deck = tuple(state[kernel.layout.deck : kernel.layout.hands])
        actions = []
        while state[ENDED] == RUNNING:
            kernel.legal(state, mask)
            actions.append(choose(state, mask, high, low))
            kernel.apply(state, actions[-1])
        games.append(Recorded(deck, tuple(actions)))
    return tuple(games)
