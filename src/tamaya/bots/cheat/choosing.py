"""The best action of each kind, and the greedy choice among them."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import CLUES, SEAT

NOTHING = -1
NEVER = 99
"""Harm beyond that of any card."""
LITTLE = 5
"""The most that is lost with a card that another hand has too."""


def build_greedy(kernel: Kernel, jit: Jit, seeing: Parts) -> Parts:
    """The choice without looking ahead."""
    plan = kernel.layout
    clue_tokens, discard_action, play_action = plan.clue_tokens, plan.discard_action, plan.play_action
    look, card_at, thrown_away, can_play = seeing.look, seeing.card_at, seeing.thrown_away, seeing.can_play
    play_slot = seeing.play
    choosing = build_choosing(kernel, jit, seeing)
    best_play, stall, cheapest = choosing.best_play, choosing.stall, choosing.cheapest
    harm_of, can_spare = choosing.harm_of, choosing.can_spare
    abundant = plan.deck_size - 5 * plan.colours - plan.players * plan.hand_size

    @jit
    def play(sight: Any, me: int, slot: int) -> int:
        """The play of a slot, with its colour where that brings a token."""
        action: int = play_slot(slot, 1 << card_at(sight, me, slot))
        return action

    @jit
    def greedy(memory: Any, sight: Any) -> int:
        """Play what fits; throw away what nobody needs while turns abound; let time pass while somebody can play, or can throw
        away something better; else throw away what is missed least."""
        me: int = sight[SEAT] + 0
        tokens: int = sight[CLUES] + 0
        look(memory, sight)
        slot: int = best_play(sight, me)
        if slot >= 0:
            action: int = play(sight, me, slot)
            return action
        slot = cheapest(memory, sight, me)
        harm: int = harm_of(memory, sight, me, slot) if slot >= 0 else NEVER
        discards = tokens < clue_tokens and slot >= 0
        if discards and harm == 0 and thrown_away(sight) <= abundant:
            return discard_action + slot
        clue: int = stall(sight, me) if tokens > 0 else NOTHING
        if clue >= 0 and (not discards or can_play(sight, me) or can_spare(memory, sight, me, harm, tokens)):
            return clue
        return discard_action + slot if discards else play_action

    return Parts(greedy=greedy, play=play, stall=stall)


def build_choosing(kernel: Kernel, jit: Jit, seeing: Parts) -> Parts:
    """The best of each kind of action."""
    plan, hand_count = kernel.layout, kernel.hand_count
    players, value_action, empty_clues = plan.players, plan.value_action, plan.empty_clues
    card_at, fits, is_dead, is_last = seeing.card_at, seeing.fits, seeing.is_dead, seeing.is_last
    holders_of = seeing.holders_of

    @jit
    def best_play(sight: Any, me: int) -> int:
        """A slot that fits: what few others could play, then low values."""
        best, most = NOTHING, -1
        for slot in range(hand_count(sight, me)):
            card: int = card_at(sight, me, slot)
            if fits(sight, card):
                worth = (10 - card % 5) * 1000 // holders_of(sight, card)
                if worth > most:
                    best, most = slot, worth
        return best

    @jit
    def harm_of(memory: Any, sight: Any, seat: int, slot: int) -> int:
        """What throwing a card away costs: nothing if it is dead or lies in the same hand twice, little if another hand has
        it, more if another copy is still in the deck, and a point if there is none; high cards less than low ones."""
        card: int = card_at(sight, seat, slot)
        harm = 25 - card % 5
        if not is_last(sight, card):
            harm -= 10
        if memory[card] > 1:
            harm = LITTLE - card % 5
            for other in range(slot):
                if card_at(sight, seat, other) == card:
                    harm = 0
        return 0 if is_dead(sight, card) else harm

    @jit
    def cheapest(memory: Any, sight: Any, seat: int) -> int:
        """The slot that is least missed."""
        best, least = NOTHING, NEVER
        for slot in range(hand_count(sight, seat)):
            harm: int = harm_of(memory, sight, seat, slot)
            if harm < least:
                best, least = slot, harm
        return best

    @jit
    def can_spare(memory: Any, sight: Any, me: int, harm: int, tokens: int) -> bool:
        """Whether anybody whose turn comes before the tokens are used up has a card that is missed less."""
        for distance in range(min(players - 1, tokens)):
            seat = (me + 1 + distance) % players
            slot: int = cheapest(memory, sight, seat)
            if slot >= 0 and harm_of(memory, sight, seat, slot) < harm:
                return True
        return False

    @jit
    def stall(sight: Any, me: int) -> int:
        """A clue that lets time pass; none where nobody has a card to speak of."""
        for distance in range(players - 1):
            seat = (me + 1 + distance) % players
            if hand_count(sight, seat) > 0:
                card: int = card_at(sight, seat, 0)
                return value_action + distance * 5 + card % 5
        return value_action if empty_clues else NOTHING

    return Parts(best_play=best_play, harm_of=harm_of, cheapest=cheapest, can_spare=can_spare, stall=stall)
