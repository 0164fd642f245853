"""Why deals are lost, in words; and what a budget may change."""

import random

import pytest

from tamaya import Game, MalformedError, Rules
from tamaya.engine.kernel import interpreted
from tamaya.engine.layout import layout_of
from tamaya.rules import Multicolour
from tamaya.sim import seed_of
from tamaya.sim.solver import Verdict, solve
from tamaya.sim.solver.positions import words_of
from tamaya.sim.solver.search import build_layers
from tamaya.sim.solver.workspace import STAMP, make_workspace
from tests.tables import deck_beginning, do, game_with


def reason(game: Game) -> str:
    answer = solve(game, speed="interpreted")
    assert answer.verdict is Verdict.LOST
    return str(answer.reason)


def test_a_card_at_the_bottom_that_others_wait_for_is_named() -> None:
    rules = Rules(players=2, multicolour=Multicolour.FIVE)
    deck = deck_beginning(rules)
    deck.append(deck.pop(deck.index(next(card for card in deck if str(card) == "M1"))))
    assert reason(Game(rules, deck=deck)) == (
        "multicolour 1 lies too deep in the deck. Once it is drawn, cards still to be played: 5; turns left to play them: 1."
    )


def test_a_card_that_is_gone_is_named() -> None:
    game = game_with(Rules(players=2), "R5 R1 R1 Y1 Y1", "G1 G1 W1 W1 B1")
    assert reason(do(game, "clue 2 1", "clue 1 1", "discard 1")) == "No red 5 is left: every copy has been thrown away."


def test_turns_that_are_too_few_are_counted() -> None:
    game = game_with(Rules(players=2, colours=1, hand_size=4), "R1 R1 R1 R2", "R2 R3 R3 R4")
    do(game, "clue 2 3", "discard 1", "play 1")
    assert game.deck_count == 0
    assert reason(game) == "Cards still to be played: 4. Turns left to play them: 2."


def test_hands_that_are_too_small_are_told() -> None:
    assert reason(Game(Rules(players=2), seed=seed_of(1, 24))).startswith("The hands are too small: even if all 10 cards")


@pytest.mark.slow
def test_a_larger_budget_only_decides_what_was_open() -> None:
    undecided_before = 0
    for number in (17, 24, 54, 110, 849):
        for players in (2, 5):
            game, decided = Game(Rules(players=players), seed=seed_of(1, number)), None
            for budget in (1, 30, 300, 1500, 6000):
                answer = solve(game, budget, "interpreted")
                if decided is None:
                    undecided_before += answer.verdict is Verdict.UNDECIDED
                    decided = None if answer.verdict is Verdict.UNDECIDED else (answer.verdict, answer.line, answer.nodes)
                else:
                    assert (answer.verdict, answer.line, answer.nodes) == decided
                assert answer.nodes <= budget + 100
    assert undecided_before >= 15


@pytest.mark.parametrize("budget", [0, -1, 1.5, "many", None, True])
def test_a_budget_is_a_whole_number(budget: object) -> None:
    with pytest.raises(MalformedError, match="budget must be a whole number"):
        solve(Game(seed=1), budget)  # type: ignore[arg-type]


def test_positions_are_taken_for_the_same_only_if_they_are() -> None:
    layout, choice = layout_of(Rules(players=3)), random.Random(1)
    workspace, layers = make_workspace(layout, 8, lambda count: [0] * count), build_layers(layout, interpreted)
    workspace.figures[STAMP] = 1
    rows = [[choice.getrandbits(60) for _ in range(words_of(layout))] for _ in range(90)]
    for place, row in enumerate([*rows, *rows]):
        at = min(place, len(rows))
        for word, number in enumerate(row):
            workspace.successors[at * len(row) + word] = number
        assert layers.is_new_position(workspace, at) == (place < len(rows))
