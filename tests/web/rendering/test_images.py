"""QR codes: access, caching, and rendering in the background."""

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


def test_qr_codes_show_the_link_of_their_page_and_render_on_demand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        assert drawn.pop() == link[1], "rendered once, then cached"
        assert "<svg/>" in (await ann.post("/me/link")).text, "the page of a personal link includes its QR code"
        assert len(drawn) == 1
        assert drawn[0].startswith(f"{SITE}/me/")

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_strangers_get_no_qr_code_and_an_explanation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setattr(images, "_qr_svg", lambda text: pytest.fail("rendered for a stranger"))

    async def steps(app: Starlette) -> None:
        code = await open_table(member(app, "Ann"), players=2)
        answer = await Browser(app, language=language.replace("_", "-")).get(f"/t/{code}/qr.svg")
        words = catalogue(language)(say("This picture is for visitors of its page; open the page first."))
        assert (answer.status, words in answer.words) == (403, True)

    with_app(tmp_path, steps)


def test_rendering_a_qr_code_does_not_block_other_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, others_answered = Event(), Event()

    def draw(text: str) -> bytes:
        begun.set()
        assert others_answered.wait(30), "rendering a QR code blocked another request"
        return b"<svg/>"

    monkeypatch.setattr(images, "_qr_svg", draw)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        drawing = asyncio.create_task(ann.post("/me/link"))
        assert await asyncio.to_thread(begun.wait, 30), "no QR code was rendered"
        assert (await bob.get("/health")).status == 200
        others_answered.set()
        assert (await drawing).status == 200

    with_app(tmp_path, steps)


def test_the_longest_possible_link_fits_a_qr_code(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        someone = member(app, "".join(chr(0x1F600 + number) for number in range(40)))
        host = "x" * MAX_HOST_LENGTH
        answer = await someone.post("/me/link", host=host, origin=f"http://{host}")
        assert answer.status == 200
        assert b'aria-label="The link as a QR code"><svg' in answer.body
        assert b"style=" not in answer.body

    with_app(tmp_path, steps)


def test_the_cache_of_qr_codes_is_bounded() -> None:
    checks: list[str] = []

    async def steps() -> None:
        codes = images.QrCodes(RenderCache(max_size=5 * len(images._qr_svg("a"))))
        for text in "abacadaeafab":
            assert await codes.draw(text, partial(checks.append, text)) == images._qr_svg(text)

    asyncio.run(steps())
    assert checks == list("abcdefb")
