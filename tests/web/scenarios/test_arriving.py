"""Coming to a table, leaving it, and being missed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.table import SpectatorMode
from tamaya.web.http.rate_limits import Limit, RateLimiter
from tamaya.web.services import services_of
from tamaya.web.table import presence
from tests.support.client import Browser, member, open_table, start_game, the_table, with_app

HTMX = {"hx_request": "true"}


def test_a_second_guest_is_offered_a_free_name(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        host, guest = Browser(app), Browser(app)
        await host.get("/")
        code = await open_table(host, players=3)
        page = (await guest.get(f"/t/{code}")).text
        assert 'placeholder="Guest 2"' in page
        assert (await guest.act(code, "sit", name="")).status == 200
        assert (await the_table(app, code)).names == ("Guest", "Guest 2", "")
        assert 'value="Guest 2"' not in (await guest.get("/")).text, "a name made up by the table is not remembered"

    with_app(tmp_path, steps)


def test_a_name_given_at_a_table_is_remembered(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        host, guest = Browser(app), Browser(app)
        code = await open_table(host, players=2, name="Ann")
        await guest.act(code, "sit", name="Bob")
        assert (await the_table(app, code)).names == ("Ann", "Bob")
        for browser, name in ((host, "Ann"), (guest, "Bob")):
            assert f'value="{name}"' in (await browser.get("/")).text
        assert (await guest.act(code, "sit", name="Eve")).status == 409
        assert 'value="Bob"' in (await guest.get("/")).text, "a refused name is not"
        for name in ("", "x" * 2000):
            await guest.act(code, "say", text="hello", name=name)
        assert 'value="Bob"' in (await guest.get("/")).text

    with_app(tmp_path, steps)


def test_without_spectators_a_page_without_a_seat_ends_when_the_game_begins(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        code = await open_table(ann, bob, watching=SpectatorMode.NOBODY)
        stream = eve.stream(f"/t/{code}/stream")
        await stream.until(b"id: ")
        assert (await ann.act(code, "start", first=0)).status == 200
        await asyncio.wait_for(stream._task, 30)
        assert b"card" not in b"".join(stream.wire.chunks[1:]), "the stream ends"

    with_app(tmp_path, steps)


def test_the_stream_of_a_swept_table_ends(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, players=2)
        stream = ann.stream(f"/t/{code}/stream")
        await stream.until(b"id: ")
        tables = services_of(app).tables
        tables._cache._tables.pop(code)

        async def lines(*_: object) -> list[str]:
            return []

        vars(tables.store)["read_events"] = lines
        await tables.bus.publish(code, 99)
        await asyncio.wait_for(stream._task, 30)
        del vars(tables.store)["read_events"]

    with_app(tmp_path, steps)


def test_players_are_not_missed_before_they_have_had_time_to_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "LEAVE_GRACE", 0.2)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        assert "Let a bot play</button>" not in (await ann.get(f"/t/{code}")).text
        assert (await ann.act(code, "take-over", seat=1)).status == 409, "no page is open yet"
        mine = ann.stream(f"/t/{code}/stream")
        await mine.until(b"id: ")
        assert b"Let a bot play</button>" not in mine.wire.chunks[0]
        assert (await ann.act(code, "take-over", seat=1)).status == 409, "Bob may be on his way"
        await mine.until(b"Let a bot play</button>")
        assert (await ann.act(code, "take-over", seat=1)).status == 200, "he did not come"
        await mine.close()

    with_app(tmp_path, steps)


def test_a_page_can_ask_for_its_live_part_alone(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        part = (await ann.get(f"/t/{code}", **HTMX)).text
        assert part.lstrip().startswith('<div id="table"')
        assert part in (await ann.get(f"/t/{code}")).text

    with_app(tmp_path, steps)


def test_the_starter_is_the_one_set_unless_the_host_says_otherwise(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        for starter, form, first in (("2", {}, "Bob"), ("2", {"first": 0}, "Ann"), ("1", {}, "Ann")):
            code = await open_table(ann, bob, starter=starter)
            assert (await ann.act(code, "start", **form)).status == 200
            assert (await the_table(app, code)).names[0] == first

    with_app(tmp_path, steps)


def test_settings_of_the_rules_can_be_chosen_besides_edition_and_variants(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, players=2, edition="french", empty_clues="no", clue_tokens=12)
        rules = (await the_table(app, code)).settings.rules
        assert (rules.empty_clues, rules.clue_tokens, rules.last_mistake) == (False, 12, "lost")
        assert (await ann.post("/new", {"players": 2, "clue_tokens": "none"})).status == 400

    with_app(tmp_path, steps)


def test_live_pages_from_one_address_are_limited_unless_limits_are_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RateLimiter, "STREAMS", Limit(2, 3, strangers=3))

    async def steps(app: Starlette) -> None:
        people = [member(app, "Ann"), *(Browser(app) for _ in range(4))]
        code = await open_table(people[0], players=2)
        streams = [person.stream(f"/t/{code}/stream") for person in people[:4]]
        for stream in streams:
            await stream.until(b"id: ")
        wanted = 429 if services_of(app).limits.active else 200
        last = people[4].stream(f"/t/{code}/stream")
        while not last.wire.status:
            await asyncio.sleep(0)
        assert last.wire.status == wanted
        for stream in (*streams, last):
            await stream.close()

    with_app(tmp_path / "on", steps, limits=True)
    with_app(tmp_path / "off", steps, limits=False)


def test_an_oversized_cookie_is_ignored(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app, cookie="x" * 5000)
        assert len((await browser.get("/")).cookies) == 1
        assert services_of(app).cookies._load_cached.cache_info().currsize == 0

    with_app(tmp_path, steps)
