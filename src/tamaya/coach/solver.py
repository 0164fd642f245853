"""The solver in the background: could a game that is over have been won?"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from tamaya.coach.coach import AnalysisProgress, Coach, TriedMove
from tamaya.engine import Game
from tamaya.record import Record
from tamaya.review.analysis import GameAnalysis
from tamaya.review.winnability import BUDGET, UNANSWERED, Reply, Winnability, answer_to, solver_steps
from tamaya.rules import Action
from tamaya.table import Table
from tamaya.workers.processes import Worker

logger = logging.getLogger(__name__)
LONGEST_SEARCH = 120.0
"""The seconds that the solver may take for one game, from when its process is free for it."""
RESULTS = 500
"""Results of the solver that are remembered."""
WAITING = 20
"""Games that may wait for the solver."""
NICENESS = 10


@dataclass
class SolverProgress:
    """How far the solver is with a game: whether it was asked, how many positions it has judged, and what it found. Where it
    `failed`, it can be asked anew."""

    begun: bool = False
    asked: int = 0
    winning: Winnability | None = None
    failed: bool = False


class WinSolver:
    """One solver and one coach for all tables whose game is over."""

    def __init__(self, budget: int = BUDGET, longest: float = LONGEST_SEARCH, coachings: Coach | None = None) -> None:
        self._coachings = coachings or Coach()
        self._budget, self._longest = budget, longest
        self._solving = asyncio.Lock()
        self._searches: OrderedDict[Hashable, SolverProgress] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._solver = Worker(NICENESS)

    async def coaching(self, table: Table) -> AnalysisProgress:
        """What the coach says of a table's game, as far as it is; refused while the game goes on. Whoever asks first sets the
        coach to work."""
        return await self._coachings.request(table)

    async def coached(self, table: Table) -> AnalysisProgress:
        """The same, and nobody is set to work."""
        return await self._coachings.progress(table)

    async def kept(self, code: str) -> GameAnalysis | None:
        """What the coach said of the game of a table, if it is done."""
        return await self._coachings.kept(code)

    def tried(
        self, table: Table, turn: int, action: Action, coaching: GameAnalysis, may_begin: Callable[[], None]
    ) -> TriedMove:
        """What the coach says of another move than that of a turn. Whoever asks first sets it to work, if they `may_begin`."""
        return self._coachings.try_move(table, turn, action, coaching, may_begin)

    def known(self, record: Record) -> SolverProgress:
        """What the solver knows of a game already."""
        return self._searches.get(_key(record)) or SolverProgress()

    def search(self, record: Record, anew: bool = False) -> SolverProgress:
        """The same; whoever asks first, or `anew` after it failed, sets the solver to work, unless it has too much to do."""
        found, key = self.known(record), _key(record)
        if key in self._searches and not (anew and found.failed):
            self._searches.move_to_end(key)
            return found
        if len(self._tasks) >= WAITING:
            return SolverProgress(begun=True, failed=found.failed)
        found = self._searches[key] = SolverProgress(begun=True)
        task = asyncio.create_task(self._solve(record, found))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if len(self._searches) > RESULTS:
            self._searches.popitem(last=False)
        return found

    async def _solve(self, record: Record, found: SolverProgress) -> None:
        """Find out about a game, or say that this failed."""
        try:
            async with self._solving:
                found.winning = await self._found_out(record, found)
        except Exception as problem:  # not in its own words: they may name cards
            logger.warning("the solver failed: %s", type(problem).__name__)
            found.failed = True

    async def _found_out(self, record: Record, found: SolverProgress) -> Winnability:
        clock, steps = asyncio.get_running_loop().time, solver_steps(record)
        end = clock() + self._longest
        try:
            position = next(steps)
            while True:
                answer = await self._answer(position, end - clock())
                found.asked += 1
                if answer is UNANSWERED:
                    end = clock()
                position = steps.send(answer)
        except StopIteration as done:
            winning: Winnability = done.value
            return winning

    async def _answer(self, position: Game, seconds: float) -> Reply:
        """What the solver says in the time that it has; a process that is late or breaks down is replaced for the next game."""
        if seconds <= 0:
            return UNANSWERED
        try:
            return await self._solver.run(answer_to, position, self._budget, limit=seconds)
        except (TimeoutError, BrokenProcessPool):
            return UNANSWERED

    async def close(self) -> None:
        """Give up what is not done, and end the process."""
        await self._coachings.close()
        await _give_up(self._tasks)
        await self._solver.close()


async def _give_up(tasks: set[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait for their end. Whoever still named one of them would keep the processes that it used."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _key(record: Record) -> Hashable:
    """What the solver goes by: who played does not matter."""
    return record.rules, record.deck, record.moves
