"""Imported at start-up by Python in every program of `./dev test quick`: refuses packages that are slow to import.

A test that needs a compiler, a cluster or a browser has a mark that says so, and the quick run leaves it out. A test without
its mark fails in the quick run as soon as it, or a program that it starts, imports the package.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MARKS = {"numba": "compiler", "ray": "cluster", "playwright": "browser", "torch": "torch"}
"""The mark that a test needs, by the package that it imports."""

asked: list[str] = []
"""The refused imports of this process, even where the error was caught."""


class MissingMarkError(Exception):
    """Not an `ImportError`, which code would take for a package that is not installed."""


class Refusing(MetaPathFinder, Loader):
    """Finds the packages, because code may look for them, but refuses to import them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a refused package; None for any other."""
        return ModuleSpec(fullname, self) if fullname in MARKS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Refuse the import."""
        asked.append(spec.name)
        raise MissingMarkError(refusal(spec.name))

    def exec_module(self, module: ModuleType) -> None:
        """Never reached."""


def refusal(package: str) -> str:
    """The message for the author of the test."""
    return f"{package} was imported in a quick test: the test needs the mark @pytest.mark.{MARKS[package]}"


def refuse() -> None:
    """Refuse the packages in this process from now on."""
    sys.meta_path.insert(0, Refusing())


if __name__ == "sitecustomize":
    refuse()
