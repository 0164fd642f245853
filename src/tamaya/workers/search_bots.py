"""The searching bots at a table: their registry entries, their runner and the adviser."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from tamaya.bots import DEFAULT_BOT, Advice, Bot, BotEntry, BotMove, find_bot, make_bot, plain_advice
from tamaya.bots.runner import legal_choice
from tamaya.engine import View
from tamaya.rules import MalformedError, MissingPartError, Rules, say, say_in
from tamaya.table import TableLogger
from tamaya.workers.bot_pool import PoolBotExecutor, take_turn
from tamaya.workers.search_pool import ANSWERING, LONGEST_SEARCH, PATIENCE, CompileKey, SearchPool, fixed_delay


def _over_convention() -> Bot:
    from tamaya.search.bot import SearchBot

    return SearchBot()


def _over_hat() -> Bot:
    from tamaya.search.bot import SearchBot

    return SearchBot("hat", name="search-hat")


def _over_learned() -> Bot:
    from tamaya.search.bot import SearchBot

    return SearchBot("learned", name="search-learned", rollouts=LEARNED_ROLLOUTS)


LEARNED_ROLLOUTS = 2000
"""For one move. Each takes longer with this policy than with others: these take 0.6 seconds of a core on average."""

SEARCH = BotEntry(
    say("Plays by the agreements of the Companion and thinks ahead: leaves them where another move is clearly better."),
    from_views=_over_convention,
    mean_scores={2: 24.16, 3: 24.58, 4: 24.58, 5: 23.80},
    title=say_in("bot", "Thinker"),
    base_policy="convention",
)

SEARCH_HAT = BotEntry(
    say("Plays by the code of the Mathematician and thinks ahead: a partner for its like, not for people."),
    from_views=_over_hat,
    offered=False,
    base_policy="hat",
)

SEARCH_LEARNED = BotEntry(
    say("Plays by the code of the Autodidact and thinks ahead: the strongest for two, and no partner for people."),
    from_views=_over_learned,
    offered=False,
    base_policy="learned",
)


class SearchingAdviser:
    """Gives advice from a place to search in, after a fixed number of `seconds`: nobody learns anything by the clock. Until
    that place is ready for the rules of a game, the agreements give it at once."""

    def __init__(self, searches: SearchPool, seconds: float = ANSWERING) -> None:
        self._searches, self._seconds = searches, seconds

    async def advise(self, view: View, seats: Sequence[str]) -> Advice:
        """What a good player would do."""
        need = _need(view.rules)
        if not self._searches.is_ready(*need):
            self._searches.prewarm(*need)
            return plain_advice(view)
        limits = {"limit": LONGEST_SEARCH, "patience": PATIENCE}
        search = self._searches.run(searched_advice, view, tuple(seats), need=need, **limits)
        return await fixed_delay(self._seconds, search) or plain_advice(view)


def best_advice(view: View, seats: Sequence[str]) -> Advice:
    """What a good player would do, thought out here and now as far as nothing has to be compiled for it."""
    try:
        from tamaya.search.search import is_ready

        ready = is_ready(*_need(view.rules))
    except (ImportError, MissingPartError):
        ready = False
    return searched_advice(view, tuple(seats)) if ready else plain_advice(view)


def searched_advice(view: View, seats: tuple[str, ...]) -> Advice:
    """Advice from a search; what that needs must be ready."""
    from tamaya.search.bot import advice

    return advice(view, seats)


def _need(rules: Rules) -> CompileKey:
    return CompileKey.of(rules, (DEFAULT_BOT,))


logger = logging.getLogger(__name__)


class SearchBotExecutor:
    """Lets bots that search think in a pool of their own, and all others where they always do, in `others`.

    While a bot searches, its policy is asked as well: where the search is not ready, late or broken, that is the move.
    """

    def __init__(
        self,
        others: PoolBotExecutor,
        pool: SearchPool,
        *,
        seconds: float = ANSWERING,
        find: Callable[[str], BotEntry] = find_bot,
        make: Callable[[str], Bot] = make_bot,
    ) -> None:
        self._others, self._pool, self._seconds, self._find, self._make = others, pool, seconds, find, make

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        """A bot's turn; that of one that searches always takes the same time."""
        policy = self._policy_of(bot)
        if not policy:
            return await self._others.choose_move(bot, view, table, lineup)
        plain = asyncio.get_running_loop().create_task(self._others.choose_move(policy, view, table, lineup))
        try:
            return await fixed_delay(self._seconds, self._search(bot, policy, view, table, lineup)) or await plain
        finally:
            plain.cancel()

    def prewarm(self, bot: str, rules: Rules) -> None:
        """Get ready what a bot needs that searches."""
        if policy := self._policy_of(bot):
            self._pool.prewarm(rules, [policy])

    def _policy_of(self, bot: str) -> str:
        """On which policy a bot builds that searches; a bot that is unknown does not."""
        try:
            return self._find(bot).base_policy
        except MalformedError:
            return ""

    async def _search(self, bot: str, policy: str, view: View, table: str, lineup: Sequence[str]) -> BotMove | None:
        """What a search comes to, if it comes to anything."""
        need = CompileKey.of(view.rules, [policy])
        if not self._pool.is_ready(*need):
            self._pool.prewarm(*need)
            return None
        turn = (self._make, bot, view, table, tuple(lineup))
        thought = await self._pool.run(take_turn, *turn, limit=LONGEST_SEARCH, need=need, patience=PATIENCE)
        if thought is None:
            return None
        action = legal_choice(thought.action, view.legal_actions)
        if thought.problem or action is None:
            reason = thought.problem or "its action is not legal"
            TableLogger(logger, table).error("the bot %s failed to think ahead: %s", bot, reason)
            return None
        return replace(thought, action=action)

    async def close(self) -> None:
        """End the processes of those who do not search; the pool is for whoever made it to close."""
        await self._others.close()
