"""Tamaya as an installed app: manifest, icons, worker, and the offline page."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette

from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import say
from tamaya.web.rendering.templates import STATIC
from tamaya.web.site.pwa import assets
from tests.support.client import Answer, Browser, member, with_app
from tools import icons


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG, from its header."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def pixels_of(png: bytes) -> bytes:
    """The bytes of a PNG's rows."""
    begin = png.index(b"IDAT")
    length = int.from_bytes(png[begin - 4 : begin])
    return zlib.decompress(png[begin + 4 : begin + 4 + length])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_lets_a_device_install_the_app(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        page = await browser.get("/")
        assert '<link rel="manifest" href="/manifest.webmanifest?language=en">' in page.text
        answer = await Browser(app).get(f"/manifest.webmanifest?language={language}")
        assert answer.headers["content-type"] == "application/manifest+json"
        assert not answer.cookies
        found = json.loads(answer.text)
        assert (found["short_name"], found["start_url"], found["scope"], found["id"]) == ("Tamaya", "/", "/", "/")
        assert found["display"] == "standalone"
        assert found["lang"] == language.replace("_", "-")
        assert catalogue(language)(say("Hanabi tonight")) in found["name"]
        assert found["background_color"] == found["theme_color"] == "#070918"
        for icon in found["icons"]:
            picture = await browser.get(icon["src"])
            assert picture.headers["content-type"] == icon["type"] == "image/png"
            assert "{}x{}".format(*size_of(picture.body)) == icon["sizes"]
        assert {(icon["sizes"], icon["purpose"]) for icon in found["icons"]} == {
            ("192x192", "any"),
            ("512x512", "any"),
            ("512x512", "maskable"),
        }
        for shortcut in found["shortcuts"]:
            assert (await browser.get(shortcut["url"])).status == 200

    with_app(tmp_path, steps)


def test_the_icons_are_the_ones_that_their_shapes_make() -> None:
    folder = STATIC / "icons"
    assert (folder / "icon.svg").read_text() == icons.as_svg()
    assert (folder / "icon-turn.svg").read_text() == icons.as_svg(your_turn=True)
    for name, form in icons.FORMS.items():
        kept = (folder / name).read_bytes()
        assert size_of(kept) == (form.size, form.size)
        assert pixels_of(kept) == pixels_of(icons.as_png(form)), f"{name} is out of date: ./dev icons"


def test_a_round_icon_has_clear_corners_and_the_others_fill_theirs() -> None:
    for form in icons.FORMS.values():
        rows = icons.pixels(form)
        assert rows[0][3] == (0 if form.round else 255)
        middle = form.size // 2
        assert tuple(rows[middle][4 * middle : 4 * middle + 3]) == tuple(bytes.fromhex(icons.CORE[1:]))


def kept_by(worker: Answer) -> tuple[str, list[str]]:
    """The page and the files that a worker caches, according to its head."""
    head = dict(line.removeprefix("const ").rstrip(";").split(" = ", 1) for line in worker.text.splitlines()[:3])
    page: str = json.loads(head["PAGE"])
    files: list[str] = json.loads(head["ASSETS"])
    return page, files


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worker_caches_static_files_and_one_page_and_nothing_else(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        answer = await ann.get(f"/sw.js?language={language}")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "no-store", "a new version is found at once"
        assert not answer.cookies
        page, files = kept_by(answer)
        assert urlsplit(page).path == "/offline"
        assert all(urlsplit(file).path.startswith("/static/") and "?v=" in file for file in files)
        assert tuple(files) == assets()
        for address in (page, *files):
            kept = await Browser(app).get(address)
            assert (kept.status, kept.cookies) == (200, []), address
            assert (await ann.get(address)).body == kept.body, "the same for every visitor"
        assert "Ann" not in answer.text

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_offline_page_is_in_the_readers_language(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        speak = catalogue(language)
        page, _ = kept_by(await Browser(app).get("/sw.js", accept_language=language.replace("_", "-")))
        answer = await Browser(app).get(page)
        assert f'<html lang="{language.replace("_", "-")}"' in answer.text
        assert f"<h1>{speak(say('No connection'))}</h1>" in answer.words
        assert speak(say("Try again")) in answer.words

    with_app(tmp_path, steps)


@pytest.mark.parametrize("path", ["/manifest.webmanifest", "/sw.js", "/offline"])
@pytest.mark.parametrize("language", ["", "tlh", "zh", "x" * 4000, "%00", "../en"])
def test_an_unknown_language_falls_back_to_a_known_one(tmp_path: Path, path: str, language: str) -> None:
    async def steps(app: Starlette) -> None:
        assert (await Browser(app).get(f"{path}?language={language}")).status == 200

    with_app(tmp_path, steps)


def test_a_changed_file_makes_a_new_worker(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        first, again = [(await Browser(app).get("/sw.js?language=en")).text.splitlines()[0] for _ in range(2)]
        french = (await Browser(app).get("/sw.js?language=fr")).text.splitlines()[0]
        assert first == again != french

    with_app(tmp_path, steps)
