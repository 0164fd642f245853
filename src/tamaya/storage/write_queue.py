"""Group commit: one thread writes all pending appends in one transaction."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from tamaya.storage import errors, writes
from tamaya.storage.errors import is_gone, is_worth_repeating, pauses, to_app_error, unavailable
from tamaya.table.store import EventBatch, RetentionPolicy, SweepResult
from tamaya.table.telemetry import NO_METRICS, Metrics

MOST_RACES = 3
"""How often somebody else can begin the same table at the same moment."""
TRIED_JUST_NOW = 1.0
"""So many seconds after an attempt in vain, nobody who has waited long enough tries again."""
Result = TypeVar("Result")


@dataclass(eq=False, slots=True)
class _Call:
    """One append that waits for its answer."""

    batches: Sequence[EventBatch]
    answer: asyncio.Future[None]
    refusal: Exception | None = None


class WriteQueue:
    """Gathers appends and writes them in groups, in a thread of its own: a group is handed over once, not by statement. What
    failed because the database was away, or because two processes were in each other's way, is tried again. `check` is asked
    before and after each transaction, and raises where what is committed would be lost."""

    def __init__(self, engine: Engine, meter: Metrics = NO_METRICS, check: Callable[[], None] = lambda: None) -> None:
        self._engine, self._meter, self._check = engine, meter, check
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._waiting: list[_Call] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self._own_number = secrets.randbelow(2**30)
        self._tried_in_vain = float("-inf")

    async def append(self, batches: Sequence[EventBatch]) -> None:
        """Write these, all or none. The writing goes on even if the caller stops waiting."""
        if self._closed:
            raise RuntimeError("the store is closed")
        loop = asyncio.get_running_loop()
        call = _Call(batches, loop.create_future())
        self._waiting.append(call)
        if self._task is None:
            self._task = loop.create_task(self._work(), name="writer")
        await call.answer

    async def sweep(self, keeping: RetentionPolicy, now: float) -> SweepResult:
        """Have abandoned tables marked, and some of those forgotten that have been marked for long enough."""
        return await self.do(lambda connection: writes.sweep(connection, keeping, now))

    async def remove(self, code: str, sequence: int) -> None:
        """Delete a table that has so many events; `TakenError` if it has not."""
        await self._do(lambda connection, again: writes.remove(connection, code, sequence, again))

    async def delete_solo_games(self, person: str) -> tuple[str, ...]:
        """Delete every ended game that is this person's alone."""
        return await self.do(lambda connection: writes.delete_solo_games(connection, person))

    async def save_analysis(self, code: str, text: str) -> None:
        """Keep what a coach found out about the game of a table, if it is still there."""
        await self.do(lambda connection: writes.save_analysis(connection, code, text))

    async def probe(self) -> None:
        """Write something, take it away again and commit that; raises what writing does."""
        await self.do(lambda connection: writes.probe(connection, self._own_number))

    async def do(self, change: Callable[[Connection], Result]) -> Result:
        """Make a change in a transaction of its own; it is made again if nobody knows whether it was."""
        return await self._do(lambda connection, again: change(connection))

    async def _do(self, change: Callable[[Connection, bool], Result]) -> Result:
        until = time.monotonic() + errors.PATIENCE
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._change, change, until)

    async def close(self) -> None:
        """Write what is waiting and accept nothing more."""
        self._closed = True
        if self._task is not None:
            await asyncio.shield(self._task)
        await asyncio.to_thread(self._thread.shutdown)
        self._engine.dispose()

    async def _work(self) -> None:
        """Write until nothing is waiting. While one group is being written, the next one gathers."""
        try:
            while self._waiting:
                group, self._waiting = self._waiting, []
                try:
                    refusals = await self._do(partial(writes.append, calls=[call.batches for call in group]))
                except Exception as problem:
                    refusals = [problem] * len(group)
                for call, refusal in zip(group, refusals, strict=True):
                    call.refusal = refusal
                _answer(group)
        finally:
            self._task = None

    def _change(self, change: Callable[[Connection, bool], Result], until: float) -> Result:
        """Make a change in a transaction of its own, and again where that helps, until nobody would wait any longer; it is told
        whether it may have been made before, by a commit that was never confirmed."""
        if until < time.monotonic() < self._tried_in_vain + TRIED_JUST_NOW:
            raise unavailable(self._meter)
        again, races = False, 0
        for pause in pauses(until):
            try:
                return self._transact(change, again)
            except DBAPIError as problem:
                again = self._is_worth_another_try(problem, races) or again
                races += _is_race(problem)
            except PoolTimeoutError:
                self._tried_in_vain = time.monotonic()
            if self._closed:
                break
            time.sleep(pause)
        raise unavailable(self._meter)

    def _is_worth_another_try(self, problem: DBAPIError, races: int) -> bool:
        """Get over a problem that may be gone in a moment; whether what was tried may have succeeded all the same."""
        if is_gone(problem):
            self._meter.count("database_reconnect")
            self._tried_in_vain = time.monotonic()
            return True
        if not (is_worth_repeating(problem) or (_is_race(problem) and races < MOST_RACES)):
            raise to_app_error(problem, self._meter)
        return False

    def _transact(self, change: Callable[[Connection, bool], Result], again: bool) -> Result:
        self._check()
        with self._engine.begin() as connection:
            result = change(connection, again)
        self._check()
        return result


def _is_race(problem: DBAPIError) -> bool:
    """Whether somebody else began the same table at the same moment, which a second look at the database will show."""
    return isinstance(problem, IntegrityError) and getattr(problem.orig, "sqlstate", None) == "23505"


def _answer(calls: Iterable[_Call]) -> None:
    for call in calls:
        if call.answer.done():
            continue
        if call.refusal is None:
            call.answer.set_result(None)
        else:
            call.answer.set_exception(call.refusal)
