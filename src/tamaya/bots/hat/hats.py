"""Hats: what a player could be told about its hand, as one number that everybody else can see.

A clue says the sum of all hats but the giver's. Every receiver sees all hats but its own, subtracts, and reads its own; so
everybody learns what everybody was told.
"""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts


def build_hats(kernel: Kernel, jit: Jit, notes: Memory, cards: Parts, picture: Parts, questions: Parts) -> Parts:
    """The functions about hats."""
    plan = kernel.layout
    players, hand_size, hand_count = plan.players, plan.hand_size, kernel.hand_count
    answers, ahead, left, kept = notes.answers, notes.ahead, notes.left, notes.picture
    number_at, playable_cards, index_of, pictured = cards.number_at, cards.playable_cards, cards.index_of, picture.pictured
    first_yes, which_part, most_alive = questions.first_yes, questions.which_part, questions.most_alive

    @jit
    def look_ahead(memory: Any, sight: Any, actor: int) -> None:
        """Write for each seat the cards that can be played on its next turn, as far as everybody can foresee."""
        playable = playable_cards(sight)
        for distance in range(players - 1):
            seat = (actor + 1 + distance) % players
            memory[ahead + seat] = playable
            coming = surely_played(memory, sight, seat, playable)
            if coming:
                playable &= ~coming
                card = index_of(coming)
                if card % 5 < 4 and memory[left + card + 1] > 0:
                    playable |= coming << 1

    @jit
    def surely_played(memory: Any, sight: Any, seat: int, playable: int) -> int:
        """The card that a seat will play for all to foresee: the lowest of those it knows; 0 if that cannot be said."""
        best, least = 0, 5
        for slot in range(hand_count(sight, seat)):
            options = pictured(memory, sight, seat, slot)
            if options and options & ~playable == 0:
                if options & (options - 1):
                    return 0
                value = index_of(options) % 5
                if value < least:
                    best, least = options, value
        return best

    @jit
    def knows_play(memory: Any, sight: Any, seat: int) -> bool:
        """Whether a seat has a card of which all know that it can play it on its next turn."""
        for slot in range(hand_count(sight, seat)):
            options = pictured(memory, sight, seat, slot)
            if options and options & ~memory[ahead + seat] == 0:
                return True
        return False

    @jit
    def ask(memory: Any, sight: Any, seat: int, messages: int, hat: int, dead: int) -> int:
        """The hat of a seat, or what follows from a given one; the answers are written down."""
        row, held, playable = answers + seat * hand_size, hand_count(sight, seat), memory[ahead + seat]
        for slot in range(held):
            memory[row + slot] = pictured(memory, sight, seat, slot)
        room, found, factor, asked = messages, 0, 1, 0
        first = not knows_play(memory, sight, seat)
        while room > 1:
            if first:
                count, answer = first_yes(memory, sight, seat, room, hat, playable, dead)
                first = False
            else:
                slot = most_alive(memory, row, held, dead, asked)
                if slot < 0:
                    break
                count, answer = which_part(memory, sight, seat, slot, room, hat, dead)
                asked |= 1 << slot
            found += answer * factor
            factor *= count
            room //= count
            hat = hat // count if hat >= 0 else hat
        return found

    @jit
    def hat_sum(memory: Any, sight: Any, giver: int, messages: int, dead: int) -> int:
        """What the giver has to say: the sum of all other hats."""
        total = 0
        for distance in range(players - 1):
            total += ask(memory, sight, (giver + 1 + distance) % players, messages, -1, dead)
        return total % messages

    @jit
    def hear(memory: Any, seat: int, sight: Any, giver: int, messages: int, number: int, dead: int) -> None:
        """Take in what a sum of hats told everybody. Whoever looks on sees all hats but its own."""
        others = 0
        for distance in range(players - 1):
            other = (giver + 1 + distance) % players
            if other != seat:
                others += ask(memory, sight, other, messages, -1, dead)
        if seat != giver:
            ask(memory, sight, seat, messages, (number - others) % messages, dead)
        for distance in range(players - 1):
            other = (giver + 1 + distance) % players
            for slot in range(hand_count(sight, other)):
                memory[kept + number_at(sight, other, slot)] = memory[answers + other * hand_size + slot]

    return Parts(look_ahead=look_ahead, knows_play=knows_play, hat_sum=hat_sum, hear=hear)
