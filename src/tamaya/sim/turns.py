"""One game of a batch, turn by turn: the action, what it earns, and the next game when one is over."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.kernel.shuffle import WORD
from tamaya.engine.layout import ENDED, RUNNING
from tamaya.rules import Ending, LastMistake, Rules
from tamaya.sim.choices import build_pick

WON, LOST = int(Ending.WON), int(Ending.MISTAKES)


def build_turns(rules: Rules, kernel: Kernel, jit: Jit) -> Parts:
    """The functions that carry one game of a batch along."""
    points, apply, deal, legal = kernel.points, kernel.apply, kernel.deal, kernel.legal
    pick, actions = build_pick(kernel, jit).pick, kernel.layout.actions
    all_or_nothing, keeps_points = rules.all_or_nothing, rules.last_mistake is LastMistake.POINTS

    @jit
    def score(state: Any) -> int:
        """What a game is worth now: its points, or nothing where the rules take them at its end."""
        ended = state[ENDED]
        if (all_or_nothing and ended > WON) or (ended >= LOST and not keeps_points):
            return 0
        made: int = points(state)
        return made

    @jit
    def renew(state: Any, seed: Any, games: int) -> None:
        """Deal the next game in this place of the batch: as many numbers further as the batch has places."""
        low = seed[1] + games
        seed[1] = low & WORD
        seed[0] = (seed[0] + (low >> 32)) & WORD
        deal(state, seed[0], seed[1])

    @jit
    def act(state: Any, seed: Any, mask: Any, action: int, replaces: bool) -> tuple[int, int, int, int]:
        """Take an action, the legal ones being marked.

        Returns how the game ended if it did, its score then, what the turn earned, and 1 for an action that was not legal.
        Such an action is replaced by a legal one, or nothing happens; nothing happens in a finished game either.
        """
        if state[ENDED] != RUNNING:
            return 0, 0, 0, 0
        illegal = 0
        if action < 0 or action >= actions or not mask[action]:
            illegal = 1
            if not replaces:
                return 0, 0, 0, illegal
            action = pick(state, mask, seed[0] + 0, seed[1] + 0)
        before = points(state)
        apply(state, action)
        worth = score(state)
        return state[ENDED] + 0, worth, worth - before, illegal

    @jit
    def take_turn(
        state: Any, seed: Any, mask: Any, action: int, games: int, goes_on: bool, replaces: bool
    ) -> tuple[int, int, int, int]:
        """Act; where the game is over and games go on, deal the next; and mark what is legal then."""
        ended, worth, earned, illegal = act(state, seed, mask, action, replaces)
        if goes_on and state[ENDED] != RUNNING:
            renew(state, seed, games)
        legal(state, mask)
        return ended, worth, earned, illegal

    @jit
    def reward(ended: int, worth: int, earned: int, illegal: int, at_the_end: bool, fine: float) -> float:
        """What a turn is rewarded with: what it earned, or the score when the game ended; and what an illegal action costs."""
        paid = earned
        if at_the_end:
            paid = worth if ended != RUNNING else 0
        return paid + (fine if illegal else 0.0)

    return Parts(act=act, renew=renew, take_turn=take_turn, reward=reward)
