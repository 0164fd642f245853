"""The cheat: sees every hand, but not the deck. It is an upper bound for honest bots and a partner in tests; no table offers
it.

It is greedy: it plays what fits, discards useless cards while there are turns to spare, and otherwise passes the time with a
clue as long as another player has something better to do. Once few cards are left in the deck it also tries its other actions
in several possible orders of those cards, with every player greedy from then on.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated

from tamaya.bots import cards
from tamaya.bots.policy import PER_CARD, Memory, Policy, Scratch, Visibility
from tamaya.engine.instances import Options, Row, derived
from tamaya.engine.kernel.deal import below, start
from tamaya.engine.kernel.ending import LOST, is_playable, is_useless
from tamaya.engine.kernel.ending import points as points_of
from tamaya.engine.kernel.hands import card_at, hand_count
from tamaya.engine.kernel.turn import apply
from tamaya.engine.layout import CLUES, DRAWN, ENDED, RUNNING, SEAT, TURN, Layout, copies, heights, layout

OPTIONS = Options()
NONE = -1
"""No slot, no action."""

# What it costs to discard a card, before its value is taken off: high cards are missed less.
HELD_TWICE = 5  # another hand has it too
IN_DECK = 15  # another copy is still in the deck
LAST_COPY = 25
BEYOND = 99  # more than any card costs

LATE_DECK = 10
"""With this many cards in the deck it begins to look ahead. Looking ahead sooner was measured to gain nothing."""
WORLDS = 8
"""The number of deck orders that it imagines."""
LOSS_COST = 100
"""The cost of a lost game, in points."""


class CheatMemory(Memory):
    """Only scratch: a cheat works everything out anew on each turn."""

    scratch: Scratch
    held: Annotated[Row, PER_CARD]  # copies in all hands
    world: Annotated[Row, attrgetter("size")]  # a game as it might go on


def spare_discards_of(layout: Layout) -> int:
    """The number of cards that can be discarded before turns run short."""
    return layout.deck_size - layout.cards - layout.players * layout.hand_size


SPARE_DISCARDS: int = derived(layout, spare_discards_of)


def count_held(memory: CheatMemory, sight: Row) -> None:
    """Count the copies of each card that are in hands."""
    for card in range(layout.cards):
        memory.held[card] = 0
    for seat in range(layout.players):
        for slot in range(hand_count(sight, seat)):
            memory.held[card_at(sight, seat, slot)] += 1


def another_can_play(sight: Row, me: int) -> bool:
    """Whether another player can play."""
    for seat in range(layout.players):
        if seat != me:
            for slot in range(hand_count(sight, seat)):
                if is_playable(sight, card_at(sight, seat, slot)):
                    return True
    return False


def discard_cost(memory: CheatMemory, sight: Row, seat: int, slot: int) -> int:
    """The cost of discarding a card: nothing if it is useless or the same hand holds it twice."""
    card = card_at(sight, seat, slot)
    value = card % layout.values
    if is_useless(sight, card):
        return 0
    if memory.held[card] > 1:
        for other in range(slot):
            if card_at(sight, seat, other) == card:
                return 0
        return HELD_TWICE - value
    return (LAST_COPY if sight[layout.discards + card] + 1 >= copies[card] else IN_DECK) - value


def cheapest(memory: CheatMemory, sight: Row, seat: int) -> int:
    """The slot that is cheapest to discard."""
    best, least = NONE, BEYOND
    for slot in range(hand_count(sight, seat)):
        harm = discard_cost(memory, sight, seat, slot)
        if harm < least:
            best, least = slot, harm
    return best


def best_play(sight: Row, me: int) -> int:
    """A slot that fits: preferably one that few others could play, then a low value."""
    best, most = NONE, -1
    for slot in range(hand_count(sight, me)):
        card = card_at(sight, me, slot)
        if is_playable(sight, card):
            worth = (10 - card % layout.values) * 1000 // cards.holders_of(sight, card)
            if worth > most:
                best, most = slot, worth
    return best


def play_action(sight: Row, me: int, slot: int) -> int:
    """The action that plays a slot, with its colour where that earns a token."""
    return cards.play(slot, 1 << card_at(sight, me, slot))


def pass_time(sight: Row, me: int) -> int:
    """A clue that touches a card, or an empty one if all other hands are empty; `NONE` if that is illegal."""
    for distance in range(layout.players - 1):
        seat = (me + 1 + distance) % layout.players
        if hand_count(sight, seat) > 0:
            return layout.value_action + distance * layout.values + card_at(sight, seat, 0) % layout.values
    return layout.value_action if layout.empty_clues else NONE


def can_spare(memory: CheatMemory, sight: Row, me: int, harm: int, tokens: int) -> bool:
    """Whether a player whose turn comes before the tokens run out can discard at less cost."""
    for distance in range(min(layout.players - 1, tokens)):
        seat = (me + 1 + distance) % layout.players
        slot = cheapest(memory, sight, seat)
        if slot >= 0 and discard_cost(memory, sight, seat, slot) < harm:
            return True
    return False


def turns_abound(sight: Row) -> bool:
    """Whether few enough cards were discarded that there are turns to spare."""
    discarded = 0
    for card in range(layout.cards):
        discarded += sight[layout.discards + card]
    return discarded <= SPARE_DISCARDS


def greedy(memory: CheatMemory, sight: Row) -> int:
    """Play what fits, discard useless cards while turns abound, give a clue while another player has better, or discard."""
    me, tokens = sight[SEAT] + 0, sight[CLUES] + 0
    count_held(memory, sight)
    slot = best_play(sight, me)
    if slot >= 0:
        return play_action(sight, me, slot)
    slot = cheapest(memory, sight, me)
    harm = discard_cost(memory, sight, me, slot) if slot >= 0 else BEYOND
    discards = tokens < layout.clue_tokens and slot >= 0
    if discards and harm == 0 and turns_abound(sight):
        return layout.discard_action + slot
    clue = pass_time(sight, me) if tokens > 0 else NONE
    if clue >= 0 and (not discards or another_can_play(sight, me) or can_spare(memory, sight, me, harm, tokens)):
        return clue
    return layout.discard_action + slot if discards else layout.play_action


def imagine(memory: CheatMemory, sight: Row, world: Row, which: int) -> None:
    """Copy what is seen, and fill the deck with the unseen cards in an order that follows from the turn and the number."""
    for at in range(layout.size):
        world[at] = sight[at]
    count_held(memory, sight)
    first = sight[DRAWN] + 0
    end = first
    for card in range(layout.cards):
        placed = 1 if heights[card] < sight[layout.fireworks + card // layout.values] else 0
        for _ in range(copies[card] - sight[layout.discards + card] - memory.held[card] - placed):
            world[layout.deck + end] = card
            end += 1
    a, b, c, counter = start(sight[TURN] + 0, which)
    for left in range(layout.deck_size - first, 1, -1):
        a, b, c, counter, place = below(left, a, b, c, counter)
        card = world[layout.deck + first + left - 1]
        world[layout.deck + first + left - 1] = world[layout.deck + first + place]
        world[layout.deck + first + place] = card


def value_of(memory: CheatMemory, sight: Row, world: Row, action: int) -> int:
    """The total points that follow an action in all worlds."""
    total = 0
    for which in range(WORLDS):
        imagine(memory, sight, world, which)
        apply(world, action)
        while world[ENDED] == RUNNING:
            apply(world, greedy(memory, world))
        total += points_of(world)
        if world[ENDED] >= LOST:
            total -= LOSS_COST
    return total


def best_action(memory: CheatMemory, sight: Row, world: Row, usual: int) -> int:
    """The usual action, unless another does better in the same worlds."""
    me, tokens = sight[SEAT] + 0, sight[CLUES] + 0
    best, most = usual, value_of(memory, sight, world, usual)
    held = hand_count(sight, me)
    for idea in range(2 * held + 1):
        slot, action = idea // 2, NONE
        if idea == 2 * held:
            action = pass_time(sight, me) if tokens > 0 else NONE
        elif idea % 2 and tokens < layout.clue_tokens:
            action = layout.discard_action + slot
        elif idea % 2 == 0 and is_playable(sight, card_at(sight, me, slot)):
            action = play_action(sight, me, slot)
        if action >= 0 and action != usual and most < WORLDS * layout.maximum:
            points = value_of(memory, sight, world, action)
            if points > most:
                best, most = action, points
    return best


def choose(memory: CheatMemory, sight: Row, mask: Row, random_bits: int) -> int:
    """The greedy action, or the best one near the end."""
    world = memory.world  # of the memory's number type, so that each function is compiled for one type only
    for at in range(layout.size):
        world[at] = sight[at]
    action = greedy(memory, world)
    if layout.deck_size - sight[DRAWN] <= LATE_DECK:
        action = best_action(memory, sight, world, action)
    return action


CHEAT = Policy(choose, memory=CheatMemory, visibility=Visibility.ALL_HANDS)
