"""Nobody is locked out by others behind the same address: people are counted before addresses."""

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

from tamaya.web import limits
from tamaya.web.limits import SETTLING, Caller, Limit, Limits, TooOftenError, address_of, is_settled
from tamaya.web.people import NOT_YET, Person
from tests.web.client import Browser, Stream, member, open_table, start_game, stop_the_clock, the_table, with_app

IMAGE = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors", "sec_fetch_dest": "image"}
LINK = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}


def fresh(app: Starlette, name: str) -> Browser:
    """Somebody who has just been given a cookie."""
    return Browser(app, cookie=app.state.house.people.cookie(Person(f"p-{name.lower()}", name, since=int(time.time()))))


def crowd(app: Starlette, size: int) -> list[Browser]:
    """So many cookies, all of them new: what one guest can have in a moment."""
    return [fresh(app, f"Eve{number}") for number in range(size)]


@asynccontextmanager
async def watching(people: Sequence[Browser], path: str) -> AsyncIterator[list[int]]:
    """Live pages of all these people, one after the other, and what each was answered with."""
    streams: list[Stream] = []
    for person in people:
        streams.append(person.stream(path))
        await streams[-1].until(b"")
    yield [stream.wire.status for stream in streams]
    for stream in streams:
        await stream.close()


@pytest.mark.parametrize("cookies", [True, False], ids=["with a new cookie each", "without cookies"])
def test_one_guest_with_any_number_of_streams_leaves_their_own_to_players_and_to_whoever_is_known(
    tmp_path: Path, cookies: bool
) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, cid = fresh(app, "Ann"), fresh(app, "Bob"), member(app, "Cid")
        path = f"/t/{await start_game(ann, bob)}/stream"
        guests = crowd(app, 120) if cookies else [Browser(app) for _ in range(120)]
        async with watching(guests, path) as answers:
            assert (answers.count(200), answers.count(429)) == (Limits.STREAMS.strangers, 70)
            async with watching([ann, bob, cid, ann], path) as others:
                assert others == [200] * 4
        async with watching(guests[:1], path) as answers:
            assert answers == [200], "closed pages count no longer"

    with_app(tmp_path, steps, limits=True)


def test_people_who_are_known_have_two_live_pages_each_however_many_others_of_their_address_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Limits, "STREAMS", Limit(20, 30, strangers=5))

    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        path = f"/t/{await start_game(ann, bob)}/stream"
        async with watching([*[eve] * 20, *[member(app, "Mallory")] * 20], path) as answers:
            assert answers.count(200) == 30
            async with watching([ann, ann, ann, bob], path) as others:
                assert others == [200, 200, 429, 200]

    with_app(tmp_path, steps, limits=True)


