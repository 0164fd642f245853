"""A search finds the best move where it is known."""

from __future__ import annotations

import pytest

from tamaya.rules import read_action
from tamaya.search import values
from tests.search.enumeration import Past
from tests.search.positions import FULL_DECKS, SMALL, Position
from tests.tables import FULL

EVERY = [*SMALL, *FULL_DECKS]
SOLVED = [position for position in EVERY if position.game.deck_count < 5]
SOFTNESS = 0.2
"""Little is taken from what partners did, so that what is best does not hang on an agreement."""


def named(position: Position) -> str:
    return position.idea


def finds(position: Position, speed: str) -> None:
    game = position.game
    assert game.to_move is not None
    found = values(game.view(game.to_move), softness=SOFTNESS, budget=600, speed=speed)
    best = found.of(read_action(position.best))
    assert best.value.mean == pytest.approx(max(move.value.mean for move in found.moves)), found.best.action


@pytest.mark.parametrize("position", SMALL, ids=named)
def test_the_best_move_is_found(position: Position) -> None:
    finds(position, "interpreted")


@pytest.mark.compiler
@pytest.mark.parametrize("position", FULL_DECKS, ids=named)
def test_the_best_move_is_found_with_all_colours(position: Position) -> None:
    finds(position, "compiled")


@pytest.mark.slow
@pytest.mark.parametrize("position", SOLVED if FULL else SMALL[::6], ids=named)
def test_trying_every_world_by_hand_says_the_same(position: Position) -> None:
    game = position.game
    expected = Past.of(game).expectations(["convention"] * game.rules.players, [SOFTNESS] * game.rules.players)
    means = {str(action): mean for action, (mean, _) in expected.items()}
    assert means[position.best] == pytest.approx(max(means.values()))
    assert sum(mean > means[position.best] - 0.2 for mean in means.values()) == 1, "no other move is nearly as good"


def test_there_are_enough_and_each_has_an_idea_of_its_own() -> None:
    assert len(EVERY) >= 30
    assert len({position.idea for position in EVERY}) == len(EVERY)
    assert len({(position.seed, position.moves, position.rules) for position in EVERY}) == len(EVERY)
