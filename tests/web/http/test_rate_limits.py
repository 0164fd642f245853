"""Rate limits: visitors are not locked out by others behind the same address."""

from __future__ import annotations

import resource
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.web.http import rate_limits
from tamaya.web.http.client import address_of
from tamaya.web.http.cookies import NOT_RETURNED, Profile
from tamaya.web.http.rate_limits import MAX_SHARES, SETTLING_SECONDS, Client, Limit, RateLimiter, TooOftenError, is_settled
from tamaya.web.services import services_of
from tests.support.client import Browser, Stream, member, open_table, signed_by, start_game, stop_the_clock, the_table, with_app

IMAGE = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors", "sec_fetch_dest": "image"}
LINK = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}


def fresh(app: Starlette, name: str) -> Browser:
    """A visitor with a new cookie."""
    return Browser(app, cookie=services_of(app).cookies.serialize(Profile(f"p-{name.lower()}", name, since=int(time.time()))))


def crowd(app: Starlette, size: int) -> list[Browser]:
    """N visitors with new cookies, as a single guest can create them at once."""
    return [fresh(app, f"Eve{number}") for number in range(size)]


@asynccontextmanager
async def watching(people: Sequence[Browser], path: str) -> AsyncIterator[list[int]]:
    """Open a live page for each visitor, and yield the response statuses."""
    streams: list[Stream] = []
    for person in people:
        streams.append(person.stream(path))
        await streams[-1].until(b"")
    yield [stream.wire.status for stream in streams]
    for stream in streams:
        await stream.close()


@pytest.mark.parametrize("cookies", [True, False], ids=["with a new cookie each", "without cookies"])
def test_streams_of_one_guest_do_not_block_players_and_known_visitors(tmp_path: Path, cookies: bool) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, cid = fresh(app, "Ann"), fresh(app, "Bob"), member(app, "Cid")
        path = f"/t/{await start_game(ann, bob)}/stream"
        guests = crowd(app, 120) if cookies else [Browser(app) for _ in range(120)]
        async with watching(guests, path) as answers:
            assert (answers.count(200), answers.count(429)) == (RateLimiter.STREAMS.strangers, 70)
            async with watching([ann, bob, cid, ann], path) as others:
                assert others == [200] * 4
        async with watching(guests[:1], path) as answers:
            assert answers == [200], "closed pages are no longer counted"

    with_app(tmp_path, steps, limits=True)


def test_known_visitors_have_two_live_pages_each_on_a_crowded_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RateLimiter, "STREAMS", Limit(20, 30, strangers=5))

    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        path = f"/t/{await start_game(ann, bob)}/stream"
        async with watching([*[eve] * 20, *[member(app, "Mallory")] * 20], path) as answers:
            assert answers.count(200) == 30
            async with watching([ann, ann, ann, bob], path) as others:
                assert others == [200, 200, 429, 200]

    with_app(tmp_path, steps, limits=True)


