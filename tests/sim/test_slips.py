"""A team goes on when somebody does what no policy would: nothing fails, every choice is legal."""

from __future__ import annotations

import pytest

from tamaya import Rules
from tamaya.bots import find_policy
from tamaya.sim.speeds import speed
from tests.sim.agreement import Agreement
from tests.tables import FULL, spread_rules

pytestmark = pytest.mark.compiler


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["convention", "hat", "simple"])
def test_a_policy_survives_partners_who_slip(name: str, players: int) -> None:
    tables = [rules for rules in spread_rules() if rules.players == players]
    for number, rules in enumerate([*[Rules(players=players)] * 10, *tables]):
        team = Agreement(rules, name, find_policy(name), speed("interpreted"))
        games = 10 if FULL else 1
        played = team.play(99 + number, games, slips=4 + number % 20)
        assert not played.illegal.any(), rules
        assert (played.endings > 0).all()
    if FULL:
        fast = Agreement(Rules(players=players), name, find_policy(name), speed("compiled"))
        for slips in (2, 5, 10, 30, 100):
            assert not fast.play(slips, 5_000, slips=slips).illegal.any()
