"""The coach: analyses finished games in a process of its own, and keeps the results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from tamaya.bus import LocalBus
from tamaya.coach.jobs import JobQueue
from tamaya.coach.worker import AnalysisWorker
from tamaya.record import Record
from tamaya.review.analysis import GameAnalysis, MoveAnalysis, MoveGrade, empty_analysis, read_analysis
from tamaya.rules import Action, Message, UnavailableError, say
from tamaya.table import Bus, Store, Table
from tamaya.workers.search_pool import SearchPool

MAX_PENDING_GAMES = 20
MAX_PENDING_MOVES = 10
"""Tried moves that may be pending; games have a queue of their own."""
MAX_RESULTS = 200
"""Games, and tried moves, that a process remembers."""
PROGRESS_POLL = 1.0
"""Seconds between looks at the progress of a game that another process analyses."""


def coached_record(table: Table) -> Record:
    """The record of a table's finished game, as the coach reads it. A bot that took over from a player at the end has not made
    that player's moves, so the seat still counts as the player's."""
    return replace(table.record(), bots=tuple(bot or None for bot in table.bots))


@dataclass
class TriedMove:
    """The analysis of a move that was not made. Once it is `done`, it may still lack an analysis: the coach failed, or there is
    an `error` that says why the coach did not try."""

    done: bool = False
    analysis: MoveAnalysis | None = None
    error: Message | None = None

    def fail(self) -> None:
        """Note that the analysis failed."""
        self.done = True


class TriedMoves:
    """Analyses moves that visitors try, one at a time, so that games get every other turn of the worker."""

    def __init__(self, worker: AnalysisWorker) -> None:
        self._worker = worker
        self._jobs: JobQueue[tuple[str, int, str], TriedMove] = JobQueue(
            "analysing a tried move", MAX_PENDING_MOVES, MAX_RESULTS
        )

    def request(
        self, table: Table, turn: int, action: Action, analysis: GameAnalysis, check_limit: Callable[[], None]
    ) -> TriedMove:
        """The analysis of another move than the one made at an analysed turn. `check_limit` is called before a new analysis
        is started, and may raise."""
        key = table.code, turn, str(action)
        if known := _known_from(analysis.judgements[turn - 1], str(action)):
            return TriedMove(True, known)
        found = self._jobs.get(key)
        if found is None:
            return self._start(key, table, action, check_limit)
        if found.done and found.analysis is None:
            self._jobs.forget(key)  # the failure is reported once; the next request tries again
        return found

    def _start(self, key: tuple[str, int, str], table: Table, action: Action, check_limit: Callable[[], None]) -> TriedMove:
        if self._jobs.is_full:
            return TriedMove(True, error=say("The coach has too much to do just now; ask again in a few minutes."))
        check_limit()
        found = TriedMove()
        self._jobs.start(key, found, partial(self._analyse, coached_record(table), key[1], action))
        return found

    async def _analyse(self, record: Record, turn: int, action: Action, found: TriedMove) -> None:
        if await self._worker.is_ready(record):
            async with self._jobs.lock:
                found.analysis = await self._worker.analyse_other_move(record, turn, action)
        found.done = True

    async def close(self) -> None:
        """Cancel what is pending."""
        await self._jobs.close()


def _known_from(analysed: MoveAnalysis, action: str) -> MoveAnalysis | None:
    """The analysis of a move if that of its turn contains it: it was played, or is the best."""
    if analysed.played == action:
        return analysed
    if analysed.best == action:
        best = {"played": analysed.best, "value": analysed.best_value, "loss": 0.0, "verdict": MoveGrade.BEST}
        return msgspec.structs.replace(analysed, **best)
    return None


@dataclass
class AnalysisProgress:
    """How far the analysis of a game is: whether it was `requested`, and whether the code for its rules is `compiled`, which
    may take half a minute. With an `error` it has stopped; it can be requested again unless `requested` is still set."""

    analysis: GameAnalysis
    requested: bool = False
    compiled: bool = False
    error: Message | None = None

    @property
    def done(self) -> int:
        """The number of analysed turns."""
        return len(self.analysis.judgements)

    @property
    def turns(self) -> int:
        """The number of turns."""
        return self.analysis.turns

    @property
    def finished(self) -> bool:
        """Whether all turns are analysed."""
        return self.analysis.finished

    def fail(self) -> None:
        """Note that the analysis failed on the server's side."""
        self.requested = False
        self.error = say("The coach gave up: something went wrong on the server. Try again later.")


