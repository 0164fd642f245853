"""Bots between their turns: each keeps its seat, and what it remembers, for as long as its game goes on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tamaya.bots.protocol import Bot
from tamaya.bots.safe import safe_action
from tamaya.bots.seated import SeatedBot, failure
from tamaya.engine import View
from tamaya.rules import Action, Message

MOST_KEPT = 256


@dataclass(frozen=True, slots=True)
class Thought:
    """What comes of a bot's turn: a legal action and, where the bot gives them, its reasons.

    With a `problem`, the bot failed and the action is the safe one in its place; it says what went wrong and names no card.
    """

    action: Action
    why: Message | None = None
    problem: str = ""


class Company:
    """Bots by table, seat, name and lineup. One whose game is not the one it is asked about is exchanged for a fresh one, which
    hears of everything that has happened; so is one that has failed. Those that were not asked for longest are let go."""

    def __init__(self, make: Callable[[str], Bot], most: int = MOST_KEPT) -> None:
        self._make, self._most = make, most
        self._seated: OrderedDict[tuple[str, int | None, str, tuple[str, ...]], SeatedBot] = OrderedDict()

    def think(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> Thought:
        """The turn of a bot, who is told by the `lineup` which bot plays at each seat. Whatever happens to the bot, the action
        is legal."""
        seat = (table, view.seat, bot, tuple(lineup))
        seated = self._seated.pop(seat, None)
        try:
            if seated is None or not seated.follows(view):
                seated = SeatedBot(self._make(bot), lineup)
            thought = Thought(seated.act(view), seated.explain())
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            return Thought(safe_action(view), problem=failure(problem))
        self._seated[seat] = seated
        while len(self._seated) > self._most:
            self._seated.popitem(last=False)
        return thought
