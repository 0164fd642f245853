"""How far a search takes partners at their moves."""

from __future__ import annotations

import pytest

from tamaya.bots import SimpleBot, registry
from tamaya.bots.registry import BotEntry
from tamaya.rules import say
from tamaya.search.trust import PEOPLE, SEARCHING, softness_of


def test_bots_that_search_over_the_policy_leave_it_now_and_then_and_people_as_they_like(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs = BotEntry(say("Thinks ahead."), from_views=SimpleBot, base_policy="convention")
    monkeypatch.setattr(registry, "BOTS", {**registry.BOTS, "theirs": theirs})
    seats = ["convention", "search", "theirs", "search-hat", "hat", "", None, "nobody knows it"]
    assert softness_of(seats, "convention") == (0.0, SEARCHING, SEARCHING, *(PEOPLE,) * 5)
    assert softness_of(seats, "hat") == (*(PEOPLE,) * 3, SEARCHING, 0.0, *(PEOPLE,) * 3)
