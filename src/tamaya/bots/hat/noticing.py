"""What all conclude from what somebody did."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.habits import HABITS
from tamaya.bots.hat.memory import Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import CLUES, DRAWN, LAST_ACTION, LAST_CARD, LAST_NUMBER, LAST_TOUCHED, SEAT


def build_noticing(kernel: Kernel, jit: Jit, notes: Memory, parts: Parts) -> Parts:
    """The function that takes notes of an action."""
    plan = kernel.layout
    players, deck_size, last_cards = plan.players, plan.deck_size, HABITS[plan.players].last_cards
    discard_action, play_action, colour_action, announce_action = (
        plan.discard_action, plan.play_action, plan.colour_action, plan.announce_action)  # fmt: skip
    hand_count, number_at, dead_cards, told_cards = kernel.hand_count, parts.number_at, parts.dead_cards, parts.told_cards
    all_messages, number_of, target_of, hear = parts.all_messages, parts.number_of, parts.target_of, parts.hear
    look_ahead, knows_play, settle = parts.look_ahead, parts.knows_play, parts.settle
    count_useless, is_useless = parts.count_useless, parts.is_useless
    picture, ahead, broken, doubt = notes.picture, notes.ahead, notes.broken, parts.doubt

    @jit
    def notice_clue(memory: Any, seat: int, before: Any, after: Any, actor: int, dead: int) -> None:
        """A clue tells the sum of hats to all, and its target what it names."""
        action = after[LAST_ACTION] + 0
        messages = all_messages(memory, before, actor, dead)
        if messages > 0:
            number = number_of(memory, before, actor, action, after[LAST_TOUCHED] + 0, dead)
            hear(memory, seat, before, actor, messages, number, dead)
        target = target_of(actor, action)
        for slot in range(hand_count(after, target)):
            memory[picture + number_at(after, target, slot)] &= told_cards(after, target, slot)

    @jit
    def notice_discard(memory: Any, seat: int, before: Any, actor: int, slot: int, dead: int) -> None:
        """A discard of one of several useless cards tells the sum of hats; any other, that nobody waits for a clue."""
        count = count_useless(memory, before, actor, hand_count(before, actor), dead)
        if count > 1 and is_useless(memory, before, actor, slot, dead):
            hear(memory, seat, before, actor, count, count_useless(memory, before, actor, slot, dead), dead)
        elif before[CLUES] > 0 and deck_size - before[DRAWN] > last_cards:
            for distance in range(players - 1):
                other = (actor + 1 + distance) % players
                if not knows_play(memory, before, other):
                    for place in range(hand_count(before, other)):
                        memory[picture + number_at(before, other, place)] &= ~memory[ahead + other]

    @jit
    def notice(memory: Any, seat: int, before: Any, after: Any) -> None:
        """Bring the public picture up to date. Once a card was not what all took it for, somebody does not keep to the code."""
        actor, action, dead = before[SEAT] + 0, after[LAST_ACTION] + 0, dead_cards(before)
        is_clue = colour_action <= action < announce_action
        if not is_clue and not (memory[picture + after[LAST_NUMBER]] >> after[LAST_CARD]) & 1:
            memory[broken] = 1
        look_ahead(memory, before, actor)
        if memory[broken]:
            doubt(memory, after)
        elif action < play_action:
            notice_discard(memory, seat, before, actor, action - discard_action, dead)
        elif is_clue:
            notice_clue(memory, seat, before, after, actor, dead)
        settle(memory, after)

    return Parts(notice=notice)
