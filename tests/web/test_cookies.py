"""Cookies by https and by http: which are given, and which count."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.applications import Starlette

from tamaya.web.http.cookies import COOKIE, SECURE_COOKIE, Person
from tests.web.client import Browser, member, with_app


def test_where_pages_come_by_https_an_old_cookie_is_read_and_replaced(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        answer = await ann.get("/")
        assert [line.partition("=")[0] for line in answer.cookies] == [SECURE_COOKIE, COOKIE]
        assert (ann.cookie_name, ann.person) == (SECURE_COOKIE, "p-ann")
        assert re.match(rf'{COOKIE}=""; .*Max-Age=0; Path=/', answer.cookies[1])
        for part in ("Path=/", "Secure", "HttpOnly", "SameSite=lax"):
            assert part in answer.cookies[0]
        assert "domain" not in answer.cookies[0].lower()
        assert (await ann.get("/")).cookies == []

    with_app(tmp_path, steps, address="https://hanabi.example")


def test_who_goes_past_the_proxy_by_http_is_remembered_by_a_cookie_that_browsers_take(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        for scheme, host, name in (
            ("http", "192.168.1.5:8000", COOKIE),
            ("http", "hanabi.example", SECURE_COOKIE),
            ("https", "192.168.1.5:8443", SECURE_COOKIE),
        ):
            ann = Browser(app, scheme=scheme)
            answer = await ann.get("/", host=host)
            assert ann.cookie_name == name
            assert ("Secure" in answer.cookies[0]) is (name == SECURE_COOKIE)
            person = ann.person
            await ann.get("/", host=host)
            assert ann.person == person

    with_app(tmp_path, steps, address="https://hanabi.example")


def test_by_https_a_cookie_that_another_host_can_set_counts_only_if_it_is_from_before(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        people = app.state.house.people
        for planted in (people.cookie(Person("p-eve", "Eve", since=5)), people.cookie(Person("p-eve", "Eve"), "secret")):
            browser = Browser(app, cookie=planted)
            assert 'value="Eve"' not in (await browser.get("/")).text
            assert browser.cookie_name == SECURE_COOKIE
            assert browser.person not in ("", "p-eve")
        assert 'value="Ann"' in (await member(app, "Ann").get("/")).text

    with_app(tmp_path, steps, address="https://hanabi.example")


def test_beside_the_cookie_that_only_this_host_can_set_no_other_counts(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        people = app.state.house.people
        eve = people.cookie(Person("p-eve", "Eve"))
        for own in (people.cookie(Person("p-ann", "Ann")), "damaged"):
            page = await Browser(app).get("/", cookie=f"{COOKIE}={eve}; {SECURE_COOKIE}={own}")
            assert 'value="Eve"' not in page.text
            assert ('value="Ann"' in page.text) is (own != "damaged")

    with_app(tmp_path, steps, address="https://hanabi.example")
