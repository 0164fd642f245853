"""Hidden cards change no result of a search."""

from __future__ import annotations

import random

import pytest

from tamaya import Game, View, read_rules
from tamaya.search import Budget, Search, values
from tamaya.search.bot import SearchBot, deviation
from tests.search.support import limit_search, moments
from tests.twins import twin_of

TABLES = [
    ("players=2 colours=1 hand_size=3", "convention"),
    ("players=2 colours=1 hand_size=2 multicolour=five multicolour_named=no", "simple"),
    ("players=3 colours=1 hand_size=2 announced_plays=yes", "simple"),
    ("players=2 colours=1 hand_size=3", "hat"),
    ("players=3 colours=1 hand_size=2", "hat"),
]


def said(view: View, name: str) -> str:
    """Every result of a search for a view, as text."""
    search = Search(view, name, noise=0.2, speed="interpreted", target_hands=60)
    found, again = search.values(Budget(60)), deviation(search, Budget(60))
    bot = SearchBot(name, Budget(60), speed="interpreted")
    line = search.continuation(search.legal_moves[0], 4)
    return repr((found, again, bot.act(view), str(bot.explain()), search.effective_hands, search.world_weights, line))


@pytest.mark.slow
@pytest.mark.parametrize(("text", "name"), TABLES)
def test_twin_games_have_the_same_values(text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values, the bot's choice and reason, the likely continuation: the same for any hidden cards."""
    limit_search(monkeypatch)
    rules = read_rules(text)
    chance, others = random.Random(1), 0
    for game in moments(rules, [name] * rules.players, 11, slips=0.3, slipping=range(rules.players), arranged=0.2):
        if game.turn % 6 != 2 or game.to_move is None:
            continue
        twin: Game = twin_of(game, game.to_move, chance)
        others += twin.reveal_deck() != game.reveal_deck()
        assert said(game.view(game.to_move), name) == said(twin.view(game.to_move), name), f"turn {game.turn}"
    assert others >= 1


def test_results_follow_from_view_and_seed() -> None:
    """Repeated in any order, the results are the same; another seed draws other worlds."""
    rules = read_rules("players=2 colours=2 hand_size=3")
    views = [Game(rules, seed=seed).view(0) for seed in (1, 2)]

    def ask(view: View, seed: int) -> str:
        return repr(values(view, "simple", budget=100, seed=seed, speed="interpreted"))

    first = [ask(view, 0) for view in views]
    assert [ask(view, 0) for view in reversed(views)] == first[::-1]
    assert ask(views[0], 1) != first[0]
