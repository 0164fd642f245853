"""Processes and their resources, from the proc file system."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ESTABLISHED, CLOSE_WAIT = "01", "08"
MIB = 1024


@dataclass(frozen=True)
class Holding:
    """The resources of a process: memory in MiB, open files of any kind, threads."""

    memory: int
    files: int
    threads: int


def processes_of(group: int) -> list[int]:
    """The running processes of a group, the oldest first."""
    return sorted(pid for pid, state, _, found in _stats() if found == group and state != "Z")


def parent_of(process: int) -> int:
    """The parent of a process, unless it has ended."""
    return next((parent for pid, _, parent, _ in _stats() if pid == process), 0)


def command_of(process: int) -> str:
    """The command line of a process; empty once it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text(errors="replace").replace("\0", " ")
    return ""


def holding_of(process: int) -> Holding:
    """The resources of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    memory, threads = (int(found[1]) for name in ("VmRSS", "Threads") if (found := re.search(rf"{name}:\s+(\d+)", status)))
    return Holding(memory // MIB, len(os.listdir(f"/proc/{process}/fd")), threads)


def connections_at(port: int) -> int:
    """The number of connections to a local port, including those closed only by the other side."""
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return sum(int(row[1].rpartition(":")[2], 16) == port and row[3] in (ESTABLISHED, CLOSE_WAIT) for row in rows)


def _stats() -> Iterator[tuple[int, str, int, int]]:
    """Id, state, parent and group of every process."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                state, parent, group, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
                yield int(folder.name), state, int(parent), int(group)
