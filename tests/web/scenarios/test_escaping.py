"""What people write stays text: in names, chat and addresses, on every page and in every stream."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette

from tamaya.rules import say
from tamaya.web.rendering.templates import render_component
from tamaya.web.table.components import Possibilities
from tests.support.client import Browser, end_game, open_table, personal_link, with_app
from tests.support.harmful_text import CORPUS, NAMES, read, shows


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_shown_as_it_was_written_on_every_page(tmp_path: Path, name: str) -> None:
    async def steps(app: Starlette) -> None:
        bad, good = Browser(app), Browser(app)
        await bad.post("/preferences", {"name": name})
        await good.post("/preferences", {"name": "Good"})
        code = await open_table(bad, listed="yes", talk="free", players=2, advice="everybody")
        assert shows((await good.post(f"/t/{code}/sit", {"name": name})).text, name), "the name is taken"
        assert shows((await Browser(app).get("/")).text, name), "the table is listed while a seat is free"
        await good.act(code, "sit")
        link = await personal_link(app, bad)
        for browser, path in (
            (bad, "/"),
            (good, f"/me/{link}"),
            (good, f"/t/{code}"),
            (bad, f"/t/{code}"),
        ):
            assert shows((await browser.get(path)).text, name), path
        await bad.act(code, "start", first=1)
        assert shows((await good.act(code, "advice", step=3, turn=0, line=0)).text, name)
        await good.act(code, "move", move="play 1", turn=0)
        stream = good.stream(f"/t/{code}/stream")
        await stream.until(b"id: ")
        sent = (await stream.close()).text
        assert shows("\n".join(line.removeprefix("data: ") for line in sent.split("\n")[1:]), name)
        await bad.act(code, "advice", step=1, turn=1, line=0)
        await bad.act(code, "move", move="play 1", turn=1)
        replay = (f"/t/{code}/replay?turn=1", f"/t/{code}/replay/possibilities?turn=1&seat=1")
        for path in (f"/t/{code}", f"/t/{code}/possibilities?seat=1", *replay):
            assert shows((await good.get(path)).text, name), path
        await end_game(app, code, bad, good)
        for path in (f"/t/{code}", "/games", f"/games?{urlencode({'partner': name})}", f"/games/delete?code={code}"):
            assert shows((await good.get(path)).text, name), path

    with_app(tmp_path, steps)


def test_a_message_is_shown_as_it_was_written(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = Browser(app)
        code = await open_table(ann, players=2, talk="free")
        for text in CORPUS:
            answer = await ann.act(code, "say", text=text)
            assert (answer.status == 200) is text.isprintable()
            if answer.status == 200:
                assert shows(answer.text, text)
                assert shows((await ann.get(f"/t/{code}")).text, text)

    with_app(tmp_path, steps)


@pytest.mark.slow
@pytest.mark.parametrize("text", CORPUS)
def test_text_echoed_from_addresses_and_forms_is_escaped(tmp_path: Path, text: str) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        written = quote(text, safe="")
        for path in (
            f"/{written}",
            f"/t/{written}",
            f"/me/{written}",
            f"/rules?edition={written}",
            f"/rules?variant={written}",
            f"/rules?players={written}",
            *(f"/games?{field}={written}" for field in ("edition", "players", "partner", "bot", "state", "from", "to", "page")),
            f"/games/delete?code={written}",
            f"/new?edition={written}&players={written}&starter={written}&who={written}&bot={written}&name={written}&variant={written}",
        ):
            read((await browser.get(path)).text)
        for path in ("/new", "/play", "/join", "/preferences"):
            names = ("edition", "players", "variant", "talk", "bot", "code", "language", "theme", "name", "back")
            for name in names:
                answer = await browser.post(path, {"players": 2, name: text})
                read(answer.text)
        if text.isascii():
            read((await browser.get("/", host=f"x{text}", accept_language=text, referer=text)).text)

    with_app(tmp_path, steps)


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_in_a_template_stays_text(name: str, words: str) -> None:
    html = render_component(Possibilities(name, own=False, suits=(), memory=_Words(words), hand=()), "en")  # type: ignore[arg-type]
    assert read(str(html)).problems == []


class _Words:
    """A level of memory with any name."""

    def __init__(self, words: str) -> None:
        self.word = self.summary = say("{words}", words=words)
