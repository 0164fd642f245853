"""Resampling: hidden cards are dealt again uniformly, and the seat cannot tell."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from tamaya import Arrange, Card, Game, Rules, View, read_rules
from tamaya.sim import Batch
from tests.sim.support import any_legal, batch_of, decks_of, games, is_uniform, played, seeds
from tests.tables import do, game_with


def seen_by(batch: Batch, seat: int) -> list[View]:
    return [batch.game(place).view(seat) for place in range(batch.games)]


def is_another_world(game: Game, before: Game, seat: int) -> None:
    """Every card of the box is there, every clue is true, and the other hands are unchanged."""
    assert Counter(game.reveal_deck()) == Counter(before.reveal_deck())
    for seen in (seen for hand in game.reveal_hands().hands for seen in hand):
        assert seen.card is not None
        assert seen.card.colour in seen.colours
        assert seen.card.value in seen.values
    assert game.view(seat).legal_actions == before.view(seat).legal_actions


@given(games(), seeds)
def test_a_seat_sees_the_same_in_every_resampled_world(game: Game, seed: int) -> None:
    for seat in range(game.rules.players):
        batch = batch_of([game] * 3)
        before = batch.game(0)
        expected = seen_by(batch, seat)
        batch.resample(seat, seed=seed)
        assert seen_by(batch, seat) == expected
        for place in range(3):
            is_another_world(batch.game(place), before, seat)
            assert np.flatnonzero(batch.legal[place]).tolist() == batch.game(place).legal_numbers()


@given(games(), seeds)
def test_resampled_worlds_can_be_played_to_their_end(game: Game, seed: int) -> None:
    batch = batch_of([game] * 2, automatic=False)
    batch.resample(seed=seed)
    choice = np.random.default_rng(seed)
    for _ in range(160):
        batch.step(any_legal(batch, choice))
    assert not batch.running.any()


def test_resampling_follows_from_its_seed_and_is_random_without_one() -> None:
    worlds = []
    for seed in (1, 1, 2, None, None):
        batch = played()
        batch.resample(seed=seed)
        worlds.append(batch.save().states.tobytes())
    assert worlds[0] == worlds[1]
    assert len(set(worlds)) == 4


def test_by_default_the_hand_of_the_seat_to_move_is_resampled() -> None:
    batch, twin = played(turns=1), played(turns=1)
    batch.resample(seed=3)
    twin.resample(1, seed=3)
    assert batch.save().states.tobytes() == twin.save().states.tobytes()


def all_worlds(game: Game, seat: int) -> Counter[tuple[Card, ...]]:
    """Every order of a seat's hidden cards that agrees with its clues, by faces: hand first, then the deck; each weighted by
    the number of ways to arrange the copies."""
    deck, told = game.reveal_deck(), game.view(seat).hand
    hidden = [deck[seen.number] for seen in told] + list(deck[len(deck) - game.deck_count :])
    return Counter(
        world
        for world in itertools.permutations(hidden)
        if all(card.colour in seen.colours and card.value in seen.values for card, seen in zip(world, told, strict=False))
    )


def dealt_worlds(game: Game, seat: int, count: int) -> Counter[tuple[Card, ...]]:
    batch = batch_of([game] * count, speed="compiled")
    batch.resample(seat, seed=20261115)
    numbers = [seen.number for seen in game.view(seat).hand]
    places = [*numbers, *range(game.rules.deck_size - game.deck_count, game.rules.deck_size)]
    cards = game.rules.cards
    return Counter(tuple(cards[card] for card in world) for world in decks_of(batch)[:, places].tolist())


SMALL = read_rules("players=3 colours=1 hand_size=4 multicolour-five")
TOLD = [
    (),
    ("clue 2 4", "clue 1 1"),
    ("clue 2 4", "clue 1 multicolour"),
    ("clue 2 4", "clue 1 red", "clue 1 1"),
    ("clue 2 4", "clue 1 1", "clue 2 4", "play 2"),
    ("clue 2 4", "clue 1 red", "clue 1 1", "discard 3"),
]


@pytest.mark.compiler
@pytest.mark.parametrize("reversed_hand", [False, True], ids=["as drawn", "reversed"])
@pytest.mark.parametrize("actions", TOLD, ids=", ".join)
def test_every_possible_world_is_dealt_equally_often(actions: tuple[str, ...], reversed_hand: bool) -> None:
    """Seven cards are hidden from the first seat; all orders that agree with what it was told about some of them."""
    game = do(game_with(SMALL, "R1 M2 R3 R1", "R4 M5 R2 M3", "R3 M1 R4 R2", "R5 M4 R1"), *actions)
    if reversed_hand:
        game.arrange(Arrange(0, (3, 2, 1, 0)))
    worlds, count = all_worlds(game, 0), 40_000
    found, total = dealt_worlds(game, 0, count), sum(worlds.values())
    assert len(worlds) > 1
    assert set(found) <= set(worlds)
    assert is_uniform([found[world] for world in worlds], [count * many / total for many in worlds.values()])


@pytest.mark.compiler
def test_the_order_of_a_long_deck_is_uniform() -> None:
    """A whole deck except for the other hand: every card equally often in every place."""
    batch, count = Batch(Rules(), 40_000, seed=0), 40_000
    batch.deal(decks=np.repeat(decks_of(Batch(Rules(), 1, seed=3, speed="interpreted")), count, axis=0))
    batch.resample(0, seed=1)
    hidden = [*range(5), *range(10, 50)]
    decks, copies = decks_of(batch)[:, hidden], np.bincount(decks_of(batch)[0, hidden], minlength=25)
    for place in range(len(hidden)):
        assert is_uniform(np.bincount(decks[:, place], minlength=25), count * copies / len(hidden))


# Resampling only the hand.


def own_hand(batch: Batch, seat: int) -> bytes:
    return batch.observe("own_hand", seat=seat).tobytes()


@given(games(), seeds)
def test_a_hand_resampled_alone_is_the_same_as_with_the_deck_and_its_owner_cannot_tell(game: Game, seed: int) -> None:
    for seat in range(game.rules.players):
        batch, with_deck = batch_of([game] * 2), batch_of([game] * 2)
        before, expected = batch.game(0), seen_by(batch, seat)
        batch.resample(seat, seed=seed, deck=False)
        with_deck.resample(seat, seed=seed)
        assert own_hand(batch, seat) == own_hand(with_deck, seat)
        assert seen_by(batch, seat) == expected
        for place in range(2):
            is_another_world(batch.game(place), before, seat)


def test_only_cards_exchanged_with_the_hand_move_in_the_deck() -> None:
    """Five draws exchange at most five cards; about one draw in five is rejected, and the hand is drawn again."""
    batch = Batch(Rules(), 200, seed=1, speed="interpreted")
    before = decks_of(batch)
    batch.resample(0, seed=1, deck=False)
    moved = decks_of(batch) != before
    assert moved[:, :5].any(axis=1).all()
    assert not moved[:, 5:10].any()
    assert (moved[:, 10:].sum(axis=1) <= 5).mean() > 0.75
    assert moved[:, 10:].sum(axis=1).mean() > 3


@pytest.mark.slow
@pytest.mark.parametrize("actions", TOLD, ids=", ".join)
def test_every_possible_hand_is_dealt_equally_often_without_the_deck(actions: tuple[str, ...]) -> None:
    game = do(game_with(SMALL, "R1 M2 R3 R1", "R4 M5 R2 M3", "R3 M1 R4 R2", "R5 M4 R1"), *actions)
    numbers, hands = [seen.number for seen in game.view(0).hand], Counter[tuple[Card, ...]]()
    for world, many in all_worlds(game, 0).items():
        hands[world[: len(numbers)]] += many
    total = sum(hands.values())
    count = 8 * total // min(hands.values())
    batch = batch_of([game] * count)
    batch.resample(0, seed=20261116, deck=False)
    found = Counter(tuple(game.rules.cards[card] for card in hand) for hand in decks_of(batch)[:, numbers].tolist())
    assert len(hands) > 1
    assert set(found) <= set(hands)
    assert is_uniform([found[hand] for hand in hands], [count * many / total for many in hands.values()])
