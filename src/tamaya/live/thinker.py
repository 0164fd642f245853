"""Bots in processes of their own, so that no table waits for another table's bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from tamaya.bots import BOTS, Bot, BotMove, make_bot
from tamaya.engine import View
from tamaya.live.bot_pool import BotPool
from tamaya.rules import Rules
from tamaya.table.meter import UNMETERED, Meter

LONGEST_THOUGHT = 10.0
MOST_WAITING = 1000
"""How many turns wait for a process at most, of each of the two kinds of bots: room for all tables of a full server, whose bots
a restart may wake at once."""


class ProcessThinker:
    """Runs bots in processes. Those of the house answer in milliseconds; those of others, who may take all their time, have as
    many processes and a queue of their own, so that no bot of the house waits behind them.

    `make` finds the bot of a name: by default one of the house or of an installed package.
    """

    def __init__(
        self,
        workers: int = 1,
        longest: float = LONGEST_THOUGHT,
        make: Callable[[str], Bot] = make_bot,
        meter: Meter = UNMETERED,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._house, self._foreign = (
            BotPool(kind, workers, longest, make, meter, most_waiting) for kind in ("plain", "foreign")
        )

    async def think(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        """The bot's action, or a safe one if none comes in time, or if too many wait."""
        pool = self._house if bot in BOTS else self._foreign
        return await pool.think(bot, view, table, lineup)

    def expect(self, bot: str, rules: Rules) -> None:
        """Nothing takes long here before a bot can play."""

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(self._house.close(), self._foreign.close())
