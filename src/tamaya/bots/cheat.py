"""The cheat: sees every hand and not the deck. A ceiling for honest bots and a partner for tests; no table knows it.

It is greedy: it plays what fits, discards what nobody needs while there are turns to spare, and otherwise passes the time with
a clue as long as somebody has something better to do. Once few cards are left in the deck it tries its other actions too, in
several orders that those cards might lie in, with everybody greedy from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, NamedTuple

from tamaya.bots.cards import Cards, build_cards
from tamaya.bots.memory import NOTHING, PER_CARD, plan
from tamaya.bots.policy import Blueprint, PolicyFunctions, Sees
from tamaya.engine.kernel import Constants, Jit, Kernel, Row
from tamaya.engine.kernel.ending import LOST
from tamaya.engine.layout import CLUES, DRAWN, ENDED, HEIGHT, RUNNING, SEAT, TURN

NONE = -1
"""No slot, no action."""

# What it costs to discard a card, before its value is taken off: high cards are missed less.
HELD_TWICE = 5  # another hand has it too
IN_DECK = 15  # another copy is still in the deck
LAST_COPY = 25
BEYOND = 99  # more than any card costs

LATE = 10
"""With so many cards in the deck the end begins. Looking ahead sooner was measured to be worth nothing."""
WORLDS = 8
"""How many orders of the deck it imagines."""
LOSS = 100
"""What a lost game costs, in points."""


class CheatMemory(NamedTuple):
    """Nothing is kept: a cheat sees everything anew each turn."""

    scratch: Annotated[int, NOTHING]
    held: Annotated[int, PER_CARD]  # copies in all hands
    world: Annotated[int, attrgetter("size")]  # a game as it might go on
    words: Annotated[int, NOTHING]


class Looks(NamedTuple):
    """The functions that look at the open hands."""

    count_held: Callable[[Row, Row], None]
    fits: Callable[[Row, int], bool]
    anybody_fits: Callable[[Row, int], bool]
    harm_of: Callable[[Row, Row, int, int], int]
    cheapest: Callable[[Row, Row, int], int]


class Greed(NamedTuple):
    """The functions that choose without looking ahead."""

    play: Callable[[Row, int, int], int]
    pass_time: Callable[[Row, int], int]
    greedy: Callable[[Row, Row], int]


def build_cheat(kernel: Kernel, jit: Jit, constants: Constants) -> PolicyFunctions:
    """The cheat's policy for a kernel. It expects a sight in which every hand lies face up."""
    layout, notes, cards = kernel.layout, plan(CheatMemory, kernel.layout), build_cards(kernel, jit, constants)
    looks = build_looks(kernel, jit, constants, notes, cards)
    greed = build_greed(kernel, jit, cards, looks)
    worth = build_worth(kernel, jit, constants, notes, looks, greed)

    @jit
    def begin(memory: Row, sight: Row) -> None:
        """There is nothing to prepare."""

    @jit
    def best_action(memory: Row, sight: Row, world: Row, usual: int) -> int:
        """The usual action, unless another one ends better in the same worlds."""
        me, tokens = sight[SEAT] + 0, sight[CLUES] + 0
        best, most = usual, worth(memory, sight, world, usual)
        held = kernel.hand_count(sight, me)
        for idea in range(2 * held + 1):
            slot, action = idea // 2, NONE
            if idea == 2 * held:
                action = greed.pass_time(sight, me) if tokens > 0 else NONE
            elif idea % 2 and tokens < layout.clue_tokens:
                action = layout.discard_action + slot
            elif idea % 2 == 0 and looks.fits(sight, cards.face_at(sight, me, slot)):
                action = greed.play(sight, me, slot)
            if action >= 0 and action != usual and most < WORLDS * layout.maximum:
                points = worth(memory, sight, world, action)
                if points > most:
                    best, most = action, points
        return best

    @jit
    def choose(memory: Row, sight: Row, mask: Row, luck: int) -> int:
        """The greedy action, or near the end the best one. Worlds are of the memory's kind of numbers, so that a compiler makes
        the functions for one kind."""
        world = memory[notes.world : notes.words]
        for at in range(layout.size):
            world[at] = sight[at]
        action = greed.greedy(memory, world)
        if layout.deck_size - sight[DRAWN] <= LATE:
            action = best_action(memory, sight, world, action)
        return action

    @jit
    def notice(memory: Row, seat: int, before: Row, after: Row) -> None:
        """There is nothing to remember where everything is seen."""

    return PolicyFunctions(notes.scratch, notes.words, begin, choose, notice)


