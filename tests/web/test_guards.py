"""What every request has to pass, and what every response carries."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import say
from tamaya.web import rules_page
from tamaya.web.guards import LARGEST_BODY, LONGEST_HOST, Limits, TooLargeError, TooOftenError
from tamaya.web.pages import STATIC
from tests.web.client import (
    HOST,
    POSTS,
    SITE,
    Answer,
    Browser,
    FailedOnPurposeError,
    address_of,
    kept_lines,
    member,
    open_table,
    start_game,
    with_app,
)

SAFE = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; "
        "worker-src 'self'; manifest-src 'self'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}
FORM = {"content-type": "application/x-www-form-urlencoded"}


def test_all_changes_are_known() -> None:
    assert len(POSTS) == 33
    assert all(path in POSTS for path in ("/play", "/learn", "/new", "/join", "/preferences", "/me/{token}", "/t/{code}/move"))
    assert "/games/delete" in POSTS


FOREIGN = [
    {},
    {"origin": ""},
    {"origin": "null"},
    {"origin": "http://evil.example"},
    {"origin": "https://evil.example"},
    {"origin": f"http://{HOST}.evil.example"},
    {"origin": f"http://evil.example/{HOST}"},
    {"origin": f"http://{HOST}@evil.example"},
    {"origin": f"http://{HOST}:81"},
    {"origin": HOST},
    {"origin": "http://["},
    {"origin": "http://evil.example", "sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "none"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_change_that_another_site_asks_for_is_refused_and_nothing_happens(tmp_path: Path, headers: dict[str, str]) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        waiting = await open_table(ann, players=2)
        before = await kept_lines(app)
        for path in POSTS:
            for table in (code, waiting):
                body = b"seat=1&name=Eve&move=play+1&turn=0&remark=thanks&players=2&edition=standard&theme=dark&first=0"
                address = address_of(path, table, app, ann)
                for extra in ({}, {"hx-request": "true"}):
                    answer = await ann.send("POST", address, [body], {**FORM, **headers, **extra})
                    assert answer.status == 403, (address, answer)
                    assert not answer.cookies
                    assert answer.headers.items() >= SAFE.items()
        assert await kept_lines(app) == before

    with_app(tmp_path, steps, address="")


@pytest.mark.parametrize(
    "headers", [{"origin": SITE}, {"sec-fetch-site": "same-origin"}, {"origin": f"https://{HOST}"}], ids=str
)
def test_a_change_from_our_own_page_is_accepted(tmp_path: Path, headers: dict[str, str]) -> None:
    async def steps(app: Starlette) -> None:
        answer = await Browser(app).send("POST", "/play", [b""], {**FORM, **headers})
        assert answer.status == 303

    with_app(tmp_path, steps)


def test_behind_a_proxy_the_address_people_type_is_the_origin(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = Browser(app)
        assert (await ann.post("/play", {}, origin="https://table.example")).status == 303
        assert (await ann.post("/play", {}, origin=SITE)).status == 303, "whoever reaches the server itself is at home, too"
        for foreign in ("https://table.example.evil", "https://table.example:444"):
            assert (await ann.post("/play", {}, origin=foreign)).status == 403
        waiting = await open_table_at(ann)
        page = await ann.get(f"/t/{waiting}")
        assert f'value="https://table.example/t/{waiting}"' in page.text

    async def open_table_at(host: Browser) -> str:
        answer = await host.post("/new", {"players": 2}, origin="https://table.example")
        return answer.headers["location"].rpartition("/")[2]

    with_app(tmp_path, steps, address="https://table.example/")


async def every_kind_of_answer(app: Starlette) -> list[tuple[str, int, Answer]]:
    """Pages, parts, files, refusals and failures, each with the status it should have."""
    ann, bob = member(app, "Ann"), member(app, "Bob")
    code = await start_game(ann, bob)
    stream = ann.stream(f"/t/{code}/stream")
    await stream.until(b"id: ")
    files = [f"/static/{file.relative_to(STATIC)}" for file in STATIC.rglob("*.*") if file.is_file()]
    assert len(files) >= 5
    asked = [
        *(
            (path, 200)
            for path in (
                "/",
                "/new",
                "/bring",
                "/rules",
                *("/games", "/games?state=over&players=2", "/games/slips", "/games/export", "/games/delete"),
                "/me",
                "/health",
                f"/t/{code}",
                f"/t/{code}/rules",
                f"/t/{code}/qr.svg",
            )
        ),
        (f"/t/{code}/possibilities?seat=0", 200),
        (f"/t/{code}/possibilities?seat=7", 400),
        (f"/t/{code}/possibilities", 400),
        (f"/t/{code}/replay", 200),
        (f"/t/{code}/replay?eyes=2", 409),
        (f"/t/{code}/replay/possibilities?seat=0", 200),
        (f"/t/{code}/replay/possibilities?seat=7", 400),
        (f"/t/{code}/replay/together", 409),
        (f"/t/{code}/replay/solver", 409),
        (f"/t/{code}/replay?try=yourself", 409),
        (f"/t/{code}/record/tamaya", 409),
        (f"/t/{code}/result.svg", 409),
        *((path, 200) for path in ("/manifest.webmanifest", "/sw.js", "/offline", "/offline?language=fr")),
        ("/t/zzzzzzzzzz", 404),
        ("/nothing", 404),
        ("/static/nothing.css", 404),
        ("/static/../app.py", 404),
        ("/static/%2e%2e/app.py", 404),
        ("/rules?edition=german", 400),
        ("/games?edition=german", 400),
        ("/games/slips?page=0", 400),
        (f"/games/delete?code={code}", 409),
        ("/teammates", 200),
        ("/teammates/convention", 200),
        ("/teammates/nobody", 404),
        ("/me/forged", 400),
        ("/play", 405),
        *((path, 200) for path in files),
        *((f"{path}?v=1", 200) for path in files),
    ]
    answers = [(path, status, await ann.get(path)) for path, status in asked]
    answers += [("HEAD", 200, await ann.ask("HEAD", path)) for path in ("/", "/games/export", f"/t/{code}")]
    answers += [
        (method, 405, await ann.ask(method, "/")) for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE")
    ]
    answers += [("POST", 405, await ann.post(path)) for path in ("/", "/rules", f"/t/{code}", f"/t/{code}/stream")]
    answers.append(("moved", 200, await ann.act(code, "move", move="play 1", turn=0)))
    answers.append(("late", 409, await ann.act(code, "move", move="play 1", turn=0)))
    answers.append(("plain", 303, await bob.post(f"/t/{code}/move", {"move": "play 1", "turn": 1})))
    answers.append(("foreign", 403, await ann.post("/play", origin="http://evil.example")))
    answers.append(("large", 413, await ann.post("/play", {"x": "y" * LARGEST_BODY})))
    answers.append(("stream", 200, await stream.close()))
    return answers


def test_every_response_carries_the_headers_that_keep_people_safe(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        for what, status, answer in await every_kind_of_answer(app):
            assert answer.status == status, (what, answer)
            assert answer.headers.items() >= SAFE.items(), what
            names = [name for name, _ in answer.raw_headers]
            assert len(names) == len(set(names)), what
            kept = what.startswith("/static/") and "?v=" in what
            assert answer.headers["cache-control"] == ("public, max-age=31536000, immutable" if kept else "no-store"), what

    with_app(tmp_path, steps)


def test_a_failure_on_our_side_is_told_in_words_with_the_same_headers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise FailedOnPurposeError("the secret deck is R1 R2")

    async def steps(app: Starlette) -> None:
        monkeypatch.setattr(rules_page, "explain", fail)
        for headers in ({}, {"hx_request": "true"}):
            answer = await Browser(app).get("/rules", **headers)
            assert answer.status == 500
            assert "Something went wrong on our side" in answer.text
            assert "secret" not in answer.text
            assert answer.headers.items() >= {**SAFE, "cache-control": "no-store"}.items()

    with caplog.at_level(logging.CRITICAL):
        with_app(tmp_path, steps)


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"])
def test_bodies_are_bounded_whether_their_size_is_announced_or_not(tmp_path: Path, announced: bool, kind: str) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        before = await kept_lines(app)
        part = b'--x\r\ncontent-disposition: form-data; name="x"\r\n\r\n'
        begin = part if kind.startswith("multipart") else b"move=play+1&turn=0&x="
        parts = [begin] + [b"y" * 1024] * (LARGEST_BODY // 1024)
        sized = {"content-length": str(sum(map(len, parts)))} if announced else {}
        form = kind != "application/json"
        for path in ("move", "rematch"):
            headers = {"origin": SITE, "content-type": kind, "hx-request": "true", **sized}
            answer = await ann.send("POST", f"/t/{code}/{path}", parts, headers)
            reads = path == "move" and form
            assert answer.status == 413 if reads else answer.status >= 400
            if reads:
                assert answer.text == catalogue("en")(TooLargeError().message)
        assert await kept_lines(app) == before

    with_app(tmp_path, steps)


def test_the_largest_body_that_is_allowed_is_read(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = Browser(app)
        assert (await ann.post("/play", {"x": "y" * (LARGEST_BODY - 2)})).status == 303
        assert (await ann.post("/play", {"x": "y" * (LARGEST_BODY - 1)})).status == 413

    with_app(tmp_path, steps)


def test_forms_of_more_fields_than_ours_and_uploads_are_refused(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = Browser(app)
        assert (await ann.post("/play", {f"x{n}": "" for n in range(60)})).status in (303, 400)
        upload = b'--x\r\ncontent-disposition: form-data; name="players"; filename="f"\r\n\r\n4\r\n--x--\r\n'
        for body in (upload, b"--x\r\nbroken", b"", b"--x"):
            answer = await ann.send(
                "POST", "/play", [body], {"origin": SITE, "content-type": "multipart/form-data; boundary=x"}
            )
            assert answer.status in (303, 400), body
        assert (await ann.send("POST", "/play", [b"x"], {"origin": SITE, "content-type": "multipart/form-data"})).status == 400

    with_app(tmp_path, steps)


def stop_the_clock(app: Starlette) -> list[float]:
    """Let the limits count by a clock that only the test moves."""
    time = [1000.0]
    app.state.house.limits._clock = lambda: time[0]
    return time


NEVER_SEEN = count()
LIMITED: list[tuple[str, int, Callable[[Browser, int], Awaitable[Answer]]]] = [
    ("changes of one person", Limits.CHANGES.times, lambda ann, _: ann.post("/preferences", {"theme": "dark"})),
    ("new tables", Limits.OPENINGS.times, lambda ann, _: ann.post("/play", {"bots": 0})),
    ("brought games", Limits.OPENINGS.times, lambda ann, _: ann.post("/bring", {"text": "x"})),
    ("filled forms", Limits.OPENINGS.times, lambda ann, _: ann.post("/new", {"players": 2})),
    ("guesses", Limits.GUESSES.times, lambda ann, n: ann.get("/t/" + "abcdefghjk"[: n % 10] + "zzzzzzzzzz")),
    ("QR codes", Limits.DRAWINGS.times, lambda ann, _: ann.post("/me/link")),
    ("typed guesses", Limits.GUESSES.times, lambda ann, _: ann.post("/join", {"code": "zzzzzzzzzz"})),
]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("what", "most", "ask"), LIMITED, ids=[limited[0] for limited in LIMITED])
def test_whoever_asks_too_often_is_told_to_wait_in_their_language(
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
        ann.cookie = ""
        ann.address = ("203.0.113.77", 1)
        await ann.get("/")
        assert (await ask(ann, most)).status != 429, "somebody else is not held up"
        ann.address = ("203.0.113.9", 50000)
        assert (await ask(ann, most)).status == 429 or what.startswith("changes")
        time[0] += 60
        assert (await ask(ann, most)).status != 429, "a while later all is forgotten"

    with_app(tmp_path, steps, limits=True)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/new", "/games", "/t/{code}/possibilities?seat=0"])
def test_pages_that_take_the_server_long_are_shown_only_so_often(tmp_path: Path, path: str) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        ann, bob = member(app, "Ann"), member(app, "Bob")
        address = path.replace("{code}", await start_game(ann, bob))
        found = [(await ann.get(address)).status for _ in range(Limits.COSTLY.times + 1)]
        assert found == [200] * Limits.COSTLY.times + [429]
        assert (await bob.get(address)).status == 200
        crowd = [(await Browser(app).get(address)).status for _ in range(Limits.CROWD_COSTLY.times)]
        assert crowd.count(429) == Limits.COSTLY.times + 1, "strangers, each with a new cookie, are counted by their address"

    with_app(tmp_path, steps, limits=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_host_that_no_server_can_have_is_refused_in_words(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann", language=language.replace("_", "-"))
        code = await open_table(ann, players=2)
        words = catalogue(language)(
            say("No server has a name of more than {most} characters; check the address.", most=LONGEST_HOST)
        )
        for path in ("/", "/me", f"/t/{code}", f"/t/{code}/qr.svg"):
            for length in (LONGEST_HOST + 1, 2400, 60_000):
                answer = await ann.get(path, host="x" * length)
                assert (answer.status, answer.text) == (400, words)
                assert answer.headers["content-security-policy"] == SAFE["content-security-policy"]
            assert (await ann.get(path, host="x" * LONGEST_HOST)).status == 200

    with_app(tmp_path, steps)


def test_a_crowd_behind_one_address_is_bounded_too(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        found = [(await member(app, f"P{n}").post("/preferences", {"sound": "on"})).status for n in range(601)]
        assert found == [303] * 600 + [429]

    with_app(tmp_path, steps, limits=True)


def test_live_pages_of_one_person_are_bounded(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        streams = [ann.stream(f"/t/{code}/stream") for _ in range(Limits.STREAMS)]
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


def test_who_guessed_too_often_learns_nothing_from_a_right_guess_but_who_sits_there_plays_on(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        stop_the_clock(app)
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        code = await start_game(ann, bob)
        assert (await eve.get(f"/t/{code}")).status == 200
        for _ in range(Limits.GUESSES.times + 1):
            await eve.get("/t/zzzzzzzzzz")
        assert (await eve.get(f"/t/{code}")).status == 429
        assert (await ann.get(f"/t/{code}")).status == 200

    with_app(tmp_path, steps, limits=True)
