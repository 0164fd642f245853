"""Resource use of processes, observed from outside through Linux's /proc: CPU time, memory, and open connections."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from pathlib import Path

ESTABLISHED = "01"


def with_children(process: int) -> list[int]:
    """A process and all its descendants."""
    found = [process]
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            found += [one for child in (task / "children").read_text().split() for one in with_children(int(child))]
    return found


def command_of(process: int) -> str:
    """The command line of a process."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text()
    return ""


def seconds(processes: Iterable[int]) -> float | None:
    """The CPU time that the processes have used together."""
    return _added_up(processes, _seconds)


def memory(processes: Iterable[int]) -> float | None:
    """The memory that the processes use together now, in MiB; shared memory counts once."""
    return _added_up(processes, lambda process: _kilobytes(process, "smaps_rollup", "Pss") / 1024)


def peak(processes: Iterable[int]) -> float | None:
    """The sum of the processes' peak memory, in MiB; shared memory counts for each."""
    return _added_up(processes, lambda process: _kilobytes(process, "status", "VmHWM") / 1024)


def _added_up(processes: Iterable[int], figure: Callable[[int], float]) -> float | None:
    try:
        return sum(map(figure, processes))
    except OSError:
        return None


def _seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _kilobytes(process: int, file: str, name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+) kB", Path(f"/proc/{process}/{file}").read_text(), re.MULTILINE)
    return int(found[1]) if found else 0


def keep_to(processes: Iterable[int], cores: set[int]) -> None:
    """Pin processes to these cores, with all their threads and future children."""
    for process in processes:
        for task in Path(f"/proc/{process}/task").iterdir():
            os.sched_setaffinity(int(task.name), cores)


def served_by(ports: Container[int], processes: Iterable[int]) -> dict[tuple[int, int], int]:
    """The process that holds each connection to these ports, by the ports at both ends."""
    sockets = {}
    with suppress(OSError):
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            fields = line.split()
            here, there = (int(field.rpartition(":")[2], 16) for field in fields[1:3])
            if fields[3] == ESTABLISHED and here in ports:
                sockets[f"socket:[{fields[9]}]"] = here, there
    return {sockets[one]: process for process in processes for one in _sockets_of(process) if one in sockets}


def _sockets_of(process: int) -> list[str]:
    found = []
    with suppress(OSError):
        for descriptor in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                found.append(os.readlink(descriptor))
    return found
