"""When abandoned tables are deleted, and when they are not."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tamaya import MalformedError
from tamaya.storage import SqliteStore
from tamaya.table import RETENTION, Phase, RetentionPolicy, commands, import_game
from tests.support.fakes import ANN, BOB, plain_settings, run, sits, steady_chance, tables_over, to_the_end, two_people

DAY = 24 * 3600.0


def test_abandoned_tables_are_swept_by_the_stated_policy(tmp_path: Path) -> None:
    kept_for = {Phase.OPEN: DAY, Phase.PLAYING: 30 * DAY}
    assert RetentionPolicy(kept_for, marked_for=7 * DAY, share=0.05, brought_for=365 * DAY) == RETENTION
    time = [0.0]
    open_ones = ((DAY, 0, 0), (DAY + 1, 1, 0), (8 * DAY, 0, 0), (8 * DAY + 1, 0, 1))
    brought_ones = ((365 * DAY, 0, 0), (365 * DAY + 1, 1, 0), (372 * DAY, 0, 0), (372 * DAY + 1, 0, 1))
    running_ones = ((30 * DAY, 0, 0), (30 * DAY + 1, 1, 0), (37 * DAY + 1, 0, 1))

    async def steps() -> None:
        chance = steady_chance(clock=lambda: time[0])
        tables = tables_over(await SqliteStore.open(tmp_path / "tables.db"), runtime=chance)
        waiting = await tables.create(plain_settings(2), ANN, "Ann")
        playing = await two_people(tables)
        over = await to_the_end(tables, await two_people(tables))
        brought = await tables.begin(import_game(over.record(), ANN))
        elsewhere = await two_people(tables)
        for turn, (now, marked, forgotten) in enumerate((*open_ones, *running_ones, *brought_ones, (9999 * DAY, 0, 0))):
            time[0] = now
            await tables.update(elsewhere.code, partial(commands.send_message, person=ANN, remark="thanks", text=""))
            swept = await tables.sweep()
            assert (swept.marked, len(swept.forgotten)) == (marked, forgotten), turn
        for gone in (waiting, playing, brought):
            with pytest.raises(MalformedError):
                await tables.get(gone.code)
        assert (await tables.get(over.code)).phase is Phase.ENDED
        await tables.close()

    run(steps())


def test_an_event_removes_the_mark_of_a_table(tmp_path: Path) -> None:
    time = [0.0]

    async def steps() -> None:
        chance = steady_chance(clock=lambda: time[0])
        tables = tables_over(await SqliteStore.open(tmp_path / "tables.db"), runtime=chance)
        table = await tables.create(plain_settings(2), ANN, "Ann")
        time[0] = 5 * DAY
        await two_people(tables)
        assert (await tables.sweep()).marked == 1
        await tables.update(table.code, sits(BOB, "Bob"))
        time[0] = 13 * DAY
        await two_people(tables)
        assert not (await tables.sweep()).forgotten
        assert (await tables.get(table.code)).seat_of(BOB) == 1
        await tables.close()

    run(steps())


@pytest.mark.parametrize(("then", "now"), [(0.0, 31 * DAY), (0.0, 9999 * DAY), (-365 * DAY, 0.0)])
def test_a_clock_that_jumps_deletes_no_running_game(tmp_path: Path, then: float, now: float) -> None:
    async def steps() -> None:
        code = ""
        for time in (then, now):
            chance = steady_chance(clock=lambda time=time: time)  # type: ignore[misc]
            tables = tables_over(await SqliteStore.open(tmp_path / "tables.db"), runtime=chance)
            code = code or (await two_people(tables)).code
            for _ in range(3):
                assert not (await tables.sweep()).forgotten
            assert (await tables.get(code)).phase is Phase.PLAYING
            await tables.close()

    run(steps())


def test_the_log_says_what_a_sweep_does_and_no_more(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    time = [0.0]

    async def steps() -> None:
        chance = steady_chance(clock=lambda: time[0])
        tables = tables_over(await SqliteStore.open(tmp_path / "tables.db"), runtime=chance)
        code = (await two_people(tables)).code
        for time[0] in (40 * DAY, 50 * DAY):
            await two_people(tables)
            await tables.sweep()
        time[0] = 0.0
        await tables.sweep()
        await tables.close()
        assert code not in caplog.text

    run(steps())
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("WARNING", "marked 1 abandoned tables: forgotten in 7 days unless a player returns"),
        ("WARNING", "forgot 1 abandoned tables"),
        ("WARNING", "the newest event is 50 days ahead of the clock; is the clock right?"),
    ]
