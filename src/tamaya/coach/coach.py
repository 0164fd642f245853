"""The coach: analyses games that are over in a process of its own, and keeps the results."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

import msgspec

from tamaya.bus import LocalBus
from tamaya.record import Record
from tamaya.review.analysis import AGREEMENTS, GameAnalysis, MoveAnalysis, MoveGrade, empty_analysis, read_analysis
from tamaya.rules import Action, Message, UnavailableError, say
from tamaya.table import Bus, Table
from tamaya.workers.search_pool import CompileKey, CompileState, SearchPool

NICENESS = 10
"""How far the coach gives way to whoever plays."""
LONGEST_MOVE = 60.0
"""The seconds that one move may take."""
PATIENCE = 0.2
"""How often to look whether what the coach needs is there, in seconds."""


class AnalysisWorker:
    """Weighs moves, one at a time."""

    def __init__(self, pool: SearchPool | None = None) -> None:
        self._pool = pool or SearchPool(1, NICENESS)

    async def are_ready(self, record: Record) -> bool:
        """Wait for what the coach needs for a game; whether it is to be had."""
        need = _need(record)
        while (warmth := self._pool.state(*need)) in (CompileState.COLD, CompileState.COMPILING):
            self._pool.prewarm(*need)
            await asyncio.sleep(PATIENCE)
        return warmth is CompileState.READY

    async def analyse_move(self, record: Record, turn: int) -> MoveAnalysis | None:
        """What the move of a turn was worth, if that can be found out."""
        return await self._pool.run(analyse_turn, record, turn, limit=LONGEST_MOVE, need=_need(record))

    async def analyse_other_move(self, record: Record, turn: int, action: Action) -> MoveAnalysis | None:
        """What another move would have been worth, likewise."""
        return await self._pool.run(analyse_other_turn, record, turn, action, limit=LONGEST_MOVE, need=_need(record))

    async def close(self) -> None:
        """End the process."""
        await self._pool.close()


def coached_record(table: Table) -> Record:
    """A table's game as the coach takes it, once it is over. The record says who had each seat in the end; a bot that took over
    from somebody has not made their moves, so to the coach the seat is still a person's."""
    return replace(table.record(), bots=tuple(bot or None for bot in table.bots))


def _need(record: Record) -> CompileKey:
    return CompileKey.of(record.rules, (AGREEMENTS,))


def analyse_turn(record: Record, turn: int) -> MoveAnalysis:
    """What the move of a turn was worth, inside a worker: what that needs is imported there alone."""
    from tamaya.review.evaluation import analyse_move

    return analyse_move(record, turn)


def analyse_other_turn(record: Record, turn: int, action: Action) -> MoveAnalysis:
    """What another move would have been worth, likewise."""
    from tamaya.review.evaluation import analyse_other_move

    return analyse_other_move(record, turn, action)


WAITING_MOVES = 10
"""Tried moves that may wait for the coach; games have places of their own."""
KEPT = 200
"""Tried moves that are remembered."""


@dataclass
class TriedMove:
    """What the coach says of a move that was not made: nothing until it is done, and nothing then if it could not say or
    `refused` to try."""

    done: bool = False
    judgement: MoveAnalysis | None = None
    refused: Message | None = None


