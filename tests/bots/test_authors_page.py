"""The page for authors of bots says what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tamaya import Game, Rules
from tamaya.bots import find_bot, import_bot
from tamaya.bots.packages import GROUP
from tests.bots.support import install
from tests.tables import every_rules

PAGE = Path(__file__).parents[2] / "docs" / "bots-authors.md"


def example(language: str) -> str:
    """The page's one piece of code in a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return str(found)


def test_the_bot_and_the_policy_of_the_page_play_as_the_page_shows(folder: Path) -> None:
    install(folder, "mybot", example("python"))
    install(folder, "mypolicy", example("py"))
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.failed == 0
    assert done.attempted >= 16


@pytest.mark.slow
def test_it_plays_legally_by_all_rules(folder: Path) -> None:
    install(folder, "mybot", example("python"))
    make = import_bot("mybot:MyBot").make
    for rules in every_rules():
        game, bots = Game(rules, seed=1), [make() for _ in range(rules.players)]
        while game.to_move is not None:
            view = game.view(game.to_move)
            action = bots[game.to_move].act(view)
            assert action in view.legal_actions
            game.act(action)


def test_the_packages_entry_point_is_the_one_that_is_read(folder: Path) -> None:
    group, name, place = re.search(r'entry-points\."(.+?)"\]\n(\w+) = "(.+?)"', example("toml")).groups()  # type: ignore[union-attr]
    assert group == GROUP
    install(folder, "mybot", example("python"), {name: place})
    assert str(find_bot("mybot").summary) == "Trusts its teammates: what they point at can be played."
    assert find_bot("mybot").make().act(Game(Rules(), seed=1).view(0))