def test_spectators_leave_descriptors_for_players(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        services_of(app).limits._max_files = lambda: 24
        ann, bob = fresh(app, "Ann"), fresh(app, "Bob")
        path = f"/t/{await start_game(ann, bob)}/stream"
        guests = [*crowd(app, 10), *(member(app, f"P{number}") for number in range(10))]
        for place, guest in enumerate(guests):
            guest.address = (f"203.0.113.{place}", 1)
        async with watching(guests, path) as answers:
            assert answers == [200] * 12 + [429] * 8
            async with watching([ann, bob], path) as others:
                assert others == [200, 200]

    with_app(tmp_path, steps, limits=True)


def test_the_limit_on_open_files_is_read_from_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    assert rate_limits.open_file_limit() == 1024
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert rate_limits.open_file_limit() > 1_000_000


def test_one_address_uses_at_most_a_quarter_of_the_descriptors(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        services_of(app).limits._max_files = lambda: 80
        statuses = []
        streams: list[Stream] = []
        for guest in crowd(app, 30):
            path = f"/t/{await open_table(guest, players=2)}/stream"
            streams.append(guest.stream(path))
            await streams[-1].until(b"")
            statuses.append(streams[-1].wire.status)
        assert statuses == [200] * 20 + [429] * 10, "guests with a table of their own count as known"
        ann = fresh(app, "Ann")
        ann.address = ("198.51.100.7", 1)
        async with watching([ann], f"/t/{await open_table(ann, players=2)}/stream") as answers:
            assert answers == [200]
        for stream in streams:
            await stream.close()

    with_app(tmp_path, steps, limits=True)


def test_a_visitor_who_takes_a_seat_is_recounted(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), fresh(app, "Bob")
        code = await open_table(ann, players=2)
        counted = services_of(app).limits
        page = bob.stream(f"/t/{code}/stream")
        await page.until(b"id: ")
        assert (counted._spectators, counted._streams["strangers 203.0.113.9"]) == (1, 1)
        assert (await bob.act(code, "sit")).status == 200
        await page.until(b"Bob")
        assert (counted._spectators, counted._streams["strangers 203.0.113.9"]) == (0, 0)
        page.wire.chunks.clear()
        assert (await ann.act(code, "stand", seat=1)).status == 200
        await page.until(b"id: ")
        assert (counted._spectators, counted._streams["strangers 203.0.113.9"]) == (1, 1)
        await page.close()
        assert not counted._streams

    with_app(tmp_path, steps, limits=True)


@pytest.mark.parametrize("form", [("/play", {"bots": 0}), ("/new", {"players": 2}), ("/learn", {}), ("/bring", {"text": "x"})])
def test_new_tables_of_one_guest_do_not_block_known_visitors(tmp_path: Path, form: tuple[str, dict[str, object]]) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        opened = [(await Browser(app).post(*form)).status for _ in range(40)]
        assert opened.count(429) == 40 - RateLimiter.NEW_TABLES.address
        assert {(await guest.post(*form)).status for guest in crowd(app, 60)} == {opened[0]}, "first tables are counted apart"
        ann = member(app, "Ann")
        own = [(await ann.post(*form)).status for _ in range(RateLimiter.NEW_TABLES.person + 1)]
        assert [status == 429 for status in own] == [False] * RateLimiter.NEW_TABLES.person + [True]

    with_app(tmp_path, steps, limits=True)


def test_every_settled_visitor_keeps_a_minimum_share(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        for guest in (member(app, f"Eve{number}") for number in range(10)):
            for _ in range(RateLimiter.NEW_TABLES.person):
                await guest.post("/play", {"bots": 0})
        assert [(await member(app, "Ann").post("/play", {"bots": 0})).status for _ in range(2)] == [303, 429]

    with_app(tmp_path, steps, limits=True)


def test_guessing_codes_does_not_block_others_from_existing_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RateLimiter, "UNKNOWN_CODES", Limit(60, 60, 60))

    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        ann, bob, cid, dora = fresh(app, "Ann"), fresh(app, "Bob"), member(app, "Cid"), fresh(app, "Dora")
        code = await start_game(ann, bob)
        guesses = [(await guest.get("/t/zzzzzzzzzz")).status for guest in (*crowd(app, 40), *(Browser(app) for _ in range(40)))]
        assert guesses == [404] * 60 + [429] * 20
        for newcomer in (dora, Browser(app)):
            assert (await newcomer.get(f"/t/{code}")).status == 200, "an invitation works whatever others did"
        assert (await ann.get(f"/t/{code}")).status == 200
        assert (await ann.act(code, "move", move="play 1", turn=0)).status == 200
        assert (await cid.get(f"/t/{code}")).status == 200
        assert (await cid.post("/join", {"code": code})).status == 303
        assert (await cid.post("/join", {"code": "zzzzzzzzzz"})).status == 404

    with_app(tmp_path, steps, limits=True)


PARTS = [
    IMAGE,
    {**IMAGE, "sec_fetch_site": "same-site"},
    {**IMAGE, "sec_fetch_dest": "script"},
    {"sec_fetch_site": "cross-site", "sec_fetch_mode": "cors", "sec_fetch_dest": "empty"},
    {**LINK, "sec_fetch_dest": "iframe"},
    {**LINK, "sec_purpose": "prefetch;prerender"},
    {"sec_fetch_site": "cross-site"},
]


@pytest.mark.parametrize("headers", PARTS, ids=str)
def test_requests_embedded_in_other_sites_are_refused_and_not_counted(tmp_path: Path, headers: dict[str, str]) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        ann = member(app, "Ann")
        code = await open_table(ann, players=2)
        for path in ("/t/zzzzzzzzzz", "/t/zzzzzzzzzz/qr.svg", "/new", "/games/export"):
            for _ in range(RateLimiter.EXPENSIVE.address + 1):
                assert (await Browser(app).get(path, **headers)).status == 403
        answers = [await ann.get(f"/t/{which}", **headers) for which in (code, "zzzzzzzzzz")]
        assert [(answer.status, answer.text) for answer in answers] == [(403, answers[0].text)] * 2, "no code is revealed"
        assert not any(answer.cookies for answer in answers)
        newcomer = Browser(app)
        assert (await newcomer.get("/new")).status == 200
        assert (await newcomer.post("/join", {"code": code})).status == 303
        assert (await Browser(app).get(f"/t/{code}", **LINK)).status == 200, "links from other sites work"

    with_app(tmp_path, steps, limits=True)


def test_a_flood_of_changes_by_strangers_does_not_stop_a_game(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        ann, bob = fresh(app, "Ann"), fresh(app, "Bob")
        code = await start_game(ann, bob)
        flood = [(await guest.post("/preferences", {"sound": "on"})).status for guest in crowd(app, 12) for _ in range(60)]
        assert flood.count(303) == RateLimiter.CHANGES.address - 2, "less the new table and the seat"
        for turn, player in enumerate((ann, bob, ann, bob)):
            assert (await player.act(code, "move", move="play 1", turn=turn)).status == 200
        assert (await member(app, "Cid").post("/preferences", {"sound": "on"})).status == 303

    with_app(tmp_path, steps, limits=True)


def test_refused_requests_do_not_count_against_others(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        eve, ann = fresh(app, "Eve"), fresh(app, "Ann")
        for _ in range(RateLimiter.CHANGES.address + 100):
            await eve.post("/preferences", {"sound": "on"})
        assert (await ann.post("/preferences", {"sound": "on"})).status == 303

    with_app(tmp_path, steps, limits=True)


NETWORKS = {
    "hosts of a network": [f"2001:db8:1:2::{number:x}" for number in range(120)],
    "all over a network": [f"2001:db8:1:2:{number:x}::7" for number in range(120)],
    "two ways to write one address": ["203.0.113.9", "::ffff:203.0.113.9"] * 60,
}


@pytest.mark.parametrize("hosts", NETWORKS.values(), ids=NETWORKS)
def test_one_ipv6_network_opens_no_more_tables_than_one_address(tmp_path: Path, hosts: list[str]) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        guests = crowd(app, 120)
        for guest, host in zip(guests, hosts, strict=True):
            guest.address = (host, 1)
        most = RateLimiter.FIRST_TABLES.address + RateLimiter.NEW_TABLES.address
        opened = [(await guest.post("/play", {"bots": 0})).status for _ in range(2) for guest in guests]
        assert opened == [303] * most + [429] * (240 - most)
        neighbour = fresh(app, "Ann")
        neighbour.address = ("2001:db8:1:3::1", 1)
        assert (await neighbour.post("/play", {"bots": 0})).status == 303

    with_app(tmp_path, steps, limits=True)


def test_addresses_are_normalized() -> None:
    assert address_of("203.0.113.9") == address_of("::ffff:203.0.113.9") == address_of("::ffff:cb00:7109") == "203.0.113.9"
    assert address_of("2001:db8::1%eth0") == address_of("2001:DB8:0:0:ffff::") == "2001:db8::/64"
    assert address_of("203.0.113.9:5678") == "203.0.113.9"
    assert address_of("[2001:db8::1]:80") == address_of("[2001:db8::1]") == "2001:db8::/64"
    assert address_of("2001:db8:0:1::1") != address_of("2001:db8::1")
    assert (address_of(""), address_of("testclient")) == ("", "testclient")
    assert len(address_of("x" * 10_000)) == 64


def test_visitors_are_known_only_after_their_cookie_has_settled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RateLimiter, "EXPENSIVE", Limit(30, 5, 10))

    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        people = services_of(app).cookies
        guest = Browser(app)
        await guest.get("/")
        await guest.get("/")
        person = signed_by(guest)[0]
        assert abs(person.since - time.time()) < SETTLING_SECONDS
        for guest in crowd(app, 5):
            await guest.get("/new")
        for since, status in (
            (int(time.time()), 429),
            (int(time.time()) - SETTLING_SECONDS, 200),
            (NOT_RETURNED, 429),
            (0, 200),
        ):
            guest = Browser(app, cookie=people.serialize(Profile("p-bob", "Bob", since=since)))
            assert (await guest.get("/new")).status == status, since

    with_app(tmp_path, steps, limits=True)


def test_settled_visitors_stay_settled_when_the_clock_is_set_back() -> None:
    assert [is_settled(1_000_000, now) for now in (999_999, 1_000_000, 1_000_599, 1_000_600)] == [True, False, False, True]


def test_the_number_of_cookies_that_begin_to_settle_is_limited_per_address(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        now = stop_the_clock(app)

        async def since(guest: Browser) -> int:
            await guest.get("/")
            return signed_by(guest)[0].since

        for _ in range(RateLimiter.RETURNING_VISITORS.address + 3):
            assert await since(Browser(app)) == NOT_RETURNED, "visitors who do not return do not count"
        guests = [Browser(app) for _ in range(RateLimiter.RETURNING_VISITORS.address + 3)]
        for guest in guests:
            await guest.get("/")
        found = [await since(guest) for guest in guests]
        assert [one == NOT_RETURNED for one in found] == [False] * RateLimiter.RETURNING_VISITORS.address + [True] * 3
        who = guests[-1].person
        now[0] += RateLimiter.RETURNING_VISITORS.seconds
        assert await since(guests[-1]) > 0, "later visits begin to settle"
        assert guests[-1].person == who
        assert await since(guests[0]) == found[0]

    with_app(tmp_path, steps, limits=True)


def test_the_shares_of_an_address_have_an_upper_limit() -> None:
    counting, limit = RateLimiter(True, clock=lambda: 1000.0), RateLimiter.NEW_TABLES
    gathered = [Client(f"p{number}", "203.0.113.9", is_settled=True) for number in range(MAX_SHARES * limit.address + 50)]
    assert sum(counting.try_acquire(limit, caller) for caller in gathered) == MAX_SHARES * limit.address
    assert counting.try_acquire(limit, Client("p-ann", "203.0.113.9", is_seated=True)), (
        "strangers with a seat are counted apart"
    )


def test_the_number_of_counters_is_limited_and_the_highest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_COUNTERS", 100)
    counting, numbers = RateLimiter(True, clock=lambda: 1000.0), count()
    eve = Client("p-eve", "198.51.100.7")
    for _ in range(RateLimiter.UNKNOWN_CODES.person):
        counting.check(RateLimiter.UNKNOWN_CODES, eve)
    for number in (next(numbers) for _ in range(5_000)):
        counting.check(
            RateLimiter.UNKNOWN_CODES, Client(f"p{number}", f"2001:db8:0:{number:x}::/64", is_settled=number % 2 == 0)
        )
        assert len(counting._counts(RateLimiter.UNKNOWN_CODES)) <= 100
    with pytest.raises(TooOftenError):
        counting.check(RateLimiter.UNKNOWN_CODES, eve)


def test_closed_streams_leave_no_counters() -> None:
    counting, caller = RateLimiter(True), Client("p", "203.0.113.9")
    for who in (caller, replace(caller, person=""), replace(caller, is_seated=True)):
        with counting.stream(who):
            assert counting._streams
    assert (not counting._streams, counting._spectators) == (True, 0)


def test_without_limits_no_request_is_refused(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        eve = fresh(app, "Eve")
        assert {(await eve.get("/t/zzzzzzzzzz")).status for _ in range(70)} == {404}
        assert {(await eve.post("/play", {"bots": 0})).status for _ in range(40)} == {303}
        assert (await the_table(app, await open_table(eve, players=2))).code

    with_app(tmp_path, steps)
