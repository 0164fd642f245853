"""The machine that figures were measured on."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tamaya.league.workers.processes import usable_cores

PACKAGES = {"NumPy": "numpy", "Numba": "numba"}
"""What speed depends on, by the name that people know."""


def processor() -> str:
    """What the processor is called, as far as the system says."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def describe_machine(packages: Mapping[str, str] = PACKAGES) -> str:
    """The machine, its Python and the versions of some packages, in one line."""
    parts = [f"{processor()}, {count_cores(usable_cores())}", f"Python {platform.python_version()}"]
    for name, package in packages.items():
        try:
            parts.append(f"{name} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"no {name}")
    return ", ".join(parts)


def count_cores(count: int) -> str:
    """So many cores, in words."""
    return "1 core" if count == 1 else f"{count} cores"
