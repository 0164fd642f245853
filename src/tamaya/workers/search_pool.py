"""Search workers, and the compiled code they need."""

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

MOST_KNOWN = 300
"""Needs of which it is remembered how far they are; whoever wants one that was forgotten asks again."""
MOST_BROKEN = 3
"""How often a process may end over a need, or take too long, before it is given up."""


class CompileState(Enum):
    """How far what a search needs has come: there, being made, left until somebody wants it, or not to be had on this
    machine."""

    READY = "ready"
    COMPILING = "warming"
    COLD = "cold"
    IMPOSSIBLE = "never"


class CompileKey(NamedTuple):
    """What a search needs: compiled functions for these rules and policies."""

    rules: Rules
    policies: tuple[str, ...]

    @classmethod
    def of(cls, rules: Rules, policies: Iterable[str]) -> CompileKey:
        """The same for policies in any order."""
        return cls(rules, tuple(sorted(set(policies))))


class CompileStates:
    """What came of needs. Visitors choose the rules, so those that nobody has asked about for longest are forgotten."""

    def __init__(self) -> None:
        self._warmth: OrderedDict[CompileKey, CompileState] = OrderedDict()
        self._broken: dict[CompileKey, int] = {}

    def state(self, need: CompileKey) -> CompileState:
        """Ready, never, or cold where nothing has come of it yet."""
        if need in self._warmth:
            self._warmth.move_to_end(need)
        return self._warmth.get(need, CompileState.COLD)

    def settle(self, need: CompileKey, warmth: CompileState) -> None:
        """Remember what came of it, until somebody says otherwise."""
        self._broken.pop(need, None)
        self._remember(need, warmth)

    def broke(self, need: CompileKey) -> None:
        """A process ended over it or took too long: that can be chance, so it may be tried again, but not for ever."""
        broken = self._broken[need] = self._broken.get(need, 0) + 1
        if broken < MOST_BROKEN:
            self._remember(need, CompileState.COLD)
        else:
            self.settle(need, CompileState.IMPOSSIBLE)

    def _remember(self, need: CompileKey, warmth: CompileState) -> None:
        self._warmth[need] = warmth
        self._warmth.move_to_end(need)
        if len(self._warmth) > MOST_KNOWN:
            forgotten, _ = self._warmth.popitem(last=False)
            self._broken.pop(forgotten, None)


Answer = TypeVar("Answer")

LONGEST_LOADING = 120.0
MOST_LOADED = 24
"""How many needs one process has in memory, which compiled functions never leave; a new process takes its place then."""


class SearchWorker:
    """A process for searches, and what it has in memory."""

    def __init__(self, niceness: int) -> None:
        self._worker, self._loaded = Worker(niceness), set[CompileKey]()

    async def load(self, need: CompileKey) -> bool:
        """Find what is needed on disk; whether it is there. Raises what `run` does."""
        if need in self._loaded:
            return True
        if len(self._loaded) >= MOST_LOADED:
            self._loaded.clear()
            self._worker.stop()
        found = await self.run(load, need, limit=LONGEST_LOADING)
        if found:
            self._loaded.add(need)
        return found

    async def run(self, function: Callable[..., Answer], *arguments: object, limit: float) -> Answer:
        """What a function answers or raises. `TimeoutError` if it takes longer than so many seconds, and `BrokenProcessPool`
        if the process ends; a new one then takes its place and has nothing in memory."""
        try:
            return await self._worker.run(function, *arguments, limit=limit)
        except (TimeoutError, BrokenProcessPool):
            self._loaded.clear()
            raise

    async def close(self) -> None:
        """End the process, whatever it is doing."""
        self._loaded.clear()
        await self._worker.close()


def load(need: CompileKey) -> bool:
    """Read what a search needs from disk into this process; whether it is there."""
    from tamaya.search.search import is_ready, prepare

    if not is_ready(*need):
        return False
    prepare(*need)
    return True


logger = logging.getLogger(__name__)

ANSWERING = 2.0
"""The seconds after which a search is answered, however long it took: what was seen does not show in the time."""
PATIENCE = 0.7
"""How long a search waits at most for those of others; after that it would not be done in time."""
LONGEST_SEARCH = 10.0
"""A search that is still running after so many seconds is killed; whoever searches next then waits for a new process."""
LONGEST_COMPILING = 600.0
IN_THE_BACKGROUND = 15
"""How far the process that compiles gives way to others."""
MOST_WANTED = 50
"""How many rules wait to be compiled at a time; who wants more has to ask again."""


