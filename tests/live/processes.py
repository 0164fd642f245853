"""What becomes of processes that tests have started."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Collection


async def all_ended(before: Collection[object]) -> None:
    """Wait until no process is left that was not there before."""
    while set(multiprocessing.active_children()) - set(before):
        await asyncio.sleep(0.01)
