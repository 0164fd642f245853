"""Shared replays: every viewer sees the moment that the leader shows, and nothing the leader has not gone to."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import msgspec
import pytest
from starlette.applications import Starlette

from tamaya.bus.postgres import MAX_MESSAGE_BYTES
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.record import native
from tamaya.rules import say
from tamaya.web.http.cookies import Profile
from tamaya.web.replay import shared
from tamaya.web.replay.location import MAX_TRIED_MOVES
from tamaya.web.replay.shared import COMMANDS
from tamaya.web.services import services_of
from tamaya.web.table import presence
from tests.support.client import Answer, Browser, end_game, kept_lines, member, open_table, start_game, with_app
from tests.support.games import a_record, a_replay, does, page_of
from tests.support.harmful_text import NAMES, shows


def shown(answer: Answer) -> str:
    """The moment on a page."""
    found = re.search(r'data-address="([^"]*)"', answer.text)
    assert found, answer.text
    return found[1].replace("&amp;", "&").partition("?")[2]


def test_every_viewer_sees_the_moment_that_the_leader_shows(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await a_replay(ann)
        answer = await ann.post(f"/t/{code}/replay/together/join?turn=5&eyes=2")
        assert (answer.status, answer.headers["location"]) == (303, page_of(code))
        assert shown(await ann.get(page_of(code))) == "turn=5&eyes=2"
        page = await bob.get(page_of(code))
        assert shown(page) == "turn=5&eyes=2"
        assert "Ann leads" in page.words
        mine, theirs = ann.stream(f"{page_of(code)}/stream"), bob.stream(f"{page_of(code)}/stream")
        await mine.until(b"Here with you: Bob")
        await theirs.until(b"Here with you: Ann")
        for query in ("turn=6&eyes=2", "turn=6&eyes=table", "turn=6&eyes=hands&try=yes&then=play+1"):
            assert (await does(ann, code, "show", query)).status == 200
            await theirs.until(query.replace("&", "&amp;").encode())
            assert shown(await Browser(app).get(page_of(code))) == query, "a viewer who comes later is at the same moment"
        for stream in (mine, theirs):
            await stream.close()

    with_app(tmp_path, steps)


def test_only_the_leader_shows_hands_over_and_stops(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await a_replay(ann)
        for query in ("", "turn=3&eyes=1"):
            assert (await does(bob, code, "show", query)).status == 409, "the lead is free"
        await does(ann, code, "join", "turn=5&eyes=2")
        for command in ("show", "give", "stop"):
            answer = await does(bob, code, command, "turn=9&eyes=1", to=1)
            assert (answer.status, answer.text) == (409, "You do not lead.")
        answer = await does(bob, code, "lead", "turn=9&eyes=1")
        assert (answer.status, answer.text) == (409, "Ann leads; ask for the lead.")
        assert (await does(bob, code, "join", "turn=9&eyes=1")).status == 200, "joining does no more than that"
        assert shown(await bob.get(page_of(code))) == "turn=5&eyes=2"

    with_app(tmp_path, steps)


def test_the_lead_is_handed_to_a_viewer_who_is_there(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, cid = member(app, "Ann"), member(app, "Bob"), member(app, "Cid")
        code = await a_replay(cid)
        await does(ann, code, "join", "turn=5&eyes=2")
        streams = [ann.stream(f"{page_of(code)}/stream"), bob.stream(f"{page_of(code)}/stream")]
        await streams[0].until(b"Here with you: Bob")
        number = re.search(r'<option value="(\d+)">Bob', (await ann.get(page_of(code))).text)
        assert number
        for wrong in ("", "x", 99):
            assert (await does(ann, code, "give", to=wrong)).status == 400
        assert (await does(ann, code, "give", to=number[1])).status == 200
        await streams[1].until(b"You lead")
        assert (await does(ann, code, "show", "turn=1&eyes=1")).status == 409
        assert (await does(bob, code, "show", "turn=1&eyes=1")).status == 200
        assert (await does(bob, code, "stop")).status == 200
        await streams[0].until(b"Nobody leads")
        assert (await does(ann, code, "lead")).status == 200
        assert shown(await bob.get(page_of(code))) == "turn=1&eyes=1", "every page stays at its moment"
        for stream in streams:
            await stream.close()

    with_app(tmp_path, steps)


def test_players_and_importers_of_a_game_need_not_ask_for_the_lead(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        played = await start_game(ann, bob)
        await end_game(app, played, ann, bob)
        for code in (played, await a_replay(bob)):
            await does(eve, code, "join", "turn=1&eyes=1")
            assert "Take the lead" in (await bob.get(page_of(code))).words
            assert (await does(bob, code, "lead", "turn=2&eyes=1")).status == 200
            assert "Bob leads" in (await eve.get(page_of(code))).words
            assert (await does(eve, code, "show", "turn=3&eyes=1")).status == 409

    with_app(tmp_path, steps)


def test_when_the_leader_has_left_any_viewer_may_lead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "LEAVE_GRACE", 0.0)

    async def steps(app: Starlette) -> None:
        ann, bob, cid = member(app, "Ann"), member(app, "Bob"), member(app, "Cid")
        code, services = await a_replay(cid), services_of(app)
        services.shared_replays._clock = lambda: 1000.0
        await does(ann, code, "join", "turn=5&eyes=2")
        mine, theirs = ann.stream(f"{page_of(code)}/stream"), bob.stream(f"{page_of(code)}/stream")
        await theirs.until(b"Ann leads")
        await mine.until(b"Here with you: Bob")
        await mine.close()
        await theirs.until(b"Nobody leads")
        assert (await does(bob, code, "lead", "turn=7&eyes=1")).status == 200
        await theirs.until(b"You lead")
        await theirs.close()
        for _ in range(100):
            await asyncio.sleep(0)
        assert services.shared_replays.leader(code) == "", "the page was open when the lead was taken: no waiting"
        await does(cid, await a_replay(cid), "join", "turn=1&eyes=1")
        assert services.shared_replays.shown(code) == "", "a shared replay without viewers is evicted"

    with_app(tmp_path, steps)


def test_a_leader_who_never_opens_a_page_loses_the_lead_soon(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, cid = member(app, "Ann"), member(app, "Bob"), member(app, "Cid")
        code, services, time = await a_replay(cid), services_of(app), [1000.0]
        services.shared_replays._clock = lambda: time[0]
        theirs = bob.stream(f"{page_of(code)}/stream")
        await does(ann, code, "join", "turn=5&eyes=2")
        await theirs.until(b"Ann leads")
        assert (await does(bob, code, "lead")).status == 409
        time[0] += shared.LEADER_TIMEOUT
        theirs.wire.chunks.clear()
        services.presence.announce(services.shared_replays.channel(code))
        await theirs.until(b"Nobody leads")
        assert (await does(bob, code, "lead")).status == 200
        await theirs.close()

    with_app(tmp_path, steps)


def test_a_second_leader_has_as_long_to_open_a_page_as_the_first(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, cid = member(app, "Ann"), member(app, "Bob"), member(app, "Cid")
        code, rooms, time = await a_replay(ann), services_of(app).shared_replays, [1000.0]
        rooms._clock = lambda: time[0]
        theirs = cid.stream(f"{page_of(code)}/stream")
        await theirs.until(b"Nobody leads")
        for leader in (ann, bob, bob):
            await does(leader, code, "join", "turn=5&eyes=2")
            assert rooms.leader(code) == leader.person
            time[0] += shared.LEADER_TIMEOUT - 1
            assert rooms.leader(code) == leader.person
            time[0] += 1
            assert rooms.leader(code) == ""
        await theirs.close()

    with_app(tmp_path, steps)


def test_in_a_crowd_the_leader_stays_known_and_the_state_fits_into_a_message(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code, services = await a_replay(ann), services_of(app)
        await does(ann, code, "join", "turn=5&eyes=2")
        crowd = [
            Browser(app, cookie=services_of(app).cookies.serialize(Profile(f"{n:022}", "𝒜" * 38 + f"{n:02}")))
            for n in range(40)
        ]
        pages = [one.stream(f"{page_of(code)}/stream") for one in (ann, *crowd)]
        for page in pages:
            await page.until(b"Ann leads" if page is not pages[0] else b"You lead")
        answer = await does(crowd[0], code, "lead", "turn=1&eyes=1")
        assert (answer.status, answer.text) == (409, "Ann leads; ask for the lead.")
        tries = "&then=".join(["clue 4 multicolour"] * MAX_TRIED_MOVES)
        largest = msgspec.structs.replace(
            services.shared_replays._get(code), shown=f"turn=100&eyes=table&try=yourself&then={tries}"
        )
        assert len(largest.known) <= shared.MAX_NAMED
        assert len(msgspec.json.encode(largest)) < MAX_MESSAGE_BYTES - 100
        for page in pages:
            await page.close()

    with_app(tmp_path, steps)


def test_no_shared_replay_of_a_game_that_goes_on_or_has_not_begun(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        running, waiting = await start_game(ann, bob, watching="hands"), await open_table(ann, players=2)
        before = await kept_lines(app)
        for code in (running, waiting):
            for who in (ann, eve):
                assert (await who.get(page_of(code))).status == 409
                assert (await who.get(f"{page_of(code)}/stream")).status == 409
                for command in COMMANDS:
                    assert (await does(who, code, command, "turn=0&eyes=1", to=1)).status == 409
        assert await kept_lines(app) == before

    with_app(tmp_path, steps)


def test_followers_are_sent_nothing_that_the_leader_has_not_gone_to(tmp_path: Path) -> None:
    """Two games that are alike up to a turn look alike to followers who are led no further."""

    async def steps(app: Starlette) -> None:
        seen = []
        for stop_at in (12, 30):
            ann, bob = member(app, "Ann"), member(app, "Bob")
            answer = await ann.post("/bring", {"text": native.write(a_record(stop_at=stop_at))})
            code = answer.headers["location"].split("/")[2]
            await does(ann, code, "join", "turn=10&eyes=hands")
            page = await bob.get(page_of(code))
            stream = bob.stream(f"{page_of(code)}/stream")
            await stream.until(b"Ann leads")
            seen.append([text.replace(code, "CODE") for text in (page.text, (await stream.close()).text)])
        assert seen[0] == seen[1]

    with_app(tmp_path, steps)


def test_a_shared_replay_changes_nothing_in_the_game(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await a_replay(ann)
        before = await kept_lines(app)
        for command, query in (("join", "turn=1&eyes=1"), ("show", "turn=2&eyes=1"), ("stop", "")):
            assert (await does(ann, code, command, query)).status == 200
        assert await kept_lines(app) == before

    with_app(tmp_path, steps)


@pytest.mark.parametrize(
    "query",
    ["turn=x&eyes=1", "turn=1&eyes=9", "turn=1&eyes=1&then=dance", "turn=0&eyes=1&then=play+9", "turn=0&then=play+1" * 300],
)
def test_an_impossible_moment_is_not_shown(tmp_path: Path, query: str) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await a_replay(ann)
        await does(ann, code, "join", "turn=1&eyes=1")
        assert (await does(ann, code, "show", query)).status in (400, 409)
        assert shown(await ann.get(page_of(code))) == "turn=1&eyes=1"

    with_app(tmp_path, steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_in_the_language_of_its_reader(tmp_path: Path, language: str) -> None:
    async def steps(app: Starlette) -> None:
        ann, reader = member(app, "Ann"), Browser(app, language=language.replace("_", "-"))
        code = await a_replay(ann)
        await does(ann, code, "join", "turn=1&eyes=1")
        assert catalogue(language)(say("{name} leads", name="Ann")) in (await reader.get(page_of(code))).words
        answer = await does(reader, code, "lead")
        assert answer.text == catalogue(language)(say("{name} leads; ask for the lead.", name="Ann"))
        assert (await does(reader, code, "show")).text == catalogue(language)(say("You do not lead."))

    with_app(tmp_path, steps)


def test_names_stay_text_and_pages_reveal_no_identity(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await a_replay(ann)
        for name in NAMES:
            bad = Browser(app)
            await bad.post("/preferences", {"name": name})
            await does(ann, code, "lead", "turn=1&eyes=1")
            theirs, mine = bad.stream(f"{page_of(code)}/stream"), ann.stream(f"{page_of(code)}/stream")
            await theirs.until(b"Here with you")
            await mine.until(b"Here with you")
            page = (await ann.get(page_of(code))).text
            assert shows(page, name)
            sent = (await mine.close()).text + page
            assert bad.person not in sent
            assert ann.person not in (await theirs.close()).text

    with_app(tmp_path, steps)


def test_the_limit_of_live_pages_applies_here_too(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await a_replay(ann)
        streams = [ann.stream(f"{page_of(code)}/stream") for _ in range(20)]
        for stream in streams:
            await stream.until(b"id: ")
        assert (await ann.get(f"{page_of(code)}/stream")).status == 429
        for stream in streams:
            await stream.close()

    with_app(tmp_path, steps, limits=True)


def test_every_replay_links_to_its_shared_replay(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await a_replay(ann)
        page = await ann.get(f"/t/{code}/replay?turn=3&eyes=1")
        assert f'action="/t/{code}/replay/together/join?turn=3&amp;eyes=1"' in page.text
        assert (await ann.ask("HEAD", f"{page_of(code)}/stream")).status == 200

    with_app(tmp_path, steps)
