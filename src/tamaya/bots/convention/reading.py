"""How a clue is read, by everybody alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.convention.memory import ANYTHING, BoardFacts, ConventionMemory, ConventionPicture, GivenClue
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import (
    CLUES,
    HEIGHT,
    LAST_ACTION,
    LAST_CARD,
    LAST_NUMBER,
    LAST_PLACED,
    LAST_TOUCHED,
    MISTAKES,
    SEAT,
    TURN,
)


class Reading(NamedTuple):
    """The functions that read clues and take notes of what happened."""

    measure: Callable[[Row, Row], None]
    chain: Callable[[Row, int, int], int]
    read_clue: Callable[[Row, Row, GivenClue, BoardFacts], int]
    notice: Callable[[Row, int, Row, Row], None]


def build_reading(kernel: Kernel, jit: Jit, notes: ConventionMemory, cards: Cards, picture: ConventionPicture) -> Reading:
    """The functions that read clues and take notes of what happened."""
    layout = kernel.layout
    twos, fives = cards.one_value << 1, cards.one_value << HEIGHT - 1
    everybody = (1 << layout.players) - 1

    @jit
    def measure(memory: Row, sight: Row) -> None:
        """Write down the fireworks, and what the clued cards of each hand can be."""
        for colour in range(layout.colours):
            memory[notes.heights + colour] = sight[layout.fireworks + colour]
            memory[notes.reaches + colour] = kernel.reach(sight, colour)
        awaited = 0
        for seat in range(layout.players):
            found = 0
            for slot in range(kernel.hand_count(sight, seat)):
                number = cards.number_at(sight, seat, slot)
                awaited |= memory[notes.waiting + number]
                if cards.is_clued(sight, seat, slot):
                    found |= memory[notes.meant + number]
            memory[notes.meanings + seat] = found
        memory[notes.awaited] = awaited

    @jit
    def chain(memory: Row, connecting: int, blind: int) -> int:
        """The cards that can be placed now, or once the connecting ones and at most one blind one of each colour are."""
        found = 0
        for colour in range(layout.colours):
            height, reach, spent = memory[notes.heights + colour], memory[notes.reaches + colour], False
            while height < reach:
                card = 1 << (colour * HEIGHT + height)
                found |= card
                if not card & connecting:
                    if spent or not card & blind:
                        break
                    spent = True
                height += 1
        return found

    @jit
    def saved_cards(clue: GivenClue, critical: int) -> int:
        """What a clue on the chop may save: by value 5s and 2s, by either the last copies of others."""
        if clue.names_colour:
            return critical & clue.matching & ~fives
        if clue.matching in (twos, fives):
            return clue.matching
        return critical & clue.matching

    @jit
    def proves_something(memory: Row, sight: Row, clue: GivenClue, board: BoardFacts) -> bool:
        """Whether a clue to cards that were clued before proves one playable or useless, and so says nothing else."""
        for slot in range(kernel.hand_count(sight, clue.target)):
            if (clue.touched >> slot) & 1:
                was = memory[notes.meant + cards.number_at(sight, clue.target, slot)] & ~board.dead
                now = memory[notes.new_meant + slot] & ~board.dead
                if now == 0 and was != 0:
                    return True
                if now and now & ~board.playable == 0 and was & ~board.playable:
                    return True
        return False

    @jit
    def focus_of(memory: Row, sight: Row, clue: GivenClue, board: BoardFacts) -> int:
        """The slot that a clue is about: the chop, else the newest card newly touched, else the newest touched; -1 if none."""
        chop = picture.chop_of(sight, clue.target, 0)
        if chop >= 0 and (clue.touched >> chop) & 1:
            return chop
        again, newest_again, fresh, newest_fresh = -1, -1, -1, -1
        for slot in range(kernel.hand_count(sight, clue.target)):
            if (clue.touched >> slot) & 1:
                number = cards.number_at(sight, clue.target, slot)
                if not cards.is_clued(sight, clue.target, slot):
                    if number > newest_fresh:
                        fresh, newest_fresh = slot, number
                elif (
                    number > newest_again
                    and memory[notes.new_meant + slot] & board.playable
                    and memory[notes.meant + number] & ~board.dead & ~board.playable
                ):
                    again, newest_again = slot, number
        if fresh >= 0:
            return fresh
        if sight[CLUES] == layout.clue_tokens:
            return -1  # nothing could be discarded, so that a clue may be given to pass the time
        return -1 if proves_something(memory, sight, clue, board) else again

    @jit
    def clued_meanings(memory: Row, sight: Row, target: int, touched: int, focus: int) -> int:
        """Whatever a clued card can be, but for the one in focus."""
        found = 0
        for seat in range(layout.players):
            if seat != target:
                found |= memory[notes.meanings + seat]
        for slot in range(kernel.hand_count(sight, target)):
            if slot != focus:
                if (touched >> slot) & 1:
                    found |= memory[notes.new_meant + slot]
                elif cards.is_clued(sight, target, slot):
                    found |= memory[notes.meant + cards.number_at(sight, target, slot)]
        return found

    @jit
    def read_clue(memory: Row, sight: Row, clue: GivenClue, board: BoardFacts) -> int:
        """Write down what a hand can be after a clue, which is not yet marked in the sight; returns the slot in focus."""
        for slot in range(kernel.hand_count(sight, clue.target)):
            number = cards.number_at(sight, clue.target, slot)
            fits = clue.matching if (clue.touched >> slot) & 1 else ~clue.matching
            memory[notes.new_picture + slot] = memory[notes.picture + number] & fits
            memory[notes.new_loose + slot] = memory[notes.loose + number]
            memory[notes.new_waiting + slot] = memory[notes.waiting + number]
            now = memory[notes.meant + number] & fits
            if now == 0:
                now = memory[notes.new_picture + slot]
                memory[notes.new_loose + slot] = ANYTHING
                memory[notes.new_waiting + slot] = 0
            if (clue.touched >> slot) & 1 and now & ~board.dead:
                now &= ~board.dead
            memory[notes.new_meant + slot] = now
        focus = focus_of(memory, sight, clue, board)
        if focus >= 0 and cards.is_clued(sight, clue.target, focus):
            memory[notes.new_meant + focus] &= board.playable  # it speaks to the owner alone
            memory[notes.new_loose + focus] = 0
            memory[notes.new_waiting + focus] = 0
        elif focus >= 0:
            read_focus(memory, sight, clue, focus, board.critical)
        return focus

    @jit
    def read_focus(memory: Row, sight: Row, clue: GivenClue, focus: int, critical: int) -> None:
        """The card in focus is saved, playable, or playable once cards are played that others know or must find.

        Cards are saved on the chop, and 5s told by their value anywhere.
        """
        saves = 0
        if focus == picture.chop_of(sight, clue.target, 0) or clue.matching == fives:
            saves = saved_cards(clue, critical)
        waiting = everybody & ~(1 << clue.giver) & ~(0 if layout.players == 2 else 1 << clue.target)
        connecting = clued_meanings(memory, sight, clue.target, clue.touched, focus)
        now = memory[notes.new_meant + focus] & (chain(memory, connecting, layout.every_card) | saves)
        if now:
            memory[notes.new_meant + focus] = now
            memory[notes.new_loose + focus] = saves
            memory[notes.new_waiting + focus] = waiting

    @jit
    def stop_waiting(memory: Row, before: Row, after: Row, actor: int) -> None:
        """Who was waited for has acted: a card it placed was not the one in focus, and nobody waits for it any more."""
        for seat in range(layout.players):
            for slot in range(kernel.hand_count(before, seat)):
                number = cards.number_at(before, seat, slot)
                if (memory[notes.waiting + number] >> actor) & 1:
                    memory[notes.waiting + number] &= ~(1 << actor)
                    rest = memory[notes.meant + number] & ~(1 << after[LAST_CARD])
                    if after[LAST_PLACED] and rest:
                        memory[notes.meant + number] = rest
                    if memory[notes.waiting + number] == 0:
                        connecting = clued_meanings(memory, before, seat, 0, slot)
                        rest = memory[notes.meant + number] & (chain(memory, connecting, 0) | memory[notes.loose + number])
                        if rest:
                            memory[notes.meant + number] = rest

    @jit
    def note_clue(memory: Row, before: Row, after: Row, clue: GivenClue) -> None:
        """Read a clue, and remember what was read."""
        memory[notes.last_focus] = read_clue(memory, before, clue, picture.board_of(before))
        for slot in range(kernel.hand_count(after, clue.target)):
            number = cards.number_at(after, clue.target, slot)
            if not cards.is_clued(before, clue.target, slot):
                memory[notes.since + number] = after[TURN]
            memory[notes.picture + number] = memory[notes.new_picture + slot]
            memory[notes.meant + number] = memory[notes.new_meant + slot]
            memory[notes.loose + number] = memory[notes.new_loose + slot]
            memory[notes.waiting + number] = memory[notes.new_waiting + slot]

    @jit
    def notice(memory: Row, seat: int, before: Row, after: Row) -> None:
        """Take notes of an action, from what all have seen of it."""
        actor, action = before[SEAT] + 0, after[LAST_ACTION] + 0
        measure(memory, before)
        for colour in range(layout.colours):
            memory[notes.heights + colour] = after[layout.fireworks + colour]
        stop_waiting(memory, before, after, actor)
        if after[MISTAKES] > before[MISTAKES] and not (memory[notes.meant + after[LAST_NUMBER]] >> after[LAST_CARD]) & 1:
            memory[notes.refuted] += 1
        if layout.colour_action <= action < layout.announce_action:
            note_clue(memory, before, after, picture.clue_of(actor, action, after[LAST_TOUCHED] + 0))
        picture.settle(memory, after)

    return Reading(measure, chain, read_clue, notice)
