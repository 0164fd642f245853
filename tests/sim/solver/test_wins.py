"""Wins are real: the line is played by the rules and ends with every firework complete."""

import random

import pytest

from tamaya import Ending, Game, Rules, read_rules
from tamaya.engine.kernel import interpreted_kernel
from tamaya.rules import Play
from tamaya.sim.solver import Answer, Solver, Verdict, solve
from tamaya.sim.solver.line import WrongLineError, actions_of
from tamaya.sim.solver.steps import DISCARD, HOW_AT, SPARE
from tests.sim.many import state_of
from tests.tables import FULL, careful_action, do, game_with, moves_of_a_game, spread_rules

DEALS = 20 if FULL else 1


def wins(game: Game, answer: Answer) -> bool:
    played = game.copy()
    for action in answer.line:
        assert played.outcome is None
        played.act(action)
    return played.outcome is not None and played.outcome.ending is Ending.WON


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_deals_by_every_combination_of_variants_are_won_by_lines_that_replay(players: int) -> None:
    table = [rules for rules in spread_rules() if rules.players == players]
    won = tried = 0
    for place, rules in enumerate(table):
        solver = Solver(rules)
        for deal in range(DEALS):
            game = Game(rules, seed=1000 * place + deal)
            answer = solver.solve_game(game, budget=4000)
            tried += 1
            if answer.verdict is Verdict.WINNABLE:
                won += 1
                assert wins(game, answer), (str(rules), place, deal)
            else:
                assert answer.line == ()
    assert won > 0.7 * tried


@pytest.mark.parametrize(
    "text",
    [
        "players=2 clue_tokens=1",
        "players=3 one-mistake clue_tokens=2",
        "players=5 hand_size=2 colours=3",
        "players=2 hand_size=6 all-or-nothing clue_tokens=1",
        "players=4 hand_size=1 colours=2 all-or-nothing announced-plays",
    ],
)
def test_unusual_tables_are_won_by_lines_that_replay(text: str) -> None:
    rules, won = read_rules(text), 0
    for seed in range(6):
        game = Game(rules, seed=seed)
        answer = solve(game, 4000, "interpreted")
        won += answer.verdict is Verdict.WINNABLE
        assert wins(game, answer) == (answer.verdict is Verdict.WINNABLE)
    assert won >= 1


def test_a_game_is_won_from_where_it_stands() -> None:
    choice, found = random.Random(1), set()
    for seed in range(20):
        game = Game(Rules(players=3), seed=seed)
        for turn, _ in enumerate(moves_of_a_game(game, choice, careful_action)):
            if turn == 25:
                break
        if game.outcome is None:
            before = state_of(game)
            answer = solve(game, 4000, "interpreted")
            assert state_of(game) == before
            assert wins(game, answer) == (answer.verdict is Verdict.WINNABLE)
            found.add(answer.verdict)
    assert {Verdict.WINNABLE, Verdict.LOST} <= found


def test_a_game_that_is_won_is_won_and_one_that_is_lost_is_lost() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=3, mistakes=1), "R1 R3 R5", "R2 R4 R1")
    over = do(game.copy(), "play 1", "play 1", "play 1", "play 1", "play 1")
    assert solve(over) == Answer(Verdict.WINNABLE)
    lost = solve(do(game, "play 2"))
    assert (lost.verdict, str(lost.reason)) == (Verdict.LOST, "The game is over, and not all fireworks are complete.")


def test_a_line_that_does_not_win_is_never_returned() -> None:
    rules = Rules(players=2)
    kernel, state = interpreted_kernel(rules), state_of(Game(rules, seed=1))
    with pytest.raises(WrongLineError, match="without a win"):
        actions_of(kernel, state, [])
    with pytest.raises(WrongLineError, match="not legal in turn 1"):
        actions_of(kernel, state, [DISCARD << HOW_AT | SPARE])


def test_a_card_that_fits_and_is_held_twice_is_no_mistake_to_throw_it_away_by() -> None:
    game = Game(read_rules("players=3 hand_size=3 colours=2 clue_tokens=2 announced-plays"), seed=124374)
    assert wins(game, solve(game, 60_000, "interpreted"))


def test_a_token_that_would_be_in_the_way_is_not_taken() -> None:
    game = Game(
        read_rules("players=2 hand_size=1 colours=1 clue_tokens=1 one-mistake all-or-nothing announced-plays"), seed=998421
    )
    answer = solve(game, speed="interpreted")
    assert wins(game, answer)
    assert any(isinstance(action, Play) and action.announced is None for action in answer.line)
