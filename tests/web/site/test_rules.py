"""The rules in words and pictures, in general and for a table."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya import EDITIONS
from tamaya.i18n import LANGUAGES, catalogue, explain
from tamaya.rules import Edition, Message, say
from tests.support.client import Browser, member, open_table, start_game, with_app


def test_the_text_comes_first_and_the_choice_of_edition_and_variants_is_folded_away(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        page = (await Browser(app).get("/rules")).text
        folded = re.search(r"<details class=\"panel rules-choice\">(.*?)</details>", page, re.DOTALL)
        assert folded, "and it is not open"
        assert 'name="edition"' in folded[1]
        rest = page.replace(folded[0], "").partition("<main")[2]
        assert "<form" not in rest
        assert "Together you build 5 fireworks" in rest

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
def test_there_are_pictures_of_cards_tokens_and_a_clue(tmp_path: Path, language: str, edition: Edition) -> None:
    async def steps(app: Starlette) -> None:
        page = (await Browser(app, language=language.replace("_", "-")).get(f"/rules?edition={edition.name}")).text
        figures = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
        assert len(figures) == 6
        assert sum(figure.count('class="card face') for figure in figures) == 5 + 5 + 1 + 3 + 1
        assert sum(figure.count('class="card back') for figure in figures) == 5
        clue = next(figure for figure in figures if "touched" in figure)
        assert clue.count("touched") == 2
        assert clue.count('class="on"') == 7
        assert "Kiku" in clue

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_a_table_are_those_it_plays_by(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann", language=language.replace("_", "-"))
        code = await open_table(
            ann, edition="french", players=4, variant="one-mistake", clue_tokens=5, empty_clues="no", talk="strict"
        )
        page = await ann.get(f"/t/{code}/rules")
        rules = EDITIONS["french"].rules(4, ["one-mistake"], clue_tokens=5, empty_clues=False)
        speak = catalogue(language)
        for section in explain(rules, EDITIONS["french"], say("A player drawn at random starts.")):
            assert all(speak(sentence) in page.words for sentence in section.sentences)
        assert speak(say("A clue that matches no card is allowed.")) not in page.words
        assert speak(say("Clues only while the game goes on; talk comes before and after.")) in page.words
        assert f'href="/t/{code}"' in page.text, "there is a way back"
        assert f'href="/t/{code}/rules"' in (await ann.get(f"/t/{code}")).text

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("starter", "words"),
    [
        ("random", say("A player drawn at random starts.")),
        ("custom", EDITIONS["chinese"].starter),
        ("1", say("{name} starts.", name="Ann")),
        ("2", say("The player at seat {seat} starts.", seat="2")),
    ],
)
def test_the_rules_of_a_table_say_who_starts_there(tmp_path: Path, language: str, starter: str, words: Message) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann", language=language.replace("_", "-")), member(app, "Bob")
        code = await open_table(ann, edition="chinese", players=2, starter=starter)
        speak, custom = catalogue(language), EDITIONS["chinese"].starter
        page = await ann.get(f"/t/{code}/rules")
        assert speak(words) in page.words
        assert (speak(custom) in page.words) == (starter == "custom")
        await bob.act(code, "sit")
        if starter == "2":
            assert speak(say("{name} starts.", name="Bob")) in (await ann.get(f"/t/{code}/rules")).words
        assert (await ann.act(code, "start", first=1)).status == 200
        page = await ann.get(f"/t/{code}/rules")
        assert speak(say("{name} starts.", name="Bob")) in page.words
        assert speak(custom) not in page.words, "it has been decided"

    with_app(tmp_path, steps)


def test_the_rules_of_a_table_name_variants_as_its_booklet_does(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, edition="spanish", players=2, variant="multicolour-unnamed all-or-nothing")
        page = unescape((await ann.get(f"/t/{code}/rules")).text)
        assert "Spanish edition · Abacus 2012 · Farbrausch (2ª variante) · All or nothing · 2 players" in page

    with_app(tmp_path, steps)


def test_the_rules_of_a_table_are_only_for_those_who_may_look_at_it(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        closed = await start_game(ann, bob, watching="nobody")
        assert [(await who.get(f"/t/{closed}/rules")).status for who in (ann, bob, eve)] == [200, 200, 403]
        assert (await eve.get("/t/zzzzzzzzzz/rules")).status == 404
        assert (await ann.post(f"/t/{closed}/rules")).status == 405

    with_app(tmp_path, steps)
