"""The bots of a terminal table: our own run in this process, other people's in one of their own."""

from __future__ import annotations

import asyncio

from tamaya.bots import BOTS, Bot, Company, Thought, load_bot, make_bot
from tamaya.engine import View
from tamaya.live import ProcessThinker


class Thinking:
    """Lets bots take their turns. A bot that others wrote has a process of its own, so that the table survives whatever it
    does, and no more time for a turn than at a table on the web."""

    def __init__(self) -> None:
        self._house = Company(make_bot)
        self._runner: asyncio.Runner | None = None
        self._others: ProcessThinker | None = None

    def think(self, bot: str, view: View) -> Thought:
        """A bot's turn; `bot` may be a ``module:Class`` that the person has typed."""
        if bot in BOTS:
            return self._house.think(bot, view)
        self._runner = self._runner or asyncio.Runner()
        return self._runner.run(self._elsewhere(bot, view))

    async def _elsewhere(self, bot: str, view: View) -> Thought:
        self._others = self._others or ProcessThinker(make=make_chosen_bot)
        return await self._others.think(bot, view)

    def close(self) -> None:
        """End the processes."""
        if self._runner and self._others:
            self._runner.run(self._others.close())
            self._runner.close()
        self._runner = self._others = None


def make_chosen_bot(name: str) -> Bot:
    """A new bot of the name that the person at the terminal has chosen."""
    return load_bot(name).make()
