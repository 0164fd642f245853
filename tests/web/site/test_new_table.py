"""From the form to the deal: the table's settings, how people find their seats, and how a game begins."""

from __future__ import annotations

import asyncio
import struct
import zlib
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette

from tamaya import EDITIONS, VARIANTS
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.table import Phase
from tamaya.web.http.cookies import MAX_COOKIE_SIZE, CookieSigner, Profile
from tamaya.web.rendering.symbols import AVATARS, distinct_avatars
from tamaya.web.services import services_of
from tamaya.web.table import presence
from tamaya.web.table.snapshot import avatars_at
from tests.support.client import SITE, Browser, end_game, member, open_table, start_game, the_table, with_app


def chosen(page: str, name: str) -> list[str]:
    """The selected answers of a form."""
    parts = page.split(f'name="{name}" value="')[1:]
    return [part.split('"')[0] for part in parts if part.partition('"')[2].startswith(" checked")]


def test_a_table_with_bots_alone_begins_at_once(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        table = await the_table(app, await open_table(ann, players=4, who="bots", bot="simple", starter="1", edition="french"))
        assert (table.phase, table.names[0], table.settings.edition_name) == (Phase.PLAYING, "Ann", "french")
        assert [seat.bot for seat in table.seats] == ["", "simple", "simple", "simple"]
        asked = await the_table(app, await open_table(ann, players=2, who="bots", starter="custom", edition="spanish"))
        assert asked.phase is Phase.OPEN, "the booklet's custom asks who starts"
        page = unescape((await ann.get(f"/t/{asked.code}")).text)
        assert "The oldest player starts. Who starts?" in page
        assert (await ann.act(asked.code, "start", first=1)).status == 200

    with_app(tmp_path, steps)


@pytest.mark.parametrize(("players", "bots", "seated"), [(2, 1, 1), (3, 1, 1), (4, 2, 2), (5, 3, 3), (3, 9, 2), (3, 0, 0)])
def test_some_bots_leave_the_other_seats_to_friends(tmp_path: Path, players: int, bots: int, seated: int) -> None:
    async def steps(app: Starlette) -> None:
        table = await the_table(app, await open_table(member(app, "Ann"), players=players, who="some", bots=bots))
        assert table.phase is Phase.OPEN
        assert sum(bool(seat.bot) for seat in table.seats) == seated

    with_app(tmp_path, steps)


def test_the_form_is_filled_in_as_last_time(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann", language="fr")
        page = (await ann.get("/new")).text
        assert chosen(page, "edition") == ["french"]
        answers = {"players": "5", "who": "some", "bots": "2", "bot": "simple", "talk": "free", "memory": "said"}
        await open_table(ann, edition="italian", variant="one-mistake all-or-nothing", listed="yes", **answers)
        page = (await ann.get("/new")).text
        for name, value in {**answers, "edition": "italian", "listed": "yes", "watching": "table"}.items():
            assert chosen(page, name) == [value]
        assert sorted(chosen(page, "variant")) == ["all-or-nothing", "one-mistake"]
        assert chosen((await ann.get("/new?players=2")).text, "players") == ["2"], "the address takes precedence"
        await open_table(ann, edition="french", players="3")
        ann.language = "it"
        page = (await ann.get("/new")).text
        assert chosen(page, "edition") == ["italian"], "the default edition is that of the current language"
        assert chosen(page, "variant") == []

    with_app(tmp_path, steps)


@given(st.text(st.characters(min_codepoint=0x1F000, max_codepoint=0x1FFFF), min_size=40, max_size=40), st.text(max_size=900))
def test_the_remembered_form_never_makes_the_cookie_too_large(name: str, opened: str) -> None:
    people = CookieSigner("a key")
    cookie = people.serialize(Profile("p" * 22, name, "zh_TW", "light", True, False, opened, "off", 9, True), "s" * 22)
    assert len(cookie) <= MAX_COOKIE_SIZE
    found = people._load_cached(cookie)
    assert found
    read, _ = found
    assert (read.name, read.opened in ("", opened)) == (name, True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_variants_have_the_names_of_the_chosen_booklet_and_its_own_come_first(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        browser, speak = Browser(app, language=language.replace("_", "-")), catalogue(language)
        for edition in EDITIONS.values():
            page = unescape((await browser.get(f"/new?edition={edition.name}")).text)
            assert catalogue(edition.language if edition.name != "standard" else language)(edition.title) in page
            names = [part.split('"')[0] for part in page.split('name="variant" value="')[1:]]
            own = [name for name in VARIANTS if name in edition.booklet]
            assert names == [*own, *(name for name in VARIANTS if name not in own)]
            for name, title in edition.booklet.items() if edition.name != "standard" else ():
                row = page.split(f'name="variant" value="{name}"')[1].split("</label>")[0]
                plain = speak(VARIANTS[name].title)
                shown = (
                    f'<span data-edition="{edition.name}"><span lang="{edition.language.replace("_", "-")}" data-title>{title}'
                )
                assert shown in row or title == plain
                assert plain in row

    with_app(tmp_path, steps)


def test_a_friend_reads_what_they_are_joining_and_sits_down_with_one_button(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, guest = member(app, "Ana"), member(app, "Bob"), Browser(app)
        code = await open_table(ann, players=3, edition="spanish")
        for person in (bob, guest):
            page = (await person.get(f"/t/{code}")).text
            assert "Ana invites you: Spanish edition, 3 players, up to 25 points." in page
            assert ('id="name"' in page) is (person is guest), "a person with a name is not asked for it"
        assert "2 seats to fill" in (await bob.get(f"/t/{code}")).text
        assert "One seat to fill" in (await bob.act(code, "sit", name="Bob")).text
        await guest.act(code, "sit", name="Mihai")
        assert (await the_table(app, code)).names == ("Ana", "Bob", "Mihai")

    with_app(tmp_path, steps)


def test_a_name_can_be_changed_at_the_table_and_is_remembered(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        host = Browser(app)
        code = await open_table(host, players=2)
        assert "Guest" in (await the_table(app, code)).names
        assert (await host.act(code, "rename", name="Guest of honour")).status == 200
        assert (await the_table(app, code)).names[0] == "Guest of honour"
        assert 'value="Guest of honour"' in (await host.get("/")).text
        assert (await host.act(code, "rename", name=" ")).status == 400
        assert (await Browser(app).act(code, "rename", name="Eve")).status == 409

    with_app(tmp_path, steps)


def tags(page: str) -> dict[str, str]:
    """The metadata for link previews."""
    metas = [part.split(">")[0] for part in page.split("<meta ")[1:]]
    read = [(meta.split('"')[1], meta.split('content="')[1].split('"')[0]) for meta in metas if 'content="' in meta]
    return {name: unescape(words) for name, words in read}


def test_a_link_preview_shows_who_invites_to_what_and_a_picture(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, robot = member(app, "Ana"), Browser(app, language="")
        code = await open_table(ann, players=3, edition="french", variant="multicolour-five")
        said = tags((await robot.get(f"/t/{code}")).text)
        assert said["og:title"] == "Ana t'invite à jouer à Hanabi", "a chat server names no language: the edition's is used"
        assert said["og:description"] == said["description"] == "Édition française · 3 joueurs · jusqu'à 30 points"
        assert (said["og:url"], said["og:image"]) == (f"{SITE}/t/{code}", f"{SITE}/preview/6.png")
        assert (said["twitter:card"], said["robots"]) == ("summary_large_image", "noindex")
        assert tags((await ann.get(f"/t/{code}")).text)["og:title"] == "Ana invites you to Hanabi"
        assert tags((await robot.get("/")).text)["og:image"] == f"{SITE}/preview/5.png"

    with_app(tmp_path, steps)


def test_the_picture_of_a_link_is_a_png_of_the_size_that_chats_want(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        pictures = [await Browser(app, language="").get(f"/preview/{count}.png") for count in (5, 6)]
        for answer in pictures:
            assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
            assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
            assert answer.cookies == []
            assert answer.body.startswith(b"\x89PNG\r\n\x1a\n")
            assert struct.unpack(">II", answer.body[16:24]) == (1200, 630)
            size, kind = struct.unpack(">I4s", answer.body[33:41])
            pixels = zlib.decompress(answer.body[41 : 41 + size])
            assert (kind, len(pixels)) == (b"IDAT", 630 * (1 + 3 * 1200))
            assert len(answer.body) < 300_000
        assert pictures[0].body != pictures[1].body
        for path in ("/preview/4.png", "/preview/7.png", "/preview/x.png"):
            assert (await Browser(app).get(path)).status == 404

    with_app(tmp_path, steps)


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5, unique=True))
def test_no_two_players_at_a_table_share_an_avatar(keys: list[str]) -> None:
    found = distinct_avatars(tuple(keys))
    assert len(set(found)) == len(keys)
    assert set(found) <= set(AVATARS)
    assert distinct_avatars((*keys, ""))[-1] == ""
    assert distinct_avatars(tuple(keys[:-1])) == found[:-1], "later players leave the others' avatars unchanged"


def test_every_player_keeps_their_avatar_from_the_lobby_to_the_game(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        people = [member(app, name) for name in ("Ann", "Bob", "Cid", "Dee", "Eve")]
        code = await open_table(people[0], *people[1:], talk="free")
        table = await the_table(app, code)
        before = dict(zip(table.names, avatars_at(table), strict=True))
        assert len(set(before.values())) == 5
        page = (await people[1].get(f"/t/{code}")).text
        assert all(f'href="#sign-{sign}"' in page for sign in before.values())
        assert (await people[0].act(code, "start", first=3)).status == 200
        table = await the_table(app, code)
        assert table.names[0] == "Dee"
        assert dict(zip(table.names, avatars_at(table), strict=True)) == before
        board = (await people[1].act(code, "say", text="hello")).text
        assert all(f'href="#sign-{sign}"' in board for sign in before.values())
        assert board.count(f'href="#sign-{before["Bob"]}"') == 2, "at his hand and at what he said"

    with_app(tmp_path, steps)


def test_a_full_table_says_what_it_waits_for_and_begins_when_all_are_there(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await open_table(ann, bob)
        streams = [ann.stream(f"/t/{code}/stream")]
        await streams[0].until(b"Waiting for Bob")
        assert not any(b"data-breath" in chunk for chunk in streams[0].wire.chunks)
        streams.append(bob.stream(f"/t/{code}/stream"))
        await streams[0].until(b'data-breath="Starts in 3|Starts in 2|Starts in 1"')
        await streams[1].until(b"Everybody is here \xe2\x80\x93 Tamaya")
        assert not any(b"data-breath" in chunk for chunk in streams[1].wire.chunks), "the host's page starts the game, no other"
        for stream in streams:
            await stream.close()

    with_app(tmp_path, steps)


def test_when_the_host_has_left_any_seated_player_can_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "LEAVE_GRACE", 0.01)

    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        code = await open_table(ann, bob)
        assert (await bob.act(code, "start")).status == 409
        stream = bob.stream(f"/t/{code}/stream")
        await stream.until(b'id="start"')
        while not services_of(app).presence.away(await the_table(app, code)):
            await asyncio.sleep(0.01)
        assert (await eve.act(code, "start")).status == 409
        assert (await bob.act(code, "start")).status == 200
        await stream.close()

    with_app(tmp_path, steps)


def test_a_rematch_keeps_the_seats_and_waits_for_the_players(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        assert (await bob.act(code, "take-over")).status == 200
        await end_game(app, code, ann)
        assert (await the_table(app, code)).seats[1].bot
        following = (await ann.act(code, "rematch")).headers["hx-redirect"].rpartition("/")[2]
        table = await the_table(app, following)
        assert (table.phase, [seat.bot for seat in table.seats]) == (Phase.OPEN, ["", ""])
        assert (await ann.act(following, "start")).status == 200
        table = await the_table(app, following)
        assert (table.names, table.bot_to_move, table.turn) == (("Bob", "Ann"), "", 0)

    with_app(tmp_path, steps)


def test_too_many_variants_cannot_be_chosen(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        answer = await member(app, "Ann").post("/new", {"players": 2, "variant": "F " * 5000})
        assert answer.status == 400
        assert "There is no such choice" in answer.words

    with_app(tmp_path, steps)
