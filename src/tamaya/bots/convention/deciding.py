"""What the convention bot does."""

from __future__ import annotations

from typing import Any

from tamaya.bots.convention.clues import NEVER
from tamaya.bots.convention.memory import Memory
from tamaya.bots.convention.weights import Worth
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts
from tamaya.engine.layout import CLUES, DRAWN, LAST_TURNS, MISTAKES, SEAT


def build_deciding(kernel: Kernel, jit: Jit, table: Any, notes: Memory, picture: Parts, views: Parts, clues: Parts) -> Parts:
    """The functions that choose."""
    plan = kernel.layout
    players, hand_size, cards, deck_size = plan.players, plan.hand_size, plan.colours * 5, plan.deck_size
    clue_tokens, mistakes, colours, deck = plan.clue_tokens, plan.mistakes, plan.colours, plan.deck
    discard_action, play_action, colour_action = plan.discard_action, plan.play_action, plan.colour_action
    announce_action, announced_plays = plan.announce_action, plan.announced_plays
    hand_count, points, maximum = kernel.hand_count, kernel.points, kernel.maximum
    number_at, is_clued = picture.number_at, picture.is_clued
    playable_cards, dead_cards, critical_cards = picture.playable_cards, picture.dead_cards, picture.critical_cards
    look, chop_of = views.look, views.chop_of
    best_clue, called_slot, clue_worth = clues.best_clue, clues.called_slot, clues.clue_worth
    view, barred, seen, left, weights, pictured = (
        notes.view, notes.barred, notes.seen, notes.left, notes.weights, notes.picture,
    )  # fmt: skip
    URGENT, TOKEN, LAST = (weights + int(w) for w in (Worth.URGENT, Worth.TOKEN, Worth.LAST))
    scale = 1000

    @jit
    def play(memory: Any, me: int, slot: int, playable: int) -> int:
        """The play of a slot, with its colour announced where that is known and earns a token."""
        if announced_plays:
            options = memory[view + me * hand_size + slot] & playable
            for colour in range(colours):
                if options and options & ~(31 << (colour * 5)) == 0:
                    return announce_action + slot * colours + colour
        return play_action + slot

    @jit
    def known_play(memory: Any, sight: Any, me: int, playable: int) -> int:
        """The best of the cards that are taken to be playable; -1 if none is."""
        best, most = -1, -1
        for slot in range(hand_count(sight, me)):
            options = memory[view + me * hand_size + slot]
            if options & ~playable == 0:
                lowest = 5
                for value in range(5):
                    if options & (picture_row << value):
                        lowest = value
                        break
                worth = (5 - lowest) * 10
                if options & (options - 1) == 0:
                    worth += 5
                if worth > most:
                    best, most = slot, worth
        return best

    picture_row = picture.value_row

    @jit
    def known_trash(memory: Any, sight: Any, me: int, dead: int) -> int:
        for slot in range(hand_count(sight, me)):
            if memory[view + me * hand_size + slot] & ~(dead | memory[barred + me * hand_size + slot]) == 0:
                return slot
        return -1

    @jit
    def chance(memory: Any, options: int, wanted: int) -> int:
        """The chance that a card of these options is a wanted one, in thousandths."""
        total, some = 0, 0
        for card in range(cards):
            if (options >> card) & 1:
                weight = max(memory[left + card] - memory[seen + card], 0)
                total += weight
                if (wanted >> card) & 1:
                    some += weight
        return some * scale // total if total > 0 else 0

    @jit
    def likeliest(memory: Any, sight: Any, me: int, wanted: int) -> tuple[int, int]:
        best, most = -1, -1
        for slot in range(hand_count(sight, me)):
            likely = chance(memory, memory[view + me * hand_size + slot], wanted)
            if likely > most:
                best, most = slot, likely
        return best, most

    @jit
    def cheapest(memory: Any, sight: Any, me: int, dead: int, critical: int) -> int:
        """The slot to throw away: useless, else the oldest unclued card, else what is least likely needed."""
        slot = known_trash(memory, sight, me, dead)
        if slot >= 0:
            return slot
        slot = chop_of(sight, me)
        if slot >= 0:
            return slot
        best, most = 0, -1
        for slot in range(hand_count(sight, me)):
            options = memory[view + me * hand_size + slot]
            safe = chance(memory, options, ~critical) * 2 + chance(memory, options, dead)
            if safe > most:
                best, most = slot, safe
        return best

    @jit
    def choose(memory: Any, sight: Any) -> int:
        """The action of the seat to move."""
        me, tokens, held = sight[SEAT] + 0, sight[CLUES] + 0, hand_count(sight, sight[SEAT])
        playable, dead = playable_cards(sight), dead_cards(sight)
        critical = critical_cards(sight, dead)
        look(memory, sight, dead)
        slot = called_slot(memory, sight, me, playable, dead)
        if slot >= 0:
            return play_action + slot
        action, worth = -1, NEVER
        if tokens > 0:
            action, worth = best_clue(memory, sight, me, playable, dead, critical)
        slot = known_play(memory, sight, me, playable)
        if slot >= 0 and worth < memory[URGENT]:
            return play(memory, me, slot, playable)
        need = memory[TOKEN] + memory[LAST] * max(0, 4 - tokens)
        if sight[LAST_TURNS] > 0:
            need = 1
        if action >= 0 and worth >= need:
            return action
        if slot >= 0:
            return play(memory, me, slot, playable)
        if sight[LAST_TURNS] > 0 and mistakes - sight[MISTAKES] > 1:
            slot, likely = likeliest(memory, sight, me, playable)
            if likely > 0:
                return play_action + slot
        pace = points(sight) + deck_size - sight[DRAWN] + players - maximum(sight)
        if action >= 0 and (tokens == clue_tokens or (pace <= 0 and worth > -50)):
            return action
        if tokens < clue_tokens and held > 0:
            return discard_action + cheapest(memory, sight, me, dead, critical)
        if action >= 0:
            return action
        if held > 0:
            slot, _ = likeliest(memory, sight, me, playable)
            return play_action + slot
        return colour_action

    return Parts(choose=choose)
