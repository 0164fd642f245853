"""Which card of its own the convention bot plays or throws away."""

from __future__ import annotations

from typing import Any

from tamaya.bots.convention.memory import ANYTHING, Memory
from tamaya.bots.convention.reasons import CARD, OTHER_CARD, REASON, SLOT, Reason
from tamaya.bots.convention.reasons import SEAT as WHOSE
from tamaya.bots.convention.weights import places
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import LAST_TURNS, MISTAKES

SCALE = 1000
"""Chances are whole numbers, in parts of this."""


def build_cards(kernel: Kernel, jit: Jit, notes: Memory, picture: Parts, views: Parts, calls: Parts) -> Parts:
    """The functions that weigh the player's own cards."""
    plan = kernel.layout
    hand_size, cards, deck = plan.hand_size, plan.colours * 5, plan.deck
    mistakes = plan.mistakes
    hand_count, number_at, is_clued, value_row = kernel.hand_count, picture.number_at, picture.is_clued, picture.one_value
    index_of, chop_of, called_slot, play = picture.index_of, views.chop_of, calls.called_slot, picture.play
    view, barred, taken, gone, seen = notes.view, notes.barred, notes.taken, notes.gone, notes.seen
    left, loose, pictured, refuted, reason = notes.left, notes.loose, notes.picture, notes.refuted, notes.reason
    worths = places(notes.weights)
    token, last, high, easy, held, risk = worths.TOKEN, worths.LAST, worths.HIGH, worths.EASY, worths.HELD, worths.RISK
    sure_card, sure_play, read_card, read_play = (
        int(Reason.SURE_CARD), int(Reason.SURE_PLAY), int(Reason.READ_CARD), int(Reason.READ_PLAY),
    )  # fmt: skip
    prompt, finesse, own_prompt, own_finesse = (
        int(Reason.PROMPT), int(Reason.FINESSE), int(Reason.OWN_PROMPT), int(Reason.OWN_FINESSE),
    )  # fmt: skip
    sure_trash, read_trash, chop_reason, least = (
        int(Reason.SURE_TRASH), int(Reason.READ_TRASH), int(Reason.CHOP), int(Reason.LEAST),
    )  # fmt: skip

    @jit
    def called_play(memory: Any, sight: Any, me: int, playable: int, dead: int) -> int:
        """The play that a clue demands which makes no sense otherwise; -1 if none does."""
        slot = called_slot(memory, sight, me, playable, dead)
        if slot < 0:
            return -1
        wanted, focus, owner = memory[notes.call], memory[notes.call + 1], memory[notes.call + 2]
        clued = is_clued(sight, me, slot)
        if owner == me:
            memory[reason + REASON] = own_prompt if clued else own_finesse
        else:
            memory[reason + REASON] = prompt if clued else finesse
            memory[reason + OTHER_CARD] = sight[deck + focus]
        memory[reason + SLOT] = slot
        memory[reason + CARD] = wanted
        memory[reason + WHOSE] = owner
        return play(slot, 1 << wanted)

    @jit
    def known_play(memory: Any, sight: Any, me: int, playable: int) -> int:
        """The best play of a card that is taken to fit; -1 if there is none."""
        best, most, careful = -1, -1, mistakes - sight[MISTAKES] == 1
        for slot in range(hand_count(sight, me)):
            options, number = memory[view + me * hand_size + slot], number_at(sight, me, slot)
            if careful and (memory[refuted] or memory[loose + number] == ANYTHING):
                options = memory[pictured + number] & ~memory[gone + me]  # only what is proven, or was told by one to trust
            if options & ~playable == 0:
                worth = 50
                for value in range(5):
                    if options & (value_row << value):
                        break
                    worth -= 10
                if options & (options - 1) == 0:
                    worth += 5
                if memory[loose + number] != ANYTHING:
                    worth += 6  # a clue was about it
                if (options << 1) & ~value_row & memory[taken + me]:
                    worth += 12  # somebody waits for it
                if worth > most:
                    best, most = slot, worth
        if best < 0:
            return -1
        options = memory[view + me * hand_size + best]
        proven = memory[pictured + number_at(sight, me, best)] & ~memory[gone + me]
        single = options & (options - 1) == 0
        if proven & ~playable == 0:
            memory[reason + REASON] = sure_card if proven & (proven - 1) == 0 else sure_play
        else:
            memory[reason + REASON] = read_card if single else read_play
        memory[reason + SLOT] = best
        memory[reason + CARD] = index_of(options)
        return play(best, options)

    @jit
    def known_trash(memory: Any, sight: Any, me: int, dead: int) -> int:
        """A slot whose card is taken to be useless; -1 if none is."""
        for slot in range(hand_count(sight, me)):
            at = me * hand_size + slot
            if memory[view + at] & ~(dead | memory[barred + at]) == 0:
                return slot
        return -1

    @jit
    def chance(memory: Any, options: int, wanted: int) -> int:
        """The chance that a card of these options is a wanted one, in parts of SCALE."""
        total, some = 0, 0
        for card in range(cards):
            if (options >> card) & 1:
                weight = max(memory[left + card] - memory[seen + card], 0)
                total += weight
                if (wanted >> card) & 1:
                    some += weight
        return some * SCALE // total if total > 0 else 0

    @jit
    def likeliest(memory: Any, sight: Any, me: int, wanted: int) -> tuple[int, int]:
        """The slot that is most likely one of these, and the chance."""
        best, most = 0, -1
        for slot in range(hand_count(sight, me)):
            likely = chance(memory, memory[view + me * hand_size + slot], wanted)
            if likely > most:
                best, most = slot, likely
        return best, most

    @jit
    def cheapest(memory: Any, sight: Any, me: int, dead: int, critical: int) -> int:
        """The slot to throw away: useless, else the oldest unclued card, else what is least likely needed."""
        slot = known_trash(memory, sight, me, dead)
        why = chop_reason
        if slot >= 0:
            proven = memory[pictured + number_at(sight, me, slot)] & ~memory[gone + me]
            why = sure_trash if proven & ~dead == 0 else read_trash
        else:
            slot = chop_of(sight, me)
        if slot < 0:
            slot, most, why = 0, -1, least
            for place in range(hand_count(sight, me)):
                options = memory[view + me * hand_size + place]
                safe = chance(memory, options, ~critical) * 2 + chance(memory, options, dead)
                if safe > most:
                    slot, most = place, safe
        memory[reason + REASON] = why
        memory[reason + SLOT] = slot
        return slot

    @jit
    def least_worth(memory: Any, sight: Any, me: int, tokens: int, dead: int, critical: int) -> int:
        """What a clue must be worth to be given in place of a discard."""
        if sight[LAST_TURNS] > 0:
            return 1
        need = memory[token] + memory[last] * max(0, 4 - tokens) - memory[high] * max(0, tokens - 4)
        if known_trash(memory, sight, me, dead) >= 0:
            return need + memory[easy]
        chop = chop_of(sight, me)
        if chop < 0:
            return need - memory[held]
        return need - memory[risk] * chance(memory, memory[view + me * hand_size + chop], critical) // SCALE

    return Parts(
        play=play, called_play=called_play, known_play=known_play, likeliest=likeliest, cheapest=cheapest,
        least_worth=least_worth,
    )  # fmt: skip
