"""Bots that no table should have to suffer. `choose` is run in the thinking process, where it makes them known first."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from tamaya.bots import BotEntry, SimpleBot, registry
from tamaya.engine import View
from tamaya.live import thinker
from tamaya.rules import Play, say

_choose = thinker.choose


class Misbehaving:
    """A bot that does something else than to act."""

    def __init__(self, answer: Callable[[View], Any]) -> None:
        self._answer = answer

    def act(self, view: View) -> Any:
        """Misbehave."""
        return self._answer(view)


class Incomparable:
    """Something that is neither equal to an action nor different from it."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise TypeError("cannot be compared")


def _fail(_: View) -> None:
    raise RuntimeError("a mistake of its author")


def _tell(view: View) -> None:
    raise KeyError(str(view.hands[1][0].card))


def _ponder(view: View) -> Any:
    time.sleep(0.8)
    return SimpleBot().act(view)


BAD_ANSWERS: dict[str, Callable[[View], Any]] = {
    "raises": _fail,
    "tells a card": _tell,
    "leaves": lambda _: sys.exit(3),
    "recurses": lambda view: BAD_ANSWERS["recurses"](view),
    "answers a card that is not there": lambda _: Play(99),
    "answers nothing": lambda _: None,
    "answers a text": lambda _: "play 1",
    "answers a number": lambda _: 0,
    "answers what cannot be compared": lambda _: Incomparable(),
}
DEADLY: dict[str, Callable[[View], Any]] = {
    "kills its process": lambda _: os._exit(1),
    "ponders": _ponder,
    "stalls": lambda _: time.sleep(600),
}


def know_them() -> None:
    """Let `make_bot` find them."""
    bots = {name: BotEntry(lambda answer=answer: Misbehaving(answer), say("Bad."), {}) for name, answer in ALL.items()}  # type: ignore[misc]
    registry.BOTS = {**registry.BOTS, **bots}


ALL = {**BAD_ANSWERS, **DEADLY}


def choose(bot: str, view: View) -> str | None:
    """What the thinker runs in the other process, with these bots among the others."""
    if bot not in registry.BOTS:
        know_them()
    return _choose(bot, view)
