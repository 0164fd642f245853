"""Beliefs: each world is found in proportion to its probability, impossible ones never, and the real one is never excluded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pytest

from tamaya import Game, read_rules
from tamaya.bots import PolicyBot, SimpleBot, registry
from tamaya.bots.registry import BotEntry
from tamaya.rules import say
from tamaya.search.beliefs import PEOPLE_NOISE, SEARCHER_NOISE, noise_of
from tamaya.search.hand_sampling import HandSamples, PriorHands
from tamaya.search.history import SeatHistory
from tests.search.enumeration import Cards, Past
from tests.search.support import (
    STARING,
    STARING_NAME,
    belief,
    cards_of,
    game_at,
    is_a_sample,
    is_consistent,
    lineup_of,
    moments,
    sampled,
)
from tests.sim.support import critical

TARGET = 300.0
"""The effective number of hands that the search is asked for."""

SURE = [
    ("players=2 colours=1 hand_size=3", "simple", 3, 3),
    ("players=2 colours=1 hand_size=4", "convention", 2, 2),
    ("players=2 colours=2 hand_size=2", "convention", 6, 2),
    ("players=2 colours=2 hand_size=2", "hat", 3, 0),
    ("players=2 colours=2 hand_size=2 announced_plays=yes", "simple", 8, 3),
    ("players=3 colours=2 hand_size=2", "convention", 5, 6),
    ("players=3 colours=2 hand_size=2", "hat", 6, 1),
    ("players=3 colours=1 hand_size=2 multicolour=five multicolour_named=no", "convention", 5, 4),
    ("players=4 colours=2 hand_size=2", "simple", 6, 4),
    ("players=4 colours=1 hand_size=2 multicolour=ten", "hat", 5, 3),
    ("players=5 colours=1 hand_size=2 multicolour=five empty_clues=yes", "simple", 6, 2),
    ("players=2 colours=2 hand_size=2", "simple+convention", 6, 2),
]
"""Rules with few cards, policies, a turn and a deal. The seat to move may have slipped before, and hands were rearranged."""
UNSURE = [SURE[place] for place in (0, 2, 3, 4, 7, 10, 11)]


def past_of(text: str, names: str, turn: int, seed: int, slipping: Sequence[int] = ()) -> tuple[Past, list[str]]:
    rules = read_rules(text)
    lineup = lineup_of(names, rules.players)
    return Past.of(game_at(turn, rules, lineup, seed, slips=0.3, slipping=slipping)), lineup


@pytest.mark.slow
@pytest.mark.parametrize(("text", "names", "turn", "seed"), SURE)
def test_beside_partners_who_follow_policies_hands_are_found_by_their_probability(
    text: str, names: str, turn: int, seed: int
) -> None:
    past, lineup = past_of(text, names, turn, seed)
    noise = [0.0] * len(lineup)
    expected = past.believed(lineup, noise)
    assert 1 < len(expected) < len(past.hands()), "what partners did says something"
    assert is_a_sample(*sampled(past.view, lineup, noise, TARGET, seed), expected)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "names", "turn", "seed"), UNSURE)
def test_beside_partners_who_may_deviate_an_unexplained_turn_makes_a_hand_less_likely(
    text: str, names: str, turn: int, seed: int
) -> None:
    players = read_rules(text).players
    past, lineup = past_of(text, names, turn, seed, slipping=range(players))
    noise = [0.2, 0.1, 0.3, 0.2, 0.05][:players]
    assert is_a_sample(*sampled(past.view, lineup, noise, TARGET, seed), past.believed(lineup, noise))


@pytest.mark.slow
@pytest.mark.parametrize("place", [1, 2, 4, 5, 6, 8])
def test_prior_hands_guide_the_draws_and_not_the_probabilities(place: int) -> None:
    text, names, turn, seed = SURE[place]
    rules = read_rules(text)
    lineup, sure = lineup_of(names, rules.players), [0.0] * rules.players
    game = game_at(turn, rules, lineup, seed, slips=0.3)
    earlier = game.at(turn % rules.players).view(turn % rules.players)
    prior = PriorHands.of(SeatHistory(earlier), belief(earlier, lineup, sure, seed).hands(TARGET, 2000))
    past = Past.of(game)
    assert is_a_sample(*sampled(past.view, lineup, sure, TARGET, seed, prior), past.believed(lineup, sure))


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 3, 7])
def test_a_consistent_hand_is_kept_however_often_it_was_tried(place: int) -> None:
    past, lineup = past_of(*SURE[place])
    history, sure = SeatHistory(past.view), [0.0] * len(lineup)
    cards = np.array([[past.rules.cards.index(card) for card in hand] for hand in past.hands()])
    tried = HandSamples.of(cards, np.linspace(-30, 30, len(cards)))
    left = belief(past.view, lineup, sure, 0).consistent(np.flatnonzero(history.movers != history.seat), tried)
    assert {cards_of(past.view, hand) for hand in left.cards.tolist()} == set(past.believed(lineup, sure))


@pytest.mark.parametrize("place", [0, 4, 8])
def test_with_full_noise_hands_are_found_as_the_clues_allow(place: int) -> None:
    past, lineup = past_of(*SURE[place])
    found = sampled(past.view, lineup, [1.0] * len(lineup), TARGET, 1)
    total = sum(past.hands().values())
    by_clues = {hand: ways / total for hand, ways in past.hands().items()}
    assert is_a_sample(*found, by_clues)
    assert not is_a_sample(*sampled(past.view, lineup, [0.0] * len(lineup), TARGET, 1), by_clues), "this test can tell"


def test_the_deck_behind_a_hand_is_in_random_order() -> None:
    past, lineup = past_of(*SURE[0])
    mind = belief(past.view, lineup, [0.0, 0.0], 5)
    hands = mind.hands(TARGET, 2000)
    worlds = mind.worlds(hands, 3000)
    hidden = [*(seen.number for seen in past.view.hand), *range(10 - past.view.deck_count, 10)]
    found: Counter[tuple[Cards, Cards]] = Counter()
    expected: defaultdict[tuple[Cards, Cards], float] = defaultdict(float)
    for row in worlds.decks.tolist():
        cards = cards_of(past.view, [row[number] for number in hidden])
        assert Counter(cards) == past.unseen
        hand, deck = cards[: len(past.view.hand)], cards[len(past.view.hand) :]
        found[(hand, deck)] += 1
        orders = list(past.orders(hand))
        for order in orders:
            expected[(hand, order)] += 1 / len(orders)
    distance = sum((found[world] - wanted) ** 2 / wanted for world, wanted in expected.items())
    assert min(expected.values()) > 5
    assert distance < critical(len(expected) - len({hand for hand, _ in expected}), 4)
    assert np.isclose(worlds.weights.sum(), 1)


# The real hand.


TABLES = [
    *((f"players={players} colours=3", name) for players in (2, 3, 4) for name in ("convention", "simple", "hat")),
    ("players=2 colours=2 multicolour=five multicolour_named=no announced_plays=yes", "convention"),
    ("players=3 colours=2 multicolour=ten empty_clues=yes", "hat"),
    ("players=5 colours=2 hand_size=3", "simple"),
    ("players=3 colours=3", "convention+hat"),
]


def true_hand(game: Game) -> Cards:
    """The real hand of the seat to move."""
    assert game.to_move is not None
    deck = game.reveal_deck()
    return tuple(deck[number] for number in game.hand_numbers(game.to_move))


@pytest.mark.slow
@pytest.mark.parametrize(("text", "names"), TABLES)
def test_the_real_hand_is_possible_on_every_turn(text: str, names: str) -> None:
    rules = read_rules(text)
    lineup = lineup_of(names, rules.players)
    for game in moments(rules, lineup, seed=rules.players, arranged=0.2):
        view = game.view(game.to_move or 0)
        assert is_consistent(view, lineup, true_hand(game)), f"turn {game.turn}"


@pytest.mark.slow
@pytest.mark.parametrize(("text", "names"), TABLES)
def test_the_real_hand_is_possible_even_if_the_seat_itself_deviated(text: str, names: str) -> None:
    """The partners update their memories by what they see: those of `hat` then differ between seats."""
    rules = read_rules(text)
    lineup, seat = lineup_of(names, rules.players), rules.players - 1
    looked = 0
    for seed in range(2):
        for game in moments(rules, lineup, seed, slips=0.3, slipping=[seat]):
            if game.to_move == seat:
                assert is_consistent(game.view(seat), lineup, true_hand(game)), f"seed {seed}, turn {game.turn}"
                looked += 1
    assert looked >= 4


def test_what_partners_saw_at_the_start_differs_between_worlds() -> None:
    """Memories that are not shared start with hands that the seat itself does not see."""
    rules, name = read_rules("players=3 colours=2 hand_size=2"), STARING_NAME
    game, bots = Game(rules, seed=2), [PolicyBot(STARING) for _ in range(rules.players)]
    while game.to_move is not None:
        view = game.view(game.to_move)
        assert is_consistent(view, [name] * rules.players, true_hand(game)), f"turn {game.turn}"
        game.act(bots[game.to_move].act(view))
    first = belief(Game(rules, seed=2).view(0), [name] * rules.players, [0.0] * rules.players, 0)
    worlds = first.worlds(first.hands(20, 200), 30)
    assert len({memories.tobytes() for memories in worlds.memories[worlds.memory_index]}) > 1, "before the first turn as well"


# Noise.


def test_searching_bots_get_little_noise_and_people_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs = BotEntry(say("Thinks ahead."), from_views=SimpleBot, base_policy="convention")
    monkeypatch.setattr(registry, "BOTS", {**registry.BOTS, "theirs": theirs})
    seats = ["convention", "search", "theirs", "search-hat", "hat", "", None, "nobody knows it"]
    assert noise_of(seats, "convention") == (0.0, SEARCHER_NOISE, SEARCHER_NOISE, *(PEOPLE_NOISE,) * 5)
    assert noise_of(seats, "hat") == (*(PEOPLE_NOISE,) * 3, SEARCHER_NOISE, 0.0, *(PEOPLE_NOISE,) * 3)
