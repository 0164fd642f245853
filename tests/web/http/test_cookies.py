"""The signed cookie: identity, language and preferences."""

from __future__ import annotations

import re
import stat
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request

from tamaya import MalformedError
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.web.http.cookies import COOKIE, COOKIE_MAX_AGE, SECURE_COOKIE, CookieSigner, Profile, language_of
from tamaya.web.options import ServerOptions, read_options, signing_key
from tamaya.web.services import services_of
from tests.support.client import Browser, member, open_table, the_table, with_app


def cookie_of(line: str) -> dict[str, str]:
    """The attributes of a Set-Cookie header."""
    return {name.lower(): value for name, _, value in (part.strip().partition("=") for part in line.split(";"))}


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_new_visitors_get_a_cookie_that_scripts_and_other_sites_cannot_use(tmp_path: Path, scheme: str) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app, scheme=scheme)
        answer = await browser.get("/")
        said = cookie_of(answer.cookies[0])
        assert (SECURE_COOKIE.lower() if scheme == "https" else COOKIE) in said, "the name is reserved to this host"
        assert {name: said[name] for name in ("samesite", "path", "max-age")} == {
            "samesite": "lax",
            "path": "/",
            "max-age": str(COOKIE_MAX_AGE),
        }
        assert "httponly" in said
        assert ("secure" in said) is (scheme == "https")
        assert "domain" not in said
        await browser.get("/")
        assert (await browser.get("/")).cookies == [], "a returning visitor keeps the cookie"

    with_app(tmp_path, steps)


