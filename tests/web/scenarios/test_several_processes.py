"""Two server processes on one database show the same pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.web.services import services_of
from tamaya.web.table import presence
from tests.support.analyses import IDEA, REASON, FixedAdviser, alone, asks
from tests.support.client import (
    ENDED,
    Browser,
    member,
    on_another_device,
    open_table,
    rows,
    serving,
    session_of,
    start_game,
    the_table,
)
from tests.support.databases import migrated_database
from tests.support.fakes import game_of, run
from tests.support.games import a_replay, does, page_of

Steps = Callable[[Starlette, Starlette], Awaitable[None]]


@asynccontextmanager
async def both(folder: Path) -> AsyncIterator[tuple[Starlette, Starlette]]:
    address = migrated_database()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(serving(folder, database=address, adviser=FixedAdviser()))
        two = await stack.enter_async_context(serving(folder, database=address, adviser=FixedAdviser()))
        yield one, two


@pytest.fixture
def between(tmp_path: Path) -> Callable[[Steps], None]:
    async def use(steps: Steps) -> None:
        async with both(tmp_path) as (one, two):
            await steps(one, two)

    return lambda steps: run(use(steps))


def at(app: Starlette, browser: Browser) -> Browser:
    """The same browser, answered by another process."""
    return Browser(app, cookie=browser.cookie)


def test_a_move_in_one_process_is_on_the_screens_of_the_other(between: Callable[[Steps], None]) -> None:
    async def steps(one: Starlette, two: Starlette) -> None:
        ann, bob = member(one, "Ann"), member(two, "Bob")
        code = await start_game(ann, at(one, bob))
        table = await the_table(one, code)
        page = bob.stream(f"/t/{code}/stream")
        await page.until(b"id: %d\n" % table.sequence)
        move = str(game_of(table).legal_actions()[0])
        assert (await ann.act(code, "move", move=move, turn=0)).status == 200
        await page.until(b"id: %d\n" % (table.sequence + 1))
        await page.close()

    between(steps)


def test_advice_stays_on_the_page_whichever_process_renders_it(between: Callable[[Steps], None]) -> None:
    async def steps(one: Starlette, two: Starlette) -> None:
        code, ann = await alone(one)
        page = at(two, ann).stream(f"/t/{code}/stream")
        await page.until(b"id: ")
        assert (await asks(ann, code, 1)).status == 200
        await page.until(str(IDEA).encode())
        assert (await asks(ann, code, 3)).status == 200
        await page.until(str(REASON).encode())
        await page.close()

    between(steps)


def test_a_table_opened_in_one_process_is_found_in_the_other(between: Callable[[Steps], None]) -> None:
    async def steps(one: Starlette, two: Starlette) -> None:
        ann, bob = member(one, "Ann"), member(two, "Bob")
        code = await open_table(ann, players=2)
        assert (await bob.act(code, "sit")).status == 200
        assert "Bob" in (await ann.get(f"/t/{code}")).words

    between(steps)


def test_people_at_two_processes_share_a_replay(between: Callable[[Steps], None]) -> None:
    async def steps(one: Starlette, two: Starlette) -> None:
        ann, bob = member(one, "Ann"), member(two, "Bob")
        code = await a_replay(ann)
        assert (await does(ann, code, "join", "turn=5&eyes=2")).status == 200
        mine, theirs = ann.stream(f"{page_of(code)}/stream"), bob.stream(f"{page_of(code)}/stream")
        await mine.until(b"Here with you: Bob")
        await theirs.until(b"Here with you: Ann")
        assert (await does(at(two, ann), code, "show", "turn=7&eyes=2")).status == 200
        for page in (mine, theirs):
            await page.until(b"turn=7&amp;eyes=2")
        assert (await does(bob, code, "show", "turn=1&eyes=2")).status == 409, "Ann leads"
        await mine.close()
        await theirs.close()

    between(steps)


def test_a_leader_who_returns_after_all_had_left_leads_at_both_processes(
    between: Callable[[Steps], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LEAVE_GRACE", 0.0)

    async def steps(one: Starlette, two: Starlette) -> None:
        ann, bob = member(one, "Ann"), member(two, "Bob")
        code = await a_replay(ann)
        await does(ann, code, "join", "turn=1&eyes=2")
        mine, theirs = ann.stream(f"{page_of(code)}/stream"), bob.stream(f"{page_of(code)}/stream")
        await mine.until(b"Here with you: Bob")
        for turn in (2, 3, 4):
            await does(ann, code, "show", f"turn={turn}&eyes=2")
        await theirs.until(b"turn=4&amp;eyes=2")
        for page in (mine, theirs):
            await page.close()
        while services_of(one).shared_replays.followers(code):
            await asyncio.sleep(0.01)
        theirs = bob.stream(f"{page_of(code)}/stream")
        await theirs.until(b"Nobody leads")
        await theirs.close()
        while services_of(one).shared_replays.followers(code):
            await asyncio.sleep(0.01)
        assert (await does(ann, code, "lead", "turn=7&eyes=2")).status == 200
        theirs = bob.stream(f"{page_of(code)}/stream")
        await theirs.until(b"turn=7&amp;eyes=2")
        await theirs.close()

    between(steps)


def test_a_person_with_a_page_at_another_process_is_not_away(between: Callable[[Steps], None]) -> None:
    async def steps(one: Starlette, two: Starlette) -> None:
        ann, bob = member(one, "Ann"), member(one, "Bob")
        code = await open_table(ann, bob)
        mine, theirs = ann.stream(f"/t/{code}/stream"), at(two, bob).stream(f"/t/{code}/stream")
        await mine.until(b"Everybody is here")
        await theirs.until(b"Everybody is here")
        for app in (one, two):
            assert not services_of(app).presence.missing(await the_table(app, code))
        await theirs.close()
        await mine.close()

    between(steps)


def test_an_ended_session_cannot_return_through_a_process_that_has_it_cached(
    between: Callable[[Steps], None],
) -> None:
    async def steps(one: Starlette, two: Starlette) -> None:
        ann = member(one, "Ann")
        await ann.post("/preferences", {"theme": "dark"})
        phone = await on_another_device(one, ann)
        for asked in ("/me/link", {"others": "yes"}, {"session": session_of(ann)}):
            thief = at(two, await on_another_device(one, ann))
            assert ENDED not in (await thief.get("/")).text
            assert (await ann.post("/me/end", {"session": session_of(thief)})).status == 303
            answer = await (thief.post(asked) if isinstance(asked, str) else thief.post("/me/end", asked))
            assert answer.status == 403
            assert ENDED in answer.text
            assert "/me/" not in answer.text
            assert ENDED in (await thief.get("/")).text, "the process has noticed"
        assert await rows(one, "p-ann") == 2
        for own in (ann, phone):
            assert ENDED not in (await own.get("/")).text

    between(steps)


NUL = "a\0b"


def test_a_character_that_postgresql_refuses_is_no_server_error(between: Callable[[Steps], None]) -> None:
    async def steps(one: Starlette, two: Starlette) -> None:
        ann, bob = member(one, "Ann"), member(one, "Bob")
        code, waiting = await start_game(ann, bob, talk="free"), await open_table(ann, players=2)
        for path, fields in (
            ("/me/end", {"session": NUL}),
            ("/join", {"code": NUL}),
            ("/preferences", {"name": NUL, "language": NUL, "back": NUL}),
            ("/new", {"players": 2, "name": NUL, "edition": NUL, "variant": NUL}),
            ("/play", {"bots": 1, "bot": NUL}),
            ("/bring", {"text": NUL}),
            ("/games/delete", {"code": NUL}),
            (f"/t/{waiting}/rename", {"name": NUL}),
            (f"/t/{waiting}/bot", {"seat": 1, "bot": NUL}),
            (f"/t/{code}/say", {"text": NUL, "remark": NUL}),
            (f"/t/{code}/note", {"text": NUL, "turn": 0}),
            (f"/t/{code}/move", {"move": NUL, "turn": 0, "hand": NUL}),
            (f"/t/{code}/arrange", {"hand": NUL}),
        ):
            assert (await ann.post(path, fields)).status < 500, path
        for path in ("/t/%00", f"/t/{code}%00", "/me/%00", "/teammates/%00", f"/t/{code}/record/%00", "/games/delete?code=%00"):
            assert (await ann.get(path)).status < 500, path
        assert (await ann.get("/games?with=%00&page=%00")).status < 500

    between(steps)
