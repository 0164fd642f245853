"""Joins and leaves are announced to the pages that show them, and not too often."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from starlette.applications import Starlette

from tamaya.bus import LocalBus
from tamaya.table import Table
from tamaya.web.context import RequestContext
from tamaya.web.services import services_of
from tamaya.web.table import presence
from tamaya.web.table.presence import PROCESS_TIMEOUT, PresenceSync
from tests.limits import WAIT
from tests.support.client import member, open_table, start_game, with_app
from tests.support.fakes import run

NEVER = 1e6
"""Seconds longer than any test."""


class AnnouncedPlaces:
    """Records the announced places."""

    def __init__(self, app: Starlette) -> None:
        self.places: list[str] = []
        bus = services_of(app).tables.bus
        self._honest, vars(bus)["publish"] = bus.publish, self._publish

    async def _publish(self, place: str, sequence: int) -> None:
        self.places.append(place)
        await self._honest(place, sequence)


async def settle() -> None:
    """Run everything that does not wait for a timer."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_person_who_sat_down_meanwhile_is_missed_when_they_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "LEAVE_GRACE", 0.0)

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


def test_changes_at_once_are_announced_at_once_and_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "ANNOUNCE_INTERVAL", NEVER)

    async def steps(app: Starlette) -> None:
        here, announced = services_of(app).presence, AnnouncedPlaces(app)
        for _ in range(30):
            here.announce("one")
            here.announce("other")
            await settle()
            assert announced.places == ["one", "other"], "the first is announced without delay"
        here._end_pause("one")
        await settle()
        assert announced.places == ["one", "other", "one"], "after the pause, all the rest in one go"
        here._end_pause("one")
        await settle()
        assert len(announced.places) == 3, "nothing more to announce"
        here.announce("one")
        await settle()
        assert len(announced.places) == 4

    with_app(tmp_path, steps)


@pytest.mark.parametrize("all_here", [True, False])
def test_after_the_arrival_period_pages_are_updated_only_if_a_player_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, all_here: bool
) -> None:
    """A thousand tables whose people come back at once are not all rendered again five seconds later."""
    monkeypatch.setattr(presence, "LEAVE_GRACE", NEVER)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await start_game(ann, bob)
        streams = [who.stream(f"/t/{code}/stream") for who in ((ann, bob) if all_here else (ann,))]
        for stream in streams:
            await stream.until(b"id: ")
        await settle()
        announced = AnnouncedPlaces(app)
        services_of(app).presence._end_gathering(code)
        await settle()
        assert announced.places == ([] if all_here else [code])
        for stream in streams:
            await stream.close()

    monkeypatch.setattr(presence, "ANNOUNCE_INTERVAL", 0.0)
    with_app(tmp_path, steps)


@pytest.mark.parametrize("begun", [True, False])
def test_visitors_without_a_seat_come_and_go_without_updates_to_other_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    """Twelve arrivals a second once had 300 open pages rendered again each time."""
    render_live, rendered_for = RequestContext.render_live, list[str]()

    def draw(visit: RequestContext, table: Table) -> str:
        rendered_for.append(visit.profile.id)
        return render_live(visit, table)

    monkeypatch.setattr(RequestContext, "render_live", draw)

    async def steps(app: Starlette) -> None:
        ann, bob = member(app, "Ann"), member(app, "Bob")
        code = await (start_game if begun else open_table)(ann, bob, watching="table")
        streams = [who.stream(f"/t/{code}/stream") for who in (ann, bob, *(member(app, f"Idle{n}") for n in range(10)))]
        for stream in streams:
            await stream.until(b"id: ")
        await settle()
        rendered_for.clear()
        for number in range(20):
            streams.append(member(app, f"Eve{number}").stream(f"/t/{code}/stream"))
            await streams[-1].until(b"id: ")
        await settle()
        assert sorted(rendered_for) == sorted(f"p-eve{number}" for number in range(20)), "each its own page"
        monkeypatch.setattr(presence, "LEAVE_GRACE", 0.0)
        rendered_for.clear()
        for stream in streams[2:]:
            await stream.close()
        async with asyncio.timeout(WAIT):
            while len(services_of(app).presence.present(code)) > 2:
                await asyncio.sleep(0)
        await settle()
        assert rendered_for == [], "leaving does not either"
        for stream in streams[:2]:
            await stream.close()

    monkeypatch.setattr(presence, "LEAVE_GRACE", NEVER)
    monkeypatch.setattr(presence, "ANNOUNCE_INTERVAL", 0.0)
    with_app(tmp_path, steps)


class Wire:
    """Delivers messages between buses at once, unless it is cut."""

    def __init__(self) -> None:
        self.ends: list[End] = []

    def end(self) -> End:
        self.ends.append(End(self, f"process {len(self.ends)}"))
        return self.ends[-1]


