"""The machine that figures belong to."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tamaya.sim.league.runners.processes import cores as usable_cores

PACKAGES = {"NumPy": "numpy", "Numba": "numba", "OpenSpiel": "open_spiel"}


def processor() -> str:
    """What the processor is called, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def machine() -> str:
    """The machine and what runs on it, in one line."""
    parts = [f"{processor()}, {cores(usable_cores())}", f"Python {platform.python_version()}"]
    for name, package in PACKAGES.items():
        try:
            parts.append(f"{name} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"no {name}")
    return ", ".join(parts)


def cores(count: int) -> str:
    """So many cores, in words."""
    return "1 core" if count == 1 else f"{count} cores"
