"""The searching bots of the house, as lists of bots have them."""

from __future__ import annotations

from typing import Any

import pytest

from tamaya import Game, Rules
from tamaya.bots import SimpleBot, find_bot, import_bot, make_bot
from tamaya.rules import EDITIONS
from tamaya.search import Budget, bot
from tamaya.search.bot import ROLLOUTS, SECONDS_WITH_PEOPLE, SearchBot
from tamaya.workers.search_bots import LEARNED_ROLLOUTS

TWO = Rules(players=2)


@pytest.mark.parametrize("edition", EDITIONS)
def test_one_over_the_learned_policy_knows_what_that_knows(edition: str) -> None:
    entry = find_bot("search-learned")
    assert entry.knows(EDITIONS[edition].rules(2))
    assert not entry.knows(EDITIONS[edition].rules(3))
    assert find_bot("search").knows(EDITIONS[edition].rules(3))


class Mine(SearchBot):
    base_policy = "learned"


class Lost(SimpleBot):
    base_policy = "there:is_none"


def test_one_of_your_own_knows_what_the_policy_knows_that_it_builds_on() -> None:
    entry = import_bot(f"{__name__}:Mine")
    assert entry.knows(TWO)
    assert not entry.knows(Rules(players=3))
    assert import_bot(f"{__name__}:Lost").knows(Rules(players=3)), "what is wrong with it is said where it searches"


@pytest.mark.parametrize(
    ("name", "rollouts"), [("search", ROLLOUTS[2]), ("search-hat", ROLLOUTS[2]), ("search-learned", LEARNED_ROLLOUTS)]
)
@pytest.mark.parametrize("partner", ["", "simple"], ids=["people", "bots"])
def test_it_has_its_own_policy_and_rollouts_and_less_time_where_people_wait(
    name: str, rollouts: int, partner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, Budget]] = []

    class Nothing:
        found_hands = None

        def __init__(self, view: Any, policy: str, **how: Any) -> None:
            self.policy = policy

    def noted(search: Nothing, budget: Budget) -> None:
        asked.append((search.policy, budget))

    monkeypatch.setattr(bot, "Search", Nothing)
    monkeypatch.setattr(bot, "deviation", noted)
    entry, view = find_bot(name), Game(TWO, seed=1).view(0)
    mind = entry.make()
    mind.meet([name, partner])  # type: ignore[attr-defined]
    assert mind.act(view) == make_bot(entry.base_policy).act(view)
    assert asked == [(entry.base_policy, Budget(rollouts, None if partner else SECONDS_WITH_PEOPLE))]


@pytest.mark.slow
def test_it_searches_over_the_learned_policy() -> None:
    game, partners = Game(TWO, seed=2), [make_bot("learned"), make_bot("learned")]
    while game.deck_count > 1:
        seat = game.to_move or 0
        game.act(partners[seat].act(game.view(seat)))
    view = game.view(game.to_move or 0)
    mind = SearchBot("learned", Budget(60), speed="interpreted")
    assert mind.act(view) in view.legal_actions
    assert mind.explain() is not None
