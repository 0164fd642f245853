"""The kernel plays by hand-made layouts, with suits that no rules have, like a reference implementation: a seventh suit, suits
built downwards or in another order, other values, other copies."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product

import numpy as np
import pytest

from tamaya.engine.instances import Instance, Row, Rows, Setting, loop
from tamaya.engine.kernel import clues, deal, ending, hands, turn
from tamaya.engine.layout import (
    CLUES,
    DRAWN,
    ENDED,
    LAST_ACTION,
    LAST_CARD,
    LAST_GAINED,
    LAST_NUMBER,
    LAST_PLACED,
    LAST_TOUCHED,
    LAST_TURNS,
    MISTAKES,
    NAMED_COLOURS,
    NAMED_VALUES,
    NO_CARD,
    POSSIBLE_COLOURS,
    POSSIBLE_VALUES,
    RUNNING,
    SEAT,
    SLOT,
    TURN,
    copies,
    heights,
    layout,
    layout_of,
    order,
)
from tamaya.rules import Ending, LastMistake, Multicolour, Rules
from tests.engine.kernel.support import Act, Box, Card, Held, Referee, Suit, layout_with
from tests.tables import FULL

UP, DOWN = Suit((0, 1, 2, 3, 4), (3, 2, 2, 2, 1)), Suit((4, 3, 2, 1, 0), (1, 2, 2, 2, 3))
BOXES = {
    "a seventh suit": Box((*[UP] * 6, UP._replace(copies=(2, 1, 3, 1, 2)))),
    "a seventh suit, unnamed": Box((*[UP] * 6, UP._replace(copies=(1, 1, 1, 1, 1))), unnamed=True),
    "downwards": Box((UP, DOWN, UP, DOWN._replace(copies=(3, 2, 2, 2, 1)))),
    "downwards, unnamed": Box((UP, UP, DOWN), unnamed=True),
    "six values in another order": Box(
        (Suit((2, 0, 1, 5, 4, 3), (1, 4, 2, 3, 1, 2)), Suit((0, 1, 2, 3, 4, 5), (2, 2, 2, 2, 2, 2)))
    ),
    "three values": Box((Suit((1, 0, 2), (2, 3, 1)), Suit((2, 1, 0), (2, 4, 4)))),
}
SETTINGS = {
    "two": Rules(players=2, hand_size=3),
    "three, announced, empty clues": Rules(players=3, hand_size=3, announced_plays=True, empty_clues=True, clue_tokens=7),
    "all or nothing": Rules(players=2, hand_size=4, all_or_nothing=True),
    "all or nothing, announced": Rules(players=4, hand_size=2, all_or_nothing=True, announced_plays=True, mistakes=2),
    "points are kept": Rules(players=5, hand_size=2, mistakes=1, last_mistake=LastMistake.POINTS, empty_clues=True),
}


# The kernel side by side with it.


class Kernel:
    """A game in the kernel, with the interface of the reference implementation."""

    def __init__(self, box: Box, rules: Rules) -> None:
        self.layout = layout_with(box, rules)
        self.own = Instance(Setting(rules), given={layout: self.layout})
        self.state = bytearray(self.layout.size)

    def deal(self, seed: int) -> list[Card]:
        self.own(deal.deal)(self.state, 0, seed)
        return [self.card(number) for number in self.state[self.layout.deck : self.layout.hands]]

    def card(self, number: int) -> Card:
        return Card(*divmod(number, self.layout.values))

    def number(self, card: Card) -> int:
        return card.colour * self.layout.values + card.value

    def legal(self) -> list[int]:
        mask = bytearray([7]) * self.layout.actions
        self.own(turn.legal)(self.state, mask)
        assert set(mask) <= {0, 1}
        return [number for number, legal in enumerate(mask) if legal]

    def hand(self, seat: int) -> list[Held]:
        held, at = [], self.layout.hands + seat * self.layout.hand_bytes
        for slot in range(self.own(hands.hand_count)(self.state, seat)):
            part = self.state[at + slot * SLOT :]
            number, card = (self.own(ask)(self.state, seat, slot) for ask in (hands.number_at, hands.card_at))
            told = (members(part[at]) for at in (POSSIBLE_COLOURS, POSSIBLE_VALUES, NAMED_COLOURS, NAMED_VALUES))
            held.append(Held(number, self.card(card), *told))
        return held


def members(number: int) -> set[int]:
    return {bit for bit in range(number.bit_length()) if (number >> bit) & 1}


def compare(kernel: Kernel, referee: Referee) -> None:
    """Compare all answers of both."""
    own, state, rules = kernel.own, kernel.state, referee.rules
    assert [list(map(vars, kernel.hand(seat))) for seat in range(rules.players)] == [
        list(map(vars, hand)) for hand in referee.hands
    ]
    compare_counts(kernel, referee)
    for seat, slot in product(range(rules.players), range(rules.hand_size)):
        for held in referee.hands[seat][slot : slot + 1]:
            possible = {kernel.number(Card(*face)) for face in product(held.colours, held.values)}
            assert members(own(clues.possible_cards)(state, seat, slot)) == possible
    assert kernel.legal() == [number for number, act in enumerate(referee.actions) if referee.is_legal(act)]
    assert own(ending.points)(state) == referee.points()
    assert own(ending.score)(state) == referee.score()
    assert own(ending.maximum)(state) == referee.maximum()
    for colour in referee.colours:
        following = referee.next_card(colour)
        assert own(ending.next_card)(state, colour) == (NO_CARD if following is None else kernel.number(following))
        assert own(ending.reach)(state, colour) == len(referee.fireworks[colour]) + len(referee.still_placed(colour))
    for card in referee.cards:
        needed, number = card in referee.still_placed(card.colour), kernel.number(card)
        assert own(ending.is_playable)(state, number) == (referee.next_card(card.colour) == card)
        assert own(ending.is_useless)(state, number) == (not needed)
        assert own(ending.is_last_copy)(state, number) == (needed and referee.left(card) == 1)


def compare_counts(kernel: Kernel, referee: Referee) -> None:
    """Compare the head of the state, the fireworks and the discard pile."""
    state, plan, last = kernel.state, kernel.layout, referee.last
    assert list(state[plan.fireworks : plan.discards]) == list(map(len, referee.fireworks))
    assert {kernel.card(card): count for card, count in enumerate(state[plan.discards : plan.deck]) if count} == dict(
        Counter(referee.discards)
    )
    assert [state[CLUES], state[MISTAKES], state[SEAT], state[TURN]] == [
        referee.tokens,
        referee.mistakes,
        referee.seat,
        referee.turn,
    ]
    assert state[DRAWN] == plan.deck_size - len(referee.deck)
    assert state[LAST_TURNS] == (referee.turns_left or 0)
    assert state[ENDED] == (referee.ending or 0)
    assert [state[LAST_ACTION], state[LAST_NUMBER]] == [last.action, last.number]
    assert state[LAST_CARD] == (kernel.number(last.card) if last.card else 0)
    assert members(state[LAST_TOUCHED]) == set(last.touched)
    assert [state[LAST_PLACED], state[LAST_GAINED]] == [last.placed, last.gained]


# Ways to play.


def at_random(referee: Referee, legal: list[Act], choice: random.Random) -> Act:
    """Any action, each kind as likely as the others."""
    kind = choice.choice(sorted({act.kind for act in legal}))
    return choice.choice([act for act in legal if act.kind == kind])


def carefully(referee: Referee, legal: list[Act], choice: random.Random) -> Act:
    """A card that fits, else anything but a play if possible."""
    return choice.choice(fitting(referee, legal) or [act for act in legal if act.kind != "play"] or legal)


def patiently(referee: Referee, legal: list[Act], choice: random.Random) -> Act:
    """A card that fits, else a useless one, else a clue, so that games that need every card reach their end."""
    return choice.choice(fitting(referee, legal) or spare(referee, legal) or clues_of(legal) or legal)


def wastefully(referee: Referee, legal: list[Act], choice: random.Random) -> Act:
    """As patiently, but with an empty deck all tokens are spent first."""
    clues = clues_of(legal)
    return choice.choice((not referee.deck and clues) or fitting(referee, legal) or spare(referee, legal) or clues or legal)


def fitting(referee: Referee, legal: Iterable[Act]) -> list[Act]:
    return [act for act in legal if act.kind == "play" and referee.fits(act)]


def clues_of(legal: Iterable[Act]) -> list[Act]:
    return [act for act in legal if act.kind == "clue"]


def spare(referee: Referee, legal: Iterable[Act]) -> list[Act]:
    """The discards of useless cards, else of cards with another copy left."""
    hand = referee.hands[referee.seat]
    discards = [(act, hand[act.slot].card) for act in legal if act.kind == "discard"]
    useless = [act for act, card in discards if card not in referee.still_placed(card.colour)]
    return useless or [act for act, card in discards if referee.left(card) > 1]


def play_beside(box: Box, rules: Rules, act: Callable[..., Act], seed: int) -> Ending:
    """Play a game in the kernel and in the reference implementation, and compare them at every turn."""
    kernel, choice = Kernel(box, rules), random.Random(seed)
    deck = kernel.deal(seed)
    referee = Referee(box, rules, deck)
    assert Counter(deck) == {card: box.suits[card.colour].copies[card.value] for card in referee.cards}
    compare(kernel, referee)
    while referee.ending is None:
        legal = [one for one in referee.actions if referee.is_legal(one)]
        chosen = act(referee, legal, choice)
        kernel.own(turn.apply)(kernel.state, referee.actions.index(chosen))
        referee.take(chosen)
        compare(kernel, referee)
    return referee.ending


# Tests.


@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES)
def test_games_agree_with_the_reference(box: Box) -> None:
    for rules, way in product(SETTINGS.values(), (at_random, carefully, patiently)):
        for seed in range(20 if FULL else 1):
            play_beside(box, rules, way, seed)


@pytest.mark.parametrize(
    ("ending", "rules", "way"),
    [
        (Ending.WON, "two", patiently),
        (Ending.WON, "all or nothing", patiently),
        (Ending.POINTS, "three, announced, empty clues", carefully),
        (Ending.MISTAKES, "points are kept", at_random),
        (Ending.MISSING_CARD, "all or nothing", carefully),
        (Ending.DEADLOCK, "all or nothing, announced", wastefully),
    ],
)
def test_every_ending_agrees_with_the_reference(ending: Ending, rules: str, way: Callable[..., Act]) -> None:
    endings = [play_beside(BOXES["downwards, unnamed"], SETTINGS[rules], way, seed) for seed in range(4)]
    assert ending in endings


@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES)
@pytest.mark.parametrize("rules", SETTINGS.values(), ids=SETTINGS)
def test_action_numbers_agree_with_the_reference(box: Box, rules: Rules) -> None:
    kernel = Kernel(box, rules)
    referee = Referee(box, rules, [])
    assert len(referee.actions) == kernel.layout.actions
    for number, act in enumerate(referee.actions):
        if act.kind == "clue":
            touched = {kernel.number(card) for card in referee.cards if referee.touches(act, card)}
            assert members(kernel.own(clues.matching)(number)) == touched
            assert kernel.own(clues.named_by)(number) == (act.colour if act.value is None else act.value)
            assert [kernel.own(clues.target_of)(giver, number) for giver in range(rules.players)] == [
                (giver + act.distance) % rules.players for giver in range(rules.players)
            ]


@loop
def replay(state: Row, actions: Row, states: Rows, masks: Rows) -> None:
    """Take actions in turn; write the legal ones before each, and the state after it."""
    for number in range(len(actions)):
        turn.legal(state, masks[number])
        turn.apply(state, actions[number] + 0)
        for at in range(layout.size):
            states[number][at] = state[at]


@pytest.mark.compiler
def test_compiled_games_are_the_same_as_interpreted_ones() -> None:
    """There are more cards than a set of 32 bits can hold."""
    from tamaya.sim.speeds import speed

    box, rules = BOXES["a seventh suit, unnamed"], SETTINGS["three, announced, empty clues"]
    kernel, choice, played = Kernel(box, rules), random.Random(1), []
    kernel.deal(1)
    dealt = bytearray(kernel.state)
    while kernel.state[ENDED] == RUNNING:
        played.append(choice.choice(kernel.legal()))
        kernel.own(turn.apply)(kernel.state, played[-1])
    results = []
    for name in ("interpreted", "compiled"):
        own = Instance(Setting(rules), speed(name), given={layout: kernel.layout})
        state, actions = np.frombuffer(bytearray(dealt), np.uint8), np.array(played, np.uint8)
        states, masks = (np.zeros((len(played), size), np.uint8) for size in (kernel.layout.size, kernel.layout.actions))
        own(replay)(state, actions, states, masks)
        results.append((states.tolist(), masks.tolist()))
    assert results[0] == results[1]
    assert bytes(results[1][0][-1]) == bytes(kernel.state)


def test_a_firework_continues_in_the_order_of_its_suit() -> None:
    box = BOXES["downwards"]
    kernel, own = Kernel(box, SETTINGS["two"]), Kernel(box, SETTINGS["two"]).own
    assert [own(ending.card_after)(card) for card in range(5)] == [1, 2, 3, 4, NO_CARD]
    assert [own(ending.card_after)(card) for card in range(5, 10)] == [NO_CARD, 5, 6, 7, 8]
    assert own.value(order)[5:10] == (9, 8, 7, 6, 5)
    assert own.value(heights)[5:10] == (4, 3, 2, 1, 0)
    assert own.value(copies)[5:10] == (1, 2, 2, 2, 3)
    kernel.deal(1)
    assert [kernel.own(ending.next_card)(kernel.state, colour) for colour in range(4)] == [0, 9, 10, 19]


def test_the_layout_of_rules_equals_that_of_their_suits() -> None:
    """The layouts of this file are made in the same way as those of rules."""
    for players in (2, 3, 4, 5):
        for rules in (Rules(players=players), Rules(players=players, announced_plays=True, colours=4)):
            assert layout_with(Box((UP,) * rules.colours), rules) == layout_of(rules)
    rules = Rules(players=3, multicolour=Multicolour.FIVE, multicolour_named=False)
    assert layout_with(Box((*[UP] * 5, UP._replace(copies=(1, 1, 1, 1, 1))), unnamed=True), rules) == layout_of(rules)
