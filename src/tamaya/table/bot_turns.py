"""The turns of bots: who plays them, when, and what happens if that fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from tamaya.bots import BotMove
from tamaya.engine import View
from tamaya.rules import TamayaError, UnavailableError
from tamaya.table import commands
from tamaya.table.lesson import right_actions
from tamaya.table.ports import BotExecutor, Bus
from tamaya.table.state import Phase
from tamaya.table.table import Decision, Table
from tamaya.table.telemetry import TableLogger

logger = logging.getLogger(__name__)
FIRST_GAMES_SLOWDOWN = 2.5
"""The factor by which bots wait longer before their moves in a player's first games."""
STORE_RETRY_DELAY = 5.0
"""Seconds until a bot's move is tried again that could not be stored."""
LOCK_RETRY_DELAY = 2.0
"""Seconds until a process tries again to get the lock of a table whose bots another process plays."""


class BotTurns:
    """Plays the turns of bots: one task per table, in the process that holds the table's lock."""

    def __init__(
        self,
        bus: Bus,
        executor: BotExecutor,
        delay: float,
        get: Callable[[str], Awaitable[Table]],
        update: Callable[[str, Decision], Awaitable[Table]],
    ) -> None:
        self._bus, self._executor, self._delay = bus, executor, delay
        self._get, self._update = get, update
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._woken: set[str] = set()
        """Tables scheduled since their task last read them. Its last turn may be over while the lock is still being released;
        a turn that begins in between must not be lost."""

    def schedule(self, table: Table) -> None:
        """Play the turn of the bot to move in the background, and prepare all bots of the table for its rules."""
        if table.phase is not Phase.ENDED:
            for bot in filter(None, table.bots):
                self._executor.prewarm(bot, table.settings.rules)
        if not table.bot_to_move:
            return
        task = self._tasks.get(table.code)
        if task and not task.done():
            self._woken.add(table.code)
            return
        task = self._tasks[table.code] = asyncio.get_running_loop().create_task(self._run(table.code))
        task.add_done_callback(partial(self._forget, table.code))

    def _forget(self, code: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(code) is task:
            del self._tasks[code]

    async def _run(self, code: str) -> None:
        """Play turns until a person is to move. While another process does that, check again from time to time."""
        try:
            while True:
                if not await self._play_if_locked(code):
                    await asyncio.sleep(LOCK_RETRY_DELAY)
                elif code not in self._woken:
                    return
        except TamayaError as problem:
            TableLogger(logger, code).error("bot turn failed: %s", problem.code)
        except Exception:
            TableLogger(logger, code).exception("bot turn failed")
        finally:
            self._woken.discard(code)

    async def _play_if_locked(self, code: str) -> bool:
        """Play turns if this process gets the table's lock; whether none was left when the table was last read."""
        try:
            if not (await self._read(code)).bot_to_move:
                return True
            async with self._bus.try_lock(code) as acquired:
                if acquired:
                    await self._play(code)
                return acquired
        except UnavailableError:
            await asyncio.sleep(STORE_RETRY_DELAY)
            return False

    async def _read(self, code: str) -> Table:
        self._woken.discard(code)
        return await self._get(code)

    async def _play(self, code: str) -> None:
        table = await self._read(code)
        while bot := table.bot_to_move:
            seat, turn, line = table.to_move, table.turn, table.branch
            assert seat is not None
            hand = table.hand_numbers(seat)
            delay = self._delay * (FIRST_GAMES_SLOWDOWN if table.settings.slow_games else 1)
            _, chosen = await asyncio.gather(asyncio.sleep(delay), self._choose(table, bot, table.view_of_seat(seat)))
            if chosen.problem:
                TableLogger(logger, code).error("bot %s failed and was replaced for its turn: %s", bot, chosen.problem)
            await self._store(code, partial(commands.bot_move, thought=chosen, turn=turn, hand=hand, line=line))
            table = await self._read(code)  # another task may have changed it since

    async def _choose(self, table: Table, bot: str, view: View) -> BotMove:
        """The bot's move; in the prepared turns of the guided first deal, the prepared one."""
        prepared = right_actions(view) if table.settings.lesson else ()
        return BotMove(prepared[0]) if prepared else await self._executor.choose_move(bot, view, table.code, table.bots)

    async def _store(self, code: str, move: Decision) -> None:
        """Make a bot's move, and retry until the store is available: no request would."""
        while True:
            try:
                await self._update(code, move)
                return
            except UnavailableError:
                await asyncio.sleep(STORE_RETRY_DELAY)

    async def close(self) -> None:
        """Cancel all tasks and close the executor."""
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        await self._executor.close()