class SearchPool:
    """Runs functions that search in processes of their own, so many at a time. They give way to others by their `niceness`."""

    def __init__(self, workers: int = 1, niceness: int = 0, meter: Metrics = NO_METRICS) -> None:
        self._meter = meter
        self._lanes = [SearchWorker(niceness) for _ in range(workers)]
        self._free: asyncio.LifoQueue[SearchWorker] = asyncio.LifoQueue()
        for lane in self._lanes:
            self._free.put_nowait(lane)
        self._background = Worker(IN_THE_BACKGROUND)
        self._needs, self._wanted, self._missing = CompileStates(), deque[CompileKey](), deque[CompileKey]()
        self._preparing: asyncio.Task[None] | None = None
        self._working: set[asyncio.Task[object]] = set()

    # Searching.

    async def run(
        self,
        function: Callable[..., Answer],
        *arguments: object,
        limit: float,
        need: CompileKey | None = None,
        patience: float | None = None,
    ) -> Answer | None:
        """What a function answers, with `limit` seconds from when a process is free for it and has loaded its `need`. Nothing
        if it is late (it is ended then) or fails, if its process ends, or if none is free within `patience` seconds."""
        try:
            with timed(self._meter, "bot_wait", "search", queue="bot"):
                lane = await asyncio.wait_for(self._free.get(), patience)
        except TimeoutError:
            self._meter.count("search_given_up", "busy")
            logger.warning("a search was given up: no process was free for it")
            return None
        task = asyncio.get_running_loop().create_task(self._run(lane, need, limit, function, *arguments))
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        return await asyncio.shield(task)

    async def _run(
        self, lane: SearchWorker, need: CompileKey | None, limit: float, function: Callable[..., Answer], *arguments: object
    ) -> Answer | None:
        """The same in one of the processes, which is free again only when it is done, whether or not somebody waits for it."""
        try:
            if need and not await self._has(lane, need):
                return None
            with timed(self._meter, "bot_think", "search"):
                answer = await _attempted(lane.run(function, *arguments, limit=limit))
            if answer is None:
                self._meter.count("search_given_up", "failed")
            if answer is None and need:
                await self._has(lane, need)  # a new process takes the place of one that was ended
            return answer
        finally:
            self._free.put_nowait(lane)

    async def _has(self, lane: SearchWorker, need: CompileKey) -> bool:
        """Whether a process has what is needed; where the disk has it no longer, it has to be made again."""
        found = await _attempted(lane.load(need))
        if found is False and self._needs.state(need) is CompileState.READY:
            self._needs.settle(need, CompileState.COLD)
        return bool(found)

    # Getting ready.

    def is_ready(self, rules: Rules, policies: Iterable[str]) -> bool:
        """Whether a search by these rules, with these policies, can begin at once."""
        return self.state(rules, policies) is CompileState.READY

    def state(self, rules: Rules, policies: Iterable[str]) -> CompileState:
        """How far it is from that."""
        need = CompileKey.of(rules, policies)
        return CompileState.COMPILING if need in self._wanted or need in self._missing else self._needs.state(need)

    def prewarm(self, rules: Rules, policies: Iterable[str]) -> None:
        """Get it ready in the background, unless it is; nobody waits for it here."""
        if self.state(rules, policies) is not CompileState.COLD or len(self._wanted) + len(self._missing) >= MOST_WANTED:
            return
        self._wanted.append(CompileKey.of(rules, policies))
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.get_running_loop().create_task(self._prepare())

    async def _prepare(self) -> None:
        """Make ready what is wanted, one after the other: first whatever is on disk, as most of it is."""
        while waiting := self._wanted or self._missing:
            if not await self._is_settled(waiting[0], compiling=waiting is self._missing):
                self._missing.append(waiting[0])
            waiting.popleft()

    async def _is_settled(self, need: CompileKey, compiling: bool) -> bool:
        """Find what is needed on disk, if need be after compiling it; whether it is known now what comes of it."""
        try:
            if compiling:
                await self._compile(need)
            if await self._found(need):
                self._needs.settle(need, CompileState.READY)
            elif compiling:
                logger.warning("nothing that is compiled for a search can be kept here")
                self._needs.settle(need, CompileState.IMPOSSIBLE)
            else:
                return False
        except (ImportError, MissingPartError) as problem:
            logger.warning("nothing can be compiled for a search here: %s", type(problem).__name__)
            self._needs.settle(need, CompileState.IMPOSSIBLE)
        except Exception as problem:  # it was ended or took too long, or whatever else may be better next time
            logger.warning("what a search needs did not get ready: %s", type(problem).__name__)
            self._needs.broke(need)
        return True

    async def _found(self, need: CompileKey) -> bool:
        """Whether what is needed is on disk, from where the next free process loads it."""
        lane = await self._free.get()
        try:
            return await lane.load(need)
        finally:
            self._free.put_nowait(lane)

    async def _compile(self, need: CompileKey) -> None:
        """Compile what is needed and keep it on disk, in a process that ends then: what it compiled stays in its memory."""
        try:
            await self._background.run(compile_and_keep, need, limit=LONGEST_COMPILING)
        finally:
            self._background.stop()

    async def close(self) -> None:
        """End the processes at once, whatever they are doing."""
        tasks = [*self._working, *([self._preparing] if self._preparing else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        del tasks
        self._working.clear()
        self._preparing = None
        for lane in self._lanes:
            await lane.close()
        await self._background.close()


async def _attempted(work: Awaitable[Answer]) -> Answer | None:
    """What comes of work in a process; nothing, and a line in the log, where that failed."""
    try:
        return await work
    except (TimeoutError, BrokenProcessPool) as problem:
        late = isinstance(problem, TimeoutError)
        logger.warning("a search was given up: %s", "it took too long" if late else "its process ended")
    except Exception as problem:  # not in its own words: they may name cards
        logger.warning("a search failed: %s", type(problem).__name__)
    return None


async def fixed_delay(seconds: float, search: Coroutine[Any, Any, Answer | None]) -> Answer | None:
    """What a search has come to after so many seconds, neither earlier nor later; nothing if it is not done or failed."""
    task = asyncio.get_running_loop().create_task(search)
    try:
        await sleep(seconds)
        if not task.done() or task.cancelled():
            return None
        if problem := task.exception():
            logger.error("a search failed: %s", type(problem).__name__)
            return None
        return task.result()
    finally:
        task.cancel()


def compile_and_keep(need: CompileKey) -> None:
    """Make ready what a search needs, inside a worker, and keep it on disk."""
    from tamaya.search.search import prepare

    prepare(*need)
