"""One turn of a game, checked: the action, what it earns, and the next game when one is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.random_play import build_lots
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.kernel.deal import WORD
from tamaya.engine.layout import ENDED, RUNNING, TURN


class Turns(NamedTuple):
    """The functions that carry one game along."""

    luck: Callable[[Row, Row], int]
    act: Callable[[Row, Row, Row, int, bool], tuple[int, int, int, int]]
    renew: Callable[[Row, Row, int], None]
    take_turn: Callable[[Row, Row, Row, int, int, bool, bool], tuple[int, int, int, int]]
    reward: Callable[[int, int, int, int, bool, float], float]


def build_turns(kernel: Kernel, jit: Jit) -> Turns:
    """The functions that carry one game along."""
    lots = build_lots(kernel, jit)

    @jit
    def luck(state: Row, seed: Row) -> int:
        """The luck of this turn, in the game that this seed dealt."""
        return lots.luck(state[TURN] + 0, seed[0] + 0, seed[1] + 0)

    @jit
    def renew(state: Row, seed: Row, games: int) -> None:
        """Deal the next game in this place of a batch: as many numbers further as the batch has places."""
        low = seed[1] + games
        seed[1] = low & WORD
        seed[0] = (seed[0] + (low >> 32)) & WORD
        kernel.deal(state, seed[0], seed[1])

    @jit
    def act(state: Row, seed: Row, mask: Row, action: int, replaces: bool) -> tuple[int, int, int, int]:
        """Take an action, the legal ones being marked.

        Returns how the game ended if it did, its score then, what the turn earned, and 1 for an action that was not legal.
        Such an action is replaced by a legal one, or nothing happens; nothing happens in a finished game either.
        """
        if state[ENDED] != RUNNING:
            return 0, 0, 0, 0
        illegal = 0
        if action < 0 or action >= kernel.layout.actions or not mask[action]:
            illegal = 1
            if not replaces:
                return 0, 0, 0, illegal
            action = lots.pick(mask, luck(state, seed))
        before = kernel.points(state)
        kernel.apply(state, action)
        worth = kernel.score(state)
        return state[ENDED] + 0, worth, worth - before, illegal

    @jit
    def take_turn(
        state: Row, seed: Row, mask: Row, action: int, games: int, goes_on: bool, replaces: bool
    ) -> tuple[int, int, int, int]:
        """Act; where the game is over and games go on, deal the next; and mark what is legal then."""
        ended, worth, earned, illegal = act(state, seed, mask, action, replaces)
        if goes_on and state[ENDED] != RUNNING:
            renew(state, seed, games)
        kernel.legal(state, mask)
        return ended, worth, earned, illegal

    @jit
    def reward(ended: int, worth: int, earned: int, illegal: int, at_the_end: bool, fine: float) -> float:
        """What a turn is rewarded with: what it earned, or the score when the game ended; and what an illegal action costs."""
        paid = earned
        if at_the_end:
            paid = worth if ended != RUNNING else 0
        return paid + (fine if illegal else 0.0)

    return Turns(luck, act, renew, take_turn, reward)
