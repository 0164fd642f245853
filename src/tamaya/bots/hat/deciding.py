"""What the hat bot does on its turn."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.ends import CLUE, DISCARD
from tamaya.bots.hat.habits import HABITS
from tamaya.bots.hat.memory import Memory
from tamaya.bots.hat.own import SURE
from tamaya.bots.hat.reasons import AMOUNT, LOOKED, REASON, SUBJECT, Reason
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import CLUES, DRAWN, LAST_TURNS, MISTAKES, SEAT

SURE_PLAY, CODE, CODE_DISCARD, USELESS = map(int, (Reason.SURE_PLAY, Reason.CODE, Reason.CODE_DISCARD, Reason.USELESS))
HARMLESS, CHEAPEST, TRY, WORDS = map(int, (Reason.HARMLESS, Reason.CHEAPEST, Reason.TRY, Reason.WORDS))


def build_deciding(kernel: Kernel, jit: Jit, notes: Memory, parts: Parts) -> Parts:
    """The function that chooses an action, from all the other parts of the bot."""
    plan, habits = kernel.layout, HABITS[kernel.layout.players]
    players, colours, kinds, deck_size = plan.players, plan.colours, plan.colours * 5, plan.deck_size
    clue_tokens, mistakes, discards, all_or_nothing = plan.clue_tokens, plan.mistakes, plan.discards, plan.all_or_nothing
    discard_action, hand_count, face_at = plan.discard_action, kernel.hand_count, parts.face_at
    playable_cards, dead_cards, look_at_own, look_ahead = (
        parts.playable_cards, parts.dead_cards, parts.look_at_own, parts.look_ahead)  # fmt: skip
    sure_play, harmless_play, likeliest_play, play = parts.sure_play, parts.harmless_play, parts.likeliest_play, parts.play
    knows_play, hat_sum, all_messages, best_clue, plain_clue = (
        parts.knows_play, parts.hat_sum, parts.all_messages, parts.best_clue, parts.plain_clue)  # fmt: skip
    count_useless, nth_useless, own_useless, cheapest = (
        parts.count_useless, parts.nth_useless, parts.own_useless, parts.cheapest)  # fmt: skip
    look_for_end, own_chance = parts.look_for_end, parts.own_chance
    ahead, own, broken, reason = notes.ahead, notes.own, notes.broken, notes.reason
    a_round_left = deck_size - 5 * colours - players * plan.hand_size
    spent, short, plenty, kept_tokens = habits.spent, habits.short, habits.plenty, habits.kept_tokens
    last_cards = -1 if all_or_nothing else habits.last_cards

    @jit
    def has_time(sight: Any) -> bool:
        """Whether discarding leaves turns enough for what is still to be played."""
        if all_or_nothing:
            return True
        thrown = 0
        for card in range(kinds):
            thrown += sight[discards + card]
        tokens = sight[CLUES]
        return thrown <= a_round_left + (spent if tokens < 2 else short if tokens < 4 else plenty)

    @jit
    def holds(sight: Any, seat: int, some: int) -> bool:
        """Whether a seat has one of these cards."""
        for slot in range(hand_count(sight, seat)):
            if (some >> face_at(sight, seat, slot)) & 1:
                return True
        return False

    @jit
    def somebody_waits(memory: Any, sight: Any, me: int) -> bool:
        """Whether somebody has a card to play and knows of none."""
        for distance in range(players - 1):
            seat = (me + 1 + distance) % players
            if holds(sight, seat, memory[ahead + seat]) and not knows_play(memory, sight, seat):
                return True
        return False

    @jit
    def somebody_plays(sight: Any, me: int, playable: int) -> bool:
        """Whether somebody else has a card to play."""
        for distance in range(players - 1):
            if holds(sight, (me + 1 + distance) % players, playable):
                return True
        return False

    @jit
    def has_nothing_to_lose(memory: Any, sight: Any, me: int) -> bool:
        """Whether it is late, a mistake ends nothing, and nobody who has a turn left would need a clue or a token."""
        if sight[LAST_TURNS] == 0 or sight[MISTAKES] + 1 >= mistakes:
            return False
        for distance in range(sight[LAST_TURNS] - 1):
            seat = (me + 1 + distance) % players
            if holds(sight, seat, memory[ahead + seat]):
                return False
        return True

    @jit
    def decide(memory: Any, sight: Any, me: int, playable: int, dead: int) -> int:
        """The slot of a card to play, or to give a clue, or to discard."""
        slot = sure_play(memory, sight, me, playable)
        if slot < 0 and sight[MISTAKES] + 1 < mistakes and has_time(sight):
            slot = harmless_play(memory, sight, me, playable, dead)
        if slot >= 0:
            return slot
        tokens = sight[CLUES] + 0
        if tokens == clue_tokens or hand_count(sight, me) == 0:
            return CLUE
        if tokens == 0:
            return DISCARD
        if somebody_waits(memory, sight, me):
            return CLUE
        if has_time(sight) and own_useless(memory, sight, me, dead) >= 0:
            return DISCARD
        if tokens > kept_tokens or somebody_plays(sight, me, playable):
            return CLUE
        return DISCARD

    @jit
    def because(memory: Any, why: int, subject: int, amount: int) -> None:
        """Leave word of the reason."""
        memory[reason + REASON] = why
        memory[reason + SUBJECT] = subject
        memory[reason + AMOUNT] = amount

    @jit
    def choose_clue(memory: Any, sight: Any, me: int, dead: int) -> int:
        """The clue that says the sum of all hats; if that cannot be said, or is not understood, the most telling one by its
        words; -1 if there is none."""
        messages, action = all_messages(memory, sight, me, dead), -1
        if messages > 0 and not memory[broken]:
            number = hat_sum(memory, sight, me, messages, dead)
            because(memory, CODE, number, messages)
            action = best_clue(memory, sight, me, number, dead)
        if action < 0:
            because(memory, WORDS, 0, 0)
            action = plain_clue(memory, sight, me)
        return action

    @jit
    def choose_discard(memory: Any, sight: Any, me: int, dead: int) -> int:
        """A useless card; among several that all know of, the one that says the sum of all hats. Else what is missed least."""
        count = count_useless(memory, sight, me, hand_count(sight, me), dead)
        slot = own_useless(memory, sight, me, dead)
        if count > 1:
            slot = nth_useless(memory, sight, me, hat_sum(memory, sight, me, count, dead), dead)
            because(memory, CODE_DISCARD, slot, count)
        elif slot >= 0:
            because(memory, USELESS, slot, 0)
        else:
            slot = cheapest(memory, sight, me, dead)
            because(memory, CHEAPEST, slot, 0)
        return discard_action + slot

    @jit
    def choose_play(memory: Any, slot: int, playable: int, dead: int) -> int:
        """The action of playing a card."""
        options = memory[own + slot]
        if options & ~playable == 0:
            because(memory, SURE_PLAY, slot, options)
        elif options & ~(playable | dead) == 0:
            because(memory, HARMLESS, slot, 0)
        else:
            because(memory, TRY, slot, own_chance(memory, slot, playable) * 100 // SURE)
        return play(slot, memory[own + slot] & playable)

    @jit
    def choose(memory: Any, sight: Any) -> int:
        """The action to take."""
        me, playable, dead = sight[SEAT] + 0, playable_cards(sight), dead_cards(sight)
        look_at_own(memory, sight, me)
        look_ahead(memory, sight, me)
        first = decision = decide(memory, sight, me, playable, dead)
        if deck_size - sight[DRAWN] <= last_cards:
            decision = look_for_end(memory, sight, me, first, playable)
        memory[reason + LOOKED] = 0 if decision == first else 1
        if decision < 0 and has_nothing_to_lose(memory, sight, me):
            slot = likeliest_play(memory, sight, me, playable)
            decision = slot if slot >= 0 else decision
        if decision == CLUE and sight[CLUES] > 0:
            action = choose_clue(memory, sight, me, dead)
            if action >= 0:
                return action
        if decision < 0 and sight[CLUES] == clue_tokens:
            decision = max(likeliest_play(memory, sight, me, playable), 0)
        if decision >= 0:
            return choose_play(memory, decision, playable, dead)
        return choose_discard(memory, sight, me, dead)

    return Parts(choose=choose)
