"""Bots that misbehave."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

from tamaya.bots import Bot, SimpleBot, make_bot
from tamaya.engine import View
from tamaya.rules import Play


class Misbehaving:
    """A bot that misbehaves instead of acting."""

    def __init__(self, answer: Callable[[View], Any]) -> None:
        self._answer = answer

    def act(self, view: View) -> Any:
        """Misbehave."""
        return self._answer(view)


class Incomparable:
    """An object whose comparison fails."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise TypeError("cannot be compared")


class EqualToEverything:
    """An object that equals everything."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True


class PlaySubclass(Play):
    """A subclass of an action."""


class UncaughtError(BaseException):
    """An error that `except Exception` does not catch."""


def _fail(_: View) -> None:
    raise RuntimeError("a mistake of its author")


def _end(_: View) -> None:
    raise UncaughtError


def _interrupt(_: View) -> None:
    raise KeyboardInterrupt


def _tell(view: View) -> None:
    raise KeyError(str(view.hands[1][0].card))


def _ponder(view: View) -> Any:
    time.sleep(0.8)
    return SimpleBot().act(view)


def waiting_for(file: Path) -> str:
    """The name of a bot that thinks until a file exists; `begun(file)` exists once it has begun."""
    return f"waits for {file}"


def begun(file: Path) -> Path:
    """The file that says that such a bot has begun."""
    return file.with_suffix(".begun")


def _wait_for(file: Path, view: View) -> Any:
    begun(file).touch()
    while not file.exists():
        time.sleep(0.01)
    return SimpleBot().act(view)


def _patch(view: View) -> Any:
    """Make an illegal action legal by changing the frozen view."""
    object.__setattr__(view, "legal_actions", (Play(99),))
    return view.legal_actions[0]


def _bend(view: View) -> Any:
    object.__setattr__(view.legal_actions[0], "slot", 99)
    return view.legal_actions[0]


def _empty(view: View) -> None:
    for name in ("legal_actions", "hands", "log", "rules"):
        object.__setattr__(view, name, ())
    raise RuntimeError("and now find a safe action in that")


def _print(view: View) -> Any:
    print("I see", view.hands[1], flush=True)
    print("I see", view.hands[1], file=sys.stderr, flush=True)
    os.write(1, b"I see cards\n")
    return SimpleBot().act(view)


def _leave_threads(view: View) -> Any:
    for _ in range(3):
        threading.Thread(target=time.sleep, args=(600,)).start()
    return SimpleBot().act(view)


BAD_ANSWERS: dict[str, Callable[[View], Any]] = {
    "raises": _fail,
    "tells a card": _tell,
    "leaves": lambda _: sys.exit(3),
    "recurses": lambda view: BAD_ANSWERS["recurses"](view),
    "raises what is no exception": _end,
    "answers a card that is not there": lambda _: Play(99),
    "answers nothing": lambda _: None,
    "answers a text": lambda _: "play 1",
    "answers a number": lambda _: 0,
    "answers a class": lambda _: Play,
    "answers what cannot be compared": lambda _: Incomparable(),
    "answers what equals everything": lambda _: EqualToEverything(),
    "answers a likeness": lambda view: PlaySubclass(0),
    "answers something huge": lambda _: "play 1" * 10_000_000,
}
CHEATING: dict[str, Callable[[View], Any]] = {"patches its view": _patch, "bends an action": _bend, "empties its view": _empty}
DEADLY: dict[str, Callable[[View], Any]] = {
    "interrupts": _interrupt,
    "kills its process": lambda _: os._exit(1),
    "ponders": _ponder,
    "stalls": lambda _: time.sleep(600),
}
HARMLESS: dict[str, Callable[[View], Any]] = {"prints": _print, "leaves threads behind": _leave_threads}
ALL = {**BAD_ANSWERS, **CHEATING, **DEADLY, **HARMLESS}


class Remembering:
    """A bot that reports how often it was asked and what it has observed."""

    def __init__(self) -> None:
        self._heard: list[int] = []
        self._asked = 0

    def observe(self, event: object) -> None:
        """Count."""
        self._heard.append(getattr(event, "turn", 0))

    def act(self, view: View) -> Any:
        """The last legal action that is no play, so that the game lasts."""
        self._asked += 1
        return next(action for action in reversed(view.legal_actions) if not isinstance(action, Play))

    def explain(self) -> str:
        """Its memory and its process."""
        return f"asked {self._asked} heard {self._heard} in {os.getpid()}"


def make(name: str) -> Bot:
    """One of these bots, or a built-in one."""
    if name == "remembers":
        return Remembering()
    if name.startswith("waits for "):
        return Misbehaving(partial(_wait_for, Path(name.removeprefix("waits for "))))
    return Misbehaving(ALL[name]) if name in ALL else make_bot(name)


async def all_ended(before: Collection[object]) -> None:
    """Wait until all processes started since have ended."""
    while set(multiprocessing.active_children()) - set(before):
        await asyncio.sleep(0.01)
