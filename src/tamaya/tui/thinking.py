"""The bots of a terminal table: our own run in this process, other people's in one of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tamaya.bots import BOTS, Advice, Bot, BotMove, BotRunner, import_bot, make_bot
from tamaya.engine import View
from tamaya.live import ProcessThinker, SearchPool, SearchThinker, best_advice


class Thinking:
    """Lets bots take their turns. A bot that others wrote has a process of its own, so that the table survives whatever it
    does, and no more time for a turn than at a table on the web."""

    def __init__(self) -> None:
        self._house = BotRunner(make_bot)
        self._runner: asyncio.Runner | None = None
        self._others: SearchThinker | None = None
        self._searching: SearchPool | None = None

    def think(self, bot: str, view: View, lineup: Sequence[str] = ()) -> BotMove:
        """A bot's turn; `bot` may be a ``module:Class`` that the person has typed."""
        if bot in BOTS:
            return self._house.think(bot, view, lineup=lineup)
        self._runner = self._runner or asyncio.Runner()
        return self._runner.run(self._elsewhere(bot, view, lineup))

    def advise(self, view: View, seats: Sequence[str]) -> Advice:
        """What a good player would do in the person's place; `seats` names the bot at each seat, nothing for the person."""
        return best_advice(view, tuple(seats))

    async def _elsewhere(self, bot: str, view: View, lineup: Sequence[str]) -> BotMove:
        self._searching = self._searching or SearchPool()
        self._others = self._others or SearchThinker(
            ProcessThinker(make=make_chosen_bot), self._searching, find=import_bot, make=make_chosen_bot
        )
        return await self._others.think(bot, view, lineup=lineup)

    def close(self) -> None:
        """End the processes."""
        if self._runner and self._others and self._searching:
            self._runner.run(self._others.close())
            self._runner.run(self._searching.close())
            self._runner.close()
        self._runner = self._others = self._searching = None


def make_chosen_bot(name: str) -> Bot:
    """A new bot of the name that the person at the terminal has chosen."""
    return import_bot(name).make()
