"""Sessions: a copied cookie is worthless once its owner ends the session."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.rules import UnavailableError
from tamaya.table import SessionClaim
from tamaya.table.sessions import DAY
from tamaya.web import stream as streams
from tamaya.web.http.client import MAX_USER_AGENT, device_of
from tamaya.web.http.rate_limits import RateLimiter
from tamaya.web.http.sessions import REFRESH_INTERVAL, STALE_AFTER, SessionRegistry
from tamaya.web.services import services_of
from tests.support.client import (
    ENDED,
    Browser,
    copy_of,
    member,
    on_another_device,
    open_table,
    personal_link,
    rows,
    serving,
    session_of,
    start_game,
    the_table,
    with_app,
)
from tests.support.fakes import run, steady_chance


def test_the_first_change_begins_a_session_and_reading_does_not(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = Browser(app)
        for path in ("/", "/rules", "/new", "/me", "/games"):
            await ann.get(path)
        person = ann.person
        await ann.post("/join", {"code": "zzzzzzzzzz"})
        await ann.post("/play", {}, origin="http://evil.example")
        assert (session_of(ann), await rows(app, person)) == ("", 0), "refused changes begin no session"
        await ann.post("/play", {"bots": 0})
        first = session_of(ann)
        assert first
        for _ in range(3):
            await ann.post("/play", {"bots": 0})
            await ann.post("/preferences", {"theme": "dark"})
        assert (session_of(ann), ann.person, await rows(app, person)) == (first, person, 1)

    with_app(tmp_path, steps)


def test_if_a_session_cannot_be_saved_the_change_holds_and_the_cookie_is_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise UnavailableError

    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        before = ann.cookie
        with monkeypatch.context() as patch:
            patch.setattr(services_of(app).sessions.store, "begin", fails)
            assert (await ann.post("/play", {"bots": 0})).status == 303
        assert (ann.cookie, await rows(app, ann.person)) == (before, 0)
        assert (await ann.post("/play", {"bots": 0})).status == 303
        assert await rows(app, ann.person) == 1

    with_app(tmp_path, steps)


def test_if_a_session_cannot_be_saved_a_new_visitor_still_gets_a_cookie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise UnavailableError

    async def steps(app: Starlette) -> None:
        ann = Browser(app)
        with monkeypatch.context() as patch:
            patch.setattr(services_of(app).sessions.store, "begin", fails)
            code = (await ann.post("/play", {"bots": 0})).headers["location"].rpartition("/")[2]
        assert ann.person
        assert (session_of(ann), await rows(app, ann.person)) == ("", 0)
        assert (await the_table(app, code)).seat_of(ann.person) == 0
        assert (await ann.act(code, "rename", name="Ann")).status == 200

    with_app(tmp_path, steps)


def test_a_cookie_without_a_session_is_valid_and_gets_one_with_the_next_change(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        assert session_of(ann) == ""
        code = await start_game(ann, bob)
        assert session_of(ann)
        assert session_of(bob)
        assert (await ann.act(code, "move", move="play 1", turn=0)).status == 200
        assert (await copy_of(member(app, "Bob")).act(code, "move", move="play 1", turn=1)).status == 200, (
            "the old cookie is still valid"
        )

    with_app(tmp_path, steps)


def test_a_copied_cookie_is_refused_everywhere_once_its_session_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_INTERVAL", 0.01)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob, watching="nobody")
        phone = await on_another_device(app, ann)
        thief = copy_of(phone)
        assert (await thief.get(f"/t/{code}")).status == 200
        assert (await thief.act(code, "say", remark="thanks")).status == 200
        watched, own = thief.stream(f"/t/{code}/stream"), ann.stream(f"/t/{code}/stream")
        await watched.until(b"id: ")
        assert (await ann.post("/me/end", {"session": session_of(phone)})).status == 303
        await watched.ended()
        await own.until(b"still here")
        await own.close()
        before = (await the_table(app, code)).sequence
        for browser in (thief, phone):
            cookie = browser.cookie
            assert (await browser.get(f"/t/{code}")).status == 403
            assert (await browser.get(f"/t/{code}/stream")).status == 403
            assert (await browser.act(code, "move", move="play 1", turn=0)).status == 403
            assert code not in (await browser.get("/games")).text
            page = await browser.get("/")
            assert ENDED in page.text
            assert code not in page.text
            assert browser.cookie == cookie, "a refused cookie is kept until the next change"
        assert (await the_table(app, code)).sequence == before
        assert (await ann.act(code, "move", move="play 1", turn=0)).status == 200

    with_app(tmp_path, steps)


def test_after_the_end_of_a_session_the_next_change_creates_a_new_visitor(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        await ann.post("/preferences", {"theme": "dark"})
        phone = await on_another_device(app, ann)
        await ann.post("/me/end", {"session": session_of(phone)})
        await phone.post("/preferences", {"name": "Zoe"})
        assert phone.person not in ("", "p-ann")
        assert session_of(phone)
        assert ENDED not in (await phone.get("/")).text

    with_app(tmp_path, steps)


def test_ending_all_other_sessions_keeps_the_current_one(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        old = copy_of(ann)
        code = await open_table(ann, players=2)
        others = [await on_another_device(app, ann) for _ in range(2)]
        link = await personal_link(app, ann)
        assert (await old.get(f"/t/{code}")).status == 200
        assert (await ann.post("/me/end", {"others": "yes"})).status == 303
        for other in (*others, old):
            assert ENDED in (await other.get("/")).text
            assert (await other.act(code, "stand", seat=0)).status == 409
        assert (await Browser(app).post(f"/me/{link}")).status == 400, "links made earlier are void"
        assert ENDED not in (await ann.get("/")).text
        assert (await ann.act(code, "rename", name="Anna")).status == 200
        assert await rows(app, "p-ann") == 1

    with_app(tmp_path, steps)


def test_ending_all_other_sessions_with_an_old_cookie_keeps_the_visitor_signed_in(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        thief = copy_of(ann)
        await ann.post("/me/end", {"others": "yes"})
        assert ann.person == "p-ann"
        assert ENDED not in (await ann.get("/")).text
        assert ENDED in (await thief.get("/")).text
        await thief.post("/preferences", {"theme": "dark"})
        assert thief.person != "p-ann"

    with_app(tmp_path, steps)


def test_sessions_of_others_and_requests_from_other_sites_end_nothing(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, eve = member(app, "Ann"), member(app, "Eve")
        await ann.post("/preferences", {"theme": "dark"})
        phone = await on_another_device(app, ann)
        await eve.post("/me/end", {"session": session_of(phone)})
        for fields in ({"session": session_of(phone)}, {"others": "yes"}):
            for headers in ({"origin": "http://evil.example"}, {"origin": ""}, {"origin": "null"}):
                assert (await ann.post("/me/end", fields, **headers)).status == 403
            assert (await ann.get("/me/end")).headers["location"] == "/me"
        assert await rows(app, "p-ann") == 2
        assert ENDED not in (await phone.get("/")).text

    with_app(tmp_path, steps)


def test_the_devices_page_lists_sessions_by_browser_and_system(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        agent = "Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0"
        await ann.post("/preferences", {"theme": "dark"})
        phone, link = Browser(app), await personal_link(app, ann)
        await phone.post(f"/me/{link}", user_agent=agent)
        page = (await ann.get("/me", user_agent="<script>alert(1)</script> Chrome/1 Windows")).text
        assert re.search(r"<b>Chrome · Windows</b> <small>this device</small>", page)
        assert re.search(r"<b>Firefox · Android</b> <small>last used on Jan 1, 1970</small>", page)
        assert page.count('name="session"') == 1
        assert f'value="{session_of(phone)}"' in page
        assert "script>alert" not in page
        assert phone.cookie not in page

    with_app(tmp_path, steps)


def test_a_session_ended_by_one_process_is_refused_by_others_after_a_refresh(tmp_path: Path) -> None:
    async def steps() -> None:
        async with serving(tmp_path) as here, serving(tmp_path) as there:
            ann = member(here, "Ann")
            await ann.post("/preferences", {"theme": "dark"})
            phone = await on_another_device(here, ann)
            thief = copy_of(phone)
            thief.app = there
            other: SessionRegistry = services_of(there).sessions
            assert ENDED not in (await thief.get("/")).text
            with other.page_open(SessionClaim("p-ann", session_of(phone))):
                await other.refresh()
                assert other.is_active(SessionClaim("p-ann", session_of(phone)))
                await ann.post("/me/end", {"session": session_of(phone)})
                await other.refresh()
                assert not other.is_active(SessionClaim("p-ann", session_of(phone))), "open pages are refreshed"
            assert ENDED in (await thief.get("/")).text
            assert REFRESH_INTERVAL <= 5

    run(steps())


def test_without_recent_refreshes_every_request_asks_the_database(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        time = [0.0]
        sessions: SessionRegistry = services_of(app).sessions
        sessions._timer, sessions._refreshed = lambda: time[0], 0.0
        ann = member(app, "Ann")
        await ann.post("/preferences", {"theme": "dark"})
        await ann.get("/")
        await sessions.store.end(SessionClaim("p-ann", session_of(ann)), session_of(ann))
        assert ENDED not in (await ann.get("/")).text
        time[0] = STALE_AFTER
        assert ENDED in (await ann.get("/")).text

    with_app(tmp_path, steps)


def test_ending_unknown_sessions_does_not_restart_lookups(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, sessions = member(app, "Ann"), services_of(app).sessions
        before = sessions._revocations
        for made_up in ("a" * 64, "", "\0", "x" * 64):
            assert (await ann.post("/me/end", {"session": made_up})).status == 303
        assert sessions._revocations == before

    with_app(tmp_path, steps)


def test_a_failed_refresh_keeps_all_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object) -> None:
        raise OSError("the database is gone")

    async def steps(app: Starlette) -> None:
        sessions: SessionRegistry = services_of(app).sessions
        ann = member(app, "Ann")
        await ann.get("/")
        with monkeypatch.context() as broken:
            broken.setattr(sessions.store, "revoked", fails)
            with pytest.raises(OSError):
                await sessions.refresh()
            assert ENDED not in (await ann.get("/")).text
        await sessions.store.end_others(SessionClaim("p-ann"), 0.0)
        await sessions.refresh()
        assert ENDED in (await ann.get("/")).text

    with_app(tmp_path, steps)


def test_inactive_sessions_use_no_memory_and_their_activity_is_saved(tmp_path: Path) -> None:
    clock = [1000 * DAY]

    async def steps(app: Starlette) -> None:
        sessions: SessionRegistry = services_of(app).sessions
        ann = member(app, "Ann")
        await ann.post("/preferences", {"theme": "dark"})
        clock[0] += 3 * DAY
        await ann.get("/")
        await sessions.save_activity()
        assert [one.seen for one in await sessions.store.sessions_of("p-ann")] == [clock[0]]
        for _ in range(2):
            await sessions.refresh()
        assert not sessions._active | sessions._recent
        assert not sessions._unsaved

    with_app(tmp_path, steps, chance=steady_chance(clock=lambda: clock[0]))


def test_an_address_begins_a_limited_number_of_sessions_without_refusals(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        services_of(app).limits._clock = lambda: 1000.0
        crowd = [Browser(app) for _ in range(RateLimiter.SESSIONS.address + 5)]
        for browser in crowd:
            assert (await browser.post("/preferences", {"name": "Guest"})).status == 303
        assert sum(bool(session_of(browser)) for browser in crowd) == RateLimiter.SESSIONS.address
        late = crowd[-1]
        assert ENDED not in (await late.get("/")).text
        assert (await late.post("/me/end", {"others": "yes"})).status == 429, "it would end the visitor itself"
        assert ENDED not in (await late.get("/")).text
        gone = member(app, "Gone")
        await services_of(app).sessions.end_others(SessionClaim(gone.person))
        await gone.post("/preferences", {"name": "Newcomer"})
        assert 'value="Newcomer"' in (await gone.get("/")).text
        services_of(app).limits._clock = lambda: 1000.0 + RateLimiter.SESSIONS.seconds
        person = late.person
        await late.post("/preferences", {"theme": "dark"})
        assert session_of(late)
        assert late.person == person

    with_app(tmp_path, steps, limits=True)


def test_a_server_error_page_does_not_change_the_cookie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")

        async def fails(*_: object) -> None:
            raise _GoneError

        monkeypatch.setattr(services_of(app).sessions.store, "revoked", fails)
        with pytest.raises(_GoneError):
            await ann.get("/")
        assert ann.person == "p-ann"

    with_app(tmp_path, steps)


class _GoneError(Exception):
    """The database is unavailable."""


WINDOWS, APPLE = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        (f"{WINDOWS} {APPLE} Chrome/124.0.0.0 Safari/537.36", "Chrome · Windows"),
        (f"{WINDOWS} {APPLE} Chrome/124.0.0.0 Safari/537.36 Edg/124.0.0.0", "Edge · Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0", "Firefox · Linux"),
        (
            f"Mozilla/5.0 (Linux; Android 14; SM-S911B) {APPLE} SamsungBrowser/24.0 Chrome/117 Safari/537",
            "Samsung Internet · Android",
        ),
        (f"Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) {APPLE} Version/17.4 Safari/604.1", "Safari · iPhone"),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {APPLE} Version/17.4 Safari/605.1", "Safari · Mac"),
        ("curl/8.5.0", ""),
        ("Linux", "Linux"),
        ("", ""),
        ("x" * MAX_USER_AGENT + "Firefox/", ""),
    ],
)
def test_devices_are_named_by_browser_and_system(agent: str, device: str) -> None:
    assert device_of(agent) == device
