"""What was confirmed is on disk: the real server is killed again and again, and nothing is lost."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from tamaya.storage import SqliteStore
from tamaya.table import Phase, Table
from tamaya.table.events import decode
from tests.support.fakes import game_of, run
from tests.support.servers import RealServer

pytestmark = pytest.mark.slow


def turn_of(page: str) -> int:
    found = re.search(r'data-turn="(\d+)"', page)
    assert found, page[:500]
    return int(found[1])


def harmless_move(page: str) -> str:
    """A clue or a discard that the page offers, so that games are long."""
    offered = re.findall(r'name="move" value="([^"]+)"([^>]*)', page)
    moves: list[str] = [move for move, rest in offered if "data-refusal" not in rest and not move.startswith("play")]
    return moves[0]


def stored(folder: Path, code: str) -> Table:
    """The table in the file."""

    async def read() -> Table:
        store = await SqliteStore.open(folder / "tables.sqlite")
        try:
            lines = await store.read_events(code)
        finally:
            await store.close()
        return Table(code, map(decode, lines))

    return run(read())


def newcomer(server: RealServer) -> str:
    """The cookie of a new visitor."""
    return server.ask("GET", "/")[1]


def test_nothing_confirmed_is_lost_when_the_server_is_killed_at_any_moment(tmp_path: Path) -> None:
    choice = random.Random(3)
    people: list[str] = []
    confirmed: list[str] = []
    code, sent = "", 0
    for life in range(5):
        with RealServer(tmp_path) as server:
            if life == 0:
                people = [newcomer(server), newcomer(server)]
                _, place, _ = server.ask("POST", "/new", people[0], {"players": 2, "edition": "standard"})
                code = place.rpartition("/")[2]
                assert server.ask("POST", f"/t/{code}/sit", people[1], {"name": "Bob"})[0] == 303
                assert server.ask("POST", f"/t/{code}/start", people[0], {"first": 0})[0] == 303
            status, _, page = server.ask("GET", f"/t/{code}", people[0])
            assert status == 200, "cookies hold after a restart"
            assert turn_of(page) in (len(confirmed), sent), "all confirmed moves, and at most the one being made"
            confirmed = confirmed[: turn_of(page)] + ["?"] * (turn_of(page) - len(confirmed))
            for _ in range(choice.randrange(1, 6)):
                turn = len(confirmed)
                mover = people[turn % 2]
                move = harmless_move(server.ask("GET", f"/t/{code}", mover)[2])
                assert server.ask("POST", f"/t/{code}/move", mover, {"move": move, "turn": turn})[0] == 303
                confirmed.append(move)
            sent = len(confirmed) + 1
            mover = people[len(confirmed) % 2]
            move = harmless_move(server.ask("GET", f"/t/{code}", mover)[2])
            wire = server.send_only(f"/t/{code}/move", mover, {"move": move, "turn": len(confirmed)})
            time.sleep(choice.choice((0.0, 0.001, 0.002, 0.004)))
            server.kill()
            wire.close()
    table = stored(tmp_path, code)
    moves = [str(move) for move in game_of(table).moves]
    assert len(moves) in (len(confirmed), sent)
    assert all(move in ("?", kept) for move, kept in zip(confirmed, moves, strict=False))


def test_take_backs_and_notes_are_not_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    with RealServer(tmp_path) as server:
        cookie = newcomer(server)
        answers = {"players": 2, "edition": "standard", "who": "bots", "starter": "1", "take_backs": "yes"}
        _, place, _ = server.ask("POST", "/new", cookie, answers)
        move = harmless_move(server.ask("GET", place, cookie)[2])
        assert server.ask("POST", f"{place}/move", cookie, {"move": move, "turn": 0, "line": 0})[0] == 303
        assert server.ask("POST", f"{place}/note", cookie, {"text": "think again", "card": 0})[0] == 303
        assert server.ask("POST", f"{place}/take-back", cookie, {"turn": 1, "line": 0})[0] == 303
        server.kill()
    table = stored(tmp_path, place.rpartition("/")[2])
    assert (table.turn, table.branch, str(table.undone[0].take_back.moves[0])) == (0, 1, move)
    assert [note.text for note in table.notes_for(table.seats[0].person)] == ["think again"]
    with RealServer(tmp_path) as server:
        page = server.ask("GET", place, cookie)[2]
        assert 'data-line="1"' in page
        assert 'data-note="think again"' in page
        assert server.ask("POST", f"{place}/move", cookie, {"move": move, "turn": 0, "line": 1})[0] == 303
        server.kill()


def test_a_game_with_bots_goes_on_after_a_kill_and_leaves_no_process_behind(tmp_path: Path) -> None:
    with RealServer(tmp_path) as server:
        cookie = newcomer(server)
        _, place, _ = server.ask("POST", "/play", cookie, {"players": 3})
        code = place.rpartition("/")[2]
        page = _until_my_turn(server, place, cookie)
        move = harmless_move(page)
        assert server.ask("POST", f"{place}/move", cookie, {"move": move, "turn": turn_of(page)})[0] == 303
        before = turn_of(page) + 1
        server.kill()
    assert stored(tmp_path, code).turn >= before
    with RealServer(tmp_path) as server:
        page = _until_my_turn(server, place, cookie)
        assert turn_of(page) == before + 2, "the bots took their turns once a page was opened"
        home, games = (server.ask("GET", path, cookie)[2] for path in ("/", "/games"))
        assert (home.count(f'class="continue" href="{place}"'), games.count(f'href="{place}"')) == (1, 1)
        server.kill()
    table = stored(tmp_path, code)
    assert table.phase is Phase.PLAYING


def _until_my_turn(server: RealServer, place: str, cookie: str) -> str:
    """The page, once it is the person's turn."""
    for _ in range(3000):
        page = server.ask("GET", place, cookie)[2]
        if 'data-active="yes"' in page:
            return page
        time.sleep(0.01)
    raise AssertionError(page)
