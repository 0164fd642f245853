"""What a clue is worth: everybody's reading of it, before it is given."""

from __future__ import annotations

from typing import Any

from tamaya.bots.convention.memory import Memory
from tamaya.bots.convention.weights import Worth
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import LAST_TURNS, NO_CARD

NEVER = -100000


def build_clues(kernel: Kernel, jit: Jit, table: Any, notes: Memory, picture: Parts, views: Parts, reading: Parts) -> Parts:
    """The functions that weigh clues."""
    plan = kernel.layout
    players, hand_size, colours, cards, deck = plan.players, plan.hand_size, plan.colours, plan.colours * 5, plan.deck
    named_colours, colour_action, value_action = plan.named_colours, plan.colour_action, plan.value_action
    fireworks, copies = plan.fireworks, table(plan.copies)
    hand_count, reach, number_at, is_clued = kernel.hand_count, kernel.reach, picture.number_at, picture.is_clued
    view_slots, newest_unclued, chop_of, blind_cards = (
        views.view_slots, views.newest_unclued, views.chop_of, views.blind_cards,
    )  # fmt: skip
    read_clue, matching = reading.read_clue, reading.matching
    pictured, meant, waiting, loose = notes.picture, notes.meant, notes.waiting, notes.loose
    view, taken, direct, seen, left, clued = notes.view, notes.taken, notes.direct, notes.seen, notes.left, notes.clued
    after, barred, new_barred = notes.now, notes.barred, notes.new_barred
    new_loose, new_waiting, weights = notes.new_loose, notes.new_waiting, notes.weights
    PLAY, SOON, GOOD, BAD = (weights + int(w) for w in (Worth.PLAY, Worth.SOON, Worth.GOOD, Worth.BAD))
    WRONG, MISTAKE, BLIND, TRASH = (weights + int(w) for w in (Worth.WRONG, Worth.MISTAKE, Worth.BLIND, Worth.TRASH))
    SAVE, UNIQUE, LATER, FACT = (weights + int(w) for w in (Worth.SAVE, Worth.UNIQUE, Worth.LATER, Worth.FACT))
    IDLE, LOST, OWN = (weights + int(w) for w in (Worth.IDLE, Worth.LOST, Worth.OWN))

    @jit
    def bits(some: int) -> int:
        total = 0
        while some:
            some &= some - 1
            total += 1
        return total

    @jit
    def missing_card(memory: Any, sight: Any, seat: int, face: int, connected: int) -> int:
        """The one card between a firework and a face that a seat sees nowhere clued; -1 if none is missing, -2 if more are."""
        missing, colour = -1, face // 5
        for value in range(sight[fireworks + colour], face % 5):
            card = colour * 5 + value
            if not (connected >> card) & 1:
                if missing >= 0:
                    return -2
                missing = card
        return missing

    @jit
    def own_known(memory: Any, sight: Any, seat: int) -> int:
        found = 0
        for slot in range(hand_count(sight, seat)):
            options = memory[view + seat * hand_size + slot]
            if options & (options - 1) == 0 and is_clued(sight, seat, slot):
                found |= options
        return found

    @jit
    def answer_slot(memory: Any, sight: Any, seat: int, card: int) -> int:
        """The slot that a seat plays when a card is wanted of it: a clued one that fits, else the newest unclued; -1 if none."""
        best, newest = -1, -1
        for slot in range(hand_count(sight, seat)):
            number = number_at(sight, seat, slot)
            if number > newest and is_clued(sight, seat, slot) and (memory[view + seat * hand_size + slot] >> card) & 1:
                best, newest = slot, number
        if best < 0:
            best = newest_unclued(sight, seat)
            if best >= 0 and not (memory[pictured + number_at(sight, seat, best)] >> card) & 1:
                best = -1
        return best

    @jit
    def wanted_of(
        memory: Any, sight: Any, seat: int, face: int, waits: int, loose_cards: int, playable: int, dead: int, marked: int
    ) -> int:
        """The card that a seat must believe to hold, as otherwise a clue on this face makes no sense; -1 if none."""
        if ((playable | dead | loose_cards) >> face) & 1:
            return -1
        connected = memory[taken + seat] | own_known(memory, sight, seat) | marked
        card = missing_card(memory, sight, seat, face, connected)
        if card < 0 or not (playable >> card) & 1 or (blind_cards(sight, seat, waits) >> card) & 1:
            return -1
        return card

    @jit
    def called_slot(memory: Any, sight: Any, me: int, playable: int, dead: int) -> int:
        """The slot that the player must play, as a clue to somebody else makes no sense otherwise; -1 if none."""
        for other in range(players):
            if other == me:
                continue
            for slot in range(hand_count(sight, other)):
                number = number_at(sight, other, slot)
                waits = memory[waiting + number]
                face = sight[deck + number] + 0
                if (waits >> me) & 1 and face != NO_CARD:
                    card = wanted_of(memory, sight, me, face, waits, memory[loose + number], playable, dead, 0)
                    if card >= 0:
                        answer = answer_slot(memory, sight, me, card)
                        if answer >= 0:
                            return answer
        return -1

    @jit
    def loss(memory: Any, face: int, critical: int, dead: int) -> int:
        """What is lost when a card goes."""
        if (dead >> face) & 1:
            return 0
        if (critical >> face) & 1:
            return memory[SAVE] + 4 * (4 - face % 5)
        if memory[seen + face] > 1:
            return 0
        return memory[UNIQUE] * (10 - face % 5) // 10 if memory[left + face] > 1 else 0

    @jit
    def danger(memory: Any, sight: Any, seat: int, touched: int, busy: bool, critical: int, dead: int) -> int:
        """What a seat would lose by its next discard, having been clued these slots."""
        if busy:
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
    def is_busy(memory: Any, sight: Any, seat: int, playable: int, dead: int) -> bool:
        """Whether a seat knows a card to play or to throw away."""
        for slot in range(hand_count(sight, seat)):
            options = memory[view + seat * hand_size + slot]
            if options & ~playable == 0 or options & ~(dead | memory[barred + seat * hand_size + slot]) == 0:
                return True
        return called_slot(memory, sight, seat, playable, dead) >= 0

    @jit
    def knows_play(memory: Any, sight: Any, seat: int, playable: int) -> bool:
        for slot in range(hand_count(sight, seat)):
            if memory[view + seat * hand_size + slot] & ~playable == 0:
                return True
        return False

    @jit
    def answers(memory: Any, sight: Any, me: int, target: int, focus: int, face: int, playable: int, dead: int, marked: int) -> int:
        """What the other seats' answers to a clue are worth."""
        worth, waits = 0, memory[new_waiting + focus]
        if ((playable | dead | memory[new_loose + focus]) >> face) & 1:
            return 0
        for seat in range(players):
            if (waits >> seat) & 1:
                card = missing_card(memory, sight, seat, face, memory[taken + seat] | own_known(memory, sight, seat) | marked)
                if card >= 0 and not (blind_cards(sight, seat, waits) >> card) & 1:
                    slot = answer_slot(memory, sight, seat, card)
                    if slot >= 0:
                        right = sight[deck + number_at(sight, seat, slot)] == card
                        if not right:
                            worth -= memory[MISTAKE]
                        elif (playable >> card) & 1:
                            worth += memory[BLIND]
        return worth

    @jit
    def may_hold(memory: Any, sight: Any, me: int, face: int) -> bool:
        """Whether the giver may well hold that card itself, clued."""
        for slot in range(hand_count(sight, me)):
            options = memory[view + me * hand_size + slot]
            if (options >> face) & 1 and is_clued(sight, me, slot) and bits(options) < 4:
                return True
        return False

    @jit
    def card_worth(memory: Any, options: int, face: int, useless: bool, wasted: int, playable: int, soon: int) -> int:
        """What it is worth that a clued card is taken for one of these."""
        if options & ~wasted == 0:
            return memory[TRASH] if useless else -memory[WRONG]
        if options & ~playable == 0:
            return memory[PLAY] if (playable >> face) & 1 and not useless else -memory[MISTAKE]
        if useless:
            return 0
        if not (options >> face) & 1:
            return -memory[WRONG]
        return memory[SOON] if options & ~soon == 0 else -memory[FACT] * bits(options)

    @jit
    def clue_worth(memory: Any, sight: Any, me: int, target: int, action: int, playable: int, dead: int, critical: int) -> int:
        """How much a clue helps; NEVER if it touches nothing."""
        match, touched, held = matching(action), 0, hand_count(sight, target)
        for slot in range(held):
            if (match >> sight[deck + number_at(sight, target, slot)]) & 1:
                touched |= 1 << slot
        if touched == 0:
            return NEVER
        focus = read_clue(memory, sight, me, action, touched, playable, dead)
        kept = memory[direct + target]
        for slot in range(held):
            memory[new_barred + slot] = memory[barred + target * hand_size + slot]
            if (touched >> slot) & 1 and not is_clued(sight, target, slot):
                memory[new_barred + slot] = memory[taken + target]
        view_slots(memory, sight, target, touched, dead)
        worth, busy, plays, marked, before_marked = 0, False, False, 0, 0
        for slot in range(held):
            number = number_at(sight, target, slot)
            face, hit, old = sight[deck + number] + 0, (touched >> slot) & 1 == 1, is_clued(sight, target, slot)
            was, now, bars = memory[view + target * hand_size + slot], memory[after + slot], memory[new_barred + slot]
            if old:
                useless = ((dead | memory[taken + target] | before_marked) >> face) & 1 == 1
                worth -= card_worth(memory, was, face, useless, dead | bars, playable, kept)
                before_marked |= 1 << face
            if old or hit:
                useless = ((dead | memory[taken + target] | marked) >> face) & 1 == 1
                worth += card_worth(memory, now, face, useless, dead | bars, playable, memory[direct + target])
                marked |= 1 << face
                if hit and not old and not useless and may_hold(memory, sight, me, face):
                    worth -= memory[OWN]
                if hit and not old:
                    worth += -memory[BAD] if useless else memory[GOOD]
            if now & ~(dead | bars) == 0:
                busy = True
            elif now & ~playable == 0 and (playable >> face) & 1:
                busy, plays = True, True
        memory[direct + target] = kept
        if focus >= 0:
            face = sight[deck + number_at(sight, target, focus)] + 0
            if not (memory[after + focus] >> face) & 1:
                worth -= memory[LOST]
            worth += answers(memory, sight, me, target, focus, face, playable, dead, marked & ~(1 << face))
        was_busy = is_busy(memory, sight, target, playable, dead)
        before = danger(memory, sight, target, 0, was_busy, critical, dead)
        then = danger(memory, sight, target, touched, busy or was_busy, critical, dead)
        share = 100 if target == (me + 1) % players else memory[LATER]
        worth += (before - then) * share // 100
        if plays and not was_busy:
            worth += memory[IDLE]
        return worth

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

    return Parts(best_clue=best_clue, called_slot=called_slot, is_busy=is_busy, danger=danger, clue_worth=clue_worth)
