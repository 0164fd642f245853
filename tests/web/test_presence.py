"""Who comes and goes is told to those who see it, and to nobody too often."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tamaya.table import Table
from tamaya.web.context import Visit
from tamaya.web.table import presence
from tests.limits import WAIT
from tests.web.client import member, open_table, start_game, with_app

NEVER = 1e6
"""Seconds that no test lasts."""


class Told:
    """Remembers from where there was news."""

    def __init__(self, app: Starlette) -> None:
        self.places: list[str] = []
        bus = app.state.house.tables.bus
        self._honest, bus.publish = bus.publish, self._publish

    async def _publish(self, place: str, sequence: int) -> None:
        self.places.append(place)
        await self._honest(place, sequence)


async def settle() -> None:
    """Let everything happen that waits for no clock."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_who_sat_down_meanwhile_is_missed_when_they_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "GRACE", 0.0)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await open_table(ann, players=2)
        mine, theirs = (who.stream(f"/t/{code}/stream") for who in (ann, bob))
        await theirs.until(b"id: ")
        assert (await bob.act(code, "sit")).status == 200
        await mine.until(b"Everybody is here")
        await theirs.close()
        await mine.until(b"Waiting for Bob")
        await mine.close()

    with_app(tmp_path, steps)


def test_what_happens_at_once_is_told_at_once_and_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "PAUSE", NEVER)

    async def steps(app: Starlette) -> None:
        here, told = app.state.house.presence, Told(app)
        for _ in range(30):
            here.tell("one")
            here.tell("other")
            await settle()
            assert told.places == ["one", "other"], "nobody waits for the first"
        here._rested("one")
        await settle()
        assert told.places == ["one", "other", "one"], "the pause is over: all the rest in one go"
        here._rested("one")
        await settle()
        assert len(told.places) == 3, "there was nothing more to tell"
        here.tell("one")
        await settle()
        assert len(told.places) == 4

    with_app(tmp_path, steps)


@pytest.mark.parametrize("all_here", [True, False])
def test_once_people_have_had_time_to_arrive_pages_are_told_only_if_somebody_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, all_here: bool
) -> None:
    """A thousand tables whose people come back at once are not all drawn again five seconds later."""
    monkeypatch.setattr(presence, "GRACE", NEVER)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        streams = [who.stream(f"/t/{code}/stream") for who in ((ann, bob) if all_here else (ann,))]
        for stream in streams:
            await stream.until(b"id: ")
        await settle()
        told = Told(app)
        app.state.house.presence._all_came(code)
        await settle()
        assert told.places == ([] if all_here else [code])
        for stream in streams:
            await stream.close()

    monkeypatch.setattr(presence, "PAUSE", 0.0)
    with_app(tmp_path, steps)


@pytest.mark.parametrize("begun", [True, False])
def test_who_has_no_seat_comes_and_goes_and_no_other_page_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    """The attack: 300 open pages, and each of twelve arrivals a second had all of them drawn."""
    honest, drawn = Visit.draw, list[str]()

    def draw(visit: Visit, table: Table) -> str:
        drawn.append(visit.person.id)
        return honest(visit, table)

    monkeypatch.setattr(Visit, "draw", draw)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await (start_game if begun else open_table)(ann, bob, watching="table")
        streams = [who.stream(f"/t/{code}/stream") for who in (ann, bob, *(member(app, f"Idle{n}") for n in range(10)))]
        for stream in streams:
            await stream.until(b"id: ")
        await settle()
        drawn.clear()
        for number in range(20):
            streams.append(member(app, f"Eve{number}").stream(f"/t/{code}/stream"))
            await streams[-1].until(b"id: ")
        await settle()
        assert sorted(drawn) == sorted(f"p-eve{number}" for number in range(20)), "each for itself"
        monkeypatch.setattr(presence, "GRACE", 0.0)
        drawn.clear()
        for stream in streams[2:]:
            await stream.close()
        async with asyncio.timeout(WAIT):
            while len(app.state.house.presence.here(code)) > 2:
                await asyncio.sleep(0)
        await settle()
        assert drawn == [], "nor does anybody's leaving"
        for stream in streams[:2]:
            await stream.close()

    monkeypatch.setattr(presence, "GRACE", NEVER)
    monkeypatch.setattr(presence, "PAUSE", 0.0)
    with_app(tmp_path, steps)
