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
from tamaya.storage.errors import is_deadlock, is_unreachable, retry_delays, to_app_error, unavailable
from tamaya.table.store import EventBatch, RetentionPolicy, SweepResult
from tamaya.table.telemetry import NO_METRICS, Metrics

MAX_CONFLICTS = 3
"""How often to retry when another process creates the same table at the same moment."""
FAIL_FAST_FOR = 1.0
"""Seconds after a failed attempt in which calls past their deadline fail without another attempt."""
Result = TypeVar("Result")


@dataclass(eq=False, slots=True)
class _PendingAppend:
    """An append waiting to be written."""

    batches: Sequence[EventBatch]
    future: asyncio.Future[None]
    error: Exception | None = None


class WriteQueue:
    """Runs all writes of a process in one thread, and gathers concurrent appends into one transaction.

    Transactions are retried if the database was unreachable or another process was in the way. `check` is called before and
    after each, and raises if what is committed would be lost.
    """

    def __init__(self, engine: Engine, meter: Metrics = NO_METRICS, check: Callable[[], None] = lambda: None) -> None:
        self._engine, self._meter, self._check = engine, meter, check
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._pending: list[_PendingAppend] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self._probe_number = secrets.randbelow(2**30)
        self._failed_at = float("-inf")

    async def append(self, batches: Sequence[EventBatch]) -> None:
        """Write these batches, all or none, even if the caller is cancelled."""
        if self._closed:
            raise RuntimeError("the store is closed")
        loop = asyncio.get_running_loop()
        call = _PendingAppend(batches, loop.create_future())
        self._pending.append(call)
        if self._task is None:
            self._task = loop.create_task(self._work(), name="writer")
        await call.future

    async def sweep(self, policy: RetentionPolicy, now: float) -> SweepResult:
        """Mark abandoned tables, and delete some of those marked long enough ago."""
        return await self.do(lambda connection: writes.sweep(connection, policy, now))

    async def remove(self, code: str, sequence: int) -> None:
        """Delete a table, or raise `ConflictError` unless `sequence` is its last event."""
        await self._submit(lambda connection, again: writes.remove(connection, code, sequence, again))

    async def delete_solo_games(self, person: str) -> tuple[str, ...]:
        """Delete every finished game that belongs to this person alone."""
        return await self.do(lambda connection: writes.delete_solo_games(connection, person))

    async def save_analysis(self, code: str, text: str) -> None:
        """Save the analysis of a table's game, if the table exists."""
        await self.do(lambda connection: writes.save_analysis(connection, code, text))

    async def probe(self) -> None:
        """Insert a row, delete it and commit; raises what writing does."""
        await self.do(lambda connection: writes.probe(connection, self._probe_number))

    async def do(self, change: Callable[[Connection], Result]) -> Result:
        """Run a change in a transaction, which must be repeatable: after an unconfirmed commit it runs again."""
        return await self._submit(lambda connection, again: change(connection))

    async def _submit(self, change: Callable[[Connection, bool], Result]) -> Result:
        deadline = time.monotonic() + errors.RETRY_TIMEOUT
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run_with_retries, change, deadline)

    async def close(self) -> None:
        """Write what is pending and accept nothing more."""
        self._closed = True
        if self._task is not None:
            await asyncio.shield(self._task)
        await asyncio.to_thread(self._thread.shutdown)
        self._engine.dispose()

    async def _work(self) -> None:
        """Write until nothing is pending. While one group is written, the next one gathers."""
        try:
            while self._pending:
                group, self._pending = self._pending, []
                try:
                    errors_of_group = await self._submit(partial(writes.append, calls=[call.batches for call in group]))
                except Exception as problem:
                    errors_of_group = [problem] * len(group)
                for call, error in zip(group, errors_of_group, strict=True):
                    call.error = error
                _resolve(group)
        finally:
            self._task = None

    def _run_with_retries(self, change: Callable[[Connection, bool], Result], deadline: float) -> Result:
        """Run a change in a transaction, with retries until the deadline. Its second argument says whether an earlier attempt
        may have succeeded, by a commit that was never confirmed."""
        if deadline < time.monotonic() < self._failed_at + FAIL_FAST_FOR:
            raise unavailable(self._meter)
        again, conflicts = False, 0
        for pause in retry_delays(deadline):
            try:
                return self._transact(change, again)
            except DBAPIError as problem:
                again = self._recover(problem, conflicts) or again
                conflicts += _is_conflict(problem)
            except PoolTimeoutError:
                self._failed_at = time.monotonic()
            if self._closed:
                break
            time.sleep(pause)
        raise unavailable(self._meter)

    def _recover(self, problem: DBAPIError, conflicts: int) -> bool:
        """Return if the change can be retried, else raise; whether the failed attempt may have succeeded all the same."""
        if is_unreachable(problem):
            self._meter.count("database_reconnect")
            self._failed_at = time.monotonic()
            return True
        if not (is_deadlock(problem) or (_is_conflict(problem) and conflicts < MAX_CONFLICTS)):
            raise to_app_error(problem, self._meter)
        return False

    def _transact(self, change: Callable[[Connection, bool], Result], again: bool) -> Result:
        self._check()
        with self._engine.begin() as connection:
            result = change(connection, again)
        self._check()
        return result


def _is_conflict(problem: DBAPIError) -> bool:
    """Whether another process created the same table at the same moment, which the next attempt will see."""
    return isinstance(problem, IntegrityError) and getattr(problem.orig, "sqlstate", None) == "23505"


def _resolve(calls: Iterable[_PendingAppend]) -> None:
    for call in calls:
        if call.future.done():
            continue
        if call.error is None:
            call.future.set_result(None)
        else:
            call.future.set_exception(call.error)
