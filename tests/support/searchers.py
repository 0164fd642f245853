"""Functions for search workers to run instead of compiling and searching."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from tamaya.bots import Bot, BotEntry, SimpleBot, find_bot
from tamaya.engine import View
from tamaya.rules import Action, MalformedError, say
from tamaya.workers.search_pool import CompileKey
from tests.support import bots

SUMMARY = say("A bot of these tests.")


def succeed(key: CompileKey) -> bool:
    """Compile or load successfully."""
    return True


def find_nothing(key: CompileKey) -> bool:
    """Find nothing on disk."""
    return False


def fail_to_import(key: CompileKey) -> bool:
    """Fail for lack of a compiler."""
    raise ImportError("numba")


def run_forever(key: CompileKey) -> bool:
    """Compile forever."""
    time.sleep(600)
    return True


def keep(folder: Path, key: CompileKey) -> bool:
    """Create a file in a folder, in place of compiled code."""
    (folder / str(key.rules.players)).touch()
    return True


def find_kept(folder: Path, key: CompileKey) -> bool:
    """Load what `keep` stored there."""
    return (folder / str(key.rules.players)).exists()


def die_at_first(folder: Path, times: int, then: Callable[[CompileKey], bool], key: CompileKey) -> bool:
    """End the process, as for lack of memory, the first `times` times."""
    if len(list(folder.glob("ended *"))) < times:
        (folder / f"ended {os.getpid()}").touch()
        die()
    return then(key)


def time_out_at_first(folder: Path, then: Callable[[CompileKey], bool], key: CompileKey) -> bool:
    """Time out once."""
    if not (folder / "late").exists():
        (folder / "late").touch()
        raise TimeoutError
    return then(key)


def process(*_: object) -> int:
    """The id of the process."""
    return os.getpid()


def run_until(begun: Path, end: Path) -> bool:
    """Touch `begun`, then run until `end` exists."""
    begun.touch()
    while not end.exists():
        time.sleep(0.01)
    return True


def fail() -> int:
    """Fail with an error that names a card."""
    raise ValueError("red 4")


def die() -> int:
    """End the process."""
    os._exit(1)


class Searcher:
    """A searching bot whose moves differ from its base policy's; it explains who plays."""

    def __init__(self) -> None:
        self._seats: tuple[str, ...] = ()

    def meet(self, seats: tuple[str, ...]) -> None:
        """Remember."""
        self._seats = seats

    def act(self, view: View) -> Action:
        """An action other than the simple bot's."""
        plain = SimpleBot().act(view)
        return next(action for action in view.legal_actions if action != plain)

    def explain(self) -> str:
        """Who plays."""
        return f"with {self._seats}"


def make(name: str) -> Bot:
    """A `Searcher`, or a bot that misbehaves."""
    return Searcher() if name == "searcher" else bots.make(name)


def find(name: str) -> BotEntry:
    """Registry entries in which all bots but built-in ones have the simple one as base policy."""
    if name == "unknown":
        raise MalformedError("unknown_bot", SUMMARY)
    searching = name == "searcher" or name in bots.ALL
    return BotEntry(SUMMARY, from_views=SimpleBot, base_policy="simple") if searching else find_bot(name)
