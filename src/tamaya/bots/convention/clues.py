"""What a clue is worth: everybody's reading of it, before it is given."""

from __future__ import annotations

from typing import Any

from tamaya.bots.convention.memory import Memory
from tamaya.bots.convention.reasons import CARD, OTHER_CARD, OTHER_SEAT, REASON, SEAT, Reason
from tamaya.bots.convention.weights import places
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import LAST_TURNS, NO_CARD

NEVER = -100000


def build_clues(kernel: Kernel, jit: Jit, notes: Memory, picture: Parts, views: Parts, reading: Parts, calls: Parts) -> Parts:
    """The functions that weigh clues."""
    plan = kernel.layout
    players, hand_size, deck = plan.players, plan.hand_size, plan.deck
    named_colours, colour_action, value_action = plan.named_colours, plan.colour_action, plan.value_action
    hand_count, number_at, is_clued = kernel.hand_count, picture.number_at, picture.is_clued
    view_slots, chop_of, read_clue, matching = views.view_slots, views.chop_of, reading.read_clue, picture.matching
    answers, target_of, count_cards = calls.answers, picture.target_of, picture.count_cards
    view, taken, direct, seen, left, busy = notes.view, notes.taken, notes.direct, notes.seen, notes.left, notes.busy
    now_row, barred, new_barred = notes.now, notes.barred, notes.new_barred
    reason, call = notes.reason, notes.call
    worths = places(notes.weights)
    w_play, w_soon, w_good, w_keep = worths.PLAY, worths.SOON, worths.GOOD, worths.KEEP
    w_bad, w_wrong, w_mistake, w_lost, w_own = worths.BAD, worths.WRONG, worths.MISTAKE, worths.LOST, worths.OWN
    w_trash, w_fact, w_idle, w_later = worths.TRASH, worths.FACT, worths.IDLE, worths.LATER
    w_save, w_unique = worths.SAVE, worths.UNIQUE
    save_last, save, clue_play, clue_later = (
        int(Reason.SAVE_LAST), int(Reason.SAVE), int(Reason.CLUE_PLAY), int(Reason.CLUE_LATER),
    )  # fmt: skip
    clue_blind, clue_facts, clue_stall = int(Reason.CLUE_BLIND), int(Reason.CLUE_FACTS), int(Reason.CLUE_STALL)

    @jit
    def loss(memory: Any, face: int, critical: int, dead: int) -> int:
        """What is lost when a card goes."""
        if (dead >> face) & 1:
            return 0
        if (critical >> face) & 1:
            return memory[w_save] + 4 * (4 - face % 5)
        if memory[seen + face] > 1:
            return 0
        return memory[w_unique] * (10 - face % 5) // 10 if memory[left + face] > 1 else 0

    @jit
    def danger(memory: Any, sight: Any, seat: int, touched: int, works: bool, critical: int, dead: int) -> int:
        """What a seat would lose by its next discard, having been clued these slots."""
        if works:
            return 0
        best, oldest = -1, NO_CARD
        for slot in range(hand_count(sight, seat)):
            number = number_at(sight, seat, slot)
            if number < oldest and not (touched >> slot) & 1 and not is_clued(sight, seat, slot):
                best, oldest = slot, number
        if best < 0:
            return 0
        return loss(memory, sight[deck + oldest] + 0, critical, dead)

    @jit
    def may_hold(memory: Any, sight: Any, me: int, face: int) -> bool:
        """Whether the giver may well hold that card itself, clued."""
        for slot in range(hand_count(sight, me)):
            options = memory[view + me * hand_size + slot]
            if (options >> face) & 1 and is_clued(sight, me, slot) and count_cards(options) < 4:
                return True
        return False

    @jit
    def card_worth(memory: Any, options: int, face: int, useless: bool, wasted: int, playable: int, soon: int) -> int:
        """What it is worth that a clued card is taken for one of these."""
        if options & ~wasted == 0:
            return memory[w_trash] if useless else -memory[w_wrong]
        if options & ~playable == 0:
            return memory[w_play] if (playable >> face) & 1 and not useless else -memory[w_mistake]
        if useless:
            return 0
        if not (options >> face) & 1:
            return -memory[w_wrong]
        return memory[w_soon] if options & ~soon == 0 else -memory[w_fact] * count_cards(options)

    @jit
    def clue_worth(memory: Any, sight: Any, me: int, target: int, action: int, playable: int, dead: int, critical: int) -> int:
        """How much a clue helps; NEVER if it touches nothing."""
        match, touched, held = matching(action), 0, hand_count(sight, target)
        for slot in range(held):
            if (match >> sight[deck + number_at(sight, target, slot)]) & 1:
                touched |= 1 << slot
        if touched == 0:
            return NEVER
        focus = read_clue(memory, sight, me, action, touched, playable, dead, critical)
        kept = memory[direct + target]
        for slot in range(held):
            memory[new_barred + slot] = memory[barred + target * hand_size + slot]
            if (touched >> slot) & 1 and not is_clued(sight, target, slot):
                memory[new_barred + slot] = memory[taken + target]
        view_slots(memory, sight, target, touched, dead)
        worth, works, plays, marked, before_marked = 0, False, False, 0, 0
        for slot in range(held):
            number = number_at(sight, target, slot)
            face, hit, old = sight[deck + number] + 0, (touched >> slot) & 1 == 1, is_clued(sight, target, slot)
            was, now, bars = memory[view + target * hand_size + slot], memory[now_row + slot], memory[new_barred + slot]
            if old:
                useless = ((dead | memory[taken + target] | before_marked) >> face) & 1 == 1
                worth -= card_worth(memory, was, face, useless, dead | bars, playable, kept)
                before_marked |= 1 << face
            if old or hit:
                useless = ((dead | memory[taken + target] | marked) >> face) & 1 == 1
                worth += card_worth(memory, now, face, useless, dead | bars, playable, memory[direct + target])
                marked |= 1 << face
                if hit and not old and not useless and may_hold(memory, sight, me, face):
                    worth -= memory[w_own]
                if hit and not old:
                    worth += -memory[w_bad] if useless else (memory[w_keep] if (critical >> face) & 1 else memory[w_good])
            if now & ~(dead | bars) == 0:
                works = True
            elif now & ~playable == 0 and (playable >> face) & 1:
                works, plays = True, True
        memory[direct + target] = kept
        if focus >= 0:
            face = sight[deck + number_at(sight, target, focus)] + 0
            if not (memory[now_row + focus] >> face) & 1:
                worth -= memory[w_lost]
            worth += answers(memory, sight, me, target, focus, face, touched, playable, dead, marked & ~(1 << face))
        was_busy = memory[busy + target] > 0
        before = danger(memory, sight, target, 0, was_busy, critical, dead)
        then = danger(memory, sight, target, touched, works or was_busy, critical, dead)
        share = 100 if target == (me + 1) % players else memory[w_later]
        worth += (before - then) * share // 100
        if plays and not was_busy:
            worth += memory[w_idle]
        return worth

    @jit
    def alarm(memory: Any, sight: Any, me: int, playable: int, dead: int, critical: int) -> bool:
        """Whether somebody would lose a card by the next discard, or is about to make a mistake."""
        for distance in range(players - 1):
            seat = (me + 1 + distance) % players
            if danger(memory, sight, seat, 0, memory[busy + seat] > 0, critical, dead) > 0:
                return True
            for slot in range(hand_count(sight, seat)):
                face = sight[deck + number_at(sight, seat, slot)] + 0
                if memory[view + seat * hand_size + slot] & ~playable == 0 and not (playable >> face) & 1:
                    return True
        return False

    @jit
    def best_clue(memory: Any, sight: Any, me: int, playable: int, dead: int, critical: int) -> tuple[int, int]:
        """The clue that helps most, and how much."""
        best, most = -1, NEVER
        turns = sight[LAST_TURNS] + 0
        for distance in range(players - 1):
            if turns > 0 and distance + 1 >= turns:
                break
            target = (me + 1 + distance) % players
            for kind in range(named_colours + 5):
                action = colour_action + distance * named_colours + kind
                if kind >= named_colours:
                    action = value_action + distance * 5 + kind - named_colours
                worth = clue_worth(memory, sight, me, target, action, playable, dead, critical)
                if worth > most:
                    best, most = action, worth
        return best, most

    @jit
    def note_clue(memory: Any, sight: Any, me: int, action: int, playable: int, dead: int, critical: int) -> int:
        """Write down why this clue is given, and pass it on."""
        target, match, touched, fresh = target_of(me, action), matching(action), 0, 0
        for slot in range(hand_count(sight, target)):
            if (match >> sight[deck + number_at(sight, target, slot)]) & 1:
                touched |= 1 << slot
                if not is_clued(sight, target, slot):
                    fresh |= 1 << slot
        memory[call] = -1
        clue_worth(memory, sight, me, target, action, playable, dead, critical)
        memory[reason + SEAT] = target
        memory[reason + OTHER_CARD] = memory[call]
        memory[reason + OTHER_SEAT] = memory[call + 1]
        focus = read_clue(memory, sight, me, action, touched, playable, dead, critical)
        memory[reason + REASON] = clue_stall if fresh else clue_facts
        if focus >= 0:
            face = sight[deck + number_at(sight, target, focus)] + 0
            memory[reason + CARD] = face
            if (playable >> face) & 1:
                memory[reason + REASON] = clue_play
            elif memory[call] >= 0:
                memory[reason + REASON] = clue_blind
            elif focus == chop_of(sight, target) and (critical >> face) & 1:
                memory[reason + REASON] = save_last
            elif focus == chop_of(sight, target) and not (dead >> face) & 1:
                memory[reason + REASON] = save
            elif fresh and not (dead >> face) & 1:
                memory[reason + REASON] = clue_later
        return action

    return Parts(best_clue=best_clue, alarm=alarm, note_clue=note_clue)