CHEAT = Blueprint(build_cheat, sees=Sees.HANDS, shared=True)


def build_looks(kernel: Kernel, jit: Jit, constants: Constants, notes: CheatMemory, cards: Cards) -> Looks:
    """The functions that look at the open hands."""
    layout, copies = kernel.layout, constants(kernel.layout.copies)

    @jit
    def count_held(memory: Row, sight: Row) -> None:
        """Count the copies of each card that are in hands."""
        for card in range(layout.cards):
            memory[notes.held + card] = 0
        for seat in range(layout.players):
            for slot in range(kernel.hand_count(sight, seat)):
                memory[notes.held + cards.face_at(sight, seat, slot)] += 1

    @jit
    def fits(sight: Row, card: int) -> bool:
        return bool(sight[layout.fireworks + card // HEIGHT] == card % HEIGHT)

    @jit
    def anybody_fits(sight: Row, me: int) -> bool:
        """Whether any of the others can play."""
        for seat in range(layout.players):
            if seat != me:
                for slot in range(kernel.hand_count(sight, seat)):
                    if fits(sight, cards.face_at(sight, seat, slot)):
                        return True
        return False

    @jit
    def harm_of(memory: Row, sight: Row, seat: int, slot: int) -> int:
        """What discarding a card costs: nothing if it can never be placed or lies in the same hand twice."""
        card = cards.face_at(sight, seat, slot)
        colour, value = card // HEIGHT, card % HEIGHT
        if value < sight[layout.fireworks + colour] or value >= kernel.reach(sight, colour):
            return 0
        if memory[notes.held + card] > 1:
            for other in range(slot):
                if cards.face_at(sight, seat, other) == card:
                    return 0
            return HELD_TWICE - value
        return (LAST_COPY if sight[layout.discards + card] + 1 >= copies[card] else IN_DECK) - value

    @jit
    def cheapest(memory: Row, sight: Row, seat: int) -> int:
        """The slot that is missed least."""
        best, least = NONE, BEYOND
        for slot in range(kernel.hand_count(sight, seat)):
            harm = harm_of(memory, sight, seat, slot)
            if harm < least:
                best, least = slot, harm
        return best

    return Looks(count_held, fits, anybody_fits, harm_of, cheapest)


def build_greed(kernel: Kernel, jit: Jit, cards: Cards, looks: Looks) -> Greed:
    """The functions that choose without looking ahead."""
    layout = kernel.layout
    to_spare = layout.deck_size - layout.cards - layout.players * layout.hand_size

    @jit
    def best_play(sight: Row, me: int) -> int:
        """A slot that fits: what few others could play, then low values."""
        best, most = NONE, -1
        for slot in range(kernel.hand_count(sight, me)):
            card = cards.face_at(sight, me, slot)
            if looks.fits(sight, card):
                worth = (10 - card % HEIGHT) * 1000 // cards.holders_of(sight, card)
                if worth > most:
                    best, most = slot, worth
        return best

    @jit
    def play(sight: Row, me: int, slot: int) -> int:
        """The play of a slot, with its colour where that brings a token."""
        return cards.play(slot, 1 << cards.face_at(sight, me, slot))

    @jit
    def pass_time(sight: Row, me: int) -> int:
        """A clue, whatever it says; none where nobody has a card to speak of."""
        for distance in range(layout.players - 1):
            seat = (me + 1 + distance) % layout.players
            if kernel.hand_count(sight, seat) > 0:
                return layout.value_action + distance * HEIGHT + cards.face_at(sight, seat, 0) % HEIGHT
        return layout.value_action if layout.empty_clues else NONE

    @jit
    def can_spare(memory: Row, sight: Row, me: int, harm: int, tokens: int) -> bool:
        """Whether anybody whose turn comes before the tokens are used up has a card that is missed less."""
        for distance in range(min(layout.players - 1, tokens)):
            seat = (me + 1 + distance) % layout.players
            slot = looks.cheapest(memory, sight, seat)
            if slot >= 0 and looks.harm_of(memory, sight, seat, slot) < harm:
                return True
        return False

    @jit
    def turns_abound(sight: Row) -> bool:
        """Whether so little has been discarded that there are turns to spare."""
        discarded = 0
        for card in range(layout.cards):
            discarded += sight[layout.discards + card]
        return discarded <= to_spare

    @jit
    def greedy(memory: Row, sight: Row) -> int:
        """Play what fits; discard what nobody needs while turns abound; pass the time while somebody can play, or can discard
        something better; else discard what is missed least."""
        me, tokens = sight[SEAT] + 0, sight[CLUES] + 0
        looks.count_held(memory, sight)
        slot = best_play(sight, me)
        if slot >= 0:
            return play(sight, me, slot)
        slot = looks.cheapest(memory, sight, me)
        harm = looks.harm_of(memory, sight, me, slot) if slot >= 0 else BEYOND
        discards = tokens < layout.clue_tokens and slot >= 0
        if discards and harm == 0 and turns_abound(sight):
            return layout.discard_action + slot
        clue = pass_time(sight, me) if tokens > 0 else NONE
        if clue >= 0 and (not discards or looks.anybody_fits(sight, me) or can_spare(memory, sight, me, harm, tokens)):
            return clue
        return layout.discard_action + slot if discards else layout.play_action

    return Greed(play, pass_time, greedy)


def build_worth(
    kernel: Kernel, jit: Jit, constants: Constants, notes: CheatMemory, looks: Looks, greed: Greed
) -> Callable[[Row, Row, Row, int], int]:
    """The function that looks ahead: what an action is worth in worlds that could be."""
    layout, copies = kernel.layout, constants(kernel.layout.copies)

    @jit
    def imagine(memory: Row, sight: Row, world: Row, which: int) -> None:
        """Copy what is seen, and lay the cards that are not into the deck, in an order that the turn and the number decide."""
        for at in range(layout.size):
            world[at] = sight[at]
        looks.count_held(memory, sight)
        first = sight[DRAWN] + 0
        end = first
        for card in range(layout.cards):
            placed = 1 if card % HEIGHT < sight[layout.fireworks + card // HEIGHT] else 0
            for _ in range(copies[card] - sight[layout.discards + card] - memory[notes.held + card] - placed):
                world[layout.deck + end] = card
                end += 1
        a, b, c, counter = kernel.shuffle.start(sight[TURN] + 0, which)
        for left in range(layout.deck_size - first, 1, -1):
            a, b, c, counter, place = kernel.shuffle.below(left, a, b, c, counter)
            card = world[layout.deck + first + left - 1]
            world[layout.deck + first + left - 1] = world[layout.deck + first + place]
            world[layout.deck + first + place] = card

    @jit
    def worth(memory: Row, sight: Row, world: Row, action: int) -> int:
        """The points that follow on an action in all worlds together."""
        total = 0
        for which in range(WORLDS):
            imagine(memory, sight, world, which)
            kernel.apply(world, action)
            while world[ENDED] == RUNNING:
                kernel.apply(world, greed.greedy(memory, world))
            total += kernel.points(world)
            if world[ENDED] >= LOST:
                total -= LOSS
        return total

    return worth
