"""Supposing how hidden cards lie, to look for the end of a game from there.

A *position* of that search is one number: the heights of the fireworks, three bits each, and behind them clue tokens, cards
in the deck, turns left, whose turn it is, whether a clue has told everybody what they hold, and who drew which of the
needed cards.
"""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import DRAWERS, Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.mixing import build_mixing
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import CLUES, DRAWN, LAST_TURNS, SEAT, TURN, Layout


def places(plan: Layout) -> Parts:
    """Where in a position the first bit of each part lies."""
    tokens = 3 * plan.colours
    return Parts(tokens=tokens, deck=tokens + 5, turns=tokens + 9, seat=tokens + 12, told=tokens + 15, drawers=tokens + 16,
                 end=tokens + 16 + 3 * DRAWERS)  # fmt: skip


def build_supposing(kernel: Kernel, jit: Jit, notes: Memory, cards: Parts, picture: Parts) -> Parts:
    """The functions that lay hidden cards open."""
    plan, at = kernel.layout, places(kernel.layout)
    players, colours, kinds, deck_size, fireworks = plan.players, plan.colours, plan.colours * 5, plan.deck_size, plan.fireworks
    tokens_at, deck_at, turns_at, seat_at = at.tokens, at.deck, at.turns, at.seat
    hand_count, reach, face_at, pictured = kernel.hand_count, kernel.reach, cards.face_at, picture.pictured
    own, own_left, holders, hopes, tops = notes.own, notes.own_left, notes.holders, notes.hopes, notes.tops
    unseen, coming, copies, mix = notes.unseen, notes.coming, notes.copies, build_mixing(jit).mix

    @jit
    def suppose(memory: Any, sight: Any, playable: int) -> int:
        """Lay the own unknown cards in some way that can be, the rest being the deck; returns the position."""
        me = sight[SEAT] + 0
        for card in range(kinds):
            memory[holders + card] = 0
            memory[hopes + card] = 0
        position = (sight[CLUES] + 0) << tokens_at | (deck_size - sight[DRAWN]) << deck_at
        position |= (sight[LAST_TURNS] + 0) << turns_at | me << seat_at
        for colour in range(colours):
            memory[tops + colour] = reach(sight, colour)
            position |= (sight[fireworks + colour] + 0) << (3 * colour)
        for seat in range(players):
            if seat != me:
                for slot in range(hand_count(sight, seat)):
                    hold(memory, seat, face_at(sight, seat, slot), pictured(memory, sight, seat, slot), playable)
        list_deck(memory, sight, lay_own(memory, sight, me, playable))
        return position

    @jit
    def hold(memory: Any, seat: int, card: int, options: int, playable: int) -> None:
        """A seat has a card of which it knows so much."""
        if options & (options - 1) == 0 or options & ~playable == 0:
            memory[holders + card] |= 1 << seat
        else:
            memory[hopes + card] |= 1 << seat

    @jit
    def lay_own(memory: Any, sight: Any, me: int, playable: int) -> int:
        """Take the own cards, known ones first, from those that are not seen; returns how many are left for the deck."""
        count, chance = 0, mix(sight[TURN] + 1)
        for card in range(kinds):
            for _ in range(memory[own_left + card]):
                memory[unseen + count] = card
                count += 1
        for known in (True, False):
            for slot in range(hand_count(sight, me)):
                options, pick, fitting = memory[own + slot], -1, 0
                if (options & (options - 1) == 0) != known:
                    continue
                for place in range(count):
                    if (options >> memory[unseen + place]) & 1:
                        fitting += 1
                        chance = mix(chance + 0x9E3779B9)
                        if (chance * fitting) >> 32 == 0:
                            pick = place
                if pick >= 0:
                    hold(memory, me, memory[unseen + pick], options, playable)
                    count -= 1
                    memory[unseen + pick] = memory[unseen + count]
        return count

    @jit
    def list_deck(memory: Any, sight: Any, count: int) -> None:
        """List the needed cards among those left for the deck."""
        found = 0
        for place in range(DRAWERS):
            memory[coming + place] = -1
            memory[copies + place] = 0
        for place in range(count):
            card = memory[unseen + place]
            if sight[fireworks + card // 5] <= card % 5 < memory[tops + card // 5]:
                known = 0
                while known < found and memory[coming + known] != card:
                    known += 1
                if known < DRAWERS:
                    memory[coming + known] = card
                    memory[copies + known] += 1
                    found = max(found, known + 1)

    return Parts(suppose=suppose, mix=mix)
