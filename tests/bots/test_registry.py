"""Bots are found by name: built-in ones, those of installed packages, and for the command line any class. The page for authors
of bots is true."""

from __future__ import annotations

import doctest
import logging
import re
import sys
from pathlib import Path
from statistics import fmean

import pytest

from tamaya import Game, MalformedError, Rules, RulesError
from tamaya.bots import (
    BOTS,
    DEFAULT_BOT,
    PolicyBot,
    RandomBot,
    SimpleBot,
    find_bot,
    find_policy,
    import_bot,
    known_bots,
    known_policies,
    make_bot,
    offered_bots,
)
from tamaya.bots.packages import GROUP
from tamaya.i18n import catalogue
from tamaya.league import Match, play_chunk
from tamaya.sim import seed_of
from tests.bots.support import GOOD, MARKING, install, play_out
from tests.tables import every_rules

HOUSE = ["convention", "simple", "hat", "learned", "random", "search", "search-hat", "search-learned"]
VIEW = Game(Rules(players=3), seed=1).view(0)


def test_built_in_bots_are_found_by_name() -> None:
    assert isinstance(make_bot("simple"), PolicyBot)
    assert isinstance(make_bot("random"), RandomBot)
    with pytest.raises(MalformedError, match="convention, simple, hat, learned, random"):
        make_bot("deep blue")


def test_the_default_bot_is_strong_and_its_clues_mean_what_they_say() -> None:
    with_codes = ("hat", "learned")
    means = {
        name: fmean(entry.mean_scores.values()) for name, entry in BOTS.items() if entry.plays_fair and name not in with_codes
    }
    assert means[DEFAULT_BOT] == max(means.values()) > 0


def test_a_bot_of_an_installed_package_is_known_with_its_summary(folder: Path) -> None:
    install(folder, "friendly", GOOD, {"friendly": "friendly:GoodBot"})
    entry = find_bot("friendly")
    assert str(entry.summary) == "Plays like a beginner."
    assert (dict(entry.mean_scores), entry.offered) == ({}, True)
    assert make_bot("friendly").act(VIEW) == SimpleBot().act(VIEW)
    assert list(known_bots()) == [*HOUSE, "friendly"]
    assert list(offered_bots()) == [bot for bot in known_bots() if bot not in ("search-hat", "search-learned")]


def test_packages_are_read_when_needed_and_only_once(folder: Path) -> None:
    install(folder, "counted", MARKING + GOOD, {"counted": "counted:GoodBot"})
    find_bot("simple")
    assert not (folder / "counted.py.mark").exists()
    find_bot("counted")
    known_bots()
    assert (folder / "counted.py.mark").read_text() == "x"


@pytest.mark.parametrize(
    ("source", "place", "words"),
    [
        ("1 / 0", "bad:Bot", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "bad:Bot", "SystemExit: 3"),
        ("import nowhere_to_be_found", "bad:Bot", "No module named 'nowhere_to_be_found'"),
        ("", "bad:Bot", "has no attribute 'Bot'"),
        ("", "elsewhere:Bot", "No module named 'elsewhere'"),
        ("class Bot: pass", "bad:Bot", "“bad:Bot” is no bot; a bot is a class with a method act(view)."),
        ("Bot = 3", "bad:Bot", "is no bot"),
        ("class Bot:\n    def __init__(self, strength): pass\n    act = None", "bad:Bot", "is no bot"),
        (
            "class Bot:\n    def __init__(self, strength): pass\n    def act(self, view): pass",
            "bad:Bot",
            "“bad:Bot” cannot be made without arguments: TypeError: missing a required argument: 'strength'",
        ),
    ],
)
def test_what_does_not_load_is_logged_and_left_out(
    folder: Path, caplog: pytest.LogCaptureFixture, source: str, place: str, words: str
) -> None:
    install(folder, "bad", source, {"bad-bot": place})
    install(folder, "friendly", GOOD, {"friendly": "friendly:GoodBot"})
    assert list(known_bots()) == [*HOUSE, "friendly"], "the others are there"
    assert "bad-bot" in caplog.text
    assert words in caplog.text
    with pytest.raises(MalformedError) as refusal:
        find_bot("bad-bot")
    assert words in str(refusal.value)


@pytest.mark.parametrize("name", ["simple", "search", "a:b", "<b>", "x" * 41, "-"])
def test_a_package_cannot_take_a_built_in_or_invalid_name(folder: Path, caplog: pytest.LogCaptureFixture, name: str) -> None:
    install(folder, "bold", GOOD, {name: "bold:GoodBot"})
    with caplog.at_level(logging.WARNING):
        assert list(known_bots()) == HOUSE
    assert isinstance(make_bot("simple"), PolicyBot)
    assert find_bot("simple") is BOTS["simple"]
    assert find_bot("search").base_policy == "convention"
    assert "its name is taken" in caplog.text


