"""The real world is never ruled out while partners follow their policies, whatever the seat itself does."""

from __future__ import annotations

import pytest

from tamaya import Game, Rules, read_rules
from tamaya.bots import PolicyBot
from tests.search.enumeration import Cards
from tests.search.games import moments
from tests.search.sampling import allows, belief
from tests.search.staring import STARING

TABLES = [
    *((f"players={players} colours=3", name) for players in (2, 3, 4) for name in ("convention", "simple", "hat")),
    ("players=2 colours=2 multicolour=five multicolour_named=no announced_plays=yes", "convention"),
    ("players=3 colours=2 multicolour=ten empty_clues=yes", "hat"),
    ("players=5 colours=2 hand_size=3", "simple"),
    ("players=3 colours=3", "convention+hat"),
]


def true_hand(game: Game) -> Cards:
    """What the seat to move really holds."""
    assert game.to_move is not None
    deck = game.reveal_deck()
    return tuple(deck[number] for number in game.hand_numbers(game.to_move))


def lineup_of(names: str, rules: Rules) -> list[str]:
    return (names.split("+") * rules.players)[: rules.players]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "names"), TABLES)
def test_the_real_hand_is_possible_at_every_turn(text: str, names: str) -> None:
    rules = read_rules(text)
    lineup = lineup_of(names, rules)
    for game in moments(rules, lineup, seed=rules.players, arranged=0.2):
        view = game.view(game.to_move or 0)
        assert allows(view, lineup, true_hand(game)), f"turn {game.turn}"


@pytest.mark.slow
@pytest.mark.parametrize(("text", "names"), TABLES)
def test_the_real_hand_is_possible_though_the_seat_itself_does_not_keep_to_its_policy(text: str, names: str) -> None:
    """Others cannot know why, and take notes of it as they see fit: memories of `hat` then differ from seat to seat."""
    rules = read_rules(text)
    lineup, seat = lineup_of(names, rules), rules.players - 1
    looked = 0
    for seed in range(2):
        for game in moments(rules, lineup, seed, slips=0.3, slipping=[seat]):
            if game.to_move == seat:
                assert allows(game.view(seat), lineup, true_hand(game)), f"seed {seed}, turn {game.turn}"
                looked += 1
    assert looked >= 4


def test_what_partners_saw_at_the_start_differs_from_world_to_world() -> None:
    """Memories that are not shared begin with hands that the seat itself does not see."""
    rules, place = read_rules("players=3 colours=2 hand_size=2"), "tests.search.staring:STARING"
    game, bots = Game(rules, seed=2), [PolicyBot(STARING) for _ in range(rules.players)]
    while game.to_move is not None:
        view = game.view(game.to_move)
        assert allows(view, [place] * rules.players, true_hand(game)), f"turn {game.turn}"
        game.act(bots[game.to_move].act(view))
    first = belief(Game(rules, seed=2).view(0), [place] * rules.players, [0.0] * rules.players, 0)
    worlds = first.worlds(first.hands(20, 200), 30)
    assert len({memories.tobytes() for memories in worlds.memories[worlds.whose]}) > 1, "before the first turn as well"
