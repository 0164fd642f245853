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
from tamaya.workers.search_pool import ANSWER_DELAY, QUEUE_TIMEOUT, SEARCH_TIMEOUT, CompileKey, SearchPool, fixed_delay


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
"""Rollouts for one move. They are slow with this policy: a move takes 0.6 seconds of a core on average."""

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
    """Gives advice from a search, always after the same number of `seconds`, so that its duration says nothing about cards.

    Until the search is compiled for the rules of a game, plain advice is given at once.
    """

    def __init__(self, pool: SearchPool, seconds: float = ANSWER_DELAY) -> None:
        self._pool, self._delay = pool, seconds

    async def advise(self, view: View, seats: Sequence[str]) -> Advice:
        """Advice for the player to move."""
        key = _compile_key(view.rules)
        if not self._pool.is_ready(*key):
            self._pool.prewarm(*key)
            return plain_advice(view)
        limits = {"limit": SEARCH_TIMEOUT, "queue_timeout": QUEUE_TIMEOUT}
        search = self._pool.run(searched_advice, view, tuple(seats), key=key, **limits)
        return await fixed_delay(self._delay, search) or plain_advice(view)


def best_advice(view: View, seats: Sequence[str]) -> Advice:
    """Advice computed in this process, from a search if that is compiled already."""
    try:
        from tamaya.search.search import is_ready

        ready = is_ready(*_compile_key(view.rules))
    except (ImportError, MissingPartError):
        ready = False
    return searched_advice(view, tuple(seats)) if ready else plain_advice(view)


def searched_advice(view: View, seats: tuple[str, ...]) -> Advice:
    """Advice from a search, whose code must be compiled."""
    from tamaya.search.bot import advice

    return advice(view, seats)


def _compile_key(rules: Rules) -> CompileKey:
    return CompileKey.of(rules, (DEFAULT_BOT,))


logger = logging.getLogger(__name__)


class SearchBotExecutor:
    """Runs searching bots in a `SearchPool` and all others in `others`.

    During a search the bot's base policy chooses a move as well, which is played if the search is not compiled, late or failed.
    """

    def __init__(
        self,
        others: PoolBotExecutor,
        pool: SearchPool,
        *,
        seconds: float = ANSWER_DELAY,
        find: Callable[[str], BotEntry] = find_bot,
        make: Callable[[str], Bot] = make_bot,
    ) -> None:
        self._fallback, self._pool, self._delay, self._find, self._make = others, pool, seconds, find, make

    async def choose_move(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        """A bot's move; a searching bot always takes the same time."""
        policy = self._policy_of(bot)
        if not policy:
            return await self._fallback.choose_move(bot, view, table, lineup)
        plain = asyncio.get_running_loop().create_task(self._fallback.choose_move(policy, view, table, lineup))
        try:
            return await fixed_delay(self._delay, self._search(bot, policy, view, table, lineup)) or await plain
        finally:
            plain.cancel()

    def prewarm(self, bot: str, rules: Rules) -> None:
        """Load or compile what a searching bot needs."""
        if policy := self._policy_of(bot):
            self._pool.prewarm(rules, [policy])

    def _policy_of(self, bot: str) -> str:
        """The base policy of a searching bot; empty for other and unknown bots."""
        try:
            return self._find(bot).base_policy
        except MalformedError:
            return ""

    async def _search(self, bot: str, policy: str, view: View, table: str, lineup: Sequence[str]) -> BotMove | None:
        """The move found by a search, or None."""
        key = CompileKey.of(view.rules, [policy])
        if not self._pool.is_ready(*key):
            self._pool.prewarm(*key)
            return None
        turn = (self._make, bot, view, table, tuple(lineup))
        thought = await self._pool.run(take_turn, *turn, limit=SEARCH_TIMEOUT, key=key, queue_timeout=QUEUE_TIMEOUT)
        if thought is None:
            return None
        action = legal_choice(thought.action, view.legal_actions)
        if thought.problem or action is None:
            reason = thought.problem or "its action is not legal"
            TableLogger(logger, table).error("search of bot %s failed: %s", bot, reason)
            return None
        return replace(thought, action=action)

    async def close(self) -> None:
        """Kill the processes of other bots; the caller closes the search pool."""
        await self._fallback.close()
