"""``python -m tests.support.impatient serve``: the real server with short timeouts and small limits, and with the failures that
`IMPATIENT_` variables ask for."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence

from tamaya.cli import main
from tamaya.storage import SqliteStore
from tamaya.table import EventBatch
from tamaya.web.server import Timeouts, runner
from tamaya.web.site import rules
from tests.support.servers import RealServer

SECRET = "the deck begins with R1 R2"
APPENDING = "keeping a change"


def wish(name: str) -> str:
    return os.environ.get(f"IMPATIENT_{name}", "")


class ImpatientServer(RealServer):
    """The impatient server in a process of its own."""

    program = (sys.executable, "-m", "tests.support.impatient")


def fail(*_: object, **__: object) -> None:
    raise ValueError(SECRET)


def keep_slowly() -> None:
    """Announce every change, and save it N seconds later."""
    append = SqliteStore.append

    async def append_slowly(store: SqliteStore, batches: Sequence[EventBatch]) -> None:
        if any(batch.first > 1 for batch in batches):
            print(APPENDING, flush=True)
            await asyncio.sleep(float(wish("STORE")))
        await append(store, batches)

    SqliteStore.append = append_slowly  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    seconds = float(wish("SECONDS") or 0.5)
    runner.TIMEOUTS = Timeouts(seconds, seconds, seconds)
    runner.MAX_PER_ADDRESS = int(wish("MAX_PER_ADDRESS") or runner.MAX_PER_ADDRESS)
    runner.RESERVED_DESCRIPTORS = int(wish("RESERVED") or runner.RESERVED_DESCRIPTORS)
    if wish("DESCRIPTORS"):
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (int(wish("DESCRIPTORS")),) * 2)
    if wish("STORE"):
        keep_slowly()
    if wish("FAILURE"):
        rules.explain = fail  # type: ignore[attr-defined, assignment]
    main()
