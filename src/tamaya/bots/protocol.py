"""What a bot is: something that, shown what a player may see, answers with an action.

Only `act` is demanded. A bot that wants to hear of every event has `observe`, one that can give its reasons has `explain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from tamaya.engine import Event, View
from tamaya.rules import Action, IllegalError, Message, say


class Bot(Protocol):
    """A player that is a program. A fresh one is made for each seat of each game and kept to the game's end."""

    def act(self, view: View) -> Action:
        """One of the view's legal actions."""
        ...


@runtime_checkable
class ObservingBot(Bot, Protocol):
    """A bot that is told what happens."""

    def observe(self, event: Event) -> None:
        """Hear of an event of the game, its own actions and rearranged hands included: each once, in order, and before the
        `act` that follows it."""
        ...


@runtime_checkable
class MeetingBot(Bot, Protocol):
    """A bot that wants to know with whom it plays."""

    def meet(self, seats: Sequence[str]) -> None:
        """Hear, before its first `act`, which bot plays at each seat; nothing stands for people."""
        ...


@runtime_checkable
class ExplainingBot(Bot, Protocol):
    """A bot that gives its reasons."""

    def explain(self) -> Message | str | None:
        """Why the last action was taken. Players read it after the game: it may name any card that the bot sees."""
        ...


def illegal_choice(shown: str) -> IllegalError:
    """What a bot did wrong that chose something else than a legal action."""
    message = say("it chose {action}, which is none of its legal actions.", action=shown[:40])
    return IllegalError("illegal_choice", message)
