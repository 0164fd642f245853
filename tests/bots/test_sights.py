"""A seat's sights, retraced from its view, are what the kernel showed it at the time."""

import itertools
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import Game, Rules
from tamaya.bots.policy_bot import SeenTurn, SightTracker, retrace
from tamaya.engine import View
from tamaya.engine.kernel import interpreted_kernel
from tamaya.rules import Arrange
from tests.tables import careful_action, every_rules, moves_of_a_game, patient_action, random_action, rules
from tests.twins import twin_of

STYLES: tuple[Callable[..., object], ...] = (random_action, careful_action, patient_action)


def sight_of(game: Game, seat: int) -> bytearray:
    kernel = interpreted_kernel(game.rules)
    sight = bytearray(kernel.layout.size)
    kernel.see(bytearray(game.state), seat, sight)
    return sight


def follow_a_game(table: Rules, seed: int, style: object = random_action, looks: float = 0.3) -> None:
    """Play a game and compare, at every turn, what each seat retraces with what it saw: some look often and some seldom."""
    game, choice = Game(table, seed=seed), random.Random(seed)
    seats = range(table.players)
    seen: list[list[SeenTurn]] = [[] for _ in seats]
    sights, followed = [SightTracker(game.view(seat)) for seat in seats], [list[SeenTurn]() for _ in seats]
    before = [sight_of(game, seat) for seat in seats]
    assert before == [sight.now for sight in sights]
    for move in moves_of_a_game(game, choice, style):  # type: ignore[arg-type]
        after = [sight_of(game, seat) for seat in seats]
        for seat in seats:
            view = game.view(seat)
            if not isinstance(move, Arrange):
                seen[seat].append((before[seat], after[seat]))
            if choice.random() < looks or view.outcome:
                assert sights[seat].lead_to(view)
                followed[seat] += sights[seat].follow(view)
                assert followed[seat] == seen[seat]
                assert sights[seat].now == after[seat]
            if choice.random() < 0.1 or view.outcome:
                assert retrace(view) == seen[seat]
        before = after


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sights_are_what_was_seen_under_every_rules(players: int) -> None:
    styles = itertools.cycle(STYLES)
    for number, table in enumerate(every_rules()):
        if table.players == players:
            follow_a_game(table, number, next(styles))


@given(rules(), st.integers(0, 2**64 - 1), st.sampled_from(STYLES))
def test_sights_are_what_was_seen(table: Rules, seed: int, style: object) -> None:
    follow_a_game(table, seed, style, looks=0.05)


def some_game(table: Rules, seed: int, moves: int) -> Game:
    game = Game(table, seed=seed)
    for _ in itertools.islice(moves_of_a_game(game, random.Random(seed), careful_action), moves):
        pass
    return game


@given(rules(), st.integers(0, 2**64 - 1), st.integers(0, 60))
def test_sights_tell_nothing_that_the_seat_did_not_see(table: Rules, seed: int, moves: int) -> None:
    game = some_game(table, seed, moves)
    for seat in range(table.players):
        twin = twin_of(game, seat, random.Random(seed))
        assert retrace(game.view(seat)) == retrace(twin.view(seat))


def test_sights_lead_to_later_views_of_their_seat_and_game_alone() -> None:
    game = some_game(Rules(players=3), 1, 10)
    view, sights = game.view(0), SightTracker(game.view(0))
    sights.follow(view)
    later = game.copy()
    later.act(later.legal_actions()[0])
    assert sights.lead_to(view)
    assert sights.lead_to(later.view(0))
    earlier = game.copy()
    earlier.undo()
    another = some_game(Rules(players=3), 2, 10)
    others: list[View] = [game.view(1), earlier.view(0), another.view(0), some_game(Rules(players=4), 1, 10).view(0)]
    assert not any(map(sights.lead_to, others))


def test_games_whose_logs_say_the_same_are_told_apart_by_what_the_seat_sees() -> None:
    games = [Game(Rules(players=3), seed=seed) for seed in (1, 2)]
    sights = SightTracker(games[0].view(1))
    assert sights.lead_to(games[0].view(1))
    assert not sights.lead_to(games[1].view(1))
    twin = twin_of(games[0], 1, random.Random(1))
    assert sights.lead_to(twin.view(1)), "nor can anybody else tell these apart"
