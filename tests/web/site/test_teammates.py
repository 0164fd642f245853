"""Bots are introduced as teammates, and do what their pages say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.bots import BOTS, offered_bots
from tamaya.bots.convention.reasons import ConventionReason
from tamaya.engine import Clued
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import Clue, Rules
from tamaya.web.bot_profiles import teammate_of, teammates
from tamaya.web.site.examples import IDEAS, OTHER_AGREEMENTS, RULES, Idea, bot_reason
from tamaya.web.site.teammates import HABITS
from tamaya.web.table.board_cache import render_board, render_illustration
from tamaya.web.table.snapshot import GameSnapshot, Player, TableInfo
from tests.bots.convention.support import asked
from tests.bots.support import GOOD, install, site
from tests.support.client import Browser, member, open_table, with_app
from tests.tables import game_with

WHY: Mapping[str, ConventionReason] = {
    "The oldest card goes first": ConventionReason.CHOP,
    "A clue is about one card": ConventionReason.READ_CARD,
    "A 5 is saved in time": ConventionReason.SAVE_LAST,
    "So is the last of its kind": ConventionReason.SAVE_LAST,
    "What was saved is kept": ConventionReason.CHOP,
    "Play it when its turn comes": ConventionReason.READ_CARD,
    "Somebody must have the missing card": ConventionReason.FINESSE,
    "First look among the cards you were told about": ConventionReason.PROMPT,
}
BY_TITLE = {str(idea.title): idea for idea in IDEAS}
BOARD = TableInfo(tuple(map(Player, ("Ann", "Kiku", "Botan"))))


def titled(idea: Idea) -> str:
    return str(idea.title)


@pytest.mark.parametrize("idea", IDEAS, ids=titled)
def test_the_bot_does_what_its_page_says(idea: Idea) -> None:
    thought = asked(idea.game)
    assert thought.action == idea.answer
    assert thought.facts.reason is WHY[titled(idea)], "and for the reason that the idea gives"
    assert bot_reason(idea) == thought.words


@pytest.mark.parametrize("idea", IDEAS, ids=titled)
def test_the_picture_points_at_the_card_that_the_idea_is_about(idea: Idea) -> None:
    seat, slot = idea.points
    if isinstance(idea.answer, Clue):
        event = idea.game.act(idea.answer)
        assert isinstance(event, Clued)
        assert event.target == seat
        assert slot in event.slots
    elif idea is BY_TITLE["What was saved is kept"]:
        assert (seat, slot + 1) == (idea.game.to_move, idea.answer.slot), "the next oldest took its place"
    else:
        assert (seat, slot) == (idea.game.to_move, idea.answer.slot)


def test_a_2_is_saved_where_it_would_be_missed() -> None:
    thought = asked(game_with(RULES, "W3 W4 B3 G4 Y3", "R2 Y4 G3 W3 B4", "B3 W4 G4 Y4 R3"))
    assert thought.action == Clue(1, 2)
    assert thought.facts.reason is ConventionReason.SAVE


def test_the_bot_waits_for_the_cards_before_its_own() -> None:
    idea = BY_TITLE["Play it when its turn comes"]
    early = Idea(idea.title, idea.words, idea.cards, (*idea.actions[:2], "clue 2 3"), idea.eyes, idea.points, idea.answer)
    assert asked(early.game).action != idea.answer


@pytest.mark.parametrize("idea", IDEAS, ids=titled)
def test_pictures_are_rendered_like_the_board(idea: Idea) -> None:
    moment = GameSnapshot(idea.game.view(idea.eyes), BOARD, idea.eyes)
    board = str(render_board(moment, "en")).replace("<small>you</small>", "<small></small>")
    number = idea.game.hand_numbers(idea.points[0])[idea.points[1]]
    picture = render_illustration(moment, "en", frozenset({number}))
    assert picture.count(" pointed") == 1
    hands = re.findall(r'<section id="hand-.*?</section>', picture, re.DOTALL)
    assert len(hands) == 3
    for hand in hands:
        assert hand.replace(" pointed", "") in board


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_the_convention_bot_has_a_picture_for_each_idea(tmp_path: Path, language: str) -> None:
    speak = catalogue(language)

    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann", language=language)
        page = (await ann.get("/teammates/convention")).text
        words = (await ann.get("/teammates/convention")).words
        assert page.count('class="scene ') == len(IDEAS)
        ids = re.findall(r'\bid="([^"]+)"', page)
        assert len(ids) == len(set(ids)), "every id of a picture is unique on the page"
        for idea in IDEAS:
            assert speak(idea.title) in words
            assert speak(idea.words) in words
        assert all(speak(sentence) in words for sentence in OTHER_AGREEMENTS)

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bot_that_can_be_seated_is_introduced(tmp_path: Path, language: str) -> None:
    speak = catalogue(language)

    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann", language=language)
        page = (await ann.get("/teammates")).words
        for mate in teammates():
            assert mate.summary
            assert bool(mate.points) == bool(offered_bots()[mate.bot].mean_scores)
            for message in filter(None, (mate.name, mate.summary, mate.points)):
                assert speak(message) in page
            assert f'href="{mate.page}"' in page
            own = await ann.get(mate.page)
            assert own.status == 200
            assert all(speak(sentence) in own.words for sentence in HABITS.get(mate.bot, OTHER_AGREEMENTS))

    with_app(tmp_path, steps)


def test_points_are_given_in_round_numbers() -> None:
    assert str(teammate_of("convention").points) == "about 23 of 25 points with its like"
    assert str(teammate_of("convention", 3).points) == "about 24 of 25 points with its like"
    for name, entry in offered_bots().items():
        for players, mean in entry.mean_scores.items():
            points = str(teammate_of(name, players).points)
            assert points.startswith(f"about {round(mean)} of 25 " if mean >= 1 else "loses nearly every game")


def test_a_bot_with_more_points_has_the_higher_firework() -> None:
    heights = {mate.bot: mate.height for mate in teammates() if mate.bot in BOTS}
    assert heights == {"convention": 5, "simple": 3, "hat": 5, "learned": 5, "random": 0}


def test_a_bot_that_searches_stands_behind_the_bot_it_builds_on() -> None:
    assert [mate.bot for mate in teammates()] == ["convention", "search", "simple", "hat", "learned", "random"]
    assert "learned" not in [mate.bot for mate in teammates(Rules(players=3))], "it does not know that game"


def test_bots_of_packages_are_introduced_in_their_authors_words(tmp_path: Path) -> None:
    install(tmp_path, "elsewhere", GOOD, {"good": "elsewhere:GoodBot"})
    with site(tmp_path):
        good = teammate_of("good")
        assert (str(good.name), str(good.summary), good.points) == ("good", "Plays like a beginner.", None)

        async def steps(app: Starlette) -> None:
            ann = member(app, "Ann")
            assert "Plays like a beginner." in (await ann.get("/teammates")).words
            assert (await ann.get("/teammates/good")).status == 200

        with_app(tmp_path, steps)


def test_a_bot_that_cannot_be_seated_has_no_page(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        for name in ("nobody", "cheat", "%3Cb%3E"):
            answer = await Browser(app).get(f"/teammates/{name}")
            assert answer.status == 404
            assert "There is nothing at this address." in answer.words

    with_app(tmp_path, steps)


def test_the_name_of_every_bot_leads_to_its_page_and_the_table_stays_open(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, players=2)
        await ann.act(code, "bot", seat=1, bot="hat")
        link = '<a class="bot-link" href="/teammates/hat" target="_blank"'
        assert link in (await ann.get(f"/t/{code}")).text, "in the lobby"
        await ann.act(code, "start", first=0)
        assert link in (await ann.get(f"/t/{code}")).text, "and at the table"

    with_app(tmp_path, steps)


def test_a_bot_that_is_no_longer_installed_is_called_by_its_name() -> None:
    view = IDEAS[0].game.view(0)
    moment = GameSnapshot(view, TableInfo((Player("Ann"), Player("Kiku", bot="gone"), Player("Botan", bot="convention"))))
    page = render_board(moment, "en")
    assert "bot · gone" in page
    assert "/teammates/gone" not in page
    assert "/teammates/convention" in page


def test_every_built_in_bot_has_a_display_name() -> None:
    assert all(entry.title for entry in BOTS.values() if entry.offered)
