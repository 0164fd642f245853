"""What the coach says of moves that somebody tries instead of those that were made, in the background."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from tamaya.record import Record
from tamaya.review.coaching import Coaching, Judgement, MoveVerdict
from tamaya.rules import Action, Message, say
from tamaya.table import Table
from tamaya.web.judges import Judges, coached_record

WAITING_MOVES = 10
"""Tried moves that may wait for the coach; games have places of their own."""
KEPT = 200
"""Tried moves that are remembered."""


@dataclass
class Weighing:
    """What the coach says of a move that was not made: nothing until it is done, and nothing then if it could not say or
    `refused` to try."""

    done: bool = False
    judgement: Judgement | None = None
    refused: Message | None = None


class Weighings:
    """Tried moves, each weighed once. One is weighed at a time, so that games have every other turn of the coach."""

    def __init__(self, judges: Judges) -> None:
        self._judges = judges
        self._known: OrderedDict[tuple[str, int, str], Weighing] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._weighing = asyncio.Lock()

    def of(self, table: Table, turn: int, action: Action, coaching: Coaching, may_begin: Callable[[], None]) -> Weighing:
        """What another move would have been worth than that of a turn which is judged. Whoever asks first sets the coach to
        work, which `may_begin` can refuse, unless the judgement says it already or there is too much to do."""
        judged, key = coaching.judgements[turn - 1], (table.code, turn, str(action))
        if told := _told_by(judged, key[2]):
            return Weighing(True, told)
        if key not in self._known:
            return self._begin(key, table, action, may_begin)
        found = self._known[key]
        if found.done and found.judgement is None:
            del self._known[key]  # who asks again after this has the coach try again
        return found

    def _begin(self, key: tuple[str, int, str], table: Table, action: Action, may_begin: Callable[[], None]) -> Weighing:
        if len(self._tasks) >= WAITING_MOVES:
            return Weighing(True, refused=say("The coach has too much to do just now; ask again in a few minutes."))
        may_begin()
        found = self._known[key] = Weighing()
        task = asyncio.create_task(self._weigh(coached_record(table), key[1], action, found))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found

    async def _weigh(self, record: Record, turn: int, action: Action, found: Weighing) -> None:
        if await self._judges.are_ready(record):
            async with self._weighing:
                found.judgement = await self._judges.judge_instead(record, turn, action)
        found.done = True

    async def close(self) -> None:
        """Give up what is not done."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()


def _told_by(judged: Judgement, action: str) -> Judgement | None:
    """What a judgement says already of a move: of the one that was played and of the best."""
    if judged.played == action:
        return judged
    if judged.best == action:
        best = {"played": judged.best, "value": judged.best_value, "loss": 0.0, "verdict": MoveVerdict.BEST}
        return msgspec.structs.replace(judged, **best)
    return None
