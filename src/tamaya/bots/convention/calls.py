"""Prompts and finesses: cards that a player must believe to hold, as otherwise a clue makes no sense."""

from __future__ import annotations

from typing import Any

from tamaya.bots.convention.memory import ANYTHING, Memory
from tamaya.bots.convention.weights import places
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import MISTAKES, NO_CARD

MORE = -2


def build_calls(kernel: Kernel, jit: Jit, notes: Memory, picture: Parts, views: Parts) -> Parts:
    """The functions that find out who is called to play."""
    plan = kernel.layout
    players, hand_size, cards, deck = plan.players, plan.hand_size, plan.colours * 5, plan.deck
    hand_count, number_at, is_clued = kernel.hand_count, picture.number_at, picture.is_clued
    chain, newest_unclued, blind_cards = views.chain, views.newest_unclued, views.blind_cards
    heights, anybody = notes.heights, notes.anybody
    pictured, waiting, loose, call = notes.picture, notes.waiting, notes.loose, notes.call
    view, taken, known, busy = notes.view, notes.taken, notes.known, notes.busy
    now, new_loose, new_waiting = notes.now, notes.new_loose, notes.new_waiting
    worths, mistakes = places(notes.weights), plan.mistakes
    mistake, blind_play = worths.MISTAKE, worths.BLIND

    @jit
    def missing_card(memory: Any, face: int, connected: int) -> int:
        """The one card between a firework and a face that is not connected; -1 if none is missing, MORE if more are."""
        missing, colour = -1, face // 5
        for value in range(memory[heights + colour], face % 5):
            card = colour * 5 + value
            if not (connected >> card) & 1:
                if missing >= 0:
                    return MORE
                missing = card
        return missing

    @jit
    def answer_slot(memory: Any, sight: Any, seat: int, card: int, touched: int) -> int:
        """The slot that a seat plays when a card is wanted of it: a clued one that fits, else the newest unclued; or -1."""
        best, newest = -1, -1
        for slot in range(hand_count(sight, seat)):
            number = number_at(sight, seat, slot)
            if number > newest and is_clued(sight, seat, slot) and (memory[view + seat * hand_size + slot] >> card) & 1:
                best, newest = slot, number
        if best < 0:
            best = newest_unclued(sight, seat, touched)
            if best >= 0 and not (memory[pictured + number_at(sight, seat, best)] >> card) & 1:
                best = -1
        return best

    @jit
    def wanted_of(memory: Any, sight: Any, seat: int, face: int, waits: int, loose_cards: int, playable: int, dead: int) -> int:
        """The card that a seat must believe to hold, as otherwise a clue on this face makes no sense; -1 if none."""
        if ((playable | dead | loose_cards) >> face) & 1:
            return -1
        connected = memory[taken + seat] | memory[known + seat]
        card = missing_card(memory, face, connected)
        if card < 0 or not (playable >> card) & 1 or (blind_cards(memory, sight, seat, waits, seat, 0) >> card) & 1:
            return -1
        return card

    @jit
    def wanted_by(
        memory: Any, sight: Any, seat: int, options: int, waits: int, loose_cards: int, playable: int, dead: int, touched: int
    ) -> int:
        """The card that a seat must believe to hold, as otherwise a clue to itself makes no sense; -1 if none."""
        if not (waits >> seat) & 1 or loose_cards == ANYTHING or mistakes - sight[MISTAKES] == 1:
            return -1
        connected = memory[taken + seat] | memory[known + seat]
        blind = blind_cards(memory, sight, seat, waits, seat, touched)
        if options & (chain(memory, connected, blind) | loose_cards | dead):
            return -1
        for card in range(cards):
            if (options >> card) & 1:
                missing = missing_card(memory, card, connected)
                if missing >= 0 and (playable >> missing) & 1:
                    return missing
        return -1

    @jit
    def called_slot(memory: Any, sight: Any, me: int, playable: int, dead: int) -> int:
        """The slot that the player must play, as a clue to somebody else makes no sense otherwise; -1 if none."""
        if not (memory[anybody] >> me) & 1:
            return -1
        for distance in range(players):
            other = (me + 1 + distance) % players
            for slot in range(hand_count(sight, other)):
                number = number_at(sight, other, slot)
                waits = memory[waiting + number]
                face = sight[deck + number] + 0
                if (waits >> me) & 1:
                    card = -1
                    if other == me:
                        options = memory[view + me * hand_size + slot]
                        card = wanted_by(memory, sight, me, options, waits, memory[loose + number], playable, dead, 0)
                    elif face != NO_CARD:
                        card = wanted_of(memory, sight, me, face, waits, memory[loose + number], playable, dead)
                    if card >= 0:
                        answer = answer_slot(memory, sight, me, card, 0)
                        if answer >= 0:
                            memory[call], memory[call + 1], memory[call + 2] = card, number, other
                            return answer
        return -1

    @jit
    def note_calls(memory: Any, sight: Any, me: int, playable: int, dead: int) -> None:
        """Mark who must play, as a clue to somebody else makes no sense otherwise."""
        for seat in range(players):
            if seat != me and memory[busy + seat] < 2 and called_slot(memory, sight, seat, playable, dead) >= 0:
                memory[busy + seat] = 2

    @jit
    def clued_views(memory: Any, sight: Any, seat: int) -> int:
        """Whatever a seat takes its clued cards for."""
        found = 0
        for slot in range(hand_count(sight, seat)):
            if is_clued(sight, seat, slot):
                found |= memory[view + seat * hand_size + slot]
        return found

    @jit
    def answers(
        memory: Any,
        sight: Any,
        me: int,
        target: int,
        focus: int,
        face: int,
        touched: int,
        playable: int,
        dead: int,
        marked: int,
    ) -> int:
        """What the seats' answers to a clue are worth: those that must believe to hold a missing card play one."""
        worth, waits, loose_cards = 0, memory[new_waiting + focus], memory[new_loose + focus]
        card = wanted_by(memory, sight, target, memory[now + focus], waits, loose_cards, playable, dead, touched)
        if card >= 0:
            return answer_worth(memory, sight, target, card, playable, touched)
        if ((playable | dead | loose_cards) >> face) & 1:
            return 0
        for seat in range(players):
            if (waits >> seat) & 1 and seat != target:
                connected = memory[taken + seat] | memory[known + seat] | marked
                card, fits = missing_card(memory, face, connected), playable
                if card == MORE:
                    card, fits = missing_card(memory, face, connected | clued_views(memory, sight, me)), 0
                if card >= 0 and not (blind_cards(memory, sight, seat, waits, target, touched) >> card) & 1:
                    answer = answer_worth(memory, sight, seat, card, fits, 0)
                    worth += answer if fits else min(answer, 0)  # it sees what the giver holds
        return worth

    @jit
    def answer_worth(memory: Any, sight: Any, seat: int, card: int, playable: int, touched: int) -> int:
        """What it is worth that a seat believes to hold a card."""
        slot = answer_slot(memory, sight, seat, card, touched)
        if slot < 0:
            return 0
        if sight[deck + number_at(sight, seat, slot)] != card:
            return -memory[mistake]
        if not (playable >> card) & 1:
            return 0
        memory[call], memory[call + 1] = card, seat
        return memory[blind_play]

    return Parts(called_slot=called_slot, note_calls=note_calls, answers=answers)
