"""A player's hat: the answers to questions about its hand, as one number, which everybody else can see."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts

SCALE = 1 << 16


def build_questions(kernel: Kernel, jit: Jit, notes: Memory, picture: Parts) -> Parts:
    plan = kernel.layout
    hand_size, cards, deck = plan.hand_size, plan.colours * 5, plan.deck
    hand_count, weigh, number_at = kernel.hand_count, picture.weigh, picture.number_at
    answers, chances, order, loose = notes.answers, notes.chances, notes.order, notes.loose
    pictured = notes.picture

    @jit
    def chance(memory: Any, options: int, wanted: int) -> int:
        """The chance that a card of these options is a wanted one, in parts of SCALE."""
        if options & ~wanted == 0:
            return SCALE
        if options & wanted == 0:
            return 0
        total, some = weigh(memory, loose, options), weigh(memory, loose, options & wanted)
        if total <= 0:
            return 0
        return min(max(some * SCALE // total, 1), SCALE - 1)

    @jit
    def knows_play(memory: Any, sight: Any, seat: int, playable: int) -> bool:
        """Whether a seat has a card that all know to be playable."""
        for slot in range(hand_count(sight, seat)):
            options = memory[pictured + number_at(sight, seat, slot)]
            if options and options & ~playable == 0:
                return True
        return False

    @jit
    def first_yes(memory: Any, sight: Any, seat: int, room: int, hat: int, playable: int, dead: int) -> tuple[int, int]:
        """Which card is playable, or dead: the first yes in a list."""
        row, held = answers + seat * hand_size, hand_count(sight, seat)
        entries, knows_dead = 0, False
        for slot in range(held):
            options = memory[row + slot]
            if options & ~dead == 0:
                knows_dead = True
            elif options & (options - 1):
                likely = chance(memory, options, playable)
                if 0 < likely:
                    memory[chances + slot] = likely
                    place = entries
                    while place > 0 and memory[chances + memory[order + place - 1]] < likely:
                        memory[order + place] = memory[order + place - 1]
                        place -= 1
                    memory[order + place] = slot
                    entries += 1
        plays = min(entries, room - 1)
        entries = plays
        for place in range(plays // 2):
            other = memory[order + place]
            memory[order + place] = memory[order + plays - 1 - place]
            memory[order + plays - 1 - place] = other
        if not knows_dead:
            for slot in range(held):
                options = memory[row + slot]
                if entries < room - 1 and options & (options - 1) and options & dead and options & ~dead:
                    memory[order + entries] = slot
                    entries += 1
        if entries == 0:
            return 1, 0
        answer = hat % (entries + 1) if hat >= 0 else entries
        if hat < 0:
            for place in range(entries - 1, -1, -1):
                wanted = playable if place < plays else dead
                if (wanted >> sight[deck + number_at(sight, seat, memory[order + place])]) & 1:
                    answer = place
        for place in range(entries):
            at = row + memory[order + place]
            wanted = playable if place < plays else dead
            if place < answer:
                memory[at] &= ~wanted
            elif place == answer:
                memory[at] &= wanted
        return entries + 1, answer

    @jit
    def is_playable(memory: Any, sight: Any, seat: int, slot: int, hat: int, playable: int) -> tuple[int, int]:
        at = answers + seat * hand_size + slot
        answer = hat % 2 if hat >= 0 else (playable >> sight[deck + number_at(sight, seat, slot)]) & 1
        if answer:
            memory[at] &= playable
        else:
            memory[at] &= ~playable
        return 2, answer

    @jit
    def which_block(memory: Any, sight: Any, seat: int, slot: int, room: int, hat: int, dead: int) -> tuple[int, int]:
        """Which part of its options a card belongs to: the live ones dealt out in turn, all dead ones together."""
        at = answers + seat * hand_size + slot
        options = memory[at]
        dead_block = 1 if options & dead else 0
        live = 0
        for card in range(cards):
            live += ((options & ~dead) >> card) & 1
        blocks = min(room, live + dead_block)
        if blocks < 2:
            return 1, 0
        answer = hat % blocks
        if hat < 0:
            face = sight[deck + number_at(sight, seat, slot)] + 0
            answer = block_of(options, dead, dead_block, blocks, face)
        kept = 0
        for card in range(cards):
            if (options >> card) & 1 and block_of(options, dead, dead_block, blocks, card) == answer:
                kept |= 1 << card
        memory[at] = kept
        return blocks, answer

    @jit
    def block_of(options: int, dead: int, dead_block: int, blocks: int, face: int) -> int:
        if (dead >> face) & 1:
            return 0
        place = dead_block
        for card in range(face):
            if ((options & ~dead) >> card) & 1:
                place += 1
        return place % blocks

    @jit
    def converse(memory: Any, sight: Any, seat: int, messages: int, hat: int, playable: int, dead: int) -> int:
        """The hat of a seat, whose hand is seen, or what follows from a given hat; the answers are written down."""
        row, held = answers + seat * hand_size, hand_count(sight, seat)
        for slot in range(held):
            memory[row + slot] = memory[pictured + number_at(sight, seat, slot)]
        room, found, factor = messages, 0, 1
        if not knows_play(memory, sight, seat, playable):
            amount, answer = first_yes(memory, sight, seat, room, hat, playable, dead)
            found, factor, room = answer, amount, room // amount
            if hat >= 0:
                hat //= amount
        asked = 0
        while room > 1:
            slot = nearest_play(memory, row, held, playable, dead, asked)
            if slot >= 0:
                amount, answer = is_playable(memory, sight, seat, slot, hat, playable)
            else:
                slot = least_dead(memory, row, held, dead, asked)
                if slot < 0:
                    break
                amount, answer = which_block(memory, sight, seat, slot, room, hat, dead)
                asked |= 1 << slot
            found += answer * factor
            factor *= amount
            room //= amount
            if hat >= 0:
                hat //= amount
        return found

    @jit
    def nearest_play(memory: Any, row: int, held: int, playable: int, dead: int, asked: int) -> int:
        """The slot whose chance to be playable is nearest to 0.7."""
        best, nearest = -1, SCALE // 5
        for slot in range(held):
            options = memory[row + slot]
            if options & ~dead and options & (options - 1) and not (asked >> slot) & 1:
                distance = abs(chance(memory, options, playable) - SCALE * 7 // 10)
                if distance < nearest:
                    best, nearest = slot, distance
        return best

    @jit
    def least_dead(memory: Any, row: int, held: int, dead: int, asked: int) -> int:
        """The slot that is least likely dead and not settled."""
        best, least = -1, SCALE
        for slot in range(held):
            options = memory[row + slot]
            if options & ~dead and options & (options - 1) and not (asked >> slot) & 1:
                likely = chance(memory, options, dead)
                if likely < least:
                    best, least = slot, likely
        return best

    return Parts(converse=converse, knows_play=knows_play, chance=chance)