def test_spectators_of_all_addresses_leave_room_for_players(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        app.state.house.limits._most_spectators = lambda: 12
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


def test_half_of_the_files_that_the_server_may_open_are_not_for_spectators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    assert limits.half_of_all_files() == 512
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert limits.half_of_all_files() > 1_000_000


@pytest.mark.parametrize("form", [("/play", {"bots": 0}), ("/new", {"players": 2}), ("/learn", {}), ("/bring", {"text": "x"})])
def test_one_guest_who_opens_tables_holds_up_nobody_who_is_known(tmp_path: Path, form: tuple[str, dict[str, object]]) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        opened = [(await guest.post(*form)).status for guest in (*crowd(app, 20), *(Browser(app) for _ in range(20)))]
        assert opened.count(429) == 40 - Limits.OPENINGS.address
        ann = member(app, "Ann")
        own = [(await ann.post(*form)).status for _ in range(Limits.OPENINGS.person + 1)]
        assert [status == 429 for status in own] == [False] * Limits.OPENINGS.person + [True]

    with_app(tmp_path, steps, limits=True)


def test_many_whose_cookies_have_settled_leave_a_share_to_each(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        for guest in (member(app, f"Eve{number}") for number in range(10)):
            for _ in range(Limits.OPENINGS.person):
                await guest.post("/play", {"bots": 0})
        assert [(await member(app, "Ann").post("/play", {"bots": 0})).status for _ in range(2)] == [303, 429]

    with_app(tmp_path, steps, limits=True)


def test_one_guest_who_guesses_keeps_nobody_who_is_known_or_sits_there_from_a_table(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        ann, bob, cid, dora = fresh(app, "Ann"), fresh(app, "Bob"), member(app, "Cid"), fresh(app, "Dora")
        code = await start_game(ann, bob)
        guesses = [(await guest.get("/t/zzzzzzzzzz")).status for guest in (*crowd(app, 40), *(Browser(app) for _ in range(40)))]
        assert guesses == [404] * 60 + [429] * 20
        assert (await dora.get(f"/t/{code}")).status == 429, "strangers of that address learn nothing"
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
def test_what_another_sites_page_asks_for_is_neither_answered_nor_counted(tmp_path: Path, headers: dict[str, str]) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        ann = member(app, "Ann")
        code = await open_table(ann, players=2)
        for path in ("/t/zzzzzzzzzz", "/t/zzzzzzzzzz/qr.svg", "/new", "/games/export"):
            for _ in range(Limits.COSTLY.address + 1):
                assert (await Browser(app).get(path, **headers)).status == 403
        answers = [await ann.get(f"/t/{which}", **headers) for which in (code, "zzzzzzzzzz")]
        assert [(answer.status, answer.text) for answer in answers] == [(403, answers[0].text)] * 2, "no code is told"
        assert not any(answer.cookies for answer in answers)
        newcomer = Browser(app)
        assert (await newcomer.get("/new")).status == 200
        assert (await newcomer.post("/join", {"code": code})).status == 303
        assert (await Browser(app).get(f"/t/{code}", **LINK)).status == 200, "a link on another page is followed"

    with_app(tmp_path, steps, limits=True)


def test_a_flood_of_changes_by_strangers_does_not_stop_a_game_of_newcomers(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        ann, bob = fresh(app, "Ann"), fresh(app, "Bob")
        code = await start_game(ann, bob)
        flood = [(await guest.post("/preferences", {"sound": "on"})).status for guest in crowd(app, 12) for _ in range(60)]
        assert flood.count(303) == Limits.CHANGES.address - 2, "but for opening the table and sitting down"
        for turn, player in enumerate((ann, bob, ann, bob)):
            assert (await player.act(code, "move", move="play 1", turn=turn)).status == 200
        assert (await member(app, "Cid").post("/preferences", {"sound": "on"})).status == 303

    with_app(tmp_path, steps, limits=True)


def test_who_has_used_up_their_own_takes_nothing_from_others(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        eve, ann = fresh(app, "Eve"), fresh(app, "Ann")
        for _ in range(Limits.CHANGES.address + 100):
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
        opened = [(await guest.post("/play", {"bots": 0})).status for guest in guests]
        assert opened == [303] * Limits.OPENINGS.address + [429] * (120 - Limits.OPENINGS.address)
        neighbour = fresh(app, "Ann")
        neighbour.address = ("2001:db8:1:3::1", 1)
        assert (await neighbour.post("/play", {"bots": 0})).status == 303

    with_app(tmp_path, steps, limits=True)


def test_what_counts_as_one_address() -> None:
    assert address_of("203.0.113.9") == address_of("::ffff:203.0.113.9") == address_of("::ffff:cb00:7109") == "203.0.113.9"
    assert address_of("2001:db8::1%eth0") == address_of("2001:DB8:0:0:ffff::") == "2001:db8::/64"
    assert address_of("2001:db8:0:1::1") != address_of("2001:db8::1")
    assert (address_of(""), address_of("testclient")) == ("", "testclient")
    assert len(address_of("x" * 10_000)) == 64


def test_a_cookie_makes_nobody_known_before_it_has_settled(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        people = app.state.house.people
        guest = Browser(app)
        await guest.get("/")
        person = people._known(guest.cookie)[0]
        assert abs(person.since - time.time()) < SETTLING
        for guest in crowd(app, 40):
            await guest.get("/t/zzzzzzzzzz")
            await guest.get("/t/zzzzzzzzzz")
        code = await open_table(member(app, "Ann"), players=2)
        for since, status in ((int(time.time()), 429), (int(time.time()) - SETTLING, 200), (NOT_YET, 429), (0, 200)):
            guest = Browser(app, cookie=people.cookie(Person("p-bob", "Bob", since=since)))
            assert (await guest.get(f"/t/{code}")).status == status, since

    with_app(tmp_path, steps, limits=True)


def test_a_clock_that_is_put_back_makes_nobody_a_stranger() -> None:
    assert [is_settled(1_000_000, now) for now in (999_999, 1_000_000, 1_000_599, 1_000_600)] == [True, False, False, True]


def test_of_cookies_without_end_only_so_many_of_an_address_begin_to_settle(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        now = stop_the_clock(app)
        people = app.state.house.people

        async def since(guest: Browser) -> int:
            await guest.get("/")
            return int(people._known(guest.cookie)[0].since)

        guests = [Browser(app) for _ in range(Limits.NEWCOMERS.address + 3)]
        found = [await since(guest) for guest in guests]
        assert [one == NOT_YET for one in found] == [False] * Limits.NEWCOMERS.address + [True] * 3
        who = guests[-1].person
        now[0] += Limits.NEWCOMERS.seconds
        assert await since(guests[-1]) > 0, "who comes again later begins then"
        assert guests[-1].person == who
        assert await since(guests[0]) == found[0]

    with_app(tmp_path, steps, limits=True)


def test_counters_do_not_grow_without_end_and_keep_those_who_asked_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_COUNTED", 100)
    counting, numbers = Limits(True, clock=lambda: 1000.0), count()
    eve = Caller("", "198.51.100.7")
    for _ in range(Limits.GUESSES.address):
        counting.check(Limits.GUESSES, eve)
    for number in (next(numbers) for _ in range(5_000)):
        counting.check(Limits.GUESSES, Caller(f"p{number}", f"2001:db8:0:{number:x}::/64", settled=number % 2 == 0))
        assert len(counting._counts(Limits.GUESSES)) <= 100
    with pytest.raises(TooOftenError):
        counting.check(Limits.GUESSES, eve)


def test_nothing_is_counted_of_streams_that_are_closed() -> None:
    counting, caller = Limits(True), Caller("p", "203.0.113.9")
    for who in (caller, replace(caller, person=""), replace(caller, seated=True)):
        with counting.stream(who):
            assert counting._streams
    assert (not counting._streams, counting._spectators) == (True, 0)


def test_without_limits_nobody_is_refused(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        eve = fresh(app, "Eve")
        assert {(await eve.get("/t/zzzzzzzzzz")).status for _ in range(70)} == {404}
        assert {(await eve.post("/play", {"bots": 0})).status for _ in range(40)} == {303}
        assert (await the_table(app, await open_table(eve, players=2))).code

    with_app(tmp_path, steps)