def test_of_two_packages_with_the_same_name_one_plays(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    for package in ("one", "other"):
        install(folder, package, GOOD, {"twice": f"{package}:GoodBot"})
    assert make_bot("twice").act(VIEW) == SimpleBot().act(VIEW)
    assert "its name is taken" in caplog.text


def test_a_class_is_found_by_its_import_path(folder: Path) -> None:
    install(folder, "placed", GOOD)
    assert import_bot("placed:GoodBot").make().act(VIEW) == SimpleBot().act(VIEW)
    assert import_bot("simple") is BOTS["simple"]


def test_a_class_that_thinks_ahead_names_the_policy_that_tables_compile(folder: Path) -> None:
    install(folder, "ahead", GOOD + "class Ahead(GoodBot):\n    base_policy = 'simple'\n")
    assert import_bot("ahead:Ahead").base_policy == "simple"
    assert import_bot("ahead:GoodBot").base_policy == ""


def test_an_import_path_may_name_a_module_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "here_only", GOOD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    monkeypatch.delitem(sys.modules, "here_only", raising=False)
    assert import_bot("here_only:GoodBot").make().act(VIEW) == SimpleBot().act(VIEW)


WRONG = """
    class Pacifist: pass
    class Demanding:
        def __init__(self, strength): pass
        def act(self, view): pass
    class Stillborn:
        def __init__(self): raise OSError("no model here")
        def act(self, view): pass
    def nothing(): pass
    number = 3
"""


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("nowhere:Bot", "There is no module “nowhere”, neither installed nor in this folder."),
        ("wrong.inner:Bot", "There is no module “wrong.inner”"),
        ("wrong:Bot", "The module “wrong” has no “Bot”; its bots are Demanding, Stillborn."),
        ("empty:Bot", "The module “empty” has no “Bot”, and no class with a method act(view)."),
        ("wrong:Pacifist", "“wrong:Pacifist” is no bot; a bot is a class with a method act(view)."),
        ("wrong:number", "“wrong:number” is no bot"),
        ("wrong:nothing", "“wrong:nothing” is no bot"),
        ("wrong:Demanding", "cannot be made without arguments: TypeError: missing a required argument: 'strength'"),
        ("wrong:Stillborn", "cannot be made without arguments: OSError: no model here"),
        ("failing:Bot", "The module “failing” cannot be imported: ZeroDivisionError: division by zero"),
        ("lacking:Bot", "The module “lacking” cannot be imported: ModuleNotFoundError: No module named 'nowhere'"),
        ("leaving:Bot", "The module “leaving” cannot be imported: SystemExit: 3"),
        (":", "“:” is no place of a bot; write it like mypackage.mymodule:MyBot"),
        ("wrong:", "is no place of a bot"),
        ("../wrong:Bot", "is no place of a bot"),
        ("wrong:Bot:Bot", "is no place of a bot"),
        (f"wrong:{'B' * 100}", "is no place of a bot"),
        ("deep", "There is no bot “deep”; the bots are"),
    ],
)
def test_a_bad_import_path_is_refused_with_the_reason(folder: Path, place: str, words: str) -> None:
    sources = {"wrong": WRONG, "empty": "", "failing": "1 / 0", "lacking": "import nowhere", "leaving": "raise SystemExit(3)"}
    for name, source in sources.items():
        install(folder, name, source)
    with pytest.raises(MalformedError) as refusal:
        import_bot(place)
    assert words in str(refusal.value)


@pytest.mark.parametrize("name", ["trap:Bot", "trap", "os:getcwd", "trap.Bot"])
def test_finding_a_bot_by_name_imports_nothing(folder: Path, name: str) -> None:
    install(folder, "trap", MARKING + GOOD.replace("GoodBot", "Bot"))
    with pytest.raises(MalformedError, match="There is no bot"):
        find_bot(name)
    with pytest.raises(MalformedError, match="There is no bot"):
        make_bot(name)
    assert not list(folder.glob("*.mark"))


# Policies.

POLICY = '''"""A policy of another author."""

from tamaya.bots import Policy
from tamaya.engine.instances import Options

OPTIONS = Options()


def choose(memory, sight, mask, random_bits):
    """Takes the first action that is legal."""
    action = 0
    while not mask[action]:
        action += 1
    return action


FIRST = Policy(choose)
'''

OLD_POLICY = '''"""A policy as they were written before."""

from tamaya.bots import Blueprint, Policy


def build_first(kernel, jit, constants):
    """Takes the first action that is legal."""
    return Policy(0, 0, None, None, None)


FIRST = Blueprint(build_first)
'''


