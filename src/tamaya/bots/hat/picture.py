"""The public picture: for each card in a hand, the cards it can be as far as everybody knows, and what follows from that.

What a card can be, its *options*, is a set of cards: ``options & ~dead == 0`` says that all of them are dead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tamaya.bots.cards import Cards
from tamaya.bots.hat.memory import HatMemory
from tamaya.engine.kernel import Jit, Kernel, Row
from tamaya.engine.layout import HEIGHT

SURE = 1 << 16
"""Chances are whole numbers: this one is certainty."""


class HatPicture(NamedTuple):
    """The functions that keep the picture and read it."""

    begin: Callable[[Row, Row], None]
    doubt: Callable[[Row, Row], None]
    settle: Callable[[Row, Row], None]
    pictured: Callable[[Row, Row, int, int], int]
    is_open: Callable[[int], bool]
    chance: Callable[[Row, int, int, int], int]


def build_picture(kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards) -> HatPicture:
    """The functions that keep the picture and read it."""
    layout = kernel.layout

    @jit
    def begin(memory: Row, sight: Row) -> None:
        """A card can be anything that clues and counting leave open."""
        for number in range(layout.deck_size):
            memory[notes.picture + number] = layout.every_card
        memory[notes.broken] = 0
        doubt(memory, sight)
        settle(memory, sight)

    @jit
    def doubt(memory: Row, sight: Row) -> None:
        """Keep of the picture what clues say by their words alone."""
        for seat in range(layout.players):
            for slot in range(kernel.hand_count(sight, seat)):
                memory[notes.picture + cards.number_at(sight, seat, slot)] = cards.told_cards(sight, seat, slot)

    @jit
    def pictured(memory: Row, sight: Row, seat: int, slot: int) -> int:
        """What all know a card in a hand to be."""
        return memory[notes.picture + cards.number_at(sight, seat, slot)]

    @jit
    def is_open(options: int) -> bool:
        """Whether there is more than one card that it can be."""
        return options & (options - 1) != 0

    @jit
    def settle(memory: Row, sight: Row) -> None:
        """Draw the conclusions from counting: where all copies of a card are known, nothing else can be one."""
        cards.count_out(memory, sight, notes.left)
        again = True
        while again:
            gone = find_gone(memory, sight)
            again = False
            for seat in range(layout.players):
                for slot in range(kernel.hand_count(sight, seat)):
                    options = pictured(memory, sight, seat, slot)
                    if is_open(options) and options & gone:
                        options &= ~gone
                        again = again or (options > 0 and not is_open(options))
                    if options == 0:
                        options = recovered(memory, sight, seat, slot)
                        memory[notes.broken] = 1
                    memory[notes.picture + cards.number_at(sight, seat, slot)] = options

    @jit
    def find_gone(memory: Row, sight: Row) -> int:
        """The cards of which no copy is loose."""
        for card in range(layout.cards):
            memory[notes.loose + card] = memory[notes.left + card]
        for seat in range(layout.players):
            for slot in range(kernel.hand_count(sight, seat)):
                options = pictured(memory, sight, seat, slot)
                if options and not is_open(options):
                    memory[notes.loose + cards.index_of(options)] -= 1
        gone = 0
        for card in range(layout.cards):
            if memory[notes.loose + card] <= 0:
                gone |= 1 << card
        return gone

    @jit
    def recovered(memory: Row, sight: Row, seat: int, slot: int) -> int:
        """What a card can be by clues and counting alone, where what somebody did made no sense."""
        told, options = cards.told_cards(sight, seat, slot), 0
        for card in range(layout.cards):
            if (told >> card) & 1 and memory[notes.left + card] > 0:
                options |= 1 << card
        return options if options else told

    @jit
    def chance(memory: Row, weights: int, options: int, wanted: int) -> int:
        """How likely a card of these options is a wanted one, by the copies that there are."""
        if options & ~wanted == 0:
            return SURE
        if options & wanted == 0:
            return 0
        some, total = 0, 0
        for card in range(layout.cards):
            if (options >> card) & 1:
                copies = max(memory[weights + card], 0)
                total += copies
                some += copies * ((wanted >> card) & 1)
        if total == 0:
            return 0
        return min(max(some * SURE // total, 1), SURE - 1)

    return HatPicture(begin, doubt, settle, pictured, is_open, chance)


class Foresight(NamedTuple):
    """The functions that say what all expect of a seat: what it will play, and which of its cards nobody needs."""

    look_ahead: Callable[[Row, Row, int], None]
    knows_play: Callable[[Row, Row, int], bool]
    is_elsewhere: Callable[[Row, Row, int, int], bool]
    is_useless: Callable[[Row, Row, int, int, int], bool]
    count_useless: Callable[[Row, Row, int, int, int], int]
    nth_useless: Callable[[Row, Row, int, int, int], int]


def build_foresight(kernel: Kernel, jit: Jit, notes: HatMemory, cards: Cards, picture: HatPicture) -> Foresight:
    """The functions that say what all expect of a seat."""
    layout = kernel.layout

    @jit
    def look_ahead(memory: Row, sight: Row, actor: int) -> None:
        """Write for each other seat the cards that can be played on its next turn, as far as everybody can foresee."""
        playable = cards.playable_cards(sight)
        for distance in range(layout.players - 1):
            seat = (actor + 1 + distance) % layout.players
            memory[notes.playable_next + seat] = playable
            played = surely_played(memory, sight, seat, playable)
            if played:
                playable &= ~played
                card = cards.index_of(played)
                if card % HEIGHT < HEIGHT - 1 and memory[notes.left + card + 1] > 0:
                    playable |= played << 1

    @jit
    def surely_played(memory: Row, sight: Row, seat: int, playable: int) -> int:
        """The card that a seat will play for all to foresee: the lowest of those it knows; 0 if that cannot be said."""
        best, least = 0, HEIGHT
        for slot in range(kernel.hand_count(sight, seat)):
            options = picture.pictured(memory, sight, seat, slot)
            if options and options & ~playable == 0:
                if picture.is_open(options):
                    return 0
                value = cards.index_of(options) % HEIGHT
                if value < least:
                    best, least = options, value
        return best

    @jit
    def knows_play(memory: Row, sight: Row, seat: int) -> bool:
        """Whether a seat has a card of which all know that it can play it on its next turn."""
        for slot in range(kernel.hand_count(sight, seat)):
            options = picture.pictured(memory, sight, seat, slot)
            if options and options & ~memory[notes.playable_next + seat] == 0:
                return True
        return False

    @jit
    def is_elsewhere(memory: Row, sight: Row, me: int, options: int) -> bool:
        """Whether all know that another hand holds this one card."""
        for seat in range(layout.players):
            if seat != me:
                for slot in range(kernel.hand_count(sight, seat)):
                    if picture.pictured(memory, sight, seat, slot) == options:
                        return True
        return False

    @jit
    def is_useless(memory: Row, sight: Row, me: int, slot: int, dead: int) -> bool:
        """Whether all know that a slot is useless: dead, or a card that is further left or in another hand too."""
        options = picture.pictured(memory, sight, me, slot)
        if options & ~dead == 0:
            return True
        if picture.is_open(options):
            return False
        for other in range(slot):
            if picture.pictured(memory, sight, me, other) == options:
                return True
        return is_elsewhere(memory, sight, me, options)

    @jit
    def count_useless(memory: Row, sight: Row, me: int, slots: int, dead: int) -> int:
        """How many of the first slots of a hand all know to be useless."""
        found = 0
        for slot in range(slots):
            if is_useless(memory, sight, me, slot, dead):
                found += 1
        return found

    @jit
    def nth_useless(memory: Row, sight: Row, me: int, nth: int, dead: int) -> int:
        """The useless slot that has so many useless ones to its left."""
        slot = 0
        while nth > 0 or not is_useless(memory, sight, me, slot, dead):
            nth -= is_useless(memory, sight, me, slot, dead)
            slot += 1
        return slot

    return Foresight(look_ahead, knows_play, is_elsewhere, is_useless, count_useless, nth_useless)
