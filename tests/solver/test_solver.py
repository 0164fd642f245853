"""Wins are real, small decks are decided as by exhaustive search, and answers are the same at every speed."""

import ast
import random
from collections import Counter
from pathlib import Path

import pytest

import tamaya
from tamaya import Ending, Game, MalformedError, Rules, read_rules
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.layout import layout_of
from tamaya.rules import Play
from tamaya.sim import seed_of
from tamaya.solver import Answer, Deals, Solver, Verdict, solve, solve_deals, solver
from tamaya.solver.answer import WrongSolutionError, actions_of
from tamaya.solver.beam_search import is_new_position
from tamaya.solver.position import STAMP, make_workspace, words_of
from tamaya.solver.steps import DISCARD, HOW_AT, SPARE
from tests.programs import run_python
from tests.sim.support import state_of
from tests.solver.exhaustive import TooManyError, can_win, small_rules
from tests.tables import FULL, careful_action, do, game_with, moves_of_a_game, random_action, spread_rules

DEALS = 20 if FULL else 1
BLOCKS = 12 if FULL else 4

WITHOUT = """
import sys
sys.modules["numpy"] = sys.modules["numba"] = None
from tamaya import Game, Rules
from tamaya.solver import fastest, solve
answer = solve(Game(Rules(players=4), seed=3))
print(fastest(), answer.verdict, len(answer.solution) > 25)
"""


RULES = read_rules("players=2 multicolour-five multicolour_named=no announced-plays clue_tokens=2")


# Wins: the solution is replayed by the rules and completes every firework.


def wins(game: Game, answer: Answer) -> bool:
    played = game.copy()
    for action in answer.solution:
        assert played.outcome is None
        played.act(action)
    return played.outcome is not None and played.outcome.ending is Ending.WON


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_deals_under_every_combination_of_variants_are_won_by_solutions_that_replay(players: int) -> None:
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
                assert answer.solution == ()
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
def test_unusual_tables_are_won_by_solutions_that_replay(text: str) -> None:
    rules, won = read_rules(text), 0
    for seed in range(6):
        game = Game(rules, seed=seed)
        answer = solve(game, 4000, "interpreted")
        won += answer.verdict is Verdict.WINNABLE
        assert wins(game, answer) == (answer.verdict is Verdict.WINNABLE)
    assert won >= 1


def test_a_game_is_won_from_its_present_position() -> None:
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


def test_a_won_game_is_won_and_a_lost_one_is_lost() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=3, mistakes=1), "R1 R3 R5", "R2 R4 R1")
    over = do(game.copy(), "play 1", "play 1", "play 1", "play 1", "play 1")
    assert solve(over) == Answer(Verdict.WINNABLE)
    lost = solve(do(game, "play 2"))
    assert (lost.verdict, str(lost.reason)) == (Verdict.LOST, "The game is over, and not all fireworks are complete.")


def test_a_solution_that_does_not_win_is_never_returned() -> None:
    rules = Rules(players=2)
    state = state_of(Game(rules, seed=1))
    with pytest.raises(WrongSolutionError, match="without a win"):
        actions_of(rules, state, [])
    with pytest.raises(WrongSolutionError, match="not legal in turn 1"):
        actions_of(rules, state, [DISCARD << HOW_AT | SPARE])


def test_a_playable_card_held_twice_is_not_thrown_away_by_a_mistake() -> None:
    game = Game(read_rules("players=3 hand_size=3 colours=2 clue_tokens=2 announced-plays"), seed=124374)
    assert wins(game, solve(game, 60_000, "interpreted"))


def test_a_token_that_would_be_in_the_way_is_not_taken() -> None:
    game = Game(
        read_rules("players=2 hand_size=1 colours=1 clue_tokens=1 one-mistake all-or-nothing announced-plays"), seed=998421
    )
    answer = solve(game, speed="interpreted")
    assert wins(game, answer)
    assert any(isinstance(action, Play) and action.announced is None for action in answer.solution)


# Small decks, compared with exhaustive search.


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_small_decks_are_decided_as_by_exhaustive_search(block: int) -> None:
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["players=2", "players=3 all-or-nothing clue_tokens=2", "players=2 announced-plays one-mistake"]
)
def test_endings_are_decided_as_by_exhaustive_search(text: str) -> None:
    choice, seen, solver = random.Random(5), Counter[bool](), Solver(read_rules(text))
    for number in range(24):
        game = Game(solver.rules, seed=number)
        for action in solver.solve_game(game, 1500).solution[: -choice.randint(5, 9)]:
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


# Budgets.


@pytest.mark.slow
def test_a_larger_budget_only_decides_open_deals() -> None:
    undecided_before = 0
    for number in (17, 24, 54, 110, 849):
        for players in (2, 5):
            game, decided = Game(Rules(players=players), seed=seed_of(1, number)), None
            for budget in (1, 30, 300, 1500, 6000):
                answer = solve(game, budget, "interpreted")
                if decided is None:
                    undecided_before += answer.verdict is Verdict.UNDECIDED
                    decided = None if answer.verdict is Verdict.UNDECIDED else (answer.verdict, answer.solution, answer.nodes)
                else:
                    assert (answer.verdict, answer.solution, answer.nodes) == decided
                assert answer.nodes <= budget + 100
    assert undecided_before >= 15


@pytest.mark.parametrize("budget", [0, -1, 1.5, "many", None, True])
def test_an_invalid_budget_is_refused(budget: object) -> None:
    with pytest.raises(MalformedError, match="budget must be a whole number"):
        solve(Game(seed=1), budget)  # type: ignore[arg-type]


def test_different_positions_are_never_merged() -> None:
    rules, choice = Rules(players=3), random.Random(1)
    workspace = make_workspace(layout_of(rules), 8, lambda count: [0] * count)
    is_new = instance_of(Setting(rules))(is_new_position)
    workspace.figures[STAMP] = 1
    rows = [[choice.getrandbits(60) for _ in range(words_of(layout_of(rules)))] for _ in range(90)]
    for place, row in enumerate([*rows, *rows]):
        at = min(place, len(rows))
        for word, number in enumerate(row):
            workspace.successors[at * len(row) + word] = number
        assert is_new(workspace, at) == (place < len(rows))


# Speeds: the same answers compiled, with any number of processes, and without the packages for speed.


@pytest.mark.compiler
def test_compiled_answers_equal_the_interpreted_ones() -> None:
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
def test_a_series_is_the_same_with_any_number_of_processes() -> None:
    deals = Deals(read_rules("players=2 colours=2 hand_size=2"), seed=4, games=45, budget=2000)
    alone = list(solve_deals(deals))
    assert [seed for seed, _ in alone] == [seed_of(4, number) for number in range(45)]
    assert alone[7][1] == solve(Game(deals.rules, seed=seed_of(4, 7)), 2000, "interpreted")
    assert list(solve_deals(deals, workers=2)) == alone
    assert {answer.verdict for _, answer in alone} >= {Verdict.WINNABLE, Verdict.LOST}


def test_tables_never_import_the_solver() -> None:
    root = Path(tamaya.__file__).parent
    users = {
        path.relative_to(root).parts[0]
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tamaya.solver")
    }
    assert users <= {"solver", "cli", "review"}
