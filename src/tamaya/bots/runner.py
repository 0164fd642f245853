"""Asking a bot for an action, as every part of Tamaya does; and a cache of bots between their turns."""

from __future__ import annotations

import traceback
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tamaya.bots.fallback import fallback_action
from tamaya.bots.protocol import Bot, ExplainingBot, MeetingBot, ObservingBot, explanation, illegal_choice, plain_words
from tamaya.engine import Event, View
from tamaya.rules import Action, Clue, Discard, Message, Play, TamayaError, say

ACTIONS = (Clue, Play, Discard)
MAX_BOTS = 256
MAX_TRACEBACK_PLACES, MAX_FAILURE_LENGTH = 3, 120


class BotSeat:
    """A bot in one seat of one game. It hears every event before it is asked, and its choice is legal or raises."""

    def __init__(self, bot: Bot, seats: Sequence[str] = ()) -> None:
        self._bot = bot
        if seats and isinstance(bot, MeetingBot):
            bot.meet(seats)
        self._observe = bot.observe if isinstance(bot, ObservingBot) else None
        self._explain = bot.explain if isinstance(bot, ExplainingBot) else None
        self._heard: tuple[Event, ...] = ()
        self._asked = False

    def act(self, view: View) -> Action:
        """The bot's choice among the view's legal actions; raises what the bot raises, or `IllegalError` for another answer."""
        legal = view.legal_actions
        news, self._heard = view.log[len(self._heard) :], view.log
        if self._observe:
            for event in news:
                self._observe(event)
        self._asked = True
        answer: object = self._bot.act(view)
        chosen = legal_choice(answer, legal)
        if chosen is None:
            shown = str(answer) if type(answer) in (*ACTIONS, str, int) else type(answer).__name__
            raise illegal_choice(shown)
        return chosen

    def explain(self) -> Message | None:
        """The bot's explanation of its last action, if it gives one; an exception here does not undo the action."""
        if not self._explain:
            return None
        try:
            return explanation(self._explain())
        except (Exception, SystemExit) as problem:
            return say("It failed to explain this: {problem}", problem=describe_error(problem))

    def follows(self, view: View) -> bool:
        """Whether a view continues the game that the bot has followed; if not, a fresh bot is needed."""
        heard = len(self._heard)
        return len(view.log) >= heard + self._asked and view.log[:heard] == self._heard


def legal_choice(answer: object, legal: Sequence[Action]) -> Action | None:
    """The legal action that an answer names, as an object of this package, since an answer may merely claim to equal one."""
    return next((action for action in legal if action == answer), None) if type(answer) in ACTIONS else None


def describe_error(problem: BaseException) -> str:
    """The type of an exception and where it was raised, without its message, which may name cards."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename != __file__]
    places = " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-MAX_TRACEBACK_PLACES:])
    name = problem.code if isinstance(problem, TamayaError) else type(problem).__name__
    return plain_words(f"{name} ({places})" if places else name, MAX_FAILURE_LENGTH)


@dataclass(frozen=True, slots=True)
class BotMove:
    """The result of a bot's turn: a legal action and, if the bot gives them, its reasons.

    If the bot failed, the action is the fallback and `problem` says what went wrong without naming a card.
    """

    action: Action
    why: Message | None = None
    problem: str = ""


class BotRunner:
    """A cache of bots by table, seat, name and line-up, which keeps their memories between turns. A bot that failed or followed
    another game is replaced by a fresh one; the least recently used bots are dropped."""

    def __init__(self, make: Callable[[str], Bot], max_bots: int = MAX_BOTS) -> None:
        self._make, self._max_bots = make, max_bots
        self._seated: OrderedDict[tuple[str, int | None, str, tuple[str, ...]], BotSeat] = OrderedDict()

    def think(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        """The move of a bot, which `lineup` tells the bot at each seat. The action is legal whatever the bot does."""
        seat = (table, view.seat, bot, tuple(lineup))
        seated = self._seated.pop(seat, None)
        try:
            if seated is None or not seated.follows(view):
                seated = BotSeat(self._make(bot), lineup)
            thought = BotMove(seated.act(view), seated.explain())
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            return BotMove(fallback_action(view), problem=describe_error(problem))
        self._seated[seat] = seated
        while len(self._seated) > self._max_bots:
            self._seated.popitem(last=False)
        return thought
