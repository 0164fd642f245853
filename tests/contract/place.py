"""A place for a store that tests reopen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

from tamaya.table import Store
from tests.contract.adapters import STORES, Kind
from tests.limits import WAIT, within
from tests.programs import Program, line_of, start_python
from tests.support.fakes import run

Result = TypeVar("Result")


def read_until_killed(child: Program, lines: int, waiting_for: str) -> list[str]:
    """All complete lines of a process that is killed after printing `lines` of them."""
    said = [line_of(child, waiting_for) for _ in range(lines)]
    child.kill()
    assert child.stdout
    with within(WAIT, "the last words of a killed process"):
        said += child.stdout.readlines()
    return [line for line in said if line.endswith("\n")]


class Place:
    """A fresh place for one kind of store, which a test can open repeatedly. Its data lives as long as the place."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.kind: Kind = STORES[name]
        self.where: Any = self.kind.place(folder)

    def use(self, *steps: Callable[[Store], Awaitable[Result]]) -> Result:
        """Open the store for each of these steps; returns the result of the last one."""
        for step in steps:
            result = run(self._use(step))
        return result

    async def _use(self, step: Callable[[Store], Awaitable[Result]]) -> Result:
        store = await self.kind.open(self.where)
        try:
            return await step(store)
        finally:
            await store.close()


class PersistentPlace(Place):
    """A place that other processes can open."""

    where: str

    def child(self, *words: str) -> AbstractContextManager[Program]:
        """Start another process at the same place."""
        return start_python("-m", "tests.contract.child", self.name, self.where, *words)
