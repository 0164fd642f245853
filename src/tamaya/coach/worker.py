"""The process in which the coach analyses moves."""

from __future__ import annotations

import asyncio

from tamaya.record import Record
from tamaya.review.analysis import AGREEMENTS, MoveAnalysis
from tamaya.rules import Action
from tamaya.workers.search_pool import CompileKey, CompileState, SearchPool

NICENESS = 10
"""The niceness of the worker process: games that go on take precedence."""
MOVE_TIMEOUT = 60.0
"""Seconds for the analysis of one move."""
COMPILE_POLL = 0.2
"""Seconds between checks whether the code that an analysis needs is compiled."""


class AnalysisWorker:
    """Analyses moves, one at a time."""

    def __init__(self, pool: SearchPool | None = None) -> None:
        self._pool = pool or SearchPool(1, NICENESS)

    async def is_ready(self, record: Record) -> bool:
        """Wait for the code that the rules of a game need; false if it cannot be compiled here."""
        key = _compile_key(record)
        while (state := self._pool.state(*key)) in (CompileState.COLD, CompileState.COMPILING):
            self._pool.prewarm(*key)
            await asyncio.sleep(COMPILE_POLL)
        return state is CompileState.READY

    async def analyse_move(self, record: Record, turn: int) -> MoveAnalysis | None:
        """Analyse the move of a turn; None if this failed."""
        return await self._pool.run(analyse_turn, record, turn, limit=MOVE_TIMEOUT, key=_compile_key(record))

    async def analyse_other_move(self, record: Record, turn: int, action: Action) -> MoveAnalysis | None:
        """Analyse another move at that turn; None if this failed."""
        return await self._pool.run(analyse_other_turn, record, turn, action, limit=MOVE_TIMEOUT, key=_compile_key(record))

    async def close(self) -> None:
        """End the process."""
        await self._pool.close()


def _compile_key(record: Record) -> CompileKey:
    return CompileKey.of(record.rules, (AGREEMENTS,))


def analyse_turn(record: Record, turn: int) -> MoveAnalysis:
    """Analyse the move of a turn, inside a worker process: only there is the search imported."""
    from tamaya.review.evaluation import analyse_move

    return analyse_move(record, turn)


def analyse_other_turn(record: Record, turn: int, action: Action) -> MoveAnalysis:
    """Analyse another move at that turn, inside a worker process."""
    from tamaya.review.evaluation import analyse_other_move

    return analyse_other_move(record, turn, action)
