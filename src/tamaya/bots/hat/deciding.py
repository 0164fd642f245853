"""What the hat bot does, and what all conclude from what somebody did."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.memory import Memory
from tamaya.bots.hat.questions import SCALE
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import CLUES, ENDED, LAST_ACTION, LAST_NUMBER, LAST_TOUCHED, MISTAKES, NO_CARD, RUNNING, SEAT


def build_deciding(kernel: Kernel, jit: Jit, notes: Memory, picture: Parts, questions: Parts, clues: Parts) -> Parts:
    plan = kernel.layout
    players, hand_size, cards, deck = plan.players, plan.hand_size, plan.colours * 5, plan.deck
    clue_tokens, mistakes, discards, copies = plan.clue_tokens, plan.mistakes, plan.discards, plan.copies
    discard_action, play_action, colour_action = plan.discard_action, plan.play_action, plan.colour_action
    announce_action = plan.announce_action
    hand_count, number_at = kernel.hand_count, picture.number_at
    playable_cards, dead_cards, settle, look_at_own = (
        picture.playable_cards,
        picture.dead_cards,
        picture.settle,
        picture.look_at_own,
    )
    weigh, told_cards = picture.weigh, picture.told_cards
    converse, knows_play = questions.converse, questions.knows_play
    all_messages, number_of, best_clue, target_of = (clues.all_messages, clues.number_of, clues.best_clue, clues.target_of)
    own, own_left, pictured, answers = notes.own, notes.own_left, notes.picture, notes.answers
    threshold = plan.deck_size - 5 * plan.colours - players * hand_size

    @jit
    def own_chance(memory: Any, slot: int, wanted: int) -> int:
        options = memory[own + slot]
        if options & ~wanted == 0:
            return SCALE
        if options & wanted == 0:
            return 0
        total, some = weigh(memory, own_left, options), weigh(memory, own_left, options & wanted)
        if total <= 0:
            return 0
        return min(max(some * SCALE // total, 1), SCALE - 1)

    @jit
    def discarded(sight: Any) -> int:
        total = 0
        for card in range(cards):
            total += sight[discards + card]
        return total

    @jit
    def needs_clue(memory: Any, sight: Any, me: int, playable: int) -> bool:
        """Whether somebody has a playable card and knows none."""
        for distance in range(players - 1):
            seat = (me + 1 + distance) % players
            if not knows_play(memory, sight, seat, playable) and has_play(sight, seat, playable):
                return True
        return False

    @jit
    def has_play(sight: Any, seat: int, playable: int) -> bool:
        for slot in range(hand_count(sight, seat)):
            if (playable >> sight[deck + number_at(sight, seat, slot)]) & 1:
                return True
        return False

    @jit
    def anybody_plays(sight: Any, me: int, playable: int) -> bool:
        for distance in range(players - 1):
            if has_play(sight, (me + 1 + distance) % players, playable):
                return True
        return False

    @jit
    def best_play(memory: Any, sight: Any, me: int, playable: int) -> int:
        best, most = -1, -1
        for slot in range(hand_count(sight, me)):
            options = memory[own + slot]
            if options & ~playable:
                continue
            worth, total = 0, 0
            for card in range(cards):
                if (options >> card) & 1:
                    weight = max(memory[own_left + card], 0)
                    holders = 1
                    for other in range(players):
                        if other != me:
                            for place in range(hand_count(sight, other)):
                                if sight[deck + number_at(sight, other, place)] == card:
                                    holders += 1
                                    break
                    worth += weight * (10 - (card % 5 + 1)) * 1000 // holders
                    total += weight
            worth = worth // max(total, 1)
            if worth > most:
                best, most = slot, worth
        return best

    @jit
    def risky_play(memory: Any, sight: Any, me: int, playable: int, dead: int) -> int:
        best, most = -1, SCALE * 3 // 4
        for slot in range(hand_count(sight, me)):
            if memory[own + slot] & ~(playable | dead) == 0:
                likely = own_chance(memory, slot, playable)
                if likely > most:
                    best, most = slot, likely
        return best

    @jit
    def hat_sum(memory: Any, sight: Any, me: int, messages: int, playable: int, dead: int) -> int:
        total = 0
        for distance in range(players - 1):
            seat = (me + 1 + distance) % players
            total += converse(memory, sight, seat, messages, -1, playable, dead)
        return total % messages

    @jit
    def give_clue(memory: Any, sight: Any, me: int, playable: int, dead: int) -> int:
        messages = all_messages(memory, sight, me, dead)
        number = hat_sum(memory, sight, me, messages, playable, dead)
        return best_clue(memory, sight, me, number, dead)

    @jit
    def useless(memory: Any, sight: Any, me: int, slot: int, dead: int) -> bool:
        """Whether all know a slot to be useless: dead, or a card whose like lies in another slot to the left or elsewhere."""
        options = memory[pictured + number_at(sight, me, slot)]
        if options & ~dead == 0:
            return True
        if options & (options - 1) == 0:
            for seat in range(players):
                for place in range(hand_count(sight, seat)):
                    if (seat != me or place < slot) and memory[pictured + number_at(sight, seat, place)] == options:
                        return True
        return False

    @jit
    def count_useless(memory: Any, sight: Any, me: int, dead: int) -> int:
        found = 0
        for slot in range(hand_count(sight, me)):
            found += useless(memory, sight, me, slot, dead)
        return found

    @jit
    def own_useless(memory: Any, sight: Any, me: int, dead: int) -> int:
        for slot in range(hand_count(sight, me)):
            options = memory[own + slot]
            if options & ~dead == 0:
                return slot
            if options & (options - 1) == 0:
                for place in range(slot):
                    if memory[own + place] == options:
                        return slot
                for seat in range(players):
                    if seat != me:
                        for place in range(hand_count(sight, seat)):
                            if memory[pictured + number_at(sight, seat, place)] == options:
                                return slot
        return -1

    @jit
    def dispensable_cards(sight: Any, dead: int) -> int:
        """Cards of which another copy is left, or none is needed."""
        found = dead
        for card in range(cards):
            if copies[card] - sight[discards + card] > 1:
                found |= 1 << card
        return found

    @jit
    def cheapest_discard(memory: Any, sight: Any, me: int, dead: int) -> int:
        seen = 0
        for other in range(players):
            if other != me:
                for place in range(hand_count(sight, other)):
                    seen |= 1 << sight[deck + number_at(sight, other, place)]
        dispensable = dispensable_cards(sight, dead)
        best, most = 0, -1
        for slot in range(hand_count(sight, me)):
            options, total, values = memory[own + slot], 0, 0
            for card in range(cards):
                if (options >> card) & 1:
                    weight = max(memory[own_left + card], 0)
                    total += weight
                    values += weight * (card % 5 + 1)
            worth = 20 * own_chance(memory, slot, seen | dead) + 10 * own_chance(memory, slot, dispensable)
            worth += values * SCALE // max(total, 1)
            if worth > most:
                best, most = slot, worth
        return best

    @jit
    def choose(memory: Any, sight: Any) -> int:
        me = sight[SEAT] + 0
        playable, dead = playable_cards(sight), dead_cards(sight)
        look_at_own(memory, sight, me)
        slot = best_play(memory, sight, me, playable)
        if slot >= 0:
            return play_action + slot
        early = discarded(sight) <= threshold
        if mistakes - sight[MISTAKES] > 1 and early:
            slot = risky_play(memory, sight, me, playable, dead)
            if slot >= 0:
                return play_action + slot
        tokens = sight[CLUES] + 0
        spare = own_useless(memory, sight, me, dead)
        clues_now = tokens == clue_tokens
        if tokens > 0 and not clues_now:
            if needs_clue(memory, sight, me, playable):
                clues_now = True
            elif early and spare >= 0:
                clues_now = False
            else:
                clues_now = tokens > 4 or anybody_plays(sight, me, playable)
        if clues_now:
            action = give_clue(memory, sight, me, playable, dead)
            if action >= 0:
                return action
        if tokens == clue_tokens:
            return play_action  # nothing else is legal
        count = count_useless(memory, sight, me, dead)
        if count > 1:
            nth = hat_sum(memory, sight, me, count, playable, dead)
            for slot in range(hand_count(sight, me)):
                if useless(memory, sight, me, slot, dead):
                    if nth == 0:
                        return discard_action + slot
                    nth -= 1
        if spare >= 0:
            return discard_action + spare
        return discard_action + cheapest_discard(memory, sight, me, dead)

    @jit
    def hear(memory: Any, seat: int, sight: Any, actor: int, messages: int, number: int, playable: int, dead: int) -> None:
        """Take in the hats of all but the actor, of which the sum is told."""
        others = 0
        for distance in range(players - 1):
            other = (actor + 1 + distance) % players
            if other != seat:
                others += converse(memory, sight, other, messages, -1, playable, dead)
        if seat != actor:
            converse(memory, sight, seat, messages, (number - others) % messages, playable, dead)
        for distance in range(players - 1):
            other = (actor + 1 + distance) % players
            for slot in range(hand_count(sight, other)):
                memory[pictured + number_at(sight, other, slot)] = memory[answers + other * hand_size + slot]

    @jit
    def notice(memory: Any, seat: int, before: Any, after: Any) -> None:
        actor, action = before[SEAT] + 0, after[LAST_ACTION] + 0
        playable, dead = playable_cards(before), dead_cards(before)
        if colour_action <= action < announce_action:
            messages = all_messages(memory, before, actor, dead)
            number = number_of(memory, before, actor, action, after[LAST_TOUCHED] + 0, dead)
            hear(memory, seat, before, actor, messages, number, playable, dead)
            target = target_of(before, actor, action)
            for slot in range(hand_count(after, target)):
                memory[pictured + number_at(after, target, slot)] &= told_cards(after, target, slot)
        elif action < play_action:
            slot = action - discard_action
            count = count_useless(memory, before, actor, dead)
            if count > 1 and useless(memory, before, actor, slot, dead):
                nth = 0
                for place in range(slot):
                    nth += useless(memory, before, actor, place, dead)
                hear(memory, seat, before, actor, count, nth, playable, dead)
            elif before[CLUES] > 0:
                for distance in range(players - 1):
                    other = (actor + 1 + distance) % players
                    if not knows_play(memory, before, other, playable):
                        for slot in range(hand_count(before, other)):
                            memory[pictured + number_at(before, other, slot)] &= ~playable
        settle(memory, after)

    return Parts(choose=choose, notice=notice)
