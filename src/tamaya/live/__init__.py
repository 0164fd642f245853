"""What keeps tables alive: how news of them travels, and where bots think."""

from tamaya.live.adviser import SearchingAdviser, best_advice
from tamaya.live.ahead import SearchThinker
from tamaya.live.local import LocalBus
from tamaya.live.searching import SearchPool
from tamaya.live.thinker import ProcessThinker

__all__ = ["LocalBus", "ProcessThinker", "SearchPool", "SearchThinker", "SearchingAdviser", "best_advice"]
