"""The worlds that a seat believes in: each found as often as it is likely, and none that cannot be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pytest

from tamaya import read_rules
from tamaya.search.hands import PossibleHands, Recollection
from tamaya.search.trace import Trace
from tests.search.enumeration import Cards, Past
from tests.search.games import game_at
from tests.search.sampling import belief, cards_of, is_a_sample, sampled
from tests.sim.support import critical

ENOUGH = 300.0
"""The hands that the search is asked for, as a number of equally likely ones."""

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
"""Rules with few cards, policies, a turn and a deal. The seat to move may have slipped before, and hands were laid out anew."""
UNSURE = [SURE[place] for place in (0, 2, 3, 4, 7, 10, 11)]


def lineup_of(names: str, players: int) -> list[str]:
    return (names.split("+") * players)[:players]


def past_of(text: str, names: str, turn: int, seed: int, slipping: Sequence[int] = ()) -> tuple[Past, list[str]]:
    rules = read_rules(text)
    lineup = lineup_of(names, rules.players)
    return Past.of(game_at(turn, rules, lineup, seed, slips=0.3, slipping=slipping)), lineup


@pytest.mark.slow
@pytest.mark.parametrize(("text", "names", "turn", "seed"), SURE)
def test_hands_are_found_as_likely_as_they_are_beside_partners_who_follow_policies(
    text: str, names: str, turn: int, seed: int
) -> None:
    past, lineup = past_of(text, names, turn, seed)
    expected, soft = past.believed(lineup, [0.0] * len(lineup)), [0.0] * len(lineup)
    assert 1 < len(expected) < len(past.hands()), "what partners did says something"
    assert is_a_sample(*sampled(past.view, lineup, soft, ENOUGH, seed), expected)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "names", "turn", "seed"), UNSURE)
def test_a_turn_that_does_not_fit_makes_a_hand_less_likely_beside_partners_who_may_leave_policies(
    text: str, names: str, turn: int, seed: int
) -> None:
    players = read_rules(text).players
    past, lineup = past_of(text, names, turn, seed, slipping=range(players))
    soft = [0.2, 0.1, 0.3, 0.2, 0.05][:players]
    assert is_a_sample(*sampled(past.view, lineup, soft, ENOUGH, seed), past.believed(lineup, soft))


@pytest.mark.slow
@pytest.mark.parametrize("place", [1, 2, 4, 5, 6, 8])
def test_hands_of_an_earlier_turn_say_where_to_look_and_not_what_is_likely(place: int) -> None:
    text, names, turn, seed = SURE[place]
    rules = read_rules(text)
    lineup, sure = lineup_of(names, rules.players), [0.0] * rules.players
    game = game_at(turn, rules, lineup, seed, slips=0.3)
    earlier = game.at(turn % rules.players).view(turn % rules.players)
    before = Recollection.of(Trace(earlier), belief(earlier, lineup, sure, seed).hands(ENOUGH, 2000))
    past = Past.of(game)
    assert is_a_sample(*sampled(past.view, lineup, sure, ENOUGH, seed, before), past.believed(lineup, sure))


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 3, 7])
def test_a_hand_that_fits_is_kept_however_often_it_was_tried(place: int) -> None:
    past, lineup = past_of(*SURE[place])
    trace, sure = Trace(past.view), [0.0] * len(lineup)
    cards = np.array([[past.rules.cards.index(card) for card in hand] for hand in past.hands()])
    tried = PossibleHands.of(cards, np.linspace(-30, 30, len(cards)))
    left = belief(past.view, lineup, sure, 0).fitting(np.flatnonzero(trace.movers != trace.seat), tried)
    assert {cards_of(past.view, hand) for hand in left.cards.tolist()} == set(past.believed(lineup, sure))


@pytest.mark.parametrize("place", [0, 4, 8])
def test_without_a_word_on_partners_hands_are_found_as_the_clues_allow_them(place: int) -> None:
    past, lineup = past_of(*SURE[place])
    found = sampled(past.view, lineup, [1.0] * len(lineup), ENOUGH, 1)
    total = sum(past.hands().values())
    by_clues = {hand: ways / total for hand, ways in past.hands().items()}
    assert is_a_sample(*found, by_clues)
    assert not is_a_sample(*sampled(past.view, lineup, [0.0] * len(lineup), ENOUGH, 1), by_clues), "this test can tell"


def test_the_deck_lies_in_any_order_behind_a_hand() -> None:
    past, lineup = past_of(*SURE[0])
    mind = belief(past.view, lineup, [0.0, 0.0], 5)
    hands = mind.hands(ENOUGH, 2000)
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
    assert np.isclose(worlds.shares.sum(), 1)
