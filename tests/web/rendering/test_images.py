"""QR codes: for whom they are drawn, and what everybody else does meanwhile."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from starlette.applications import Starlette

from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import say
from tamaya.web.http.security import MAX_HOST_LENGTH
from tamaya.web.rendering import images
from tamaya.web.rendering.cache import RenderCache
from tests.support.client import SITE, Browser, member, open_table, with_app


def test_a_page_with_a_code_draws_none_and_the_picture_is_of_its_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(text: str) -> bytes:
        drawn.append(text)
        return b"<svg/>"

    monkeypatch.setattr(images, "_qr_svg", draw)

    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, players=2)
        picture = f"/t/{code}/qr.svg"
        page = await ann.get(f"/t/{code}")
        assert re.search(rf'<img class="qr"[^>]* src="{picture}"', page.text)
        assert drawn == []
        answer = await ann.get(picture)
        assert (answer.status, answer.headers["content-type"], answer.body) == (200, "image/svg+xml", b"<svg/>")
        link = re.search(rf'readonly value="({SITE}[^"]+)"', page.text)
        assert link
        assert drawn == [link[1]]
        assert (await ann.get(picture)).status == 200
        assert drawn.pop() == link[1], "drawn once, then kept"
        assert "<svg/>" in (await ann.post("/me/link")).text, "a personal link is shown once, and its picture with it"
        assert len(drawn) == 1
        assert drawn[0].startswith(f"{SITE}/me/")

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_for_strangers_nothing_is_drawn_and_they_are_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(images, "_qr_svg", lambda text: pytest.fail("drawn for a stranger"))

    async def steps(app: Starlette) -> None:
        code = await open_table(member(app, "Ann"), players=2)
        answer = await Browser(app, language=language.replace("_", "-")).get(f"/t/{code}/qr.svg")
        words = catalogue(language)(say("This picture is for visitors of its page; open the page first."))
        assert (answer.status, words in answer.words) == (403, True)

    with_app(tmp_path, steps)


def test_while_a_code_is_drawn_everybody_else_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, others_answered = Event(), Event()

    def draw(text: str) -> bytes:
        begun.set()
        assert others_answered.wait(30), "nobody was answered while the code was drawn"
        return b"<svg/>"

    monkeypatch.setattr(images, "_qr_svg", draw)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        drawing = asyncio.create_task(ann.post("/me/link"))
        assert await asyncio.to_thread(begun.wait, 30), "nothing was drawn"
        assert (await bob.get("/health")).status == 200
        others_answered.set()
        assert (await drawing).status == 200

    with_app(tmp_path, steps)


def test_the_longest_link_that_there_is_fits_a_code(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        someone = member(app, "".join(chr(0x1F600 + number) for number in range(40)))
        host = "x" * MAX_HOST_LENGTH
        answer = await someone.post("/me/link", host=host, origin=f"http://{host}")
        assert answer.status == 200
        assert b'aria-label="The link as a QR code"><svg' in answer.body
        assert b"style=" not in answer.body

    with_app(tmp_path, steps)


def test_only_the_last_codes_are_kept() -> None:
    checks: list[str] = []

    async def steps() -> None:
        codes = images.QrCodes(RenderCache(max_size=5 * len(images._qr_svg("a"))))
        for text in "abacadaeafab":
            assert await codes.draw(text, partial(checks.append, text)) == images._qr_svg(text)

    asyncio.run(steps())
    assert checks == list("abcdefb")
