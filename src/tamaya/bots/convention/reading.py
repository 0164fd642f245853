"""How a clue is read, by everybody alike."""

from __future__ import annotations

from typing import Any

from tamaya.bots.convention.memory import ANYTHING, Memory
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import CLUES, LAST_ACTION, LAST_CARD, LAST_NUMBER, LAST_PLACED, LAST_TOUCHED, MISTAKES, SEAT, TURN


def build_reading(kernel: Kernel, jit: Jit, notes: Memory, picture: Parts, views: Parts) -> Parts:
    """The functions that read clues and take notes of what happened."""
    plan = kernel.layout
    players, cards, clue_tokens = plan.players, plan.colours * 5, plan.clue_tokens
    colour_action, value_action, announce_action = plan.colour_action, plan.value_action, plan.announce_action
    hand_count, number_at, is_clued, value_row = kernel.hand_count, picture.number_at, picture.is_clued, picture.one_value
    dead_cards, critical_cards, playable_cards = picture.dead_cards, picture.critical_cards, picture.playable_cards
    settle, chain, chop_of, measure = picture.settle, views.chain, views.chop_of, views.measure
    colours, fireworks, heights, meanings = plan.colours, plan.fireworks, notes.heights, notes.meanings
    pictured, meant, loose, waiting, since = notes.picture, notes.meant, notes.loose, notes.waiting, notes.since
    refuted, target_of, matching = notes.refuted, picture.target_of, picture.matching
    new_picture, new_meant, new_loose, new_waiting = notes.new_picture, notes.new_meant, notes.new_loose, notes.new_waiting
    every_card, twos, fives = (1 << cards) - 1, value_row << 1, value_row << 4

    @jit
    def saved_cards(match: int, names_colour: bool, critical: int) -> int:
        """What a clue on the chop may save: by value 5s and 2s, by either the last copies of others."""
        if names_colour:
            return critical & match & ~fives
        if match in (twos, fives):
            return match
        return critical & match

    @jit
    def told_anything(memory: Any, sight: Any, target: int, touched: int, playable: int, dead: int) -> bool:
        """Whether a clue to cards that were clued before proves one playable or useless, and so says nothing else."""
        for slot in range(hand_count(sight, target)):
            if (touched >> slot) & 1:
                was, now = memory[meant + number_at(sight, target, slot)] & ~dead, memory[new_meant + slot] & ~dead
                if now == 0 and was != 0:
                    return True
                if now and now & ~playable == 0 and was & ~playable:
                    return True
        return False

    @jit
    def focus_of(memory: Any, sight: Any, target: int, touched: int, playable: int, dead: int) -> int:
        """The slot that a clue is about: the chop, else the newest card newly touched, else the newest touched; -1 if none."""
        chop = chop_of(sight, target)
        if chop >= 0 and (touched >> chop) & 1:
            return chop
        best, newest, best_new, newest_new = -1, -1, -1, -1
        for slot in range(hand_count(sight, target)):
            if (touched >> slot) & 1:
                number = number_at(sight, target, slot)
                if is_clued(sight, target, slot):
                    if number > newest and memory[new_meant + slot] & playable and memory[meant + number] & ~dead & ~playable:
                        best, newest = slot, number
                elif number > newest_new:
                    best_new, newest_new = slot, number
        if best_new >= 0:
            return best_new
        if sight[CLUES] == clue_tokens:
            return -1  # nothing could be discarded, so that a clue may be given to pass the time
        return -1 if told_anything(memory, sight, target, touched, playable, dead) else best

    @jit
    def clued_meanings(memory: Any, sight: Any, target: int, touched: int, focus: int) -> int:
        """Whatever a clued card can be, but for the one in focus."""
        found = 0
        for seat in range(players):
            if seat != target:
                found |= memory[meanings + seat]
        for slot in range(hand_count(sight, target)):
            if slot != focus:
                if (touched >> slot) & 1:
                    found |= memory[new_meant + slot]
                elif is_clued(sight, target, slot):
                    found |= memory[meant + number_at(sight, target, slot)]
        return found

    @jit
    def read_clue(
        memory: Any, sight: Any, giver: int, action: int, touched: int, playable: int, dead: int, critical: int
    ) -> int:
        """Write down what a hand can be after a clue, which is not yet marked in the sight; returns the slot in focus."""
        target, match, names_colour = target_of(giver, action), matching(action), action < value_action
        for slot in range(hand_count(sight, target)):
            number = number_at(sight, target, slot)
            fits = match if (touched >> slot) & 1 else ~match
            memory[new_picture + slot] = memory[pictured + number] & fits
            now = memory[meant + number] & fits
            memory[new_loose + slot] = memory[loose + number]
            memory[new_waiting + slot] = memory[waiting + number]
            if now == 0:
                now = memory[new_picture + slot]
                memory[new_loose + slot] = ANYTHING
                memory[new_waiting + slot] = 0
            if (touched >> slot) & 1 and now & ~dead:
                now &= ~dead
            memory[new_meant + slot] = now
        focus = focus_of(memory, sight, target, touched, playable, dead)
        if focus >= 0 and is_clued(sight, target, focus):
            memory[new_meant + focus] &= playable  # it speaks to the owner alone
            memory[new_loose + focus] = 0
            memory[new_waiting + focus] = 0
        elif focus >= 0:
            read_focus(memory, sight, giver, target, match, names_colour, touched, focus, critical)
        return focus

    @jit
    def read_focus(
        memory: Any,
        sight: Any,
        giver: int,
        target: int,
        match: int,
        names_colour: bool,
        touched: int,
        focus: int,
        critical: int,
    ) -> None:
        """The card in focus is saved, playable, or playable once cards are played that others know or must find.

        Cards are saved on the chop, and 5s told by their value anywhere.
        """
        saves = 0
        if focus == chop_of(sight, target) or match == fives:
            saves = saved_cards(match, names_colour, critical)
        waits = ((1 << players) - 1) & ~(1 << giver) & ~(0 if players == 2 else 1 << target)
        connected = clued_meanings(memory, sight, target, touched, focus)
        now = memory[new_meant + focus] & (chain(memory, connected, every_card) | saves)
        if now:
            memory[new_meant + focus] = now
            memory[new_loose + focus] = saves
            memory[new_waiting + focus] = waits

    @jit
    def advance(memory: Any, before: Any, after: Any, actor: int) -> None:
        """Who was waited for has acted: a card it placed was not the one in focus, and nobody waits for it any more."""
        for seat in range(players):
            for slot in range(hand_count(before, seat)):
                at = number_at(before, seat, slot)
                if (memory[waiting + at] >> actor) & 1:
                    memory[waiting + at] &= ~(1 << actor)
                    rest = memory[meant + at] & ~(1 << after[LAST_CARD])
                    if after[LAST_PLACED] and rest:
                        memory[meant + at] = rest
                    if memory[waiting + at] == 0:
                        connected = clued_meanings(memory, before, seat, 0, slot)
                        rest = memory[meant + at] & (chain(memory, connected, 0) | memory[loose + at])
                        if rest:
                            memory[meant + at] = rest

    @jit
    def notice(memory: Any, seat: int, before: Any, after: Any) -> None:
        """Take notes of an action, from what all have seen of it."""
        actor, action = before[SEAT] + 0, after[LAST_ACTION] + 0
        measure(memory, before)
        for colour in range(colours):
            memory[heights + colour] = after[fireworks + colour]
        advance(memory, before, after, actor)
        if after[MISTAKES] > before[MISTAKES] and not (memory[meant + after[LAST_NUMBER]] >> after[LAST_CARD]) & 1:
            memory[refuted] += 1
        if colour_action <= action < announce_action:
            target = target_of(actor, action)
            playable, dead = playable_cards(before), dead_cards(before)
            touched, critical = after[LAST_TOUCHED] + 0, critical_cards(before, dead)
            read_clue(memory, before, actor, action, touched, playable, dead, critical)
            for slot in range(hand_count(after, target)):
                number = number_at(after, target, slot)
                if not is_clued(before, target, slot):
                    memory[since + number] = after[TURN]
                memory[pictured + number] = memory[new_picture + slot]
                memory[meant + number] = memory[new_meant + slot]
                memory[loose + number] = memory[new_loose + slot]
                memory[waiting + number] = memory[new_waiting + slot]
        settle(memory, after)

    return Parts(read_clue=read_clue, notice=notice)
