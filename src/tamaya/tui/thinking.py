"""The bots of a terminal table: those of the house think on the spot, those of others where they can harm nobody."""

from __future__ import annotations

import asyncio

from tamaya.bots import BOTS, Bot, Company, Thought, load_bot, make_bot
from tamaya.engine import View
from tamaya.live import ProcessThinker


class Thinking:
    """Lets bots take their turns. A bot that others wrote has a process of its own, so that the table outlives whatever it
    does, and not more time for a turn than at a table of the web."""

    def __init__(self) -> None:
        self._house = Company(make_bot)
        self._runner: asyncio.Runner | None = None
        self._others: ProcessThinker | None = None

    def think(self, bot: str, view: View) -> Thought:
        """The turn of a bot; its place may be a ``module:Class`` that the person has typed."""
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
    """A fresh bot of a name that the person at the terminal has chosen."""
    return load_bot(name).make()