class End(LocalBus):
    """The bus of one process."""

    shared = True

    def __init__(self, wire: Wire, name: str) -> None:
        super().__init__()
        self.wire, self.name, self.cut = wire, name, False
        self.ears = defaultdict[str, list[Callable[[str, str], None]]](list)

    def broadcast(self, topic: str, text: str) -> None:
        for end in self.wire.ends:
            if end is not self and not self.cut and not end.cut:
                end.receive(topic, self.name, text)

    def receive(self, topic: str, sender: str, text: str) -> None:
        for ear in self.ears[topic]:
            ear(sender, text)

    def on_broadcast(self, topic: str, listener: Callable[[str, str], None]) -> None:
        self.ears[topic].append(listener)

    def heal(self) -> None:
        self.cut = False
        self.receive("gap", "", "")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def no_matter(place: str) -> None:
    pass


def test_joins_and_leaves_in_one_process_are_known_in_the_others() -> None:
    async def steps() -> None:
        wire, changed = Wire(), list[str]()
        one, two = PresenceSync(wire.end(), no_matter), PresenceSync(wire.end(), changed.append)
        one.join("amber", "ann")
        one.join("amber", "bob")
        one._send()
        assert two.remote("amber") == {"ann", "bob"}
        assert one.remote("amber") == frozenset()
        assert not changed, "the caller publishes joins"
        one.leave("amber", "ann")
        one._send()
        assert two.remote("amber") == {"bob"}
        one.leave("amber", "bob")
        one._send()
        assert not two.remote("amber")
        assert not two._places

    run(steps())


def test_a_process_that_starts_later_receives_the_lists() -> None:
    async def steps() -> None:
        wire = Wire()
        one = PresenceSync(wire.end(), no_matter)
        for number in range(180):
            one.join(f"table{number}", f"person{number}")
        one._send()
        two = PresenceSync(wire.end(), no_matter)
        assert all(two.remote(f"table{number}") == {f"person{number}"} for number in range(180))

    run(steps())


def test_a_person_in_two_processes_is_present_until_they_have_left_both() -> None:
    async def steps() -> None:
        wire = Wire()
        watching = PresenceSync(wire.end(), no_matter)
        one, two = PresenceSync(wire.end(), no_matter), PresenceSync(wire.end(), no_matter)
        for roll in (one, two):
            roll.join("amber", "ann")
            roll._send()
        one.leave("amber", "ann")
        one._send()
        assert watching.remote("amber") == {"ann"}
        two.leave("amber", "ann")
        two._send()
        assert not watching.remote("amber")

    run(steps())


def test_messages_missed_while_disconnected_are_made_up_for() -> None:
    async def steps() -> None:
        wire = Wire()
        end = wire.end()
        one, two = PresenceSync(end, no_matter), PresenceSync(wire.end(), no_matter)
        one.join("amber", "ann")
        one._send()
        two.join("amber", "cyd")
        two._send()
        end.cut = True
        one.leave("amber", "ann")
        one.join("birch", "ann")
        one._send()
        two.leave("amber", "cyd")
        two.join("birch", "bob")
        two._send()
        end.heal()
        assert not one.remote("amber")
        assert not two.remote("amber")
        assert one.remote("birch") == {"bob"}
        assert two.remote("birch") == {"ann"}

    run(steps())


def test_people_in_a_process_that_died_are_removed() -> None:
    async def steps() -> None:
        wire, clock, changed = Wire(), Clock(), list[str]()
        end = wire.end()
        watching = PresenceSync(end, changed.append, clock)
        dying = PresenceSync(wire.end(), no_matter, clock)
        dying.join("amber", "ann")
        dying._send()
        clock.now += PROCESS_TIMEOUT
        end.receive("beat", "process 1", "")
        clock.now += PROCESS_TIMEOUT
        end.receive("beat", end.name, "")
        assert watching.remote("amber") == {"ann"}, "its heartbeat came in time"
        changed.clear()
        clock.now += 1
        end.receive("beat", end.name, "")
        assert not watching.remote("amber")
        assert changed == ["amber"]

    run(steps())


def stumble(dice: Random, rolls: list[PresenceSync], ends: list[End], truth: list[set[tuple[str, str]]]) -> None:
    """Let something happen to one of the processes."""
    number = dice.randrange(len(rolls))
    stay = (f"table{dice.randrange(4)}", f"person{dice.randrange(4)}")
    match dice.randrange(6):
        case 0 | 1:
            rolls[number].join(*stay)
            truth[number].add(stay)
        case 2 | 3:
            rolls[number].leave(*stay)
            truth[number].discard(stay)
        case 4:
            ends[number].cut = True
        case 5 if ends[number].cut:
            ends[number].heal()


@pytest.mark.parametrize("seed", range(20))
def test_all_processes_agree_in_the_end_whatever_happens(seed: int) -> None:
    async def steps() -> None:
        dice, wire = Random(seed), Wire()
        ends = [wire.end() for _ in range(3)]
        rolls = [PresenceSync(end, no_matter) for end in ends]
        truth: list[set[tuple[str, str]]] = [set() for _ in rolls]
        for _ in range(300):
            stumble(dice, rolls, ends, truth)
        for roll in rolls:
            roll._send()
        for end in ends:
            end.cut = False
        for end in ends:
            end.heal()
        for number, roll in enumerate(rolls):
            others = set[tuple[str, str]]().union(*(stays for other, stays in enumerate(truth) if other != number))
            for place in (f"table{table}" for table in range(4)):
                assert roll.remote(place) == {person for where, person in others if where == place}

    run(steps())
