"""Visitors who ask too often are told to wait, without harm to others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.i18n import LANGUAGES, catalogue
from tamaya.web.http.rate_limits import RateLimiter, TooOftenError
from tests.support.client import Answer, Browser, kept_lines, member, start_game, stop_the_clock, with_app

NEVER_SEEN = count()
LIMITED: list[tuple[str, int, Callable[[Browser, int], Awaitable[Answer]]]] = [
    ("changes of one person", RateLimiter.CHANGES.person, lambda ann, _: ann.post("/preferences", {"theme": "dark"})),
    ("new tables", RateLimiter.NEW_TABLES.person, lambda ann, _: ann.post("/play", {"bots": 0})),
    ("brought games", RateLimiter.NEW_TABLES.person, lambda ann, _: ann.post("/bring", {"text": "x"})),
    ("filled forms", RateLimiter.NEW_TABLES.person, lambda ann, _: ann.post("/new", {"players": 2})),
    ("guesses", RateLimiter.UNKNOWN_CODES.person, lambda ann, n: ann.get("/t/" + "abcdefghjk"[: n % 10] + "zzzzzzzzzz")),
    ("QR codes", RateLimiter.QR_CODES.person, lambda ann, _: ann.post("/me/link")),
    ("typed guesses", RateLimiter.UNKNOWN_CODES.person, lambda ann, _: ann.post("/join", {"code": "zzzzzzzzzz"})),
]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("what", "most", "ask"), LIMITED, ids=[limited[0] for limited in LIMITED])
def test_a_visitor_over_the_limit_is_told_to_wait_in_their_language(
    tmp_path: Path,
    what: str,
    most: int,
    ask: Callable[[Browser, int], Awaitable[Answer]],
    language: str,
) -> None:
    async def steps(app: Starlette) -> None:
        time = stop_the_clock(app)
        ann = Browser(app, language=language.replace("_", "-"))
        await ann.get("/")
        before = [(await ask(ann, number)).status for number in range(most)]
        assert 429 not in before, what
        kept = await kept_lines(app)
        answer = await ask(ann, most)
        assert answer.status == 429
        assert catalogue(language)(TooOftenError().message) in answer.words
        assert await kept_lines(app) == kept
        bob = member(app, "Bob")
        assert (await ask(bob, most)).status != 429, "other people at the same address are not held up"
        ann.address = ("203.0.113.77", 1)
        assert (await ask(ann, most)).status == 429, "a new address does not raise the limit"
        time[0] += 60
        assert (await ask(ann, most)).status != 429, "after a while, the limit is reset"

    with_app(tmp_path, steps, limits=True)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/new", "/games", "/t/{code}/possibilities?seat=0"])
def test_expensive_pages_are_limited(tmp_path: Path, path: str) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        ann, bob = member(app, "Ann"), member(app, "Bob")
        address = path.replace("{code}", await start_game(ann, bob))
        found = [(await ann.get(address)).status for _ in range(RateLimiter.EXPENSIVE.person + 1)]
        assert found == [200] * RateLimiter.EXPENSIVE.person + [429]
        assert (await bob.get(address)).status == 200
        crowd = [(await Browser(app).get(address)).status for _ in range(RateLimiter.EXPENSIVE.address + 5)]
        assert crowd.count(429) == 5, "strangers, each with a new cookie, are counted by their address"
        assert (await bob.get(address)).status == 200

    with_app(tmp_path, steps, limits=True)


def test_live_pages_of_one_person_are_limited(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        streams = [ann.stream(f"/t/{code}/stream") for _ in range(RateLimiter.STREAMS.person)]
        for stream in streams:
            await stream.until(b"id: ")
        assert (await ann.get(f"/t/{code}/stream")).status == 429
        other = bob.stream(f"/t/{code}/stream")
        await other.until(b"id: ")
        await streams.pop().close()
        again = ann.stream(f"/t/{code}/stream")
        await again.until(b"id: ")
        for stream in (*streams, other, again):
            await stream.close()

    with_app(tmp_path, steps, limits=True)


def test_guessing_codes_is_limited_but_players_can_still_play(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        code = await start_game(ann, bob)
        assert (await eve.get(f"/t/{code}")).status == 200
        for _ in range(RateLimiter.UNKNOWN_CODES.person + 1):
            await eve.get("/t/zzzzzzzzzz")
        assert (await eve.get(f"/t/{code}")).status == 429
        assert (await ann.get(f"/t/{code}")).status == 200

    with_app(tmp_path, steps, limits=True)
