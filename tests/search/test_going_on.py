"""A policy that meets moves it would never make goes on, and memories that are called public are."""

from __future__ import annotations

import numpy as np
import pytest

from tamaya import Rules, read_rules
from tamaya.bots import find_policy
from tamaya.search import Budget, Search
from tamaya.search.budget import ENDLESS
from tamaya.search.trace import Trace
from tamaya.search.trust import PEOPLE
from tamaya.sim.speeds import speed
from tamaya.sim.team import team
from tests.search.games import moments
from tests.search.sampling import belief, think_little
from tests.sim.support import SeparateTeam
from tests.tables import FULL, spread_rules


def tables(players: int) -> list[Rules]:
    """Two small sets of rules that differ in all that policies may stumble over, and many more in a full run."""
    plain = Rules(players=players, colours=2, hand_size=3 if players < 4 else 2)
    odd = read_rules(
        f"players={players} colours=2 hand_size=2 multicolour=five multicolour_named=no announced_plays=yes empty_clues=yes"
    )
    return [plain, odd, *(rules for rules in spread_rules() if FULL and rules.players == players)]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["convention", "hat", "simple"])
def test_every_legal_move_of_a_wild_game_is_played_on_to_a_legal_end(
    name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    think_little(monkeypatch)
    for number, rules in enumerate(tables(players)):
        lineup, soft = [name] * players, [0.2] * players
        together = team(rules, (name,), "interpreted")
        for game in moments(rules, lineup, number, slips=0.4, slipping=range(players)):
            if game.turn % (4 if FULL else 40) != 9 or game.to_move is None:
                continue
            view = game.view(game.to_move)
            mind = belief(view, lineup, soft, number)
            worlds = mind.worlds(mind.hands(1, 1, ENDLESS), len(view.legal_actions))
            trace = Trace(view)
            states = trace.positions(trace.turns, worlds.decks)
            moves = np.array(game.legal_numbers())
            played = together.rollout(lineup, states, worlds.memories, moves, 0, worlds.whose)
            assert not played.illegal.any(), (rules, game.turn)
            assert (played.endings > 0).all()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["convention", "simple"])
def test_seats_with_public_memory_write_down_the_same_whatever_anybody_does(name: str, players: int) -> None:
    """What lets a search work out one memory for all seats and all worlds."""
    blueprint = find_policy(name)
    assert blueprint.public
    for number, rules in enumerate(tables(players)):
        played = SeparateTeam(rules, name, blueprint, speed("interpreted")).play(number, 20 if FULL else 2, slips=3 + number)
        assert not played.differing.any(), rules
        assert not played.illegal.any(), rules


def test_hat_does_not_promise_that() -> None:
    blueprint = find_policy("hat")
    assert not blueprint.public
    agreed = SeparateTeam(Rules(players=3), "hat", blueprint, speed("interpreted")).play(1, 2, slips=3)
    assert agreed.differing.any(), "these tests can tell"


@pytest.mark.slow
def test_where_nothing_fits_memories_are_those_of_partners_who_are_trusted_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Partners left the code of `hat`, so no hand fits it strictly: everything is weighed as if they had been trusted less."""
    think_little(monkeypatch)
    rules = read_rules("players=3 colours=2 hand_size=3")
    game = next(game for game in moments(rules, ["hat"] * 3, 0, slips=0.5, slipping=range(3)) if game.turn == 5)
    view = game.view(game.to_move or 0)
    strict = Search(view, "hat", speed="interpreted", tries=96)
    soft = Search(view, "hat", softness=PEOPLE, speed="interpreted", tries=24)
    assert strict.values(Budget(60)).moves == soft.values(Budget(60)).moves
    assert strict.doubtful
    assert not soft.doubtful