def test_behind_an_https_proxy_the_cookie_is_secure(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        answer = await Browser(app).get("/")
        assert "secure" in cookie_of(answer.cookies[0])

    with_app(tmp_path, steps, address="https://hanabi.example")


def test_visitors_without_a_cookie_get_different_ids(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        people = [Browser(app) for _ in range(20)]
        for browser in people:
            await browser.get("/")
        ids = {browser.person for browser in people}
        assert len(ids) == 20
        assert all(len(person) >= 22 for person in ids), "128 random bits"

    with_app(tmp_path, steps)


def forgeries(people: CookieSigner) -> list[str]:
    """Invalid cookies."""
    good = people.serialize(Profile("p-ann", "Ann"))
    payload, signature = good.rsplit(".", 1)
    other = CookieSigner("another key").serialize(Profile("p-ann", "Ann"))
    return [
        "x",
        good[:-1],
        good[1:],
        f"{payload}.",
        f".{signature}",
        f"{payload}x.{signature}",
        f"{people.serialize(Profile('p-bob')).rsplit('.', 1)[0]}.{signature}",
        other,
        "\xe9\xff",
        "." * 500,
        str(people._serializer.dumps("p-ann")),
        str(people._serializer.dumps({"name": "Ann"})),
        str(people._serializer.dumps({"id": 7})),
        str(people._serializer.dumps(None)),
    ]


def test_forged_and_garbled_cookies_are_replaced_by_a_new_id(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, players=2)
        for forgery in forgeries(services_of(app).cookies):
            browser = Browser(app, cookie=forgery)
            answer = await browser.get("/")
            assert answer.status == 200
            assert len(answer.cookies) == 1
            assert browser.person not in ("", "p-ann", "p-bob")
            browser.cookie = forgery
            assert (await browser.act(code, "stand", seat=0)).status == 409
        assert (await the_table(app, code)).names == ("Ann", "")

    with_app(tmp_path, steps)


@given(st.text(st.characters(min_codepoint=33, max_codepoint=255, exclude_characters=';,"\\'), max_size=80))
def test_unsigned_cookies_are_ignored(text: str) -> None:
    people = CookieSigner("a key")
    scope = {"type": "http", "headers": [(b"cookie", f"{COOKIE}={text}".encode("latin-1"))]}
    assert people.read(Request(scope), secure=False) is None


ELSEWHERE = (
    "http://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/\r\nx: y",
    "javascript:alert(1)",
    "evil.example",
    "/\x00/evil",
    "/é/花",
    "",
)


@pytest.mark.parametrize("back", ELSEWHERE)
def test_preferences_redirect_within_this_site_only(tmp_path: Path, back: str) -> None:
    async def steps(app: Starlette) -> None:
        for headers in ({}, {"hx_request": "true"}):
            answer = await member(app, "Ann").post("/preferences", {"theme": "dark", "back": back}, **headers)
            assert answer.status in (200, 303)
            place = answer.headers["hx-redirect" if headers else "location"]
            assert place.isascii()
            assert place.isprintable()
            assert place.startswith("/")
            assert not place.startswith(("//", "/\\"))

    with_app(tmp_path, steps)


def test_preferences_redirect_to_the_previous_page(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        answer = await member(app, "Ann").post("/preferences", {"theme": "dark", "back": "/t/abcdefghjk"})
        assert answer.headers["location"] == "/t/abcdefghjk"
        assert (await member(app, "Ann").post("/preferences", {"theme": "dark"})).headers["location"] == "/"

    with_app(tmp_path, steps)


def test_preferences_are_remembered(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        await browser.get("/")
        person = browser.person
        for fields in ({"language": "fr"}, {"theme": "light"}, {"sound": "on"}, {"next_discard": "on"}, {"name": "  Zoë  李 "}):
            answer = await browser.post("/preferences", fields)
            assert answer.status == 303
        assert browser.person == person, "the visitor keeps their id"
        page = (await browser.get("/")).text
        assert '<html lang="fr" data-theme="light">' in page
        assert 'data-sound="on"' in page
        assert re.search(r'name="next_discard">\s*<option value="off">.*\s*<option value="on" selected>', page)
        assert 'value="Zoë 李"' in page

    with_app(tmp_path, steps)


@pytest.mark.parametrize(
    "fields", [{"language": "tlh"}, {"theme": "neon"}, {"coach": "loud"}, {"name": " "}, {"name": "x" * 41}, {"name": "\x07"}]
)
def test_invalid_preferences_are_refused_and_not_saved(tmp_path: Path, fields: dict[str, str]) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        answer = await ann.post("/preferences", {"sound": "on", **fields})
        assert answer.status == 400
        assert answer.cookies == []

    with_app(tmp_path, steps)


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        ("fr", "fr"),
        ("fr-CA,en;q=0.8", "fr"),
        ("de,it;q=0.5,es;q=0.9", "es"),
        ("zh-CN", "zh_TW"),
        ("de", "en"),
        ("", "en"),
        ("ro;q=x,it", "it"),
        (";;;,,,q=1", "en"),
        ("en;q=0.1, ro;q=much, es;q=0.2", "es"),
        ("x" * 9999 + ",fr", "en"),
    ],
)
def test_the_language_is_the_first_supported_one_of_the_browser(tmp_path: Path, wanted: str, spoken: str) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app, language=wanted)
        assert f'<html lang="{spoken.replace("_", "-")}"' in (await browser.get("/")).text
        await browser.post("/preferences", {"language": "ro"})
        assert '<html lang="ro"' in (await browser.get("/")).text, "the chosen language overrides the browser's"

    with_app(tmp_path, steps)


@given(st.text(st.characters(max_codepoint=255), max_size=60))
def test_any_accept_language_header_selects_a_supported_language(header: str) -> None:
    request = Request({"type": "http", "headers": [(b"accept-language", header.encode("latin-1"))]})
    assert language_of(Profile("p"), request) in LANGUAGES
    assert language_of(Profile("p", language=header), request) in LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_in_the_visitors_language(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app, language=language.replace("_", "-"))
        for path in ("/", "/new", "/bring", "/rules", "/teammates", "/me", "/games", "/games/slips", "/games/delete"):
            assert f'<html lang="{language.replace("_", "-")}"' in (await browser.get(path)).text
        words = catalogue(language)
        assert words.language == language

    with_app(tmp_path, steps)


def test_the_signing_key_is_generated_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    options = ServerOptions(data=str(tmp_path / "new"))
    key = signing_key(options)
    assert len(key) >= 43
    assert signing_key(options) == key
    assert sorted(path.name for path in Path(options.data).iterdir()) == ["key"], "no temporary file is left"
    (Path(options.data) / "key").write_text("")
    with pytest.raises(OSError):
        signing_key(options)
    assert stat.S_IMODE((tmp_path / "new" / "key").stat().st_mode) == 0o600
    assert signing_key(ServerOptions(data=str(tmp_path / "other"))) != key
    assert signing_key(ServerOptions(data=str(tmp_path / "none"), secret="given")) == "given"
    assert not (tmp_path / "none").exists()


def test_arguments_override_options_from_the_environment() -> None:
    found = read_options({"TAMAYA_DATA": "a", "TAMAYA_BOT_PAUSE": "0.5", "TAMAYA_LIMITS": "false"}, data="b", address=None)
    assert (found.data, found.bot_pause, found.limits, found.address) == ("b", 0.5, False, "")
    for wrong in ({"TAMAYA_BOT_PAUSE": "soon"}, {"TAMAYA_LIMITS": "perhaps"}, {"TAMAYA_BOT_PROCESSES": "1.5"}):
        with pytest.raises(MalformedError) as refusal:
            read_options(wrong)
        assert refusal.value.code == "bad_option"


def test_cookies_are_ascii_and_fit_any_browser(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        browser = Browser(app)
        await browser.post("/preferences", {"name": "李\U0001f386" * 20})
        assert browser.cookie.isascii()
        assert SimpleCookie(f"{COOKIE}={browser.cookie}")[COOKIE].value == browser.cookie
        assert len(browser.cookie) < 4000
        assert (await browser.get("/me")).status == 200

    with_app(tmp_path, steps)


def test_over_https_a_plain_cookie_is_read_and_replaced(tmp_path: Path) -> None:
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


def test_visitors_who_bypass_the_proxy_get_a_cookie_that_browsers_accept(tmp_path: Path) -> None:
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


def test_over_https_plain_cookies_count_only_if_they_predate_secure_ones(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        people = services_of(app).cookies
        for planted in (
            people.serialize(Profile("p-eve", "Eve", since=5)),
            people.serialize(Profile("p-eve", "Eve"), "secret"),
        ):
            browser = Browser(app, cookie=planted)
            assert 'value="Eve"' not in (await browser.get("/")).text
            assert browser.cookie_name == SECURE_COOKIE
            assert browser.person not in ("", "p-eve")
        assert 'value="Ann"' in (await member(app, "Ann").get("/")).text

    with_app(tmp_path, steps, address="https://hanabi.example")


def test_next_to_a_secure_cookie_the_plain_one_is_ignored(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        people = services_of(app).cookies
        eve = people.serialize(Profile("p-eve", "Eve"))
        for own in (people.serialize(Profile("p-ann", "Ann")), "damaged"):
            page = await Browser(app).get("/", cookie=f"{COOKIE}={eve}; {SECURE_COOKIE}={own}")
            assert 'value="Eve"' not in page.text
            assert ('value="Ann"' in page.text) is (own != "damaged")

    with_app(tmp_path, steps, address="https://hanabi.example")
