"""What keeps tables alive: how news of them travels, and where bots think."""

from tamaya.live.local import LocalBus
from tamaya.live.thinker import ProcessThinker

__all__ = ["LocalBus", "ProcessThinker"]
