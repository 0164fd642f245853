"""Python reads this file when it starts, in every program that `./dev test quick` starts: it does without what takes long.

A test that needs a compiler, a cluster or a browser has a mark that says so, and the quick run leaves it out. One that lacks
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
"""What was imported in this process in spite of it, also where nobody heard of the refusal."""


class MissingMarkError(Exception):
    """Not an `ImportError`: nobody is to take the package for one that is not installed."""


class Refusing(MetaPathFinder, Loader):
    """Finds the packages, as others may ask whether they are there, but does not let anybody import them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The package, if it is one of those."""
        return ModuleSpec(fullname, self) if fullname in MARKS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Refuse."""
        asked.append(spec.name)
        raise MissingMarkError(refusal(spec.name))

    def exec_module(self, module: ModuleType) -> None:
        """Never reached."""


def refusal(package: str) -> str:
    """What to tell who wrote the test."""
    return f"{package} was imported in a quick test: the test needs the mark @pytest.mark.{MARKS[package]}"


def refuse() -> None:
    """From now on, in this process."""
    sys.meta_path.insert(0, Refusing())


if __name__ == "sitecustomize":
    refuse()
