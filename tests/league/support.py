"""Bots for tests of the league. Workers run `played`, which registers the bots first."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tamaya.bots import BotEntry, SimpleBot, registry
from tamaya.engine import View
from tamaya.league import Chunk, ChunkResult, Match, play_chunk, record_chunk
from tamaya.rules import LastMistake, Play, Rules, say


class Answering:
    """A bot with a prepared answer."""

    def __init__(self, answer: Callable[[View], Any]) -> None:
        self._answer = answer

    def act(self, view: View) -> Any:
        return self._answer(view)


def _quick(view: View) -> Any:
    """Some legal action that depends on the game, seldom a play: fast enough for many games."""
    choice = 7 * len(view.log) + 3 * view.clue_tokens + 5 * view.points + view.hand[0].number
    others = [action for action in view.legal_actions if not isinstance(action, Play)]
    actions = others if others and choice % 10 else view.legal_actions
    return actions[choice % len(actions)]


def _raising(view: View) -> Any:
    if len(view.log) == 3:
        raise KeyError("a mistake of its author")
    return _quick(view)


class Forgetful:
    """A bot that would play a second game differently from the first."""

    def __init__(self) -> None:
        self._seen = 0

    def act(self, view: View) -> Any:
        """A choice by the number of calls, so that reusing a bot for a second game would change the totals."""
        self._seen += 1
        return view.legal_actions[self._seen % len(view.legal_actions)]


class Dying:
    """A bot that kills its process in the middle of a game, once: if its mark file exists, it plays on."""

    def __init__(self, mark: Path | None) -> None:
        self._mark = mark

    def act(self, view: View) -> Any:
        if len(view.log) == 4 and not (self._mark and self._mark.exists()):
            if self._mark:
                self._mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return _quick(view)


def _leave(view: View) -> Any:
    raise SystemExit(3)


def bots(mark: Path | None) -> dict[str, Callable[[], Any]]:
    return {
        "quick": lambda: Answering(_quick),
        "forgetful": Forgetful,
        "dying": lambda: Dying(mark),
        "raising": lambda: Answering(_raising),
        "leaving": lambda: Answering(_leave),
        "illegal": lambda: Answering(lambda view: Play(99)),
        "telling": lambda: Answering(lambda view: str(SimpleBot().act(view))),
        "unborn": lambda: 1 // 0,
    }


@contextmanager
def known(mark: Path | None = None) -> Iterator[None]:
    """Make these bots known to `make_bot` within the context."""
    before = registry.BOTS
    registry.BOTS = {**before, **{name: BotEntry(say("Test."), from_views=make) for name, make in bots(mark).items()}}
    try:
        yield
    finally:
        registry.BOTS = before


def match_of(bot: str, games: int, players: int = 2, seed: int = 5) -> Match:
    with known():
        return Match(bot, Rules(players=players), seed, games)


def played(chunk: Chunk, mark: Path | None = None, recorded: bool = False) -> ChunkResult:
    """The workers' function in the tests."""
    with known(mark):
        return (record_chunk if recorded else play_chunk)(chunk)


def leaving_a_mark(mark: Path) -> Callable[[Chunk], ChunkResult]:
    """The same with a mark file for the bot that dies once."""
    return partial(played, mark=mark)


def stalling(chunk: Chunk) -> ChunkResult:
    """Play the first chunk, and stall on any other."""
    if chunk.first:
        time.sleep(600)
    return played(chunk)


RULES = Rules(players=3, mistakes=5, last_mistake=LastMistake.POINTS)
"""The rules that tests compile for."""
