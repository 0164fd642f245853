"""Any input is answered in words, and changes a table only if the answer says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette

from tamaya import Rules
from tamaya.web.services import services_of
from tamaya.workers.search_pool import CompileState, SearchPool
from tests.support.analyses import made_up_analysis
from tests.support.client import (
    POSTS,
    SITE,
    Answer,
    Browser,
    Wire,
    address_of,
    end_game,
    member,
    open_table,
    serving,
    start_game,
)
from tests.support.fakes import bounded, standing

Result = TypeVar("Result")
LONG = "9" * 4301
"""More digits than Python reads as a number."""
FIELDS = (
    *("seat", "name", "bot", "bots", "first", "move", "turn", "hand", "remark", "text", "players", "edition", "variant"),
    *("eyes", "seen", "then", "try"),
    *(
        "talk",
        "memory",
        "watching",
        "starter",
        "listed",
        "who",
        "empty_clues",
        "clue_tokens",
        "code",
        "language",
        "theme",
        "sound",
        "back",
        "names",
        "partner",
        "state",
        "from",
        "to",
        "page",
        "line",
        "card",
        "question",
        "agrees",
        "shown",
        "take_backs",
        "advice",
        "step",
        "other",
    ),
)
VALUES = (
    *("0", "1", "2", "3", "4", "5", "-1", "99999", "999999", "1e3", "１", "²", "", " ", "\x00", "\r\n", "None", "true", "NaN"),
    *("play 1", "play 5", "discard 1", "clue 2 red", "clue 2 1", "clue 2 ²", "play 1 as blue", "clue 99 99", "arrange 1: 1"),
    *(
        "0 1 2 3 4",
        "4 3- 2 1 0",
        "5 6 7 8 9",
        "0",
        "- - -",
        "thanks",
        "rude",
        "hello",
        "simple",
        "deep",
        "random",
        "custom",
        "some",
        "bots",
    ),
    *("standard", "french", "A", "D", "multicolour-ten", "one-mistake", "all-or-nothing two-mistakes", "free", "strict"),
    *(LONG, f"clue 2 {LONG}"),
    *("going", "over", "perfect", "lost", "2026-07-31", "2026-13-01", "0000-00-00", "9999-12-31", "1970-01-01"),
    *("nothing", "deduction", "hands", "yes", "on", "dark", "fr", "zh-TW", "tlh", "/t/x", "//x", "Ann", "Bob", "x" * 300),
)
PATHS = (
    *("/", "/preview/5.png", "/rules", "/teammates", "/teammates/simple", "/new", "/bring", "/me", "/health"),
    *("/games", "/games/slips", "/games/export", "/games/delete"),
    *("/manifest.webmanifest", "/sw.js", "/offline"),
    *("/t/{code}", "/t/{code}/rules", "/t/{code}/qr.svg", "/t/{code}/possibilities", "/t/{code}/result.svg"),
    *("/t/{code}/replay", "/t/{code}/replay/possibilities", "/t/{code}/replay/together", "/t/{code}/replay/solver"),
)
fields = st.dictionaries(st.sampled_from(FIELDS), st.one_of(st.sampled_from(VALUES), st.text(max_size=20)), max_size=8)
KINDS = (
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-16",
    "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=",
    "multipart/form-data",
    "text/plain",
    "application/json",
    "",
)


class NoSearches(SearchPool):
    """Searches nothing."""

    def state(self, rules: Rules, policies: Iterable[str]) -> CompileState:
        return CompileState.IMPOSSIBLE


class Site:
    """One server for many requests, with a table of each kind."""

    def __init__(self, runner: asyncio.Runner, app: Starlette) -> None:
        self._runner, self.app = runner, app
        self.people = [member(app, "Ann"), member(app, "Bob"), member(app, "Eve"), Browser(app)]
        self.codes: list[str] = []

    def run(self, steps: Awaitable[Result]) -> Result:
        return self._runner.run(bounded(steps))

    async def prepare(self) -> None:
        ann, bob, *_ = self.people
        self.codes = [await open_table(ann, players=2), await start_game(ann, bob, talk="free"), await start_game(ann, bob)]
        await end_game(self.app, self.codes[2], ann, bob)
        services = services_of(self.app)
        services.coach._worker._pool = NoSearches()
        coaching = made_up_analysis((await services.tables.get(self.codes[2])).record())
        await services.tables.store.save_analysis(self.codes[2], coaching.to_text())

    async def tables(self) -> dict[str, tuple[object, ...]]:
        """The state of every table once the bots have had their turns."""
        tables = services_of(self.app).tables
        while tables._bot_turns._tasks:
            await asyncio.sleep(0)
        return {code: standing(table) for code, table in tables._cache._tables.items()}

    async def ask(self, method: str, who: int, address: str, body: bytes, headers: dict[str, str]) -> Answer:
        """Send one request; a table changes only if it is accepted, and can still be looked at afterwards."""
        before = await self.tables()
        browser = self.people[who]
        cookie = browser.cookie
        answer = await browser.send(method, address, [body], headers)
        browser.cookie = cookie
        assert answer.status < 500, answer
        after = await self.tables()
        if answer.status >= 400 or method == "GET":
            assert after == before
        for code in {code for code in after if after[code] != before.get(code)}:
            for person in self.people[:3]:
                assert (await person.get(f"/t/{code}")).status in (200, 403)
        return answer


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with asyncio.Runner() as runner:
        context = serving(folder)
        app = runner.run(context.__aenter__())
        found = Site(runner, app)
        found.run(found.prepare())
        yield found
        runner.run(context.__aexit__(None, None, None))


OWN_FIELDS = {
    "sit": ("seat", "name"),
    "rename": ("name",),
    "stand": ("seat",),
    "bot": ("seat", "bot"),
    "start": ("first",),
    "move": ("move", "turn"),
    "arrange": ("hand",),
    "say": ("remark", "text"),
    "take-over": ("seat", "bot"),
    "play": ("players", "bots", "bot"),
    "new": ("players", "who", "bots", "bot"),
    "delete": ("code",),
}


def forms(path: str) -> st.SearchStrategy[dict[str, str]]:
    """Forms of any fields; every other one has those that belong here."""
    own = OWN_FIELDS.get(path.rpartition("/")[2], ())
    wanted = st.fixed_dictionaries({name: st.sampled_from(VALUES) for name in own})
    return st.one_of(fields, wanted, st.builds(lambda some, more: some | more, fields, wanted) if own else fields)


@pytest.mark.parametrize("path", POSTS)
@given(st.integers(0, 3), st.integers(0, 2), st.booleans(), st.sampled_from((KINDS[0],) * 8 + KINDS), st.data())
def test_any_form_is_answered_and_changes_nothing_unless_it_is_accepted(
    site: Site, path: str, who: int, place: int, page: bool, kind: str, data: st.DataObject
) -> None:
    wishes = data.draw(forms(path))
    address = address_of(path, site.codes[place], site.app, site.people[0])
    headers = {"origin": SITE, "content-type": kind, **({"hx-request": "true"} if page else {})}
    answer = site.run(site.ask("POST", who, address, urlencode(wishes).encode(), headers))
    assert answer.status in (200, 303, 400, 403, 404, 405, 409, 413)


@given(st.sampled_from(POSTS), st.binary(max_size=300), st.sampled_from(KINDS), st.integers(0, 2))
def test_any_body_is_answered(site: Site, path: str, body: bytes, kind: str, place: int) -> None:
    address = address_of(path, site.codes[place], site.app, site.people[0])
    site.run(site.ask("POST", 0, address, body, {"origin": SITE, "content-type": kind}))


@given(st.sampled_from(PATHS), st.integers(0, 3), fields, st.integers(0, 2))
def test_any_query_is_answered_and_changes_nothing(site: Site, path: str, who: int, wishes: dict[str, str], place: int) -> None:
    address = f"{path.replace('{code}', site.codes[place])}?{urlencode(wishes)}"
    answer = site.run(site.ask("GET", who, address, b"", {}))
    assert answer.status in (200, 400, 403, 409) or (answer.status == 404 and path == "/games/delete")


@pytest.mark.slow
def test_an_endless_number_is_answered_in_words_wherever_it_stands(site: Site) -> None:
    form = {"origin": SITE, "content-type": KINDS[0]}
    for path in POSTS:
        address = address_of(path, site.codes[1], site.app, site.people[0])
        for field in FIELDS:
            site.run(site.ask("POST", 0, address, urlencode({"turn": "0", field: LONG}).encode(), form))
    for path in (*PATHS, "/t/{code}/record/tamaya", "/static/base.css"):
        address = path.replace("{code}", site.codes[1])
        site.run(site.ask("GET", 0, f"{address}?{urlencode(dict.fromkeys(FIELDS, LONG))}", b"", {}))
        for header in ("host", "content-length", "range", "accept-language", "last-event-id", "cookie"):
            value = {"range": f"bytes={LONG}-{LONG}", "accept-language": f"en;q={LONG}", "host": f"x:{LONG}"}.get(header, LONG)
            site.run(site.ask("GET", 0, address, b"", {header: value}))


@given(
    st.dictionaries(
        st.sampled_from(["host", "origin", "cookie", "accept-language", "hx-request", "content-length", "referer", "accept"]),
        st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=30),
        max_size=5,
    ),
    st.sampled_from(["GET", "POST"]),
    st.sampled_from(["/", "/me", "/play", "/t/{code}/say"]),
)
def test_any_headers_are_answered(site: Site, headers: dict[str, str], method: str, path: str) -> None:
    site.run(site.ask(method, 0, path.replace("{code}", site.codes[0]), b"text=hello", headers))


@given(st.text(max_size=30))
def test_any_address_is_answered(site: Site, path: str) -> None:
    for start in ("/", "/t/", "/me/", "/static/", f"/t/{site.codes[2]}/record/", f"/t/{site.codes[1]}/"):
        scope = site.people[0].scope("GET", "/", {})
        scope["path"] = start + path
        if not scope["path"].endswith("/stream"):
            answer = site.run(_asked(site, scope))
            assert answer.status < 500


async def _asked(site: Site, scope: dict[str, object]) -> Answer:
    wire = Wire()
    await site.app(scope, wire.receive, wire.send)
    return wire.answer
