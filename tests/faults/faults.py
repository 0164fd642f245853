"""Faults as steps: something fails while people play, and is repaired when the step ends. Each returns counts."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests import postgres
from tests.faults import clients
from tests.faults.flooding import Flood
from tests.faults.full import Disk
from tests.faults.people import FAILED, TOO_OFTEN, UNAVAILABLE, Crowd, crowd
from tests.faults.rubbish import Rubbish
from tests.faults.server import WORKERS, Server
from tests.faults.sizes import SIZES
from tests.faults.wire import Wire
from tests.limits import WAIT

YEAR = 365 * 24 * 3600
SEED = 16


@dataclass
class Scene:
    """The server, its players and the database of a trial."""

    server: Server
    people: Crowd
    chance: random.Random
    clock: Path
    disk: Disk | None = None


Fault = Callable[[Scene], Awaitable[str]]


async def killed(scene: Scene) -> str:
    """Kill server processes at random moments: usually one, sometimes the supervisor, sometimes all at once."""
    server, kinds = scene.server, dict.fromkeys(("one", "keeper", "all"), 0)
    for _ in range(SIZES.kills):
        await scene.people.play_on()
        await scene.people.play_for(scene.chance.random() * 0.5)
        kind = scene.chance.choices(list(kinds), (8, 1, 1))[0] if server.database else "all"
        kinds[kind] += 1
        if kind == "one":
            with suppress(ProcessLookupError):
                os.kill(scene.chance.choice(await all_serving(server)), signal.SIGKILL)
        else:
            await asyncio.to_thread(server.kill_all if kind == "all" else lambda: server.end(signal.SIGKILL))
            await asyncio.to_thread(server.start)
    await all_serving(server)
    return f"{SIZES.kills} x kill -9 (" + ", ".join(f"{times} x {kind}" for kind, times in kinds.items() if times) + ")"


async def all_serving(server: Server) -> list[int]:
    """The worker processes, once all of them are running."""
    async with asyncio.timeout(WAIT):
        while len(found := server.serving()) < (WORKERS if server.database else 1):
            await asyncio.sleep(0.05)
    return found


async def restarted(scene: Scene) -> str:
    """Restart PostgreSQL, cleanly and as in a crash."""
    for number in range(SIZES.restarts):
        await scene.people.play_on()
        await asyncio.to_thread(postgres.restart, (signal.SIGINT, signal.SIGQUIT)[number % 2])
    return f"{SIZES.restarts} restarts of PostgreSQL"


async def cut_off(scene: Scene) -> str:
    """Cut all connections to PostgreSQL repeatedly."""
    cut = 0
    for _ in range(SIZES.cuts):
        cut += await asyncio.to_thread(scene.server.cut_connections)
        await scene.people.play_for(scene.chance.random() * 0.4)
    return f"{cut} connections cut in {SIZES.cuts} rounds"


async def filled(scene: Scene) -> str:
    """Fill the disk for a while: no move is confirmed that was not stored."""
    assert scene.disk
    before = scene.people.ledger.statuses.copy()
    await asyncio.to_thread(scene.disk.fill, scene.server)
    async with asyncio.timeout(WAIT):
        while not (refused := _failures(scene) - sum(times for status, times in before.items() if status >= FAILED)):
            await scene.people.play_for(0.1)
    await scene.people.play_for(SIZES.seconds / 2)
    refused = _failures(scene) - sum(times for status, times in before.items() if status >= FAILED)
    await asyncio.to_thread(scene.disk.free, scene.server)
    failed = {status for status in scene.people.ledger.statuses if status >= FAILED}
    assert failed <= {UNAVAILABLE}, f"answered with {failed}"
    return f"a full disk ({type(scene.disk).__name__}), {refused} requests refused"


def _failures(scene: Scene) -> int:
    return sum(times for status, times in scene.people.ledger.statuses.items() if status >= FAILED)


async def jumping(scene: Scene) -> str:
    """Set the clock a year ahead and back, and start the server with a wrong clock."""
    jumps = SIZES.jumps
    for number, ahead in enumerate(jumps):
        scene.clock.write_text(str(ahead * YEAR))
        await scene.people.play_on()
        if number % 2 == 0:
            await asyncio.to_thread(scene.server.end)
            await asyncio.to_thread(scene.server.start)
        await scene.people.play_on()
        await scene.people.play_for(SIZES.seconds / len(jumps))
    return f"{len(jumps)} jumps by a year or two, {(len(jumps) + 1) // 2} starts meanwhile"


async def held_up(scene: Scene) -> str:
    """Hold connections by slow, silent, not reading and half-open clients, while people play on."""
    async with clients.held(scene.server.port, scene.people.ledger.codes[0], SIZES.clients, scene.chance):
        await scene.people.play_on(3)
        await scene.people.play_for(SIZES.seconds)
        await scene.people.play_on()
    return f"{SIZES.clients} slow and half-open clients"


async def flooded(scene: Scene) -> str:
    """Exceed the rate limits from a few addresses: they are refused, while people at other addresses play on."""
    flood = Flood(scene.server.port, scene.people.ledger.codes[0], SEED)
    before = scene.people.ledger.moves
    await flood.run(SIZES.flood, SIZES.streams)
    played = scene.people.ledger.moves - before
    assert flood.statuses[TOO_OFTEN], f"no request was limited: {flood.statuses}"
    assert played, "no move was possible during the flood"
    assert not scene.people.ledger.statuses[TOO_OFTEN], "players were limited because of others"
    _no_failures(flood.statuses)
    return f"{flood.statuses.total()} requests in a flood, {flood.statuses[TOO_OFTEN]} of them refused"


async def poured_over(scene: Scene) -> str:
    """Send many malformed requests: each is refused with a message, and none causes a failure."""
    visitor = Wire(scene.server.port)
    await visitor.get_cookie()
    async with crowd(scene.server.port, 1, SEED) as others:  # they leave an unfinished game behind
        await others.play_on()
    rubbish = Rubbish(scene.server.port, others.ledger.codes[0], visitor.cookie, SEED)
    await rubbish.pour(SIZES.malformed)
    _no_failures(rubbish.statuses)
    answered = rubbish.statuses.total()
    assert answered > rubbish.sent * 0.9, f"{answered} of {rubbish.sent} were answered"
    return f"{rubbish.sent} malformed requests ({', '.join(f'{n} x {s}' for s, n in sorted(rubbish.statuses.items()))})"


def _no_failures(statuses: dict[int, int]) -> None:
    assert not {status: times for status, times in statuses.items() if status >= FAILED}
