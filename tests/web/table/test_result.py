"""The end of a game: the result on the page, and the picture to share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.applications import Starlette

from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import VARIANTS, say
from tamaya.web.rendering.symbols import PAINTS
from tamaya.web.rendering.templates import STATIC
from tamaya.web.table.result import SIZE, result_title
from tests.support.client import Browser, end_game, member, start_game, the_table, with_app
from tests.support.fakes import game_of

SVG = "{http://www.w3.org/2000/svg}"
LONG = ("Anastasia Konstantinopoulou-Wolkenstein", "王小明" * 13, "W" * 40, "<b>&\"'</b>", "Eli")


def texts(svg: str) -> list[str]:
    """Every line of text in a picture."""
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


async def ended(app: Starlette, names: Sequence[str], **fields: object) -> tuple[str, list[Browser]]:
    """A finished game and its players."""
    players = [member(app, name) for name in names]
    code = await start_game(players[0], *players[1:], **fields)
    await end_game(app, code, *players)
    return code, players


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_shows_fireworks_score_rating_and_edition(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, _) = await ended(app, ("Ann", "Bob"), edition="french", variant="multicolour-ten")
        ann.language = language.replace("_", "-")
        table = await the_table(app, code)
        outcome = game_of(table).outcome
        assert outcome is not None
        speak = catalogue(language)
        answer = await ann.get(f"/t/{code}/result.svg")
        assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
        found = texts(answer.text)
        assert speak(result_title(outcome, table.settings.rules)) in found
        assert outcome.rating is None or speak(outcome.rating) in found
        about = " · ".join(words for words in found if speak(table.settings.edition.title) in words)
        assert about.endswith(speak(VARIANTS["multicolour-ten"].title))
        picture = ElementTree.fromstring(answer.text)
        assert picture.get("width") == picture.get("height") == str(SIZE)
        described = picture.find(f"{SVG}title")
        assert described is not None
        assert (described.text or "") in (await ann.get(f"/t/{code}")).words, "its description for screen readers says the same"

    with_app(tmp_path, steps)


def test_the_picture_shows_names_only_on_request(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, *_) = await ended(app, LONG)
        for query in ("", "?names=no", "?names=", "?names=Yes", "?other=yes"):
            assert not any("Anastasia" in words for words in texts((await ann.get(f"/t/{code}/result.svg{query}")).text))
        lines = texts((await ann.get(f"/t/{code}/result.svg?names=yes")).text)
        assert all(any(name in words for words in lines) for name in LONG)

    with_app(tmp_path, steps)


def test_the_longest_lines_stay_inside_the_picture(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, *_) = await ended(app, LONG)
        svg = ElementTree.fromstring((await ann.get(f"/t/{code}/result.svg?names=yes")).text)
        lines = [node for node in svg.iter(f"{SVG}text") if node.get("x") == "540"]
        assert all(float(line.get("y", "")) < SIZE - 10 for line in lines)
        tall = [float(line.get("font-size", "")) for line in lines]
        widths = [len("".join(line.itertext())) * size for line, size in zip(lines, tall, strict=True)]
        assert min(tall) >= 14
        assert max(widths) < 2 * SIZE, "letters are about half as wide as they are tall"

    with_app(tmp_path, steps)


def test_the_picture_runs_nothing_and_names_no_other_site(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, *_) = await ended(app, LONG)
        svg = (await ann.get(f"/t/{code}/result.svg?names=yes")).text
        assert not re.search(r"<script|style=|\son\w+=|href|foreignObject|@import", svg)
        assert re.findall(r"url\((?!#|data:font/woff2;base64,)", svg) == []
        assert svg.replace("http://www.w3.org/2000/svg", "").count("://") == 0
        assert code not in svg

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_no_picture_before_the_end_nor_for_strangers_at_a_closed_table(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = (member(app, name, language=language.replace("_", "-")) for name in ("Ann", "Bob", "Eve"))
        code = await start_game(ann, bob, watching="nobody")
        early = await ann.get(f"/t/{code}/result.svg", hx_request="true")
        words = say("The picture of the result can be had when the game is over.")
        assert (early.status, early.text) == (409, catalogue(language)(words))
        await end_game(app, code, ann, bob)
        assert (await bob.get(f"/t/{code}/result.svg")).status == 200
        assert (await eve.get(f"/t/{code}/result.svg")).status == 403

    with_app(tmp_path, steps)


def test_the_ended_page_says_how_much_there_is_to_celebrate(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        code, (ann, _) = await ended(app, ("Ann", "Bob"))
        outcome = game_of(await the_table(app, code)).outcome
        assert outcome is not None
        page = (await ann.get(f"/t/{code}")).text
        assert f'data-ended="yes" data-score="{outcome.score or 0}" data-maximum="25"' in page
        lost, _ = await ended(app, ("Ann", "Bob"), variant="all-or-nothing")
        assert 'data-score="0"' in (await ann.get(f"/t/{lost}")).text

    with_app(tmp_path, steps)


def test_pictures_and_pages_have_the_same_colours() -> None:
    styles = (STATIC / "base.css").read_text("utf-8")
    assert {name: f"--{name}: {paint};" in styles for name, paint in PAINTS.items()} == dict.fromkeys(PAINTS, True)
