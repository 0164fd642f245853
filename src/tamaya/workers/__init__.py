"""Work in processes of its own, so that no table waits for another table's bot."""

from tamaya.workers.bot_pool import ProcessThinker
from tamaya.workers.search_bots import SearchingAdviser, SearchThinker, best_advice
from tamaya.workers.search_pool import SearchPool

__all__ = ["ProcessThinker", "SearchPool", "SearchThinker", "SearchingAdviser", "best_advice"]
