"""Personal links: each signs one other device in, after confirmation, once and within a day."""

from __future__ import annotations

from html import unescape
from pathlib import Path

from starlette.applications import Starlette

from tamaya.table import hash_secret
from tamaya.table.sessions import DAY
from tamaya.web.http.cookies import Profile
from tamaya.web.services import services_of
from tests.support.client import ENDED, SITE, Browser, copy_of, member, personal_link, with_app
from tests.support.fakes import steady_chance


def test_a_link_is_made_by_a_button_confirmed_and_works_once(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, phone, thief = member(app, "Ann"), Browser(app), Browser(app)
        assert f"{SITE}/me/" not in (await ann.get("/me")).text, "looking makes none"
        page = await ann.post("/me/link")
        link = unescape(page.text.split('readonly value="')[1].split('"')[0])
        assert link.startswith(f"{SITE}/me/")
        path = link.removeprefix(SITE)
        for _ in range(2):
            await phone.get("/")
        before = phone.cookie
        for _ in range(2):
            asked = await phone.get(path)
            assert (asked.status, asked.cookies, phone.cookie) == (200, [], before), "looking at the link changes nothing"
            assert "Ann" in asked.text
            assert '<form method="post">' in asked.text
        assert (await phone.post(path, origin="http://evil.example")).status == 403
        assert phone.cookie == before
        own = await ann.get(path)
        assert '<form method="post">' not in own.text, "one's own link needs no confirmation"
        assert (await ann.post(path)).status == 303, "and is not used up by the person who made it"
        answer = await phone.post(path)
        assert (answer.status, answer.headers["location"], phone.person) == (303, "/", "p-ann")
        for refused in (await thief.get(path), await thief.post(path)):
            assert refused.status == 400
            assert "each works once, within a day" in refused.text
        assert thief.person != "p-ann"

    with_app(tmp_path, steps)


def test_a_link_works_for_a_day(tmp_path: Path) -> None:
    clock = [1000 * DAY]

    async def steps(app: Starlette) -> None:
        ann, phone = member(app, "Ann"), Browser(app)
        link = f"/me/{await personal_link(app, ann)}"
        clock[0] += DAY - 1
        assert (await phone.get(link)).status == 200
        clock[0] += 2
        assert [(await phone.get(link)).status, (await phone.post(link)).status] == [400, 400]
        assert phone.person != "p-ann"

    with_app(tmp_path, steps, chance=steady_chance(clock=lambda: clock[0]))


def test_links_signed_without_expiry_and_invented_ones_do_not_work(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        people = services_of(app).cookies
        for token in ("x", people.serialize(Profile("p-ann")), "eyJpZCI6InAtYW5uIn0.c2lnbmVk", hash_secret("x"), "\xe9"):
            eve = member(app, "Eve")
            for answer in (await eve.get(f"/me/{token}"), await eve.post(f"/me/{token}")):
                assert answer.status == 400
                assert answer.cookies == []
                assert "Make a new one on your other device, under “Your devices”." in answer.words

    with_app(tmp_path, steps)


def test_a_link_ends_the_session_that_the_device_had_before(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        await bob.post("/preferences", {"theme": "dark"})
        thief = copy_of(bob)
        await bob.post(f"/me/{await personal_link(app, ann)}")
        assert bob.person == "p-ann"
        assert ENDED in (await thief.get("/")).text

    with_app(tmp_path, steps)


def test_a_phone_that_restores_the_page_of_a_form_is_redirected(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        for path in ("/me/link", "/me/end"):
            answer = await ann.get(path)
            assert (answer.status, answer.headers["location"]) == (303, "/me")

    with_app(tmp_path, steps)
