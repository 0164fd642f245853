"""Request limits, the origin check and security headers."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import say
from tamaya.web.http.security import MAX_BODY_SIZE, MAX_HOST_LENGTH, MAX_URL_LENGTH, TooLargeError
from tamaya.web.rendering.templates import STATIC
from tamaya.web.site import rules
from tests.support.client import (
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


def test_every_state_changing_route_is_listed() -> None:
    assert len(POSTS) == 34
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
    {"origin": f"https://{HOST}"},
    {"origin": HOST},
    {"origin": "http://["},
    {"origin": "http://evil.example", "sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "none"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_changes_requested_by_other_sites_are_refused_without_effect(tmp_path: Path, headers: dict[str, str]) -> None:
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


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_changes_from_our_own_pages_are_accepted(tmp_path: Path, scheme: str) -> None:
    async def steps(app: Starlette) -> None:
        own = f"{scheme}://{HOST}"
        for headers in ({"origin": own}, {"sec-fetch-site": "same-origin"}, {"origin": own, "host": HOST.upper()}):
            answer = await Browser(app, scheme=scheme).send("POST", "/play", [b""], {**FORM, **headers})
            assert answer.status == 303, headers

    with_app(tmp_path, steps)


@pytest.mark.parametrize("known_by", ["the request", "the address"])
def test_http_pages_cannot_change_anything_on_an_https_site(tmp_path: Path, known_by: str) -> None:
    by_request = known_by == "the request"

    async def steps(app: Starlette) -> None:
        ann = Browser(app, scheme="https" if by_request else "http")
        for host in (HOST, f"{HOST}:443"):
            assert (await ann.post("/play", origin=SITE, host=host)).status == 403
            assert (await ann.post("/play", origin=f"https://{HOST}", host=host)).status == 303

    with_app(tmp_path, steps, address="" if by_request else f"https://{HOST}")


def test_https_responses_carry_strict_transport_security(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise FailedOnPurposeError

    monkeypatch.setattr(rules, "explain", fail)

    async def told(app: Starlette, scheme: str, host: str) -> set[str | None]:
        ann = Browser(app, scheme=scheme)
        paths = ("/", "/nothing", "/static/base.css", "/rules", "/t/zzzzzzzzzz")
        answers = [await ann.get(path, host=host) for path in paths]
        answers += [await ann.get("/", host=host, sec_fetch_site="cross-site"), await ann.post("/play", host=host)]
        assert {answer.status for answer in answers} >= {200, 403, 404, 500}
        return {answer.headers.get("strict-transport-security") for answer in answers}

    async def plain(app: Starlette) -> None:
        assert await told(app, "http", HOST) == {None}
        assert await told(app, "https", HOST) == {"max-age=31536000"}
        assert await told(app, "https", f"{HOST}:443") == {"max-age=31536000"}
        assert await told(app, "https", f"{HOST}:8443") == {None}, "other ports of the host may lack HTTPS"

    async def behind_a_silent_proxy(app: Starlette) -> None:
        assert await told(app, "http", HOST) == {"max-age=31536000"}
        assert await told(app, "http", "localhost:8000") == {None}, "direct requests use HTTP"

    with caplog.at_level(logging.CRITICAL):
        with_app(tmp_path / "1", plain)
        with_app(tmp_path / "2", behind_a_silent_proxy, address=f"https://{HOST}/")


def test_behind_a_proxy_the_public_address_is_the_origin(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = Browser(app)
        assert (await ann.post("/play", {}, origin="https://table.example")).status == 303
        assert (await ann.post("/play", {}, origin=SITE)).status == 303, "direct requests are of the same origin as well"
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
    """Responses of all kinds, each with a name and its expected status."""
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
    answers.append(("large", 413, await ann.post("/play", {"x": "y" * MAX_BODY_SIZE})))
    answers.append(("stream", 200, await stream.close()))
    return answers


def test_every_response_carries_the_security_headers(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        for what, status, answer in await every_kind_of_answer(app):
            assert answer.status == status, (what, answer)
            assert answer.headers.items() >= SAFE.items(), what
            names = [name for name, _ in answer.raw_headers]
            assert len(names) == len(set(names)), what
            kept = what.startswith("/static/") and "?v=" in what
            assert answer.headers["cache-control"] == ("public, max-age=31536000, immutable" if kept else "no-store"), what

    with_app(tmp_path, steps)


def test_server_errors_are_explained_and_carry_the_security_headers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise FailedOnPurposeError("the secret deck is R1 R2")

    async def steps(app: Starlette) -> None:
        monkeypatch.setattr(rules, "explain", fail)
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
def test_bodies_are_limited_with_and_without_content_length(tmp_path: Path, announced: bool, kind: str) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        before = await kept_lines(app)
        part = b'--x\r\ncontent-disposition: form-data; name="x"\r\n\r\n'
        begin = part if kind.startswith("multipart") else b"move=play+1&turn=0&x="
        parts = [begin] + [b"y" * 1024] * (MAX_BODY_SIZE // 1024)
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


def test_a_stream_requested_with_an_oversized_body_ends_quietly(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, players=2)
        answer = await ann.stream(f"/t/{code}/stream", content_length="99999").ended()
        assert answer.status == 200

    with_app(tmp_path, steps)


def test_a_body_of_the_maximum_size_is_read(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = Browser(app)
        assert (await ann.post("/play", {"x": "y" * (MAX_BODY_SIZE - 2)})).status == 303
        assert (await ann.post("/play", {"x": "y" * (MAX_BODY_SIZE - 1)})).status == 413

    with_app(tmp_path, steps)


def test_forms_with_too_many_fields_and_unexpected_uploads_are_refused(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_overlong_host_names_are_refused_with_an_explanation(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann", language=language.replace("_", "-"))
        code = await open_table(ann, players=2)
        words = catalogue(language)(
            say("No server has a name of more than {most} characters; check the address.", most=MAX_HOST_LENGTH)
        )
        for path in ("/", "/me", f"/t/{code}", f"/t/{code}/qr.svg"):
            for length in (MAX_HOST_LENGTH + 1, 2400, 60_000):
                answer = await ann.get(path, host="x" * length)
                assert (answer.status, answer.text) == (400, words)
                assert answer.headers["content-security-policy"] == SAFE["content-security-policy"]
            assert (await ann.get(path, host="x" * MAX_HOST_LENGTH)).status == 200

    with_app(tmp_path, steps)


def test_malformed_host_names_cause_no_server_error(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = Browser(app)
        ann.address = ("127.0.0.1", 50000)
        for host in ("[", "[::1", "]", "a b", "%"):
            for path in ("/", "/me", "/metrics", "/rules", "/nothing"):
                assert (await ann.get(path, host=host)).status in (200, 400, 404), (host, path)
            assert (await ann.post("/play", {"bots": 0}, host=host, origin=f"http://{host}")).status in (303, 400, 403), host

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_overlong_urls_are_refused_with_an_explanation(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        ann = Browser(app, language=language.replace("_", "-"))
        words = catalogue(language)(
            say("No address here has more than {most} characters; check the link.", most=MAX_URL_LENGTH)
        )
        for begin in ("/?", "/t/", "/me/", "/games?page=1&", "/new?variant="):
            long = begin + "x" * (MAX_URL_LENGTH + 2)
            answer = await ann.get(long)
            assert (answer.status, answer.text) == (414, words)
            assert answer.headers.items() >= SAFE.items()
        assert (await ann.get("/?" + "x" * (MAX_URL_LENGTH - 1))).status == 200

    with_app(tmp_path, steps)


def test_a_form_with_a_lone_surrogate_is_refused_with_an_explanation(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = Browser(app)
        headers = {"origin": f"{ann.scheme}://{HOST}", "content-type": "multipart/form-data; boundary=x; charset=utf-7"}
        for field, value in (("name", "+2AA-"), ("+2AA-", "Ann")):
            body = f'--x\r\ncontent-disposition: form-data; name="{field}"\r\n\r\n{value}\r\n--x--\r\n'.encode()
            answer = await ann.send("POST", "/preferences", [body], headers | {"content-length": str(len(body))})
            assert answer.status == 400
            assert "“\\ud800” is only half a character" in answer.words

    with_app(tmp_path, steps)
