"""Health and readiness, and what happens to moves when the store fails."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.web.ops import endpoints
from tamaya.web.ops.endpoints import Health
from tamaya.web.services import services_of
from tests.support.client import (
    Answer,
    Browser,
    kept_lines,
    member,
    open_table,
    serving,
    sqlite_store_of,
    start_game,
    the_table,
    with_app,
)
from tests.support.fakes import HeldExecutor, game_of, run
from tests.support.stores import UNLIMITED, allow_pages

SENTENCE = "The server cannot save anything right now; nothing was changed. Try again in a moment."


async def move(app: Starlette, player: Browser, code: str) -> Answer:
    """Play the first legal action of the player to move."""
    table = await the_table(app, code)
    return await player.act(code, "move", move=str(game_of(table).legal_actions()[0]), turn=table.turn, line=table.branch)


def is_refused(answer: Answer) -> bool:
    return (answer.status, answer.text, answer.headers["retry-after"]) == (503, SENTENCE, "5")


@pytest.mark.parametrize("address", ["/healthz", "/readyz", "/health"])
def test_a_healthy_server_answers_ok(tmp_path: Path, address: str) -> None:
    async def steps(app: Starlette) -> None:
        answer = await Browser(app).get(address)
        assert (answer.status, answer.text, answer.headers["content-type"]) == (200, "ok\n", "text/plain; charset=utf-8")
        assert answer.cookies == []

    with_app(tmp_path, steps)


def test_a_deleted_database_is_noticed_and_moves_are_refused(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        assert (await move(app, ann, code)).status == 200
        turn = (await the_table(app, code)).turn
        (tmp_path / "tables.sqlite").unlink()
        assert is_refused(await move(app, bob, code))
        assert (await the_table(app, code)).turn == turn
        answer = await bob.get("/readyz")
        assert (answer.status, "deleted or replaced" in answer.text, str(tmp_path) in answer.text) == (503, True, False)
        assert (await bob.get("/healthz")).status == 200, "a restart would not help"

    with_app(tmp_path, steps)


def test_moves_are_refused_while_the_disk_is_full(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob, talk="free")
        store = sqlite_store_of(app)
        allow_pages(store, 1)
        before = await kept_lines(app)
        said = [await ann.act(code, "say", text="z" * 200) for _ in range(60)]
        refused = [answer for answer in said if answer.status == 503]
        assert refused, "the disk was not full"
        assert all(map(is_refused, refused))
        assert (await ann.get("/readyz")).status == 503
        kept = await kept_lines(app)
        assert len(kept[code]) == len(before[code]) + len(said) - len(refused), "refused changes were not saved"
        allow_pages(store, UNLIMITED)
        assert (await move(app, ann, code)).status == 200
        assert len((await kept_lines(app))[code]) == len(kept[code]) + 1
        services_of(app).health._probed = None
        assert (await ann.get("/readyz")).status == 200

    with_app(tmp_path, steps)


def test_a_bot_retries_a_move_that_could_not_be_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamaya.table.bot_turns.STORE_RETRY_DELAY", 0.0)

    async def steps() -> None:
        bots = HeldExecutor()
        async with serving(tmp_path, thinker=bots) as app:
            ann, path, away = member(app, "Ann"), tmp_path / "tables.sqlite", tmp_path / "away.sqlite"
            code = await open_table(ann, players=2, who="bots", starter="1")
            assert (await move(app, ann, code)).status == 200
            turn = (await the_table(app, code)).turn
            path.rename(away)
            bots.answer.set()
            while sqlite_store_of(app)._file._last_failure != "lost":
                await asyncio.sleep(0)
            assert (await the_table(app, code)).turn == turn, "the bot's move was not saved"
            away.rename(path)
            while (await the_table(app, code)).turn == turn:
                await asyncio.sleep(0)

    run(steps())


def test_if_a_new_table_cannot_be_saved_the_form_keeps_its_values(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        ann = member(app, "Ann")
        assert (await ann.get("/new")).status == 200
        (tmp_path / "tables.sqlite").rename(tmp_path / "away.sqlite")
        answer = await ann.post("/new", {"edition": "french", "players": 4})
        assert (answer.status, SENTENCE in answer.words) == (503, True)
        assert 'name="edition" value="french" checked' in answer.text
        assert (await ann.post("/play")).status == 503

    with_app(tmp_path, steps)


def test_a_stopping_server_is_not_ready(tmp_path: Path) -> None:
    async def steps(app: Starlette) -> None:
        await services_of(app).tables.bus.close()
        answer = await Browser(app).get("/readyz")
        assert (answer.status, answer.text) == (503, "the server is stopping\n")

    with_app(tmp_path, steps)


class Probe:
    """A probe that returns when the test opens its gate."""

    def __init__(self) -> None:
        self.asked, self.found = 0, list[str]()
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self) -> Sequence[str]:
        self.asked += 1
        await self.gate.wait()
        return self.found


def test_the_store_is_probed_once_a_second_and_once_at_a_time() -> None:
    async def steps() -> None:
        probe, now = Probe(), [100.0]
        asked = Health(probe, lambda: now[0])
        probe.gate.clear()
        many = [asyncio.create_task(asked.problems()) for _ in range(1000)]
        await asyncio.sleep(0)
        probe.gate.set()
        assert {tuple(found) for found in await asyncio.gather(*many)} == {()}
        probe.found = ["the disk is almost full"]
        assert (list(await asked.problems()), probe.asked) == ([], 1)
        now[0] += endpoints.RESULT_LIFETIME
        assert (list(await asked.problems()), probe.asked) == (["the disk is almost full"], 2)

    run(steps())


def test_an_unresponsive_store_is_probed_once_and_requests_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "PROBE_TIMEOUT", 0.0)

    async def steps() -> None:
        probe = Probe()
        probe.gate.clear()
        asked = Health(probe)
        for _ in range(3):
            assert list(await asked.problems()) == ["the database does not answer"]
        assert probe.asked == 1
        probe.gate.set()
        await asked.close()
        assert list(await asked.problems()) == []

    run(steps())


def test_a_failed_probe_is_reported_without_its_message(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> Sequence[str]:
        raise OSError("/srv/secret/place")

    async def steps() -> None:
        assert list(await Health(fail).problems()) == ["the database cannot be probed"]

    run(steps())
    assert "secret" not in caplog.text
