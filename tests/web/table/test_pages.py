"""The table's own page: what it shows to each visitor, what it accepts, and how it stays live."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.record.files import from_text
from tamaya.table import Phase, SpectatorMode
from tamaya.web.stream import sse_message
from tamaya.web.table import presence
from tamaya.web.table.pages import COMMANDS
from tests.support.client import Browser, end_game, kept_lines, member, open_table, start_game, the_table, with_app
from tests.support.fakes import game_of


def faces(page: str) -> int:
    """The number of cards rendered with their face."""
    return page.count('class="card face')


@pytest.mark.parametrize("watching", SpectatorMode)
def test_spectators_see_what_the_table_allows(tmp_path: Path, watching: SpectatorMode) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        code = await start_game(ann, bob, watching=watching)
        at = f"/t/{code}"
        page, grid = await eve.get(at), await eve.get(f"{at}/possibilities?seat=0")
        qr = await eve.get(f"{at}/qr.svg")
        if watching is SpectatorMode.NOBODY:
            refused = [page, grid, qr, await eve.get(f"{at}/stream"), await eve.get(f"{at}/record/tamaya")]
            refused += [await eve.act(code, "say", text="hello"), await eve.act(code, "move", move="play 1", turn=0)]
            assert {answer.status for answer in refused} == {403}
            assert all("card" not in answer.words.replace("cards", "").split("<main")[-1] for answer in refused)
            return
        shown = 10 if watching is SpectatorMode.HANDS else 0
        stream = eve.stream(f"{at}/stream")
        await stream.until(b"id: ")
        await ann.act(code, "move", move="play 1", turn=0)
        await stream.until(b'data-turn="1"')
        sent = await stream.close()
        assert [faces(text) for text in (page.text, sent.text.split("\n\n")[0])] == [shown, shown]
        assert (grid.status, qr.status) == (200, 200)
        assert "You are watching." in page.text
        assert 'id="sheet"' not in page.text
        for command, fields in (("move", {"move": "play 1", "turn": 1}), ("say", {"text": "x"}), ("take-over", {"seat": 0})):
            assert (await eve.act(code, command, **fields)).status == 409

    with_app(tmp_path, steps)


@pytest.mark.parametrize("watching", SpectatorMode)
def test_players_see_the_others_hands_and_never_their_own(tmp_path: Path, watching: SpectatorMode) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, cid = (member(app, name) for name in ("Ann", "Bob", "Cid"))
        code = await start_game(ann, bob, cid, watching=watching)
        for player in (ann, bob, cid):
            page = (await player.get(f"/t/{code}")).text
            assert faces(page) == 10
            assert page.count('class="card back') == 5
            seat = (await the_table(app, code)).seat_of(player.person)
            hand = page.split(f'<section id="hand-{seat}"')[1].split("</section>")[0]
            assert faces(hand) == 0

    with_app(tmp_path, steps)


def test_an_unknown_table_is_not_found_at_any_address(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        for code in ("zzzzzzzzzz", "short", "0" * 10, "%2e%2e", "x" * 300):
            for part in ("", "/stream", "/rules", "/qr.svg", "/possibilities?seat=0", "/record/tamaya"):
                assert (await ann.get(f"/t/{code}{part}")).status == 404
            for command in (*COMMANDS, "rematch"):
                assert (await ann.act(code, command, seat=0, turn=0)).status == 404

    with_app(tmp_path, steps)


def test_a_double_click_and_a_second_tab_make_one_move(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        clicks = [ann.act(code, "move", move="play 1", turn=0) for _ in range(6)]
        tabs = [ann.act(code, "move", move="play 2", turn=0) for _ in range(6)]
        answers = await asyncio.gather(*clicks, *tabs)
        assert sorted(answer.status for answer in answers) == [200] + [409] * 11
        assert (await the_table(app, code)).turn == 1
        assert all("moved on" in answer.text for answer in answers if answer.status == 409)

    with_app(tmp_path, steps)


def test_a_clue_with_an_endless_number_is_refused_in_words_and_changes_nothing(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        answer = await ann.act(code, "move", move="clue 2 " + "9" * 4301, turn=0)
        assert (answer.status, "is not an action; write one such as" in answer.words) == (400, True)
        assert (await the_table(app, code)).turn == 0

    with_app(tmp_path, steps)


def test_a_change_is_answered_with_the_live_part_for_htmx_and_a_redirect_for_a_form(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        answer = await ann.act(code, "move", move="play 1", turn=0)
        assert answer.text.lstrip().startswith('<div id="table"')
        assert 'data-turn="1"' in answer.text
        assert answer.text in (await ann.get(f"/t/{code}")).text
        plain = await bob.post(f"/t/{code}/move", {"move": "play 1", "turn": 1})
        assert (plain.status, plain.headers["location"]) == (303, f"/t/{code}")

    with_app(tmp_path, steps)


def test_every_open_page_is_updated_by_any_change(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        code = await open_table(ann, players=2, talk="free", watching="table")
        streams = {who: who.stream(f"/t/{code}/stream") for who in (ann, bob, eve)}
        for stream in streams.values():
            await stream.until(b"id: 2\n")
        for who, command, fields in (
            (bob, "sit", {}),
            (ann, "start", {"first": 1}),
            (bob, "move", {"move": "play 1", "turn": 0}),
            (bob, "arrange", {"hand": "4 3 2 1 50"}),
            (ann, "say", {"text": "well, well"}),
        ):
            if command == "arrange":
                numbers = (await the_table(app, code)).hand_numbers(0)
                fields = {"hand": " ".join(map(str, reversed(numbers)))}
            assert (await who.act(code, command, **fields)).status == 200, command
            table = await the_table(app, code)
            for watcher, stream in streams.items():
                await stream.until(b"id: %d\n" % table.sequence)
                last = stream.wire.chunks[-1].decode()
                assert last.count("\n\n") == 1, "one message, whole"
                page = (await watcher.get(f"/t/{code}")).text
                html = "\n".join(line.removeprefix("data: ") for line in last.strip().split("\n")[1:])
                assert html in page, "the stream sends what the page would"
        assert all("well, well" in stream.wire.chunks[-1].decode() for stream in streams.values())
        heard = {who: 'data-count="1"' in (await who.get(f"/t/{code}")).text for who in streams}
        assert heard == {ann: False, bob: True, eve: True}, "one's own message is not counted as unread"
        heads = [dict(stream.wire.headers) for stream in streams.values()]
        assert all(head[b"content-type"].startswith(b"text/event-stream") for head in heads)
        for stream in streams.values():
            await stream.close()

    with_app(tmp_path, steps)


def test_a_message_of_a_stream_holds_every_line(tmp_path: Path) -> None:
    assert sse_message("<p>\n a</p>\n\n<b>", 7) == b"id: 7\ndata: <p>\ndata:  a</p>\ndata: \ndata: <b>\n\n"


def test_a_player_without_open_pages_is_away_after_a_while_and_a_bot_may_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LEAVE_GRACE", 0.0)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        mine = ann.stream(f"/t/{code}/stream")
        await mine.until(b"id: ")
        here = [bob.stream(f"/t/{code}/stream") for _ in range(2)]
        for stream in here:
            await stream.until(b"id: ")
        assert (await ann.act(code, "take-over", seat=1)).status == 409, "Bob is here"
        await here.pop().close()
        await asyncio.sleep(0.01)
        assert (await ann.act(code, "take-over", seat=1)).status == 409, "a second tab is still open"
        await here.pop().close()
        while "Let a bot play</button>" not in (page := (await ann.get(f"/t/{code}")).text):
            await asyncio.sleep(0.001)
        assert "away" in page
        assert (await ann.act(code, "take-over", seat=1)).status == 200
        await ann.act(code, "move", move="play 1", turn=0)
        await mine.until(b'data-turn="2"')
        assert (await bob.act(code, "move", move="play 1", turn=3)).status == 409
        assert (await bob.act(code, "give-back")).status == 200
        await ann.act(code, "move", move="play 1", turn=2)
        assert (await bob.act(code, "move", move="play 1", turn=3)).status == 200
        await mine.close()

    with_app(tmp_path, steps)


def test_the_invitation_holds_the_tables_address(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        code = await open_table(ann, players=2)
        page = await ann.get(f"/t/{code}")
        assert f'value="http://hanabi.example/t/{code}"' in page.text
        qr = await ann.get(f"/t/{code}/qr.svg")
        assert qr.headers["content-type"] == "image/svg+xml"
        assert "<svg" in qr.text
        assert "style=" not in qr.text

    with_app(tmp_path, steps)


def test_the_record_is_available_after_the_end_and_holds_the_game(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        code = await start_game(ann, bob)
        forms = ("tamaya", "hanab-live", "link")
        for form in forms:
            for who in (ann, bob, eve):
                answer = await who.get(f"/t/{code}/record/{form}")
                assert answer.status == 409
                assert "when the game is over" in answer.text
        await end_game(app, code, ann, bob)
        files = {form: await eve.get(f"/t/{code}/record/{form}") for form in forms}
        assert {answer.status for answer in files.values()} == {200}
        replayed = from_text(files["tamaya"].text)
        assert replayed.record.names == ("Ann", "Bob")
        assert replayed.game == game_of(await the_table(app, code))
        assert from_text(files["link"].text).game.score == replayed.game.score
        assert files["tamaya"].headers["content-disposition"] == f'attachment; filename="hanabi-{code}.json"'
        assert json.loads(files["hanab-live"].text)["players"] == ["Ann", "Bob"]
        assert files["link"].text.startswith("https://hanab.live/")

    with_app(tmp_path, steps)


def test_a_record_in_an_unknown_format_is_not_found(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        await end_game(app, code, ann, bob)
        assert (await ann.get(f"/t/{code}/record/other")).status == 404

    with_app(tmp_path, steps)


def test_a_game_that_hanab_live_cannot_express_is_refused_there_and_exported_in_our_format(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob, variant="announced-plays one-mistake")
        await end_game(app, code, ann, bob)
        for form in ("hanab-live", "link"):
            answer = await ann.get(f"/t/{code}/record/{form}")
            assert answer.status == 400
        assert (await ann.get(f"/t/{code}/record/tamaya")).status == 200

    with_app(tmp_path, steps)


def test_a_rematch_leads_every_player_to_the_same_table(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, eve = member(app, "Ann"), member(app, "Bob"), member(app, "Eve")
        code = await start_game(ann, bob)
        assert (await ann.act(code, "rematch")).status == 409
        await end_game(app, code, ann, bob)
        before = await kept_lines(app)
        assert (await eve.act(code, "rematch")).status == 409
        assert await kept_lines(app) == before
        answers = await asyncio.gather(ann.act(code, "rematch"), bob.post(f"/t/{code}/rematch"), ann.post(f"/t/{code}/rematch"))
        places = {answer.headers.get("hx-redirect") or answer.headers["location"] for answer in answers}
        assert len(places) == 1
        following = await the_table(app, places.pop().rpartition("/")[2])
        assert (following.phase, following.names) == (Phase.OPEN, ("Bob", "Ann"))
        assert f'href="/t/{following.code}"' in (await eve.get(f"/t/{code}")).text

    with_app(tmp_path, steps)


def test_a_head_request_to_a_live_page_is_answered_at_once(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        async with asyncio.timeout(5):
            assert (await ann.ask("HEAD", f"/t/{code}/stream")).status == 200

    with_app(tmp_path, steps)


def test_only_the_host_and_the_seated_change_seats(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, stranger = member(app, "Ann"), member(app, "Bob"), Browser(app)
        code = await open_table(ann, players=3)
        assert (await bob.act(code, "sit", seat=2)).status == 200
        assert (await stranger.act(code, "sit", name="bob")).status == 409
        assert (await stranger.act(code, "sit", name="Zed")).status == 200
        assert stranger.cookie, "a person who sits down is remembered"
        assert (await bob.act(code, "stand", seat=1)).status == 409
        assert (await ann.act(code, "stand", seat=1)).status == 200
        assert (await bob.act(code, "bot", seat=1)).status == 409
        assert (await ann.act(code, "bot", seat=1)).status == 200
        assert (await bob.act(code, "start")).status == 409
        assert (await ann.act(code, "start")).status == 200
        assert (await the_table(app, code)).phase is Phase.PLAYING

    with_app(tmp_path, steps)
