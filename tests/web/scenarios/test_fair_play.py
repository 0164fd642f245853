"""What one person at a table cannot do to the others: spoil their seat, come back uninvited, impersonate them, look in
secret."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.bots import DEFAULT_BOT, offered_bots
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import say
from tamaya.table import SpectatorMode
from tamaya.table.commands import REMOVED
from tamaya.web.http.cookies import Profile
from tamaya.web.services import services_of
from tamaya.web.table import presence
from tests.support.client import Browser, kept_lines, member, open_table, start_game, the_table, with_app

WARNING = SpectatorMode.HANDS.warning


def test_a_teammate_can_put_only_the_default_bot_on_an_absent_players_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LEAVE_GRACE", 0.0)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        stream = ann.stream(f"/t/{code}/stream")
        await stream.until(b"away")
        before = await kept_lines(app)
        for bot in {*offered_bots(), "faultless", "cheat", "deep"} - {DEFAULT_BOT}:
            answer = await ann.act(code, "take-over", seat=1, bot=bot)
            assert answer.status in (400, 409)
            assert bot not in offered_bots() or "You can choose a bot only for yourself" in answer.words
        assert await kept_lines(app) == before
        assert (await ann.act(code, "take-over", seat=1)).status == 200
        assert (await the_table(app, code)).seats[1].bot == DEFAULT_BOT
        assert (await bob.act(code, "give-back")).status == 200
        assert (await bob.act(code, "take-over", bot="random")).status == 200, "for oneself, any bot"
        assert (await the_table(app, code)).seats[1].bot == "random"
        await stream.close()

    with_app(tmp_path, steps)


def test_a_removed_person_stays_out_until_the_host_lets_them_back(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, cid = member(app, "Ann"), member(app, "Bob"), member(app, "Cid")
        code = await open_table(ann, bob, players=3)
        assert 'action="/t/' + code + '/let-back"' not in (await ann.get(f"/t/{code}")).text
        assert (await ann.act(code, "stand", seat=1)).status == 200
        before = await kept_lines(app)
        for fields in ({}, {"seat": 1}, {"name": "Bobby"}):
            answer = await bob.act(code, "sit", **fields)
            assert (answer.status, catalogue("en")(REMOVED) in answer.words) == (409, True)
        assert (await bob.act(code, "let-back", removal=0)).status == 409
        assert await kept_lines(app) == before
        page = (await bob.get(f"/t/{code}")).words
        assert catalogue("en")(REMOVED) in page
        assert f"/t/{code}/sit" not in page
        assert f"/t/{code}/sit" in (await cid.get(f"/t/{code}")).text, "others find the seat free"
        host, guest = (await ann.get(f"/t/{code}")).words, (await cid.get(f"/t/{code}")).words
        assert ("Bob cannot sit down again." in host, "Bob cannot sit down again." in guest) == (True, False)
        assert bob.person not in host, "pages reveal no identity"
        assert (await ann.act(code, "let-back", removal=0)).status == 200
        assert (await bob.act(code, "sit")).status == 200
        assert "Bob cannot sit" not in (await ann.get(f"/t/{code}")).text

    with_app(tmp_path, steps)


def test_a_person_who_stood_up_can_sit_down_again(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await open_table(ann, bob, players=3)
        assert (await bob.act(code, "stand", seat=1)).status == 200
        assert (await bob.act(code, "sit")).status == 200

    with_app(tmp_path, steps)


@pytest.mark.parametrize("name", ["Аnn", "A\u3164nn", "Ann\u2003", "ᴀɴɴ", "Ánn", "Ann.", "Companion", "骰子", "Тамауа", "You"])
def test_names_like_a_players_or_the_tables_own_are_refused(tmp_path: Path, name: str) -> None:
    async def steps(app: Starlette) -> None:
        ann, eve, bob = member(app, "Ann"), member(app, "Eve"), member(app, "Bob")
        code = await open_table(ann, bob, players=3)
        before = await kept_lines(app)
        assert (await eve.act(code, "sit", name=name)).status in (400, 409)
        assert (await bob.act(code, "rename", name=name)).status in (400, 409)
        assert await kept_lines(app) == before

    with_app(tmp_path, steps)


@pytest.mark.parametrize(
    ("kept", "given"), [("Companion", "Companion 2"), ("\u3164", "Guest"), ("Bob\ufe0f", "Bob"), ("Аnn", "Аnn 2")]
)
def test_an_old_cookie_with_a_forbidden_name_still_lets_its_owner_in(tmp_path: Path, kept: str, given: str) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        old = Browser(app, cookie=services_of(app).cookies.serialize(Profile("p-old", kept)))
        code = await open_table(ann, old, players=2)
        assert (await the_table(app, code)).names == ("Ann", given)
        for address, fields in (("/new", {"players": 2, "edition": "standard"}), ("/play", {})):
            assert (await old.post(address, fields)).status == 303

    with_app(tmp_path, steps)


def test_a_name_reserved_for_the_table_is_refused_where_names_are_chosen(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        assert (await ann.post("/preferences", {"name": "Companion"})).status == 400
        new = Browser(app)
        answer = await new.post("/new", {"players": 2, "edition": "standard", "name": "Dice"})
        assert (answer.status, "take another name" in answer.words) == (400, True)

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_open_hands_are_announced_where_a_table_is_opened_joined_and_played(tmp_path: Path, language: str) -> None:
    speak = catalogue(language)
    assert WARNING is not None
    note = f'<p class="open-hands">{escape(speak(say("Spectators see every hand, yours too.")))}'

    async def steps(app: Starlette) -> None:
        ann, bob, eve = (member(app, name, language=language) for name in ("Ann", "Bob", "Eve"))
        assert speak(WARNING) in (await ann.get("/new")).words
        for watching in SpectatorMode:
            is_open = watching is SpectatorMode.HANDS
            code = await open_table(ann, players=2, watching=watching)
            before = (await bob.get(f"/t/{code}")).words
            assert (speak(WARNING) in before) is is_open, "before sitting down"
            assert (speak(say("spectators see every hand")) in before) is is_open
            assert (await bob.act(code, "sit")).status == 200
            assert (speak(WARNING) in (await bob.get(f"/t/{code}")).words) is is_open
            assert (await ann.act(code, "start", first=0)).status == 200
            for player in (ann, bob):
                assert (note in (await player.get(f"/t/{code}")).text) is is_open
            assert 'class="open-hands"' not in (await eve.get(f"/t/{code}")).text, "a spectator needs no warning"

    with_app(tmp_path, steps)


def test_a_table_with_open_hands_for_spectators_is_never_listed(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        wishes = {"edition": "standard", "players": 2, "listed": "yes", "watching": "hands"}
        answer = await ann.post("/new", wishes)
        assert (answer.status, "choose one of the two" in answer.words) == (400, True)
        assert await services_of(app).tables.store.open_tables() == []
        for changed in ({"listed": "no"}, {"watching": "table"}):
            assert (await ann.post("/new", wishes | changed)).status == 303

    with_app(tmp_path, steps)


def test_a_second_window_of_the_same_browser_hides_the_players_own_cards(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob, watching="hands")
        second = Browser(app, cookie=ann.cookie)
        hand = (await second.get(f"/t/{code}")).text.split('<section id="hand-0"')[1].split("</section>")[0]
        assert hand.count('class="card back') == 5

    with_app(tmp_path, steps)
