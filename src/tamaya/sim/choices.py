"""Policies in the kernel's style: given a game and its legal actions, the number of an action.

`random` takes any legal action. `long` takes any but mistakes, which it avoids by looking at the player's own cards: such
games last as long as the deck and are for measuring and testing only. What is chosen depends on the game's seed and the turn
alone, so that a game goes the same way at every speed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.mixing import build_mixing
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import NUMBER, SEAT, SLOT, TURN

Policy: TypeAlias = Callable[[Any, Any, int, int], int]
"""State, legal actions and the two halves of a seed to the number of an action."""


def build_chance(jit: Jit) -> Parts:
    """Numbers that depend on a seed and a turn."""
    mix = build_mixing(jit).mix

    @jit
    def below(count: int, turn: int, seed_high: int, seed_low: int) -> int:
        """A number from 0 to below the count."""
        chance: int = mix(seed_low ^ mix(seed_high ^ mix(turn)))
        return (chance * count) >> 32

    return Parts(below=below)


def build_pick(kernel: Kernel, jit: Jit) -> Parts:
    """Any of the marked actions."""
    actions, below = kernel.layout.actions, build_chance(jit).below

    @jit
    def pick(state: Any, mask: Any, seed_high: int, seed_low: int) -> int:
        count = 0
        for action in range(actions):
            count += mask[action]
        nth = below(count, state[TURN] + 0, seed_high, seed_low)
        chosen, passed = 0, 0
        for action in range(actions):
            passed += mask[action]
            chosen += passed <= nth
        return chosen

    return Parts(pick=pick)


def build_random(kernel: Kernel, jit: Jit) -> Policy:
    """Any legal action."""
    pick: Policy = build_pick(kernel, jit).pick
    return pick


def build_long(kernel: Kernel, jit: Jit) -> Policy:
    """Any legal action that is no mistake, or any at all where every action is one."""
    rules, pick = kernel.layout, build_pick(kernel, jit).pick
    hand_size, colours, deck, hands, fireworks = rules.hand_size, rules.colours, rules.deck, rules.hands, rules.fireworks
    play_action, announce_action, actions = rules.play_action, rules.announce_action, rules.actions
    announced_plays, hand_count = rules.announced_plays, kernel.hand_count

    @jit
    def long(state: Any, mask: Any, seed_high: int, seed_low: int) -> int:
        seat = state[SEAT] + 0
        held = hand_count(state, seat)
        left = 0
        for action in range(actions):
            left += mask[action]
        for slot in range(held):
            card = state[deck + state[hands + (seat * hand_size + slot) * SLOT + NUMBER]]
            fits = state[fireworks + card // 5] == card % 5
            if not fits and left > 1:
                mask[play_action + slot] = 0
                left -= 1
            if announced_plays:
                for colour in range(colours):
                    if left > 1 and not (fits and colour == card // 5):
                        mask[announce_action + slot * colours + colour] = 0
                        left -= 1
        chosen: int = pick(state, mask, seed_high, seed_low)
        for slot in range(held):
            mask[play_action + slot] = 1
            if announced_plays:
                for colour in range(colours):
                    mask[announce_action + slot * colours + colour] = 1
        return chosen

    return long


POLICIES: Mapping[str, Callable[[Kernel, Jit], Policy]] = {"random": build_random, "long": build_long}
