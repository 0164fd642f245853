"""The cheat: legal under all rules, near-perfect with all hands in sight, blind to the deck, and not offered at tables."""

from __future__ import annotations

import ast
from array import array
from pathlib import Path

import pytest

import tamaya
from tamaya import Rules, TamayaError
from tamaya.bots import find_bot, import_bot, known_bots, make_bot, offered_bots
from tamaya.bots.cheat import CHEAT
from tamaya.bots.registry import find_policy
from tamaya.engine.instances import instance_of
from tamaya.engine.kernel.deal import deal
from tamaya.engine.kernel.hands import EVERYBODY, see
from tamaya.engine.kernel.turn import apply, legal
from tamaya.engine.layout import DRAWN, NO_CARD, layout_of
from tamaya.league import Match, play_game
from tamaya.rules import Play
from tests.tables import spread_rules


@pytest.mark.slow
def test_it_plays_legally_under_all_rules_to_the_end() -> None:
    """An illegal choice would end the run with an error."""
    games = [play_game(Match("cheat", rules, 1), 0) for rules in spread_rules()]
    assert min(game.score for game in games if not game.rules.all_or_nothing) >= 20
    assert sum(game.score > 0 for game in games) > 0.9 * len(games)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_hardly_ever_misses_a_point_and_never_makes_a_mistake(players: int) -> None:
    games = [play_game(Match("cheat", Rules(players=players)), number) for number in range(20)]
    assert sum(game.score for game in games) >= 20 * 24.8
    assert not any(game.view(0).mistakes for game in games)


def test_it_announces_plays_that_earn_a_token() -> None:
    game = play_game(Match("cheat", Rules(players=3, announced_plays=True)), 0)
    plays = [move for move in game.moves if isinstance(move, Play)]
    assert plays
    assert all(play.announced is not None for play in plays)


def test_it_does_not_see_the_deck() -> None:
    """Games that differ only in cards not drawn yet go the same way until one is drawn."""
    rules = Rules(players=2)
    layout, own = layout_of(rules), instance_of(CHEAT.setting(rules))
    memory = CHEAT.named(rules, memoryview(array("q", bytes(8 * CHEAT.size(rules)))))
    state, sight, mask = bytearray(layout.size), bytearray(layout.size), bytearray(layout.actions)
    own(deal)(state, 0, 7)
    while state[DRAWN] < 30:
        own(see)(state, EVERYBODY, sight)
        own(legal)(state, mask)
        assert set(sight[layout.deck + state[DRAWN] : layout.hands]) == {NO_CARD}
        action = own(CHEAT.choose)(memory, sight, mask, 0)
        other = bytearray(state)
        unseen = slice(layout.deck + state[DRAWN], layout.hands)
        other[unseen] = bytes(reversed(state[unseen]))
        own(see)(other, EVERYBODY, sight)
        assert own(CHEAT.choose)(memory, sight, mask, 0) == action
        own(apply)(state, action)


def test_tables_do_not_offer_it() -> None:
    assert "cheat" not in {*known_bots(), *offered_bots()}
    for ask in (find_bot, make_bot):
        with pytest.raises(TamayaError, match="There is no bot “cheat”"):
            ask("cheat")
    with pytest.raises(TamayaError, match="sees more than a player may"):
        import_bot("cheat").make()
    assert find_policy("cheat") is CHEAT


def test_only_the_simulator_can_play_it() -> None:
    root = Path(tamaya.__file__).parent
    doors = {"CHEAT", "find_policy", "known_policies", "every_bot"}
    users = {
        path.relative_to(root).parts[0]
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and doors & {name.name for name in node.names}
    }
    assert users == {"bots", "sim"}
    importing = "from tamaya.bots.cheat import"
    assert [path.name for path in root.rglob("*.py") if importing in path.read_text("utf-8")] == ["registry.py"]
