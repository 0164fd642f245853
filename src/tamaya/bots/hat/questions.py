"""Questions about a hand, whose answers make a player's hat.

A question about a seat is asked of its real cards, where they are seen (a negative hat), or answered by a given hat. It
narrows what the cards can be and returns how many answers it had and which one was given.
"""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.bots.hat.own import SURE
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts


def build_questions(kernel: Kernel, jit: Jit, notes: Memory, cards: Parts, own: Parts) -> Parts:
    """The questions."""
    plan = kernel.layout
    hand_size, kinds, hand_count = plan.hand_size, plan.colours * 5, kernel.hand_count
    answers, chances, order, loose = notes.answers, notes.chances, notes.order, notes.loose
    face_at, chance = cards.face_at, own.chance

    @jit
    def list_plays(memory: Any, row: int, held: int, room: int, playable: int, dead: int) -> int:
        """List the slots that may be playable, the likeliest as far as there is room, in ascending order; returns how many."""
        count = 0
        for slot in range(held):
            options = memory[row + slot]
            if options & ~dead and options & (options - 1) and options & playable:
                likely = chance(memory, loose, options, playable)
                memory[chances + slot] = likely
                place = count
                while place > 0 and memory[chances + memory[order + place - 1]] < likely:
                    memory[order + place] = memory[order + place - 1]
                    place -= 1
                memory[order + place] = slot
                count += 1
        count = min(count, room)
        for place in range(count // 2):
            other = memory[order + place]
            memory[order + place] = memory[order + count - 1 - place]
            memory[order + count - 1 - place] = other
        return count

    @jit
    def list_dead(memory: Any, row: int, held: int, count: int, room: int, dead: int) -> int:
        """Add the slots that may be dead, unless one is known to be; returns how many are listed then."""
        for slot in range(held):
            if memory[row + slot] & ~dead == 0:
                return count
        for slot in range(held):
            options = memory[row + slot]
            if count < room and options & dead and options & (options - 1):
                memory[order + count] = slot
                count += 1
        return count

    @jit
    def first_yes(memory: Any, sight: Any, seat: int, room: int, hat: int, playable: int, dead: int) -> tuple[int, int]:
        """Which card can be played, or else is dead: the first yes in a list of slots."""
        row, held = answers + seat * hand_size, hand_count(sight, seat)
        plays = list_plays(memory, row, held, room - 1, playable, dead)
        count = list_dead(memory, row, held, plays, room - 1, dead)
        answer = hat % (count + 1) if hat >= 0 else count
        if hat < 0:
            for place in range(count - 1, -1, -1):
                wanted = playable if place < plays else dead
                if (wanted >> face_at(sight, seat, memory[order + place])) & 1:
                    answer = place
        for place in range(min(answer + 1, count)):
            wanted = playable if place < plays else dead
            memory[row + memory[order + place]] &= wanted if place == answer else ~wanted
        return count + 1, answer

    @jit
    def which_part(memory: Any, sight: Any, seat: int, slot: int, room: int, hat: int, dead: int) -> tuple[int, int]:
        """To which part of its options a card belongs: the live ones dealt out in turn, all dead ones in the first part."""
        at = answers + seat * hand_size + slot
        options, live = memory[at], 0
        for card in range(kinds):
            live += ((options & ~dead) >> card) & 1
        first = 1 if options & dead else 0
        parts = min(room, live + first)
        if parts < 2:
            return 1, 0
        answer = hat % parts if hat >= 0 else part_of(options, dead, first, parts, face_at(sight, seat, slot))
        kept = 0
        for card in range(kinds):
            if (options >> card) & 1 and part_of(options, dead, first, parts, card) == answer:
                kept |= 1 << card
        memory[at] = kept
        return parts, answer

    @jit
    def part_of(options: int, dead: int, first: int, parts: int, face: int) -> int:
        """The part that a card is dealt to."""
        if (dead >> face) & 1:
            return 0
        place = first
        for card in range(face):
            place += ((options & ~dead) >> card) & 1
        return place % parts

    @jit
    def most_alive(memory: Any, row: int, held: int, dead: int, asked: int) -> int:
        """The slot of unknown card that is least likely dead, or -1."""
        best, least = -1, SURE
        for slot in range(held):
            options = memory[row + slot]
            if options & ~dead and options & (options - 1) and not (asked >> slot) & 1:
                likely = chance(memory, loose, options, dead)
                if likely < least:
                    best, least = slot, likely
        return best

    return Parts(first_yes=first_yes, which_part=which_part, most_alive=most_alive)
