"""Search workers, and the compiled code they key."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures.process import BrokenProcessPool
from enum import Enum
from typing import Any, NamedTuple, TypeVar

from tamaya.rules import MissingPartError, Rules
from tamaya.table.telemetry import NO_METRICS, Metrics, timed
from tamaya.workers.processes import Worker

MAX_STATES = 300
"""How many states are remembered; a forgotten one is compiled or loaded again on request."""
MAX_CRASHES = 3
"""How often a process may crash or time out on a key before it counts as impossible."""


class CompileState(Enum):
    """Ready, compiling, not compiled, or impossible on this machine."""

    READY = "ready"
    COMPILING = "warming"
    COLD = "cold"
    IMPOSSIBLE = "never"


class CompileKey(NamedTuple):
    """The compiled code a search needs: functions for these rules and policies."""

    rules: Rules
    policies: tuple[str, ...]

    @classmethod
    def of(cls, rules: Rules, policies: Iterable[str]) -> CompileKey:
        """The key for policies in any order."""
        return cls(rules, tuple(sorted(set(policies))))


class CompileStates:
    """The states of compile keys, an LRU cache: visitors choose the rules, so there may be any number."""

    def __init__(self) -> None:
        self._states: OrderedDict[CompileKey, CompileState] = OrderedDict()
        self._crashes: dict[CompileKey, int] = {}

    def state(self, key: CompileKey) -> CompileState:
        """The state of a key: ready, impossible, or else cold."""
        if key in self._states:
            self._states.move_to_end(key)
        return self._states.get(key, CompileState.COLD)

    def settle(self, key: CompileKey, state: CompileState) -> None:
        """Set the state of a key and forget its crashes."""
        self._crashes.pop(key, None)
        self._remember(key, state)

    def record_crash(self, key: CompileKey) -> None:
        """Count a crash or timeout, which may be chance; after `MAX_CRASHES` the key is impossible."""
        crashes = self._crashes[key] = self._crashes.get(key, 0) + 1
        if crashes < MAX_CRASHES:
            self._remember(key, CompileState.COLD)
        else:
            self.settle(key, CompileState.IMPOSSIBLE)

    def _remember(self, key: CompileKey, state: CompileState) -> None:
        self._states[key] = state
        self._states.move_to_end(key)
        if len(self._states) > MAX_STATES:
            evicted, _ = self._states.popitem(last=False)
            self._crashes.pop(evicted, None)


Result = TypeVar("Result")

LOAD_TIMEOUT = 120.0
MAX_LOADED = 24
"""How many keys one process loads before it is replaced: compiled functions cannot be unloaded."""


class SearchWorker:
    """A search worker and the compiled code it has loaded."""

    def __init__(self, niceness: int) -> None:
        self._worker, self._loaded = Worker(niceness), set[CompileKey]()

    async def load(self, key: CompileKey) -> bool:
        """Load compiled code from disk; False if it is not there. Raises like `run`."""
        if key in self._loaded:
            return True
        if len(self._loaded) >= MAX_LOADED:
            self._loaded.clear()
            self._worker.stop()
        found = await self.run(load, key, limit=LOAD_TIMEOUT)
        if found:
            self._loaded.add(key)
        return found

    async def run(self, function: Callable[..., Result], *arguments: object, limit: float) -> Result:
        """Like `Worker.run`; after a `TimeoutError` or `BrokenProcessPool` a new process starts with nothing loaded."""
        try:
            return await self._worker.run(function, *arguments, limit=limit)
        except (TimeoutError, BrokenProcessPool):
            self._loaded.clear()
            raise

    async def close(self) -> None:
        """Kill the process."""
        self._loaded.clear()
        await self._worker.close()


def load(key: CompileKey) -> bool:
    """Load the compiled code for a search from disk into this process; False if it is not there."""
    from tamaya.search.search import is_ready, prepare

    if not is_ready(*key):
        return False
    prepare(*key)
    return True


logger = logging.getLogger(__name__)

ANSWER_DELAY = 2.0
"""Seconds after which every search is answered, so that its duration says nothing about cards."""
QUEUE_TIMEOUT = 0.7
"""Seconds a search waits for a worker; after that it would be late."""
SEARCH_TIMEOUT = 10.0
"""Seconds after which a search is killed with its process."""
COMPILE_TIMEOUT = 600.0
COMPILE_NICENESS = 15
"""The niceness of the process that compiles."""
MAX_QUEUED = 50
"""How many keys may wait to be loaded or compiled; requests beyond that are dropped."""


class SearchPool:
    """Runs searches in worker processes of lowered priority, and compiles the code they need in the background."""

    def __init__(self, workers: int = 1, niceness: int = 0, meter: Metrics = NO_METRICS) -> None:
        self._meter = meter
        self._workers = [SearchWorker(niceness) for _ in range(workers)]
        self._free: asyncio.LifoQueue[SearchWorker] = asyncio.LifoQueue()
        for worker in self._workers:
            self._free.put_nowait(worker)
        self._background = Worker(COMPILE_NICENESS)
        self._states, self._to_load, self._to_compile = CompileStates(), deque[CompileKey](), deque[CompileKey]()
        self._preparation: asyncio.Task[None] | None = None
        self._working: set[asyncio.Task[object]] = set()

    # Searching.

    async def run(
        self,
        function: Callable[..., Result],
        *arguments: object,
        limit: float,
        key: CompileKey | None = None,
        queue_timeout: float | None = None,
    ) -> Result | None:
        """Run a function; returns None if it fails, its process ends, or no worker is free within `queue_timeout`. It is killed
        `limit` seconds after a worker is free and has loaded the code for `key`."""
        try:
            with timed(self._meter, "bot_wait", "search", queue="bot"):
                worker = await asyncio.wait_for(self._free.get(), queue_timeout)
        except TimeoutError:
            self._meter.count("search_given_up", "busy")
            logger.warning("search skipped: no free worker")
            return None
        task = asyncio.get_running_loop().create_task(self._run(worker, key, limit, function, *arguments))
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        return await asyncio.shield(task)

    async def _run(
        self, worker: SearchWorker, key: CompileKey | None, limit: float, function: Callable[..., Result], *arguments: object
    ) -> Result | None:
        """Run a function in a worker, which is free again only when it is done, even if the caller was cancelled."""
        try:
            if key and not await self._load(worker, key):
                return None
            with timed(self._meter, "bot_think", "search"):
                result = await _or_none(worker.run(function, *arguments, limit=limit))
            if result is None:
                self._meter.count("search_given_up", "failed")
            if result is None and key:
                await self._load(worker, key)  # load it again if the process was replaced
            return result
        finally:
            self._free.put_nowait(worker)

    async def _load(self, worker: SearchWorker, key: CompileKey) -> bool:
        """Load the compiled code; False if it is gone from disk."""
        found = await _or_none(worker.load(key))
        if found is False and self._states.state(key) is CompileState.READY:
            self._states.settle(key, CompileState.COLD)
        return bool(found)

    # Loading and compiling.

    def is_ready(self, rules: Rules, policies: Iterable[str]) -> bool:
        """Whether the code for these rules and policies is compiled."""
        return self.state(rules, policies) is CompileState.READY

    def state(self, rules: Rules, policies: Iterable[str]) -> CompileState:
        """The state of the code for these rules and policies."""
        key = CompileKey.of(rules, policies)
        return CompileState.COMPILING if key in self._to_load or key in self._to_compile else self._states.state(key)

    def prewarm(self, rules: Rules, policies: Iterable[str]) -> None:
        """Start loading or compiling in the background, if necessary."""
        if self.state(rules, policies) is not CompileState.COLD or len(self._to_load) + len(self._to_compile) >= MAX_QUEUED:
            return
        self._to_load.append(CompileKey.of(rules, policies))
        if self._preparation is None or self._preparation.done():
            self._preparation = asyncio.get_running_loop().create_task(self._prepare())

    async def _prepare(self) -> None:
        """Prepare the queued keys one by one, those on disk before those to compile."""
        while waiting := self._to_load or self._to_compile:
            if not await self._try_prepare(waiting[0], compiling=waiting is self._to_compile):
                self._to_compile.append(waiting[0])
            waiting.popleft()

    async def _try_prepare(self, key: CompileKey, compiling: bool) -> bool:
        """Load a key from disk, after compiling it if `compiling`; False if it must be compiled first."""
        try:
            if compiling:
                await self._compile(key)
            if await self._load_from_disk(key):
                self._states.settle(key, CompileState.READY)
            elif compiling:
                logger.warning("compiled code cannot be stored")
                self._states.settle(key, CompileState.IMPOSSIBLE)
            else:
                return False
        except (ImportError, MissingPartError) as problem:
            logger.warning("compiling is impossible: %s", type(problem).__name__)
            self._states.settle(key, CompileState.IMPOSSIBLE)
        except Exception as problem:  # a crash or timeout may not happen next time
            logger.warning("compiling failed: %s", type(problem).__name__)
            self._states.record_crash(key)
        return True

    async def _load_from_disk(self, key: CompileKey) -> bool:
        """Load the key in a free worker; False if it is not on disk."""
        worker = await self._free.get()
        try:
            return await worker.load(key)
        finally:
            self._free.put_nowait(worker)

    async def _compile(self, key: CompileKey) -> None:
        """Compile to disk in a process that ends afterwards, because compiled code cannot be unloaded."""
        try:
            await self._background.run(compile_to_disk, key, limit=COMPILE_TIMEOUT)
        finally:
            self._background.stop()

    async def close(self) -> None:
        """Kill the processes."""
        tasks = [*self._working, *([self._preparation] if self._preparation else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        del tasks
        self._working.clear()
        self._preparation = None
        for worker in self._workers:
            await worker.close()
        await self._background.close()


async def _or_none(work: Awaitable[Result]) -> Result | None:
    """Await work in a process; log an error and return None if it failed."""
    try:
        return await work
    except (TimeoutError, BrokenProcessPool) as problem:
        logger.warning("search failed: %s", "timeout" if isinstance(problem, TimeoutError) else "process ended")
    except Exception as problem:  # its message may name cards
        logger.warning("search failed: %s", type(problem).__name__)
    return None


async def fixed_delay(seconds: float, search: Coroutine[Any, Any, Result | None]) -> Result | None:
    """The result of a search after exactly `seconds`, or None if it failed or is not done."""
    task = asyncio.get_running_loop().create_task(search)
    try:
        await sleep(seconds)
        if not task.done() or task.cancelled():
            return None
        if problem := task.exception():
            logger.error("search failed: %s", type(problem).__name__)
            return None
        return task.result()
    finally:
        task.cancel()


def compile_to_disk(key: CompileKey) -> None:
    """Compile the code for a search to disk, inside a worker."""
    from tamaya.search.search import prepare

    prepare(*key)
