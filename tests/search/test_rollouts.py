"""Rollouts find known best moves, and policies continue games with moves that they would never make."""

from __future__ import annotations

import numpy as np
import pytest

from tamaya import Rules, read_rules
from tamaya.bots import find_policy
from tamaya.rules import read_action
from tamaya.search import Budget, Search, values
from tamaya.search.beliefs import PEOPLE_NOISE
from tamaya.search.history import SeatHistory
from tamaya.sim.team import team
from tests.search.enumeration import Past
from tests.search.known_positions import FULL_DECKS, SMALL, Position
from tests.search.support import belief, limit_search, memories_differ, moments
from tests.tables import FULL, spread_rules

EVERY = [*SMALL, *FULL_DECKS]
SOLVED = [position for position in EVERY if position.game.deck_count < 5]
NOISE = 0.2
"""The partners' moves tell little, so that the best move does not depend on conventions."""


def idea_of(position: Position) -> str:
    return position.idea


def check_best_move(position: Position, speed: str) -> None:
    game = position.game
    assert game.to_move is not None
    found = values(game.view(game.to_move), noise=NOISE, budget=600, speed=speed)
    best = found.of(read_action(position.best))
    assert best.value.mean == pytest.approx(max(move.value.mean for move in found.moves)), found.best.action


@pytest.mark.parametrize("position", SMALL, ids=idea_of)
def test_the_best_move_is_found(position: Position) -> None:
    check_best_move(position, "interpreted")


@pytest.mark.compiler
@pytest.mark.parametrize("position", FULL_DECKS, ids=idea_of)
def test_the_best_move_is_found_with_all_colours(position: Position) -> None:
    check_best_move(position, "compiled")


@pytest.mark.slow
@pytest.mark.parametrize("position", SOLVED if FULL else SMALL[::6], ids=idea_of)
def test_enumeration_finds_the_same_best_move(position: Position) -> None:
    game = position.game
    expected = Past.of(game).expectations(["convention"] * game.rules.players, [NOISE] * game.rules.players)
    means = {str(action): mean for action, (mean, _) in expected.items()}
    assert means[position.best] == pytest.approx(max(means.values()))
    assert sum(mean > means[position.best] - 0.2 for mean in means.values()) == 1, "no other move is nearly as good"


def test_there_are_enough_positions_and_no_duplicate_ideas() -> None:
    assert len(EVERY) >= 30
    assert len({position.idea for position in EVERY}) == len(EVERY)
    assert len({(position.seed, position.moves, position.rules) for position in EVERY}) == len(EVERY)


# Unusual games.


def rule_sets(players: int) -> list[Rules]:
    """Two small sets of rules that differ in everything that policies may depend on, and many more in a full run."""
    plain = Rules(players=players, colours=2, hand_size=3 if players < 4 else 2)
    odd = read_rules(
        f"players={players} colours=2 hand_size=2 multicolour=five multicolour_named=no announced_plays=yes empty_clues=yes"
    )
    return [plain, odd, *(rules for rules in spread_rules() if FULL and rules.players == players)]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["convention", "hat", "simple"])
def test_a_rollout_of_every_legal_move_ends_legally(name: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_search(monkeypatch)
    for number, rules in enumerate(rule_sets(players)):
        lineup, noise = [name] * players, [0.2] * players
        together = team(rules, (name,), "interpreted")
        for game in moments(rules, lineup, number, slips=0.4, slipping=range(players)):
            if game.turn % (4 if FULL else 40) != 9 or game.to_move is None:
                continue
            view = game.view(game.to_move)
            seat_belief = belief(view, lineup, noise, number)
            worlds = seat_belief.worlds(seat_belief.hands(1, 1), len(view.legal_actions))
            history = SeatHistory(view)
            states = history.positions(history.turns, worlds.decks)
            moves = np.array(game.legal_numbers())
            played = together.rollout(lineup, states, worlds.memories, moves, memory_index=worlds.memory_index)
            assert not played.illegal.any(), (rules, game.turn)
            assert (played.endings > 0).all()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["convention", "simple"])
def test_seats_with_public_memory_remember_the_same_whatever_others_do(name: str, players: int) -> None:
    """So a search can compute one memory for all seats and all worlds."""
    policy = find_policy(name)
    assert policy.public_memory
    for rules in rule_sets(players):
        for seed in range(20 if FULL else 2):
            games = moments(rules, [name] * players, seed, slips=0.3, slipping=range(players))
            assert not memories_differ(policy, games), (rules, seed)


def test_hat_does_not_promise_that() -> None:
    policy = find_policy("hat")
    assert not policy.public_memory
    games = moments(Rules(players=3), ["hat"] * 3, 1, slips=0.3, slipping=range(3))
    assert memories_differ(policy, games), "these tests can tell"


@pytest.mark.slow
def test_if_no_hand_is_consistent_partners_get_the_noise_of_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """Partners deviated from the code of `hat`, so no hand is consistent with it: the search uses more noise."""
    limit_search(monkeypatch)
    rules = read_rules("players=3 colours=2 hand_size=3")
    game = next(game for game in moments(rules, ["hat"] * 3, 0, slips=0.5, slipping=range(3)) if game.turn == 5)
    view = game.view(game.to_move or 0)
    strict = Search(view, "hat", speed="interpreted", max_tries=96)
    tolerant = Search(view, "hat", noise=PEOPLE_NOISE, speed="interpreted", max_tries=24)
    assert strict.values(Budget(60)).moves == tolerant.values(Budget(60)).moves
    assert strict.low_confidence
    assert not tolerant.low_confidence
