"""Random play: a baseline bot, and two policies to measure speed with."""

from __future__ import annotations

import hashlib

from tamaya.bots.policy import Policy, Visibility
from tamaya.engine import View
from tamaya.engine.instances import Options, Row
from tamaya.engine.kernel.deal import mix
from tamaya.engine.kernel.ending import is_playable
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.layout import SEAT, layout
from tamaya.rules import Action, Message, say

OPTIONS = Options("inline")


class RandomBot:
    """Any legal action, decided by what the bot sees, so that a replayed game goes the same way."""

    def act(self, view: View) -> Action:
        """A legal action by a hash of everything that the player sees and has seen."""
        seen = repr((view.rules, view.seat, view.hands, view.log))
        dice = int.from_bytes(hashlib.sha256(seen.encode()).digest()[:8])
        return view.legal_actions[dice % len(view.legal_actions)]

    def explain(self) -> Message:
        """An admission that it has no reason."""
        return say("Chance decided.")


def random_bits(turn: int, seed_high: int, seed_low: int) -> int:
    """32 pseudo-random bits for a turn of the game that this seed deals."""
    return mix(seed_low ^ mix(seed_high ^ mix(turn)))


def random_action(mask: Row, random_bits: int) -> int:
    """Any of the marked actions."""
    count = 0
    for action in range(layout.actions):
        count += mask[action]
    nth, passed = (random_bits * count) >> 32, 0
    for action in range(layout.actions):
        passed += mask[action]
        if passed > nth:
            return action
    return layout.actions


def choose(memory: Row, state: Row, mask: Row, random_bits: int) -> int:
    """Any legal action."""
    return random_action(mask, random_bits)


def choose_no_mistake(memory: Row, state: Row, mask: Row, random_bits: int) -> int:
    """Any legal action that is no mistake, or any legal action where all are mistakes."""
    seat = state[SEAT] + 0
    held = hand_count(state, seat)
    left = 0
    for action in range(layout.actions):
        left += mask[action]
    for slot in range(held):
        card = card_at(state, seat, slot)
        fits = is_playable(state, card)
        if not fits and left > 1:
            mask[layout.play_action + slot] = 0
            left -= 1
        if layout.announced_plays:
            for colour in range(layout.colours):
                if left > 1 and not (fits and colour == card // layout.values):
                    mask[layout.announce_action + slot * layout.colours + colour] = 0
                    left -= 1
    chosen = random_action(mask, random_bits)
    for slot in range(held):
        mask[layout.play_action + slot] = 1
        if layout.announced_plays:
            for colour in range(layout.colours):
                mask[layout.announce_action + slot * layout.colours + colour] = 1
    return chosen


RANDOM: Policy[Row] = Policy(choose, visibility=Visibility.FULL_STATE, on_gpu=True)
NO_MISTAKES: Policy[Row] = Policy(choose_no_mistake, visibility=Visibility.FULL_STATE, on_gpu=True)
"""Looks at the player's own cards, so that games last as long as the deck: for measuring and testing only."""
