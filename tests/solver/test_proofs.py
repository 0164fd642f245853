"""Proofs of loss hold only where nothing wins, and decide at once what a search could not."""

import random

import pytest

from tamaya import Ending, Game, read_rules
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.layout import DRAWN, layout_of
from tamaya.sim import seed_of
from tamaya.solver import Verdict, solve
from tamaya.solver.position import PLACES, deck_layout_of, read_deck, read_position
from tamaya.solver.proofs import NONE, runs_out_of_turns, stranded_card
from tests.solver.exhaustive import TooManyError, can_win, small_rules
from tests.tables import FULL, moves_of_a_game, patient_action

SIXTH_COLOUR = read_rules("players=4 multicolour-five")


def is_stranded(game: Game) -> bool:
    """Whether turns suffice, but seats miss them."""
    own, layout, state = instance_of(Setting(game.rules)), layout_of(game.rules), bytearray(game.state)
    position, deck, times = [0] * PLACES, [0] * deck_layout_of(layout).size, [0] * 99
    own(read_position)(state, position)
    own(read_deck)(state, deck)
    if own(runs_out_of_turns)(position, state[DRAWN], deck, times):
        return False
    return own(stranded_card)(position, state[DRAWN], deck) != NONE


@pytest.mark.slow
@pytest.mark.parametrize("block", range(12 if FULL else 3))
def test_seats_miss_their_turns_only_where_exhaustive_search_finds_no_win(block: int) -> None:
    choice, stranded = random.Random(block), 0
    for _ in range(150):
        game = Game(small_rules(choice), seed=choice.getrandbits(64))
        for _ in moves_of_a_game(game, choice, patient_action):
            if game.outcome is None and is_stranded(game):
                try:
                    assert not can_win(game, 2000), (str(game.rules), game.reveal_deck(), game.moves)
                except TooManyError:
                    continue
                stranded += 1
    assert stranded >= 15


@pytest.mark.parametrize("number", [631, 637, 648, 884])
def test_a_late_first_card_with_hands_in_the_wrong_order_is_lost_at_once(number: int) -> None:
    game = Game(SIXTH_COLOUR, seed=seed_of(1, number))
    assert is_stranded(game)
    answer = solve(game, speed="interpreted")
    assert (answer.verdict, answer.nodes) == (Verdict.LOST, 0)


@pytest.mark.parametrize("number", [213, 435, 544, 905])
def test_a_late_first_card_with_hands_that_can_be_ordered_is_not_lost(number: int) -> None:
    game = Game(SIXTH_COLOUR, seed=seed_of(1, number))
    assert str(game.reveal_deck()[-2]) == "M1"
    answer = solve(game, 2000, "interpreted")
    for action in answer.solution:
        assert not is_stranded(game)
        game.act(action)
    assert game.outcome is not None
    assert game.outcome.ending is Ending.WON
