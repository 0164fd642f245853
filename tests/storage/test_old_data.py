"""Data of an older version is read and its games go on: data folder, backup and PostgreSQL database."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from starlette.applications import Starlette

from tamaya.cli import tamaya as command_line
from tamaya.record import Record, Replay, from_text
from tamaya.table import Phase, Table
from tamaya.table.events import AnyEvent, Moved, decode
from tamaya.web.services import services_of
from tests.postgres import fresh_database, restored_database
from tests.support.client import Browser, the_table, with_app
from tests.support.fakes import game_of, steady_chance

OLD = Path(__file__).parent / "old"
KNOWN: dict[str, Any] = json.loads((OLD / "known.json").read_text("utf-8"))
POINTS, TURNS = 22, 54
"""The result of the finished game, as the old server showed it."""


@dataclass(frozen=True)
class Host:
    """A server with old data and the current code, a minute after the data was stored."""

    folder: Path
    options: dict[str, str] = field(default_factory=dict)

    def serve(self, steps: Callable[[Starlette], Awaitable[None]]) -> None:
        """Run steps in the server's event loop."""
        chance = steady_chance(clock=lambda: KNOWN["made"] + 60.0)
        with_app(self.folder, steps, chance=chance, secret="", **self.options)


def unpack(name: str, folder: Path) -> Path:
    """Extract an archive to a new folder."""
    with closing(ZipFile(OLD / name)) as archive:
        archive.extractall(folder)
    return folder


def restore(tmp_path: Path, *options: str) -> None:
    """Restore the old backup and the key beside it, as a host does."""
    (backup,) = unpack("backup.zip", tmp_path / "backups").glob("*.sqlite")
    chosen = ["restore", str(backup), "--with-key", "--data", str(tmp_path / "data"), *options]
    done = CliRunner(env={"LC_ALL": "en_GB.UTF-8"}).invoke(command_line, chosen, catch_exceptions=False)
    assert (done.exit_code, "was restored; tables: 10, events: 153." in done.output) == (0, True), done.output


