"""The process in which the coach weighs moves of games that are over, and what it is given to weigh."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tamaya.live.needs import Need, Warmth
from tamaya.live.searching import SearchPool
from tamaya.record import Record
from tamaya.review.coaching import AGREEMENTS, Judgement
from tamaya.rules import Action
from tamaya.table import Table

NICENESS = 10
"""How far the coach gives way to whoever plays."""
LONGEST_MOVE = 60.0
"""The seconds that one move may take."""
PATIENCE = 0.2
"""How often to look whether what the coach needs is there, in seconds."""


class Judges:
    """Weighs moves, one at a time."""

    def __init__(self, pool: SearchPool | None = None) -> None:
        self._pool = pool or SearchPool(1, NICENESS)

    async def are_ready(self, record: Record) -> bool:
        """Wait for what the coach needs for a game; whether it is to be had."""
        need = _need(record)
        while (warmth := self._pool.warmth(*need)) in (Warmth.COLD, Warmth.WARMING):
            self._pool.want(*need)
            await asyncio.sleep(PATIENCE)
        return warmth is Warmth.READY

    async def judge(self, record: Record, turn: int) -> Judgement | None:
        """What the move of a turn was worth, if that can be found out."""
        return await self._pool.run(judge_turn, record, turn, limit=LONGEST_MOVE, need=_need(record))

    async def judge_instead(self, record: Record, turn: int, action: Action) -> Judgement | None:
        """What another move would have been worth, likewise."""
        return await self._pool.run(judge_other, record, turn, action, limit=LONGEST_MOVE, need=_need(record))

    async def close(self) -> None:
        """End the process."""
        await self._pool.close()


def coached_record(table: Table) -> Record:
    """A table's game as the coach takes it, once it is over. The record says who had each seat in the end; a bot that took over
    from somebody has not made their moves, so to the coach the seat is still a person's."""
    return replace(table.record(), bots=tuple(bot or None for bot in table.bots))


def _need(record: Record) -> Need:
    return Need.of(record.rules, (AGREEMENTS,))


def judge_turn(record: Record, turn: int) -> Judgement:
    """What the move of a turn was worth, inside a worker: what that needs is imported there alone."""
    from tamaya.review.judgements import judge

    return judge(record, turn)


def judge_other(record: Record, turn: int, action: Action) -> Judgement:
    """What another move would have been worth, likewise."""
    from tamaya.review.judgements import judge_instead

    return judge_instead(record, turn, action)
