"""What a coach says of games that are over, worked out in a process of its own, one game at a time, and kept."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from tamaya.live import LocalBus, SearchPool
from tamaya.record import Record
from tamaya.review.coaching import Coaching, no_coaching, read_coaching
from tamaya.rules import Action, Message, UnavailableError, say
from tamaya.table import Bus, Table
from tamaya.web.judges import Judges, coached_record
from tamaya.web.weighings import Weighing, Weighings

logger = logging.getLogger(__name__)
WAITING = 20
"""Games that may wait for the coach."""
LOOK_AGAIN = 1.0
"""Seconds after which a process looks how far another one is with a game."""
KEPT = 200
"""Games whose coaching is remembered."""


class CoachingStore(Protocol):
    """Where coachings are kept; a `Store` is one."""

    async def keep_coaching(self, code: str, text: str) -> None:
        """Keep one with its table."""
        ...

    async def coaching(self, code: str) -> str | None:
        """The one of a table, if there is one."""
        ...


@dataclass
class CoachingProgress:
    """How far the coach is with a game. `begun` says that it was asked and will do it, `ready` that what it runs by these rules
    is compiled, which may take half a minute; `refused` why it gave up. Where that could go better, it can be asked again."""

    coaching: Coaching
    begun: bool = False
    ready: bool = False
    refused: Message | None = None

    @property
    def done(self) -> int:
        """How many turns are judged."""
        return len(self.coaching.judgements)

    @property
    def turns(self) -> int:
        """How many there are."""
        return self.coaching.turns

    @property
    def finished(self) -> bool:
        """Whether all of them are."""
        return self.coaching.finished


class Coachings:
    """The coachings of tables, each worked out once: in one process, while the others see in the store how far it is. Where
    that process ends, another goes on as soon as somebody looks."""

    def __init__(self, store: CoachingStore | None = None, pool: SearchPool | None = None, bus: Bus | None = None) -> None:
        self._store, self._judges, self._bus = store, Judges(pool), bus or LocalBus()
        self._known: OrderedDict[str, CoachingProgress] = OrderedDict()
        self._weighings = Weighings(self._judges)
        self._tasks: set[asyncio.Task[None]] = set()
        self._coaching = asyncio.Lock()

    async def of(self, table: Table) -> CoachingProgress:
        """How far the coach is with a table's game, which is refused while that goes on. Whoever asks first sets it to work,
        unless it has too much to do already."""
        record, code = coached_record(table), table.code
        kept = None if code in self._known else await self._kept(code)
        found = self._known.get(code) or kept or CoachingProgress(no_coaching(record))  # somebody may have asked meanwhile
        if not found.begun and len(self._tasks) < WAITING:
            found.begun, found.refused = True, None
            task = asyncio.create_task(self._work_out_or_say_so(code, record, found))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if found.begun:
            self._known[code] = found
            self._known.move_to_end(code)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found

    async def known(self, table: Table) -> CoachingProgress:
        """How far it is, if anybody has asked; the same is refused. What was begun and is not done goes on."""
        table.past()
        if table.code in self._known:
            return self._known[table.code]
        kept = await self._kept(table.code)
        if kept and not kept.finished:
            return await self.of(table)
        return kept or CoachingProgress(Coaching((), table.turn))

    async def kept(self, code: str) -> Coaching | None:
        """What was found out about the game of a table, once it was done."""
        kept = await self._kept(code)
        return kept.coaching if kept and kept.finished else None

    async def _kept(self, code: str) -> CoachingProgress | None:
        text = await self._store.coaching(code) if self._store else None
        coaching = read_coaching(text) if text else None
        return CoachingProgress(coaching, begun=coaching.finished, ready=True) if coaching else None

    def weighed(self, table: Table, turn: int, action: Action, coaching: Coaching, may_begin: Callable[[], None]) -> Weighing:
        """What another move would have been worth than that of a turn which is judged."""
        return self._weighings.of(table, turn, action, coaching, may_begin)

    async def _work_out_or_say_so(self, code: str, record: Record, found: CoachingProgress) -> None:
        """Work a game out. Where that fails, as when the store cannot be read, the game can be asked about again."""
        try:
            await self._work_out(code, record, found)
        except Exception as problem:  # not in its own words: they may name cards
            logger.warning("a game could not be judged: %s", type(problem).__name__)
            found.begun, found.refused = False, say("The coach gave up: something went wrong on the server. Try again later.")

    async def _work_out(self, code: str, record: Record, found: CoachingProgress) -> None:
        """Let the coach judge what is not judged yet, or see how far it is in the process that does so already."""
        while True:
            async with self._bus.claim(f"{code} coached") as ours:
                if ours:
                    await self._judge_all(code, record, found)
                    return
            await asyncio.sleep(LOOK_AGAIN)
            await self._see_how_far(code, found)
            if found.finished:
                return

    async def _see_how_far(self, code: str, found: CoachingProgress) -> None:
        kept = await self._kept(code)
        if kept and kept.done > found.done:
            found.coaching, found.ready = kept.coaching, True

    async def _judge_all(self, code: str, record: Record, found: CoachingProgress) -> None:
        if not await self._judges.are_ready(record):
            found.refused = say("The coach cannot weigh moves by these rules on this machine.")
            return
        found.ready = True
        async with self._coaching:
            await self._see_how_far(code, found)
            for turn in range(found.done + 1, found.turns + 1):
                judge = self._judges.judge
                judged = await judge(record, turn) or await judge(record, turn)  # a process may have been ended
                if judged is None:
                    found.begun, found.refused = False, say("The coach gave up: it could not weigh turn {turn}.", turn=turn)
                    return
                found.coaching = found.coaching.and_also([judged])
                if self._store and (self._bus.shared or found.finished):
                    with suppress(UnavailableError):  # it can be found out again
                        await self._store.keep_coaching(code, found.coaching.to_text())

    async def close(self) -> None:
        """Give up what is not done, and end the process."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        await self._weighings.close()
        await self._judges.close()