@pytest.fixture(params=["data folder", "backup", "postgresql"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Host:
    data = tmp_path / "data"
    if request.param == "backup":
        restore(tmp_path)
        return Host(data)
    unpack("data.zip", data)
    if request.param == "data folder":
        return Host(data)
    (data / "tables.sqlite").unlink()
    return Host(data, {"database": restored_database(gzip.decompress((OLD / "postgres.sql.gz").read_bytes()).decode())})


def player(app: Starlette, name: str) -> Browser:
    """A browser with the old cookie of a player."""
    return Browser(app, cookie=KNOWN["cookies"][name])


async def page(who: Browser, path: str) -> str:
    """The HTML of a page, which must exist."""
    answer = await who.get(path)
    assert answer.status == 200, answer.text
    return answer.words


async def record_of(who: Browser, code: str) -> Replay:
    """The record of a finished game."""
    replay = from_text(await page(who, f"/t/{code}/record/tamaya"))
    assert replay.error is None
    return replay


def what_was_played(record: Record) -> tuple[object, ...]:
    return record.rules, record.deck, record.names, record.moves, record.taken_back, record.advised


def test_the_finished_game_replays_with_score_notes_and_analysis(host: Host) -> None:
    async def steps(app: Starlette) -> None:
        ann, code = player(app, "Ann"), KNOWN["finished"]
        replay = await record_of(ann, code)
        assert what_was_played(replay.record) == what_was_played(from_text(json.dumps(KNOWN["record"])).record)
        assert (replay.game.points, replay.game.turn, replay.ended) == (POINTS, TURNS, "normal")
        assert "Good luck! 花火" in await page(ann, f"/t/{code}")
        story = await page(ann, f"/t/{code}/replay?turn=end")
        assert "coach-players" in story, "the analysis of the coach"
        notes = {(note.seat, note.text) for note in (await the_table(app, code)).notes_for("somebody else")}
        assert notes == {(0, "my oldest")}, "Ann shares her notes, Bob does not"
        assert f"/t/{code}" in await page(ann, "/games")

    host.serve(steps)


def test_imported_games_are_there_with_their_problems(host: Host) -> None:
    async def steps(app: Starlette) -> None:
        ann = player(app, "Ann")
        whole, damaged = [await record_of(ann, KNOWN[name]) for name in ("brought", "damaged")]
        assert (whole.game.points, whole.game.turn) == (POINTS, TURNS)
        assert damaged.record.moves == whole.record.moves[:-1]
        assert "This is no whole Hanab Live link" in await page(ann, f"/t/{KNOWN['damaged']}/replay")

    host.serve(steps)


async def makes_a_move(who: Browser, code: str) -> Table:
    """Discard, or else give a clue, by which no game is lost; returns the table after the bots' turns."""
    table, tables = await the_table(who.app, code), services_of(who.app).tables
    move = min(map(str, game_of(table).legal_actions()), key=lambda action: ("disc", "clue", "play").index(action[:4]))
    answer = await who.act(code, "move", move=move, turn=table.turn, line=table.branch)
    assert answer.status == 200, answer.text
    while code in tables._bot_turns._tasks:
        await asyncio.sleep(0)
    return await the_table(who.app, code)


async def last_events(app: Starlette, code: str, since: int) -> list[AnyEvent]:
    """The events of a table after a number."""
    return [decode(line) for line in (await services_of(app).tables.store.read_events(code))[since:]]


@pytest.mark.parametrize("bot", ["hat", "convention", "learned"])
def test_a_running_game_accepts_a_move_and_its_bots_answer(host: Host, bot: str) -> None:
    """Each of these bots has a memory, which it must rebuild from the stored moves."""

    async def steps(app: Starlette) -> None:
        ann, code = player(app, "Ann"), KNOWN["running"][bot]
        then = await the_table(app, code)
        assert (then.turn, bot in then.bots) == (KNOWN["turns"][code], True)
        kept, seats = len(await last_events(app, code, 0)), len(then.seats)
        for rounds in (1, 2):
            now = await makes_a_move(ann, code)
            assert (now.turn, now.to_move) == (then.turn + rounds * seats, then.to_move)
        moves = [event for event in await last_events(app, code, kept) if isinstance(event, Moved)]
        assert [move.bot for move in moves] == [False, *[True] * (seats - 1)] * 2
        assert not any(move.replaced for move in moves), "no bot failed"

    host.serve(steps)


def test_a_running_game_with_a_searching_bot_is_shown(host: Host) -> None:
    async def steps(app: Starlette) -> None:
        code = KNOWN["running"]["search"]
        shown = await page(player(app, "Ann"), f"/t/{code}")
        assert f'data-turn="{KNOWN["turns"][code]}"' in shown
        assert 'name="move"' in shown, "it is Ann's turn"

    host.serve(steps)


def test_a_pending_take_back_request_is_approved_and_play_goes_on(host: Host) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob, code = player(app, "Ann"), player(app, "Bob"), KNOWN["question"]
        assert (await bob.act(code, "answer", agrees="yes", question=1)).status == 200
        assert (await the_table(app, code)).turn == 0, "Ann's move is taken back"
        assert (await makes_a_move(ann, code)).turn == 1
        assert (await makes_a_move(bob, code)).turn == 2

    host.serve(steps)


def test_a_login_link_signs_the_player_in_once(host: Host) -> None:
    async def steps(app: Starlette) -> None:
        phone, thief, link = Browser(app), Browser(app), KNOWN["personal_link"]
        assert "Ann" in await page(phone, link)
        assert (await phone.post(link)).status == 303
        assert phone.person == player(app, "Ann").person
        assert f"/t/{KNOWN['finished']}" in await page(phone, "/games")
        assert (await makes_a_move(phone, KNOWN["running"]["hat"])).phase is Phase.PLAYING
        assert (await thief.post(link)).status == 400

    host.serve(steps)


def test_an_open_table_and_a_rematch_accept_players(host: Host) -> None:
    async def steps(app: Starlette) -> None:
        guest, bob = Browser(app), player(app, "Bob")
        assert f"/t/{KNOWN['lobby']}" in await page(guest, "/")
        assert (await guest.act(KNOWN["lobby"], "sit", name="Cid")).status == 200
        assert set((await the_table(app, KNOWN["lobby"])).names) >= {"Bob", "Cid"}
        again = await bob.post(f"/t/{KNOWN['finished']}/rematch")
        assert again.status == 303
        following = await the_table(app, again.headers["location"].rpartition("/")[2])
        assert (following.phase, following.seat_of(bob.person) is None) == (Phase.OPEN, False)

    host.serve(steps)


def test_a_backup_restores_into_postgresql_too(tmp_path: Path) -> None:
    address = fresh_database()
    restore(tmp_path, "--database", address)

    async def steps(app: Starlette) -> None:
        assert (await record_of(player(app, "Ann"), KNOWN["finished"])).game.points == POINTS
        assert (await makes_a_move(player(app, "Ann"), KNOWN["running"]["hat"])).phase is Phase.PLAYING

    Host(tmp_path / "data", {"database": address}).serve(steps)


def test_saved_games_and_links_are_read() -> None:
    saved, linked = from_text(json.dumps(KNOWN["record"])), from_text(KNOWN["link"])
    assert (saved.error, linked.error) == (None, None)
    assert saved.game.points == linked.game.points == POINTS
