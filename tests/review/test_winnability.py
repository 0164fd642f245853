"""The last winnable turn of a game is right, and the line from there wins."""

from __future__ import annotations

import pytest

from tamaya import Game, Rules
from tamaya.review.winnability import Reply, Winnability, line_of, solver_steps, winnability_of, winnability_sentences
from tamaya.rules import Ending, RulesError, say
from tamaya.solver import Verdict, solve
from tests.support.games import first_turns, played_game, record_of
from tests.tables import FULL

RULES = (
    Rules(players=2),
    Rules(players=3),
    Rules(players=2, all_or_nothing=True),
)
NAMES = ("Ann", "Bob", "Cid", "Dot", "Eli")
EASY = 20_000
"""Nodes for which no compiler is needed."""


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_last_winnable_turn_is_found(rules: Rules) -> None:
    for seed in range(12 if FULL else 2):
        game = played_game(rules, seed)
        winning = winnability_of(record_of(game), EASY)
        assert winning.exact
        assert winning.lost is not None
        if winning.until is None:
            assert (winning.lost, solve(game.at(0)).verdict) == (0, Verdict.LOST)
            continue
        assert solve(game.at(winning.until)).verdict is Verdict.WINNABLE
        assert winning.lost == winning.until + 1
        assert winning.lost == game.turn or solve(game.at(winning.lost)).verdict is Verdict.LOST


def test_the_line_starts_at_the_last_winnable_turn_and_wins() -> None:
    record = record_of(played_game(Rules(players=3), 5))
    winning = winnability_of(record, EASY)
    assert winning.until is not None
    events = list(line_of(record, winning))
    assert [event.turn for event in events] == list(range(winning.until + 1, winning.until + len(winning.line) + 1))
    game = played_game(Rules(players=3), 5).at(winning.until)
    for action in winning.line:
        game.act(action)
    assert game.outcome is not None
    assert game.outcome.ending is Ending.WON


def test_a_won_game_needs_no_solver() -> None:
    game = won_game()
    record = record_of(game)
    assert list(solver_steps(record)) == []
    assert winnability_of(record) == Winnability(game.turn, None)
    assert winnability_sentences(winnability_of(record), NAMES) == ()


def test_a_stopped_game_can_still_be_won() -> None:
    won = record_of(won_game())
    record = first_turns(won, 10)
    winning = winnability_of(record, EASY)
    assert (winning.until, winning.lost, winning.exact) == (10, None, True)
    assert [message.text for message in winnability_sentences(winning, NAMES)] == [
        "With every card known, the game could still be won when it was stopped."
    ]


def test_undecided_positions_are_reported_as_unknown() -> None:
    game = played_game(Rules(players=2), 3)
    asked = 0
    search = solver_steps(record_of(game))
    try:
        next(search)
        while True:
            asked += 1
            search.send(Reply(Verdict.UNDECIDED))
    except StopIteration as done:
        winning: Winnability = done.value
    assert asked <= 16, "it gives up eventually"
    assert (winning.until, winning.exact) == (None, False)
    assert [message.text for message in winnability_sentences(winning, NAMES)] == [
        "Whether this deal could have been won was not found out."
    ]


def test_rules_unknown_to_the_solver_leave_the_question_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(game: Game, budget: int) -> Reply:
        raise RulesError("too_large_for_solver", say("The solver cannot work with {name}={value}; it can with at most {most}.",
                                                     name="cards", value=35, most=30))  # fmt: skip

    monkeypatch.setattr("tamaya.review.winnability.solve", refuse)
    words = winnability_sentences(winnability_of(record_of(played_game(Rules(players=2), 3))), NAMES)
    assert str(words[-1]) == "The solver cannot work with cards=35; it can with at most 30."


def won_game() -> Game:
    """A game won by players who know the deck."""
    game = Game(Rules(players=3), seed=2)
    for action in solve(game).solution:
        game.act(action)
    assert game.outcome is not None
    return game
