"""Bots that think ahead at a table: each turn takes the same time, and a search that fails costs a turn of the plain policy."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from tamaya.bots import Bot, BotEntry, BotMove, find_bot, make_bot
from tamaya.bots.runner import legal_choice
from tamaya.engine import View
from tamaya.live.bot_pool import take_turn
from tamaya.live.needs import Need
from tamaya.live.searching import ANSWERING, LONGEST_SEARCH, PATIENCE, SearchPool, answer_after
from tamaya.live.thinker import ProcessThinker
from tamaya.rules import MalformedError, Rules
from tamaya.table import About

logger = logging.getLogger(__name__)


class SearchThinker:
    """Lets bots that search think in a pool of their own, and all others where they always do, in `others`.

    While a bot searches, its policy is asked as well: where the search is not ready, late or broken, that is the move.
    """

    def __init__(
        self,
        others: ProcessThinker,
        pool: SearchPool,
        *,
        seconds: float = ANSWERING,
        find: Callable[[str], BotEntry] = find_bot,
        make: Callable[[str], Bot] = make_bot,
    ) -> None:
        self._others, self._pool, self._seconds, self._find, self._make = others, pool, seconds, find, make

    async def think(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        """A bot's turn; that of one that searches always takes the same time."""
        policy = self._policy_of(bot)
        if not policy:
            return await self._others.think(bot, view, table, lineup)
        plain = asyncio.get_running_loop().create_task(self._others.think(policy, view, table, lineup))
        try:
            return await answer_after(self._seconds, self._search(bot, policy, view, table, lineup)) or await plain
        finally:
            plain.cancel()

    def expect(self, bot: str, rules: Rules) -> None:
        """Get ready what a bot needs that searches."""
        if policy := self._policy_of(bot):
            self._pool.want(rules, [policy])

    def _policy_of(self, bot: str) -> str:
        """On which policy a bot builds that searches; a bot that is unknown does not."""
        try:
            return self._find(bot).base_policy
        except MalformedError:
            return ""

    async def _search(self, bot: str, policy: str, view: View, table: str, lineup: Sequence[str]) -> BotMove | None:
        """What a search comes to, if it comes to anything."""
        need = Need.of(view.rules, [policy])
        if not self._pool.is_ready(*need):
            self._pool.want(*need)
            return None
        turn = (self._make, bot, view, table, tuple(lineup))
        thought = await self._pool.run(take_turn, *turn, limit=LONGEST_SEARCH, need=need, patience=PATIENCE)
        if thought is None:
            return None
        action = legal_choice(thought.action, view.legal_actions)
        if thought.problem or action is None:
            reason = thought.problem or "its action is not legal"
            About(logger, table).error("the bot %s failed to think ahead: %s", bot, reason)
            return None
        return replace(thought, action=action)

    async def close(self) -> None:
        """End the processes of those who do not search; the pool is for whoever made it to close."""
        await self._others.close()
