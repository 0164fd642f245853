"""The same answers at every speed, in any number of processes, and with none of the packages for speed."""

import ast
from pathlib import Path

import pytest

import tamaya
from tamaya import Game, read_rules
from tamaya.sim import seed_of
from tamaya.sim.solver import Deals, Solver, Verdict, solve, solve_deals, solver
from tests.programs import run_python

WITHOUT = """
import sys
sys.modules["numpy"] = sys.modules["numba"] = None
from tamaya import Game, Rules
from tamaya.sim.solver import fastest, solve
answer = solve(Game(Rules(players=4), seed=3))
print(fastest(), answer.verdict, len(answer.line) > 25)
"""


RULES = read_rules("players=2 multicolour-five multicolour_named=no announced-plays clue_tokens=2")


@pytest.mark.compiler
def test_compiled_answers_are_the_interpreted_ones() -> None:
    slow, fast, verdicts = Solver(RULES), Solver(RULES, "compiled"), set()
    for number in range(16):
        game = Game(RULES, seed=seed_of(1, number))
        answer = fast.solve_game(game, 700)
        assert answer == slow.solve_game(game, 700)
        verdicts.add(answer.verdict)
    assert verdicts == set(Verdict)


@pytest.mark.compiler
def test_without_a_speed_the_answer_is_the_compiled_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "EASY", 500)
    hard = 0
    for number in range(8):
        game = Game(RULES, seed=seed_of(1, number))
        answer = solve(game, 5000)
        assert answer == Solver(RULES, "compiled").solve_game(game, 5000)
        hard += answer.nodes > 500
    assert hard >= 1


def test_packages_for_speed_are_not_needed() -> None:
    done = run_python("-W", "error", "-c", WITHOUT)
    assert (done.stdout.split(), done.stderr) == (["interpreted", "winnable", "True"], "")


@pytest.mark.slow
def test_a_series_is_the_same_in_any_number_of_processes() -> None:
    deals = Deals(read_rules("players=2 colours=2 hand_size=2"), seed=4, games=45, budget=2000)
    alone = list(solve_deals(deals))
    assert [seed for seed, _ in alone] == [seed_of(4, number) for number in range(45)]
    assert alone[7][1] == solve(Game(deals.rules, seed=seed_of(4, 7)), 2000, "interpreted")
    assert list(solve_deals(deals, workers=2)) == alone
    assert {answer.verdict for _, answer in alone} >= {Verdict.WINNABLE, Verdict.LOST}


def test_tables_never_ask_the_solver() -> None:
    root = Path(tamaya.__file__).parent
    users = {
        path.relative_to(root).parts[0]
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tamaya.sim.solver")
    }
    assert users <= {"sim", "cli", "review"}
