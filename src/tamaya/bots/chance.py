"""Those that draw lots: the bot against which others look good, and two policies to measure speed with."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.policy import Blueprint, Policy, Sees
from tamaya.engine import View
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.engine.layout import HEIGHT, NUMBER, SEAT, SLOT
from tamaya.rules import Action, Message, say


class RandomBot:
    """Any legal action. What it sees decides which, so that a game goes the same way wherever it is played again."""

    def act(self, view: View) -> Action:
        """A legal action by the hash of all that the player sees and has seen."""
        seen = repr((view.rules, view.seat, view.hands, view.log))
        dice = int.from_bytes(hashlib.sha256(seen.encode()).digest()[:8])
        return view.legal_actions[dice % len(view.legal_actions)]

    def explain(self) -> Message:
        """Honest about it."""
        return say("Chance decided.")


class Lots(NamedTuple):
    """The functions that draw lots."""

    luck: Callable[[int, int, int], int]
    pick: Callable[[Row, int], int]


def build_lots(kernel: Kernel, jit: Jit) -> Lots:
    """The functions that draw lots."""

    @jit
    def luck(turn: int, seed_high: int, seed_low: int) -> int:
        """A number of 32 bits that looks random, of a turn in the game that this seed deals."""
        return kernel.shuffle.mix(seed_low ^ kernel.shuffle.mix(seed_high ^ kernel.shuffle.mix(turn)))

    @jit
    def pick(mask: Row, luck: int) -> int:
        """Any of the marked actions."""
        count = 0
        for action in range(kernel.layout.actions):
            count += mask[action]
        nth = (luck * count) >> 32
        chosen, passed = 0, 0
        for action in range(kernel.layout.actions):
            passed += mask[action]
            chosen += passed <= nth
        return chosen

    return Lots(luck, pick)


def build_random(kernel: Kernel, jit: Jit, constants: Constants) -> Policy:
    """Any legal action."""
    lots = build_lots(kernel, jit)

    @jit
    def choose(memory: Row, sight: Row, mask: Row, luck: int) -> int:
        return lots.pick(mask, luck)

    return _forgetful(jit, choose)


def build_faultless(kernel: Kernel, jit: Jit, constants: Constants) -> Policy:
    """Any legal action that is no mistake, or any at all where every action is one. It looks at the player's own cards: its
    games last as long as the deck, and are for measuring and testing only."""
    layout, lots = kernel.layout, build_lots(kernel, jit)

    @jit
    def choose(memory: Row, state: Row, mask: Row, luck: int) -> int:
        seat = state[SEAT] + 0
        held = kernel.hand_count(state, seat)
        left = 0
        for action in range(layout.actions):
            left += mask[action]
        for slot in range(held):
            card = state[layout.deck + state[layout.hands + (seat * layout.hand_size + slot) * SLOT + NUMBER]]
            fits = state[layout.fireworks + card // HEIGHT] == card % HEIGHT
            if not fits and left > 1:
                mask[layout.play_action + slot] = 0
                left -= 1
            if layout.announced_plays:
                for colour in range(layout.colours):
                    if left > 1 and not (fits and colour == card // HEIGHT):
                        mask[layout.announce_action + slot * layout.colours + colour] = 0
                        left -= 1
        chosen = lots.pick(mask, luck)
        for slot in range(held):
            mask[layout.play_action + slot] = 1
            if layout.announced_plays:
                for colour in range(layout.colours):
                    mask[layout.announce_action + slot * layout.colours + colour] = 1
        return chosen

    return _forgetful(jit, choose)


def _forgetful(jit: Jit, choose: Callable[[Row, Row, Row, int], int]) -> Policy:
    """A policy that keeps nothing in mind."""

    @jit
    def begin(memory: Row, sight: Row) -> None:
        """There is nothing to prepare."""

    @jit
    def notice(memory: Row, seat: int, before: Row, after: Row) -> None:
        """There is nothing to remember."""

    return Policy(0, 0, begin, choose, notice)


RANDOM = Blueprint(build_random, sees=Sees.STATE, on_gpu=True)
FAULTLESS = Blueprint(build_faultless, sees=Sees.STATE, on_gpu=True)
