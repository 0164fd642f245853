"""The four levels of memory: each narrows the one below, and none reveals hidden cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Card, Colour, Game, Rules
from tamaya.bots import Knowledge
from tamaya.engine import View
from tamaya.rules import VALUES, Multicolour
from tamaya.table import ClueMemory, known_cards
from tests.tables import careful_action, do, game_with, moves_of_a_game, rules
from tests.twins import twin_of

SMALL = [
    Rules(colours=1, hand_size=2),
    Rules(colours=2, hand_size=2),
    Rules(colours=2, hand_size=3),
    Rules(players=3, colours=2, hand_size=3),
    Rules(colours=1, hand_size=2, multicolour=Multicolour.FIVE, multicolour_named=False),
    Rules(colours=1, hand_size=3, multicolour=Multicolour.TEN, empty_clues=True),
]


def played(table: Rules, seed: int, length: int) -> Game:
    """A game after some moves."""
    game = Game(table, seed=seed)
    for _, _ in zip(range(length), moves_of_a_game(game, random.Random(seed), careful_action), strict=False):
        pass
    return game


def possible_hands(view: View) -> Iterator[tuple[Card, ...]]:
    """Every hand that is consistent with the clues and with the visible cards."""
    left = Counter(Knowledge(view).unseen())
    told = [[Card(colour, value) for colour in seen.colours for value in seen.values] for seen in view.hand]
    return (hand for hand in product(*told) if all(left[card] >= count for card, count in Counter(hand).items()))


@given(st.sampled_from(SMALL), st.integers(0, 2**32), st.integers(0, 40))
def test_full_deduction_equals_trying_every_hand(table: Rules, seed: int, length: int) -> None:
    game = played(table, seed, length)
    for seat in range(table.players):
        view = game.view(seat)
        hands = list(possible_hands(view))
        assert not view.hand or hands, "what a player holds is always possible"
        found = known_cards(view, ClueMemory.DEDUCTION)[seat]
        for slot, known in enumerate(found):
            cards = {hand[slot] for hand in hands}
            assert set(known.cards) == cards
            assert set(known.colours) == {card.colour for card in cards}
            assert set(known.values) == {card.value for card in cards}


@given(rules(), st.integers(0, 2**32), st.integers(0, 40))
def test_each_level_narrows_the_one_below_and_is_true(table: Rules, seed: int, length: int) -> None:
    game = played(table, seed, length)
    faces = game.reveal_hands().hands
    levels = (ClueMemory.DEDUCTION, ClueMemory.RULED_OUT, ClueMemory.SAID, ClueMemory.NOTHING)
    for seat in range(table.players):
        shown = [known_cards(game.view(seat), memory) for memory in levels]
        for place in range(table.players):
            for slot, seen in enumerate(faces[place]):
                possible = [set(level[place][slot].cards) for level in shown]
                assert seen.card in possible[0]
                assert possible[0] <= possible[1] <= possible[2] <= possible[3] == set(table.cards)
                assert [level[place][slot].clued for level in shown] == [seen.clued] * 3 + [False]


@given(rules(), st.integers(0, 2**32), st.integers(0, 40), st.sampled_from(ClueMemory))
def test_hidden_cards_do_not_influence_what_a_seat_is_shown(table: Rules, seed: int, length: int, memory: ClueMemory) -> None:
    game = played(table, seed, length)
    for seat in range(table.players):
        twin = twin_of(game, seat, random.Random(seed))
        assert known_cards(game.view(seat), memory) == known_cards(twin.view(seat), memory)


@given(rules(), st.integers(0, 2**32), st.integers(0, 40), st.sampled_from(ClueMemory))
def test_spectators_are_shown_what_clues_said_and_no_more(table: Rules, seed: int, length: int, memory: ClueMemory) -> None:
    game = played(table, seed, length)
    told = ClueMemory.RULED_OUT if memory is ClueMemory.DEDUCTION else memory
    assert known_cards(game.spectator_view(), memory) == known_cards(game.spectator_view(), told)
    assert known_cards(game.spectator_view(), memory) == known_cards(game.reveal_hands(), memory), "hands make no difference"


@pytest.fixture
def told() -> View:
    game = game_with(Rules(players=2), "R1 R1 R2 G3 B5", "Y1 W1 W2 R3 G5", "B4")
    do(game, "clue 2 1", "play 1", "clue 2 red")
    return game.view(1)


def test_nothing_shows_nothing(told: View) -> None:
    for known in known_cards(told, ClueMemory.NOTHING)[1]:
        assert (known.colours, known.values, known.clued) == (told.rules.suits, VALUES, False)
        assert (known.colour, known.value) == (None, None)


def test_said_shows_the_colours_and_values_that_clues_named(told: View) -> None:
    hand = known_cards(told, ClueMemory.SAID)[1]
    assert [(known.value, known.colour, known.clued) for known in hand] == [
        (1, None, True),
        (None, None, False),
        (None, Colour.RED, True),
        (None, None, False),
        (None, None, False),
    ]
    assert hand[1].cards == told.rules.cards, "this level ignores clues that passed a card over"


def test_ruled_out_also_shows_what_clues_passed_over(told: View) -> None:
    hand = known_cards(told, ClueMemory.RULED_OUT)[1]
    assert (hand[2].colour, hand[2].values) == (Colour.RED, (2, 3, 4, 5))
    assert (set(hand[1].colours), hand[1].values) == ({Colour.YELLOW, Colour.GREEN, Colour.WHITE, Colour.BLUE}, (2, 3, 4, 5))


def test_deduction_also_counts_visible_cards(told: View) -> None:
    hand = known_cards(told, ClueMemory.DEDUCTION)[1]
    assert Card(Colour.BLUE, 5) in known_cards(told, ClueMemory.RULED_OUT)[1][1].cards
    assert Card(Colour.BLUE, 5) not in hand[1].cards, "the teammate holds the only one"
    assert known_cards(told, ClueMemory.DEDUCTION)[0] == known_cards(told, ClueMemory.RULED_OUT)[0], "only one's own hand gains"


def test_deduction_sees_that_two_cards_cannot_both_be_the_last_copy() -> None:
    rules_ = Rules(players=2, colours=2, hand_size=3)
    game = game_with(rules_, "R1 R1 Y2", "R5 Y5 Y1")
    do(game, "clue 2 5", "play 3", "clue 2 red")
    hand = known_cards(game.view(1), ClueMemory.DEDUCTION)[1]
    assert hand[0].cards == (Card(Colour.RED, 5),)
    assert hand[1].cards == (Card(Colour.YELLOW, 5),)


def test_a_colour_clue_leaves_an_unnamed_multicolour_possible() -> None:
    rules_ = Rules(players=2, multicolour=Multicolour.TEN, multicolour_named=False)
    game = game_with(rules_, "R1 R1 R2 G3 B5", "M1 R1 W2 R3 G5")
    do(game, "clue 2 red")
    one = known_cards(game.view(1), ClueMemory.SAID)[1][0]
    assert set(one.colours) == {Colour.RED, Colour.MULTICOLOUR}
    do(game, "play 3", "clue 2 green")
    assert known_cards(game.view(1), ClueMemory.SAID)[1][0].colour is Colour.MULTICOLOUR
