"""Scheduled backups; the newest file in the folder tells when the next one is due."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from tamaya.storage.backup import newest_backup
from tamaya.web.options import ServerOptions

logger = logging.getLogger(__name__)
HOUR = 3600.0
MAX_SLEEP = 600.0
"""The seconds between checks, as clocks can jump."""
RECHECK_DELAY = 60.0
"""The seconds until the next check after a backup, which another process may have made instead."""
RETRY_DELAY = 600.0
NICENESS = 10
"""The scheduling priority of backups, on systems that have one: lower than the server's."""


async def run_backups(
    options: ServerOptions,
    make: Callable[[ServerOptions], Awaitable[str]] | None = None,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Make a backup whenever one is due, until cancelled; of several processes, one makes it."""
    make = make or make_backup
    while True:
        try:
            remaining, error = await asyncio.to_thread(_seconds_left, options, clock()), ""
            if remaining <= 0:
                remaining, error = RECHECK_DELAY, await make(options)
        except Exception as failure:
            error = getattr(failure, "strerror", None) or type(failure).__name__
        if error:
            remaining = RETRY_DELAY
            logger.error("backup failed: %s", error)
        await sleep(min(remaining, MAX_SLEEP))


async def make_backup(options: ServerOptions) -> str:
    """Make a backup in a process of its own; returns its error message, empty on success."""
    arguments = ("--to", options.backup_to, "--every", str(options.backup_every), "--keep", str(options.backup_keep))
    variables = {"TAMAYA_DATA": options.data, "TAMAYA_DATABASE": options.database, "TAMAYA_CONFIG": ""}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tamaya", "backup", *arguments, "--lang", "en"),
        env={**os.environ, **variables},
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
        start_new_session=True,
    )
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
    try:
        output = (await process.communicate())[1].decode(errors="replace").strip()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return (output.splitlines() or [f"exit status {process.returncode}"])[-1][:300] if process.returncode else ""


def _seconds_left(options: ServerOptions, now: float) -> float:
    newest = newest_backup(Path(options.backup_to), now)
    return newest.made + options.backup_every * HOUR - now if newest else 0.0
