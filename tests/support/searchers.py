"""What is done in searching processes here, in place of compiling and searching."""

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


def at_once(need: CompileKey) -> bool:
    """Compiled and found."""
    return True


def never(need: CompileKey) -> bool:
    """Not to be found."""
    return False


def broken(need: CompileKey) -> bool:
    """No compiler."""
    raise ImportError("numba")


def for_ever(need: CompileKey) -> bool:
    """A compiler that takes its time."""
    time.sleep(600)
    return True


def keep(folder: Path, need: CompileKey) -> bool:
    """Compiled and kept in a folder."""
    (folder / str(need.rules.players)).touch()
    return True


def find_kept(folder: Path, need: CompileKey) -> bool:
    """Found if it was kept there."""
    return (folder / str(need.rules.players)).exists()


def ended_at_first(folder: Path, times: int, then: Callable[[CompileKey], bool], need: CompileKey) -> bool:
    """What is ended so many times, as somebody or a lack of memory may do, and then goes well."""
    if len(list(folder.glob("ended *"))) < times:
        (folder / f"ended {os.getpid()}").touch()
        die()
    return then(need)


def late_at_first(folder: Path, then: Callable[[CompileKey], bool], need: CompileKey) -> bool:
    """What takes too long once."""
    if not (folder / "late").exists():
        (folder / "late").touch()
        raise TimeoutError
    return then(need)


def process(*_: object) -> int:
    """In which process this runs."""
    return os.getpid()


def hold(begun: Path, end: Path) -> bool:
    """Say that it has begun, and go on until it is told to end."""
    begun.touch()
    while not end.exists():
        time.sleep(0.01)
    return True


def fail() -> int:
    """A mistake in a search."""
    raise ValueError("red 4")


def die() -> int:
    """What somebody outside may do to a process."""
    os._exit(1)


class Searcher:
    """A bot that thinks ahead and comes to another end than the policy it builds on; it says with whom it plays."""

    def __init__(self) -> None:
        self._seats: tuple[str, ...] = ()

    def meet(self, seats: tuple[str, ...]) -> None:
        """Remember."""
        self._seats = seats

    def act(self, view: View) -> Action:
        """Not what the simple bot does."""
        plain = SimpleBot().act(view)
        return next(action for action in view.legal_actions if action != plain)

    def explain(self) -> str:
        """Who plays."""
        return f"with {self._seats}"


def make(name: str) -> Bot:
    """The searcher, or a bot that misbehaves."""
    return Searcher() if name == "searcher" else bots.make(name)


def find(name: str) -> BotEntry:
    """All but the bots of the house build on the simple one."""
    if name == "nobody has heard of it":
        raise MalformedError("unknown_bot", SUMMARY)
    searching = name == "searcher" or name in bots.ALL
    return BotEntry(SUMMARY, from_views=SimpleBot, base_policy="simple") if searching else find_bot(name)