class Coach:
    """Analyses the finished games of tables, each once: one process works, and the others read its progress from the store. If
    that process ends, another one continues at the next request."""

    def __init__(self, store: Store | None = None, pool: SearchPool | None = None, bus: Bus | None = None) -> None:
        self._store, self._worker, self._bus = store, AnalysisWorker(pool), bus or LocalBus()
        self._games: JobQueue[str, AnalysisProgress] = JobQueue("analysing a game", MAX_PENDING_GAMES, MAX_RESULTS)
        self._moves = TriedMoves(self._worker)

    async def request(self, table: Table) -> AnalysisProgress:
        """Start or continue the analysis of a table's finished game, unless the queue is full; its progress."""
        record, code = coached_record(table), table.code
        stored = None if self._games.get(code) else await self._load(code)
        # another request may have started it during the await
        found = self._games.get(code) or stored or AnalysisProgress(empty_analysis(record))
        if not found.requested and not self._games.is_full:
            found.requested, found.error = True, None
            self._games.start(code, found, partial(self._analyse, code, record))
        elif found.requested:
            self._games.put(code, found)
        return found

    async def progress(self, table: Table) -> AnalysisProgress:
        """The progress of a table's finished game; an analysis that was interrupted continues, but none is started."""
        table.past()
        if found := self._games.get(table.code):
            return found
        stored = await self._load(table.code)
        if stored and not stored.finished:
            return await self.request(table)
        return stored or AnalysisProgress(GameAnalysis((), table.turn))

    async def finished_analysis(self, code: str) -> GameAnalysis | None:
        """The analysis of a table's game, if it is finished."""
        stored = await self._load(code)
        return stored.analysis if stored and stored.finished else None

    def try_move(
        self, table: Table, turn: int, action: Action, analysis: GameAnalysis, check_limit: Callable[[], None]
    ) -> TriedMove:
        """The analysis of another move than the one made at an analysed turn; see `TriedMoves.request`."""
        return self._moves.request(table, turn, action, analysis, check_limit)

    async def _load(self, code: str) -> AnalysisProgress | None:
        text = await self._store.load_analysis(code) if self._store else None
        analysis = read_analysis(text) if text else None
        return AnalysisProgress(analysis, requested=analysis.finished, compiled=True) if analysis else None

    async def _analyse(self, code: str, record: Record, found: AnalysisProgress) -> None:
        """Analyse the remaining turns, or follow the process that does so already."""
        while True:
            async with self._bus.try_lock(f"{code} coached") as acquired:
                if acquired:
                    await self._analyse_turns(code, record, found)
                    return
            await asyncio.sleep(PROGRESS_POLL)
            await self._refresh(code, found)
            if found.finished:
                return

    async def _refresh(self, code: str, found: AnalysisProgress) -> None:
        stored = await self._load(code)
        if stored and stored.done > found.done:
            found.analysis, found.compiled = stored.analysis, True

    async def _analyse_turns(self, code: str, record: Record, found: AnalysisProgress) -> None:
        if not await self._worker.is_ready(record):
            found.error = say("The coach cannot weigh moves by these rules on this machine.")
            return
        found.compiled = True
        async with self._games.lock:
            await self._refresh(code, found)
            for turn in range(found.done + 1, found.turns + 1):
                analyse = self._worker.analyse_move
                analysed = await analyse(record, turn) or await analyse(record, turn)  # the worker process may have been killed
                if analysed is None:
                    found.requested, found.error = False, say("The coach gave up: it could not weigh turn {turn}.", turn=turn)
                    return
                found.analysis = found.analysis.extended([analysed])
                if self._store and (self._bus.shared or found.finished):
                    with suppress(UnavailableError):  # it can be computed again
                        await self._store.save_analysis(code, found.analysis.to_text())

    async def close(self) -> None:
        """Cancel what is pending, and end the process."""
        await self._games.close()
        await self._moves.close()
        await self._worker.close()