def test_one_registry_has_everything_that_chooses_from_a_sight() -> None:
    assert list(known_policies()) == ["convention", "simple", "hat", "learned", "random", "cheat", "faultless"]
    assert all(find_policy(name) is policy for name, policy in known_policies().items())


def test_a_package_brings_a_policy_as_it_brings_a_bot(folder: Path) -> None:
    install(folder, "brought", POLICY, {"first": "brought:FIRST"})
    assert str(find_bot("first").summary) == "Takes the first action that is legal."
    assert make_bot("first").act(VIEW) == VIEW.legal_actions[0]
    assert find_policy("first") is find_policy("brought:FIRST") is known_policies()["first"]


def test_a_policy_with_a_builder_is_refused_with_a_message(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    install(folder, "former", OLD_POLICY, {"first": "former:FIRST"})
    words = "A policy is plain functions now and has no Blueprint; docs/bots-authors.md shows how to write one."
    assert list(known_bots()) == HOUSE, "the others are there"
    assert f"(former:FIRST) was left out: {words}" in caplog.text
    for find in (find_bot, find_policy):
        with pytest.raises(MalformedError) as refusal:
            find("first")
        assert words in str(refusal.value)
    with pytest.raises(MalformedError) as refusal:
        import_bot("former:FIRST")
    assert str(refusal.value) == f"The module “former” cannot be imported: {words}"
    assert catalogue("es")(refusal.value.message) != str(refusal.value)


def test_a_bot_that_plays_only_from_views_is_not_a_policy(folder: Path) -> None:
    install(folder, "friendly", GOOD, {"friendly": "friendly:GoodBot"})
    with pytest.raises(MalformedError, match="“friendly” plays from views alone; policies are convention, simple"):
        find_policy("friendly")


@pytest.mark.parametrize("name", ["cheat", "faultless"])
def test_bots_that_see_too_much_sit_at_no_table(name: str) -> None:
    assert name not in {**known_bots(), **offered_bots()}
    with pytest.raises(MalformedError, match=f"There is no bot “{name}”"):
        find_bot(name)
    with pytest.raises(MalformedError, match="sees more than a player may"):
        import_bot(name).make()


def test_rules_with_more_cards_than_a_set_can_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seventh colour would make 35 different cards; sets of cards have 32 bits."""
    rules = Rules(players=3)
    monkeypatch.setitem(vars(rules), "cards", (*rules.cards, *rules.cards[:10]))
    for policy in known_policies().values():
        with pytest.raises(RulesError, match="These rules have 35 different cards; policies and the solver know at most 32"):
            policy.check_rules(rules)


# The page for authors.

PAGE = Path(__file__).parents[2] / "docs" / "bots-authors.md"


def example(language: str) -> str:
    """The page's one piece of code in a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return str(found)


def test_the_bot_and_the_policy_of_the_page_play_as_shown(folder: Path) -> None:
    install(folder, "mybot", example("python"))
    install(folder, "mypolicy", example("py"))
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.failed == 0
    assert done.attempted >= 16


@pytest.mark.slow
def test_the_bot_of_the_page_plays_legally_under_all_rules(folder: Path) -> None:
    install(folder, "mybot", example("python"))
    make = import_bot("mybot:MyBot").make
    for rules in every_rules():
        game, bots = Game(rules, seed=1), [make() for _ in range(rules.players)]
        while game.to_move is not None:
            view = game.view(game.to_move)
            action = bots[game.to_move].act(view)
            assert action in view.legal_actions
            game.act(action)


def test_the_entry_point_of_the_page_is_the_one_that_is_read(folder: Path) -> None:
    group, name, place = re.search(r'entry-points\."(.+?)"\]\n(\w+) = "(.+?)"', example("toml")).groups()  # type: ignore[union-attr]
    assert group == GROUP
    install(folder, "mybot", example("python"), {name: place})
    assert str(find_bot("mybot").summary) == "Trusts its teammates: what they point at can be played."
    assert find_bot("mybot").make().act(Game(Rules(), seed=1).view(0))


@pytest.mark.slow
@pytest.mark.compiler
def test_the_policy_of_the_page_is_short_and_plays_in_the_league_and_at_a_table(folder: Path) -> None:
    code = example("py")
    assert len(code.splitlines()) <= 60
    install(folder, "mypolicy", code)
    match = Match("mypolicy:OLDEST", Rules(players=3), games=500)
    (chunk,) = [chunk for chunk in match.chunks() if chunk.numbers]
    assert match.is_compiled
    played = play_chunk(chunk)
    make_bot_of_page = import_bot("mypolicy:OLDEST").make
    for number in range(5):
        game = Game(match.rules, seed=seed_of(match.seed, number))
        play_out(game, [make_bot_of_page() for _ in range(3)])
        assert game.score == played.scores[number]
