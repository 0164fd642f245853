"""Where everything can be tried, the solver says what trying everything says."""

import random
from collections import Counter

import pytest

from tamaya import Game, read_rules
from tamaya.sim.solver import Solver, Verdict, solve
from tests.sim.solver.exhaustive import TooManyError, can_win, small_rules
from tests.tables import FULL, random_action

pytestmark = pytest.mark.slow

BLOCKS = 12 if FULL else 4


@pytest.mark.parametrize("block", range(BLOCKS))
def test_small_decks_are_decided_as_trying_everything_decides_them(block: int) -> None:
    choice, seen = random.Random(block), Counter[tuple[bool, str]]()
    for _ in range(40):
        game = Game(small_rules(choice), seed=choice.getrandbits(64))
        try:
            expected = can_win(game)
        except TooManyError:
            continue
        answer = solve(game, speed="interpreted")
        assert answer.verdict is (Verdict.WINNABLE if expected else Verdict.LOST), (str(game.rules), game.reveal_deck())
        seen[expected, answer.reason.text[:9] if answer.reason else ""] += 1
    assert seen.total() >= 30
    assert seen[True, ""] >= 10
    assert {(False, "Every way"), (False, "The hands")} <= set(seen)


@pytest.mark.parametrize(
    "text", ["players=2", "players=3 all-or-nothing clue_tokens=2", "players=2 announced-plays one-mistake"]
)
def test_endings_are_decided_as_trying_everything_decides_them(text: str) -> None:
    choice, seen, solver = random.Random(5), Counter[bool](), Solver(read_rules(text))
    for number in range(24):
        game = Game(solver.rules, seed=number)
        for action in solver.solve_game(game, 1500).line[: -choice.randint(5, 9)]:
            game.act(action)
        for _ in range(choice.randint(0, 3)):
            if game.outcome is None:
                game.act(random_action(game, choice))
        try:
            expected = can_win(game, 2000)
        except TooManyError:
            continue
        answer = solver.solve_game(game)
        assert answer.verdict is (Verdict.WINNABLE if expected else Verdict.LOST), (number, game.moves)
        seen[expected] += 1
    assert min(seen[True], seen[False]) >= 3, seen