class TriedMoves:
    """Tried moves, each weighed once. One is weighed at a time, so that games have every other turn of the coach."""

    def __init__(self, judges: AnalysisWorker) -> None:
        self._judges = judges
        self._known: OrderedDict[tuple[str, int, str], TriedMove] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._weighing = asyncio.Lock()

    def of(self, table: Table, turn: int, action: Action, coaching: GameAnalysis, may_begin: Callable[[], None]) -> TriedMove:
        """What another move would have been worth than that of a turn which is judged. Whoever asks first sets the coach to
        work, which `may_begin` can refuse, unless the judgement says it already or there is too much to do."""
        judged, key = coaching.judgements[turn - 1], (table.code, turn, str(action))
        if told := _told_by(judged, key[2]):
            return TriedMove(True, told)
        if key not in self._known:
            return self._begin(key, table, action, may_begin)
        found = self._known[key]
        if found.done and found.judgement is None:
            del self._known[key]  # who asks again after this has the coach try again
        return found

    def _begin(self, key: tuple[str, int, str], table: Table, action: Action, may_begin: Callable[[], None]) -> TriedMove:
        if len(self._tasks) >= WAITING_MOVES:
            return TriedMove(True, refused=say("The coach has too much to do just now; ask again in a few minutes."))
        may_begin()
        found = self._known[key] = TriedMove()
        task = asyncio.create_task(self._weigh(coached_record(table), key[1], action, found))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found

    async def _weigh(self, record: Record, turn: int, action: Action, found: TriedMove) -> None:
        if await self._judges.are_ready(record):
            async with self._weighing:
                found.judgement = await self._judges.analyse_other_move(record, turn, action)
        found.done = True

    async def close(self) -> None:
        """Give up what is not done."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()


def _told_by(judged: MoveAnalysis, action: str) -> MoveAnalysis | None:
    """What a judgement says already of a move: of the one that was played and of the best."""
    if judged.played == action:
        return judged
    if judged.best == action:
        best = {"played": judged.best, "value": judged.best_value, "loss": 0.0, "verdict": MoveGrade.BEST}
        return msgspec.structs.replace(judged, **best)
    return None


logger = logging.getLogger(__name__)
WAITING = 20
"""Games that may wait for the coach."""
LOOK_AGAIN = 1.0
"""Seconds after which a process looks how far another one is with a game."""


class AnalysisStore(Protocol):
    """Where coachings are kept; a `Store` is one."""

    async def save_analysis(self, code: str, text: str) -> None:
        """Keep one with its table."""
        ...

    async def load_analysis(self, code: str) -> str | None:
        """The one of a table, if there is one."""
        ...


@dataclass
class AnalysisProgress:
    """How far the coach is with a game. `begun` says that it was asked and will do it, `ready` that what it runs by these rules
    is compiled, which may take half a minute; `refused` why it gave up. Where that could go better, it can be asked again."""

    coaching: GameAnalysis
    requested: bool = False
    compiled: bool = False
    error: Message | None = None

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


class Coach:
    """The coachings of tables, each worked out once: in one process, while the others see in the store how far it is. Where
    that process ends, another goes on as soon as somebody looks."""

    def __init__(self, store: AnalysisStore | None = None, pool: SearchPool | None = None, bus: Bus | None = None) -> None:
        self._store, self._judges, self._bus = store, AnalysisWorker(pool), bus or LocalBus()
        self._known: OrderedDict[str, AnalysisProgress] = OrderedDict()
        self._weighings = TriedMoves(self._judges)
        self._tasks: set[asyncio.Task[None]] = set()
        self._coaching = asyncio.Lock()

    async def request(self, table: Table) -> AnalysisProgress:
        """How far the coach is with a table's game, which is refused while that goes on. Whoever asks first sets it to work,
        unless it has too much to do already."""
        record, code = coached_record(table), table.code
        kept = None if code in self._known else await self._kept(code)
        found = self._known.get(code) or kept or AnalysisProgress(empty_analysis(record))  # somebody may have asked meanwhile
        if not found.requested and len(self._tasks) < WAITING:
            found.requested, found.error = True, None
            task = asyncio.create_task(self._work_out_or_say_so(code, record, found))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if found.requested:
            self._known[code] = found
            self._known.move_to_end(code)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found

    async def progress(self, table: Table) -> AnalysisProgress:
        """How far it is, if anybody has asked; the same is refused. What was begun and is not done goes on."""
        table.past()
        if table.code in self._known:
            return self._known[table.code]
        kept = await self._kept(table.code)
        if kept and not kept.finished:
            return await self.request(table)
        return kept or AnalysisProgress(GameAnalysis((), table.turn))

    async def kept(self, code: str) -> GameAnalysis | None:
        """What was found out about the game of a table, once it was done."""
        kept = await self._kept(code)
        return kept.coaching if kept and kept.finished else None

    async def _kept(self, code: str) -> AnalysisProgress | None:
        text = await self._store.load_analysis(code) if self._store else None
        coaching = read_analysis(text) if text else None
        return AnalysisProgress(coaching, requested=coaching.finished, compiled=True) if coaching else None

    def try_move(
        self, table: Table, turn: int, action: Action, coaching: GameAnalysis, may_begin: Callable[[], None]
    ) -> TriedMove:
        """What another move would have been worth than that of a turn which is judged."""
        return self._weighings.of(table, turn, action, coaching, may_begin)

    async def _work_out_or_say_so(self, code: str, record: Record, found: AnalysisProgress) -> None:
        """Work a game out. Where that fails, as when the store cannot be read, the game can be asked about again."""
        try:
            await self._work_out(code, record, found)
        except Exception as problem:  # not in its own words: they may name cards
            logger.warning("a game could not be judged: %s", type(problem).__name__)
            found.requested, found.error = False, say("The coach gave up: something went wrong on the server. Try again later.")

    async def _work_out(self, code: str, record: Record, found: AnalysisProgress) -> None:
        """Let the coach judge what is not judged yet, or see how far it is in the process that does so already."""
        while True:
            async with self._bus.try_lock(f"{code} coached") as ours:
                if ours:
                    await self._judge_all(code, record, found)
                    return
            await asyncio.sleep(LOOK_AGAIN)
            await self._see_how_far(code, found)
            if found.finished:
                return

    async def _see_how_far(self, code: str, found: AnalysisProgress) -> None:
        kept = await self._kept(code)
        if kept and kept.done > found.done:
            found.coaching, found.compiled = kept.coaching, True

    async def _judge_all(self, code: str, record: Record, found: AnalysisProgress) -> None:
        if not await self._judges.are_ready(record):
            found.error = say("The coach cannot weigh moves by these rules on this machine.")
            return
        found.compiled = True
        async with self._coaching:
            await self._see_how_far(code, found)
            for turn in range(found.done + 1, found.turns + 1):
                judge = self._judges.analyse_move
                judged = await judge(record, turn) or await judge(record, turn)  # a process may have been ended
                if judged is None:
                    found.requested, found.error = False, say("The coach gave up: it could not weigh turn {turn}.", turn=turn)
                    return
                found.coaching = found.coaching.and_also([judged])
                if self._store and (self._bus.shared or found.finished):
                    with suppress(UnavailableError):  # it can be found out again
                        await self._store.save_analysis(code, found.coaching.to_text())

    async def close(self) -> None:
        """Give up what is not done, and end the process."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        await self._weighings.close()
        await self._judges.close()
