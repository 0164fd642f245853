"""What the network looks at: the cells that are 1 of the canonical observation, of the last actions, and of facts that follow
from what is seen. The same as in `training/model.py`, from a sight."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.encoding.bits import BITS, build_bits, words_for
from tamaya.bots.encoding.canonical import build_canonical, build_last_action
from tamaya.bots.encoding.sections import Sections, canonical_sections
from tamaya.bots.learned.memory import KINDS, LEVELS, LearnedMemory, LearnedShape, Places
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.engine.layout import HEIGHT, SEAT


class LearnedFeatures(NamedTuple):
    """The functions that look and remember."""

    look: Callable[[Row, Row], None]
    """Memory and sight: list the cells that are 1."""
    remember: Callable[[Row, Row], None]
    """Memory and the sight before an action: the action that was the last one then is one further back."""


def build_features(
    kernel: Kernel, jit: Jit, constants: Constants, notes: LearnedMemory, cards: Cards, shape: LearnedShape
) -> LearnedFeatures:
    """The functions that look and remember."""
    layout, places, step, before_last = kernel.layout, shape.places, shape.action_words, shape.past - 1
    sections, bits = canonical_sections(layout), build_bits(jit)
    encode = build_canonical(kernel, sections, jit, constants)
    write_action = build_last_action(layout, jit, bits, Sections({"last_action": places.action_width}))
    seen_words = words_for(sections.size)
    count_cards = build_counting(kernel, jit, constants, notes, cards)
    list_facts = build_facts(kernel, jit, constants, notes, cards, places)

    @jit
    def list_words(memory: Row, first: int, words: int, start: int) -> None:
        """List the bits that are set in some words, by their places from a start on."""
        count = memory[notes.listed] + 0
        for word in range(words):
            left, at = memory[first + word] + 0, start + word * BITS
            while left:
                if left & 1:
                    memory[notes.cells + count] = at
                    count += 1
                left >>= 1
                at += 1
        memory[notes.listed] = count

    @jit
    def look(memory: Row, sight: Row) -> None:
        memory[notes.listed] = 0
        encode(sight, sight[SEAT] + 0, memory[notes.seen : notes.seen + seen_words])
        list_words(memory, notes.seen, seen_words, 0)
        for back in range(before_last):
            list_words(memory, notes.past + back * step, step, places.past + back * places.action_width)
        count_cards(memory, sight)
        list_facts(memory, sight)

    @jit
    def remember(memory: Row, before: Row) -> None:
        if before_last == 0:
            return
        for at in range(before_last * step - 1, step - 1, -1):
            memory[notes.past + at] = memory[notes.past + at - step]
        for at in range(step):
            memory[notes.past + at] = 0
        write_action(before, before[SEAT] + 0, memory[notes.past : notes.past + step])

    return LearnedFeatures(look, remember)


def build_counting(
    kernel: Kernel, jit: Jit, constants: Constants, notes: LearnedMemory, cards: Cards
) -> Callable[[Row, Row], None]:
    """The function that counts cards and says of which kind each is."""
    layout, copies = kernel.layout, constants(kernel.layout.copies)

    @jit
    def count_cards(memory: Row, sight: Row) -> None:
        cards.count_out(memory, sight, notes.left)
        for card in range(layout.cards):
            memory[notes.unseen + card] = memory[notes.left + card]
        me = sight[SEAT] + 0
        for seat in range(layout.players):
            if seat != me:
                for slot in range(kernel.hand_count(sight, seat)):
                    memory[notes.unseen + cards.face_at(sight, seat, slot)] -= 1
        playable, dead, last = 0, 0, 0
        for colour in range(layout.colours):
            height, blocked = sight[layout.fireworks + colour] + 0, False
            for value in range(HEIGHT):
                card = colour * HEIGHT + value
                remaining = copies[card] - sight[layout.discards + card]
                if value == height:
                    playable |= 1 << card
                if value < height or blocked:
                    dead |= 1 << card
                elif remaining == 1:
                    last |= 1 << card
                if value >= height and remaining <= 0:
                    blocked = True
        memory[notes.sets] = playable
        memory[notes.sets + 1] = dead
        memory[notes.sets + 2] = last

    return count_cards


def build_facts(
    kernel: Kernel, jit: Jit, constants: Constants, notes: LearnedMemory, cards: Cards, places: Places
) -> Callable[[Row, Row], None]:
    """The function that lists the cells of facts."""
    layout = kernel.layout
    firsts = constants(places.unseen + sum(layout.copies[:card]) for card in range(layout.cards))

    @jit
    def mark(memory: Row, cell: int) -> None:
        memory[notes.cells + memory[notes.listed]] = cell
        memory[notes.listed] += 1

    @jit
    def mark_chance(memory: Row, start: int, chance: int, total: int) -> None:
        """So many of so many possibilities, in `LEVELS` steps."""
        if chance > 0:
            mark(memory, start)
        if 4 * chance >= total:
            mark(memory, start + 1)
        if 2 * chance >= total:
            mark(memory, start + 2)
        if 4 * chance >= 3 * total:
            mark(memory, start + 3)
        if chance >= total:
            mark(memory, start + 4)

    @jit
    def mark_chances(memory: Row, sight: Row, seat: int, slot: int, counts: int, start: int) -> None:
        """With which chance a card is of each kind, by what clues left open and these counts."""
        told, total, playable, dead, last = cards.told_cards(sight, seat, slot), 0, 0, 0, 0
        for card in range(layout.cards):
            if (told >> card) & 1:
                copies = memory[counts + card] + 0
                total += copies
                playable += copies * ((memory[notes.sets] >> card) & 1)
                dead += copies * ((memory[notes.sets + 1] >> card) & 1)
                last += copies * ((memory[notes.sets + 2] >> card) & 1)
        if total > 0:
            mark_chance(memory, start, playable, total)
            mark_chance(memory, start + LEVELS, dead, total)
            mark_chance(memory, start + 2 * LEVELS, last, total)

    @jit
    def list_chances(memory: Row, sight: Row, distance: int) -> None:
        """The chances of the cards in a hand."""
        seat = (sight[SEAT] + distance) % layout.players
        counts = notes.left if distance else notes.unseen
        for slot in range(kernel.hand_count(sight, seat)):
            place = distance * layout.hand_size + slot
            mark_chances(memory, sight, seat, slot, counts, places.chances + place * KINDS * LEVELS)

    @jit
    def mark_kinds(memory: Row, card: int, start: int) -> None:
        """Of which kinds a card is."""
        for kind in range(KINDS):
            if (memory[notes.sets + kind] >> card) & 1:
                mark(memory, start + kind)

    @jit
    def list_kinds(memory: Row, sight: Row, distance: int) -> None:
        """Of which kinds the cards in another's hand really are."""
        seat = (sight[SEAT] + distance) % layout.players
        for slot in range(kernel.hand_count(sight, seat)):
            place = (distance - 1) * layout.hand_size + slot
            mark_kinds(memory, cards.face_at(sight, seat, slot), places.others + place * KINDS)

    @jit
    def list_facts(memory: Row, sight: Row) -> None:
        for distance in range(layout.players):
            list_chances(memory, sight, distance)
        for distance in range(1, layout.players):
            list_kinds(memory, sight, distance)
        for card in range(layout.cards):
            for rank in range(memory[notes.unseen + card]):
                mark(memory, firsts[card] + rank)
        for card in range(layout.cards):
            mark_kinds(memory, card, places.kinds + card * KINDS)

    return list_facts
