"""Bots and searches in worker processes, so that no table waits for another table's bot."""

from tamaya.workers.bot_pool import PoolBotExecutor
from tamaya.workers.search_bots import SearchBotExecutor, SearchingAdviser, best_advice
from tamaya.workers.search_pool import SearchPool

__all__ = ["PoolBotExecutor", "SearchBotExecutor", "SearchPool", "SearchingAdviser", "best_advice"]
