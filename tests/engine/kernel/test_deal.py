"""The deal: portable, uniform, and validated."""

import hashlib
from collections import Counter

import pytest

from tamaya import Card, Colour, Game, MalformedError, Rules, read_rules
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel.deal import deal
from tamaya.engine.kernel.turn import apply
from tamaya.engine.layout import layout_of
from tests.tables import deck_beginning


@pytest.mark.parametrize(
    ("rules", "seed", "deck"),
    [
        ("players=2", 0, "R3 R2 B2 W4 W3 Y4 B4 R1 R1 R2"),
        ("players=5", 2**64 - 1, "W4 Y5 Y2 R3 Y1 Y1 G1 B3 B3 R2"),
        (
            "players=2",
            11083030,
            "G4 Y2 R2 G1 R4 Y1 Y2 W3 R1 W1",
        ),
        ("players=3 multicolour-five", 20261115, "R1 Y3 R3 M3 R4 M5 R4 B2 G3 G1"),
    ],
)
def test_a_seed_always_deals_the_same_cards(rules: str, seed: int, deck: str) -> None:
    """In the third of these deals a number is rejected, which happens about once in ten million."""
    dealt = Game(read_rules(rules), seed=seed).reveal_deck()
    assert " ".join(map(str, dealt[:10])) == deck


def test_many_seeds_always_deal_the_same_cards() -> None:
    every = hashlib.sha256()
    for seed in range(500):
        every.update(" ".join(map(str, Game(seed=seed * 0x123456789ABCDEF % 2**64).reveal_deck())).encode())
    assert every.hexdigest()[:16] == "27cb867664a48b02"


def test_the_number_of_players_does_not_change_the_deck() -> None:
    assert len({Game(Rules(players=players), seed=7).reveal_deck() for players in (2, 3, 4, 5)}) == 1


def test_both_halves_of_a_seed_matter() -> None:
    decks = {Game(seed=seed).reveal_deck() for half in (1, 1 << 32) for seed in range(0, 200 * half, half)}
    assert len(decks) == 399


def test_every_place_of_the_deck_gets_every_card_equally_often() -> None:
    """Chi-square with 49 places and 24 degrees of freedom each; the bound is far out in the tail."""
    rules, games = Rules(), 4000
    counts = [Counter(column) for column in zip(*(Game(rules, seed=seed).reveal_deck() for seed in range(games)), strict=True)]
    for column in counts:
        expected = {card: games * rules.copies(card) / 50 for card in rules.cards}
        chi_square = sum((column[card] - expected[card]) ** 2 / expected[card] for card in rules.cards)
        assert chi_square < 65


def test_cards_go_to_each_seat_in_turn_then_lie_in_the_deck() -> None:
    rules = Rules(players=2)
    game = Game(rules, deck=deck_beginning(rules, "R1 Y2 G3 W4 B5", "B1 W2 G2 Y1 R2", "R5"))
    assert [str(seen.card) for seen in game.view(1).hands[0]] == ["R1", "Y2", "G3", "W4", "B5"]
    assert [seen.number for seen in game.view(0).hands[1]] == [5, 6, 7, 8, 9]
    game.act("play 1")
    assert str(game.view(1).hands[0][-1].card) == "R5"


def test_a_used_array_can_be_dealt_into_again() -> None:
    rules = Rules(players=3)
    layout, own = layout_of(rules), instance_of(Setting(rules))
    fresh, used = bytearray(layout.size), bytearray(layout.size)
    own(deal)(used, 1, 2)
    for action in (layout.play_action, layout.play_action + 1, layout.discard_action):
        own(apply)(used, action)
    own(deal)(fresh, 3, 4)
    own(deal)(used, 3, 4)
    assert used == fresh


def test_without_a_seed_deals_differ() -> None:
    assert len({Game().reveal_deck() for _ in range(20)}) == 20


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_invalid_seeds_are_refused(seed: object) -> None:
    with pytest.raises(MalformedError, match="seed"):
        Game(seed=seed)  # type: ignore[arg-type]


def test_an_invalid_deck_is_refused_and_the_card_named() -> None:
    deck = list(Game(seed=1).reveal_deck())
    for wrong in ([], deck[:-1], [*deck, deck[0]], [Card(Colour.MULTICOLOUR, 1), *deck[1:]], [*deck[1:], deck[0], deck[0]]):
        with pytest.raises(MalformedError) as refusal:
            Game(deck=wrong)
        assert refusal.value.code == "bad_deck"
    for nonsense in ([[1]], [tuple(card) for card in deck], ["R1"] * 50, 5, [Card([], 2)] * 50):  # type: ignore[arg-type]
        with pytest.raises(MalformedError):
            Game(deck=nonsense)  # type: ignore[arg-type]
