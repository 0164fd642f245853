"""Asking a bot: the one way in which every part of Tamaya gets an action from it; and a cache of bots between their turns."""

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
DEEPEST_PLACES, LONGEST_FAILURE = 3, 120


class BotSeat:
    """A bot that plays one seat of one game. It is told every event before it is asked, and answers legally or not at all."""

    def __init__(self, bot: Bot, seats: Sequence[str] = ()) -> None:
        self._bot = bot
        if seats and isinstance(bot, MeetingBot):
            bot.meet(seats)
        self._observe = bot.observe if isinstance(bot, ObservingBot) else None
        self._explain = bot.explain if isinstance(bot, ExplainingBot) else None
        self._heard: tuple[Event, ...] = ()
        self._asked = False

    def act(self, view: View) -> Action:
        """The bot's choice among the view's legal actions. Whatever the bot raises is raised here, an answer that is none of
        them as an `IllegalError`."""
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
        """Why the bot has just acted so, if it says so. A bot that fails to say it has acted all the same."""
        if not self._explain:
            return None
        try:
            return explanation(self._explain())
        except (Exception, SystemExit) as problem:
            return say("It failed to explain this: {problem}", problem=describe_error(problem))

    def follows(self, view: View) -> bool:
        """Whether a view is a later one of the game that the bot has heard of; if not, it needs a fresh bot."""
        heard = len(self._heard)
        return len(view.log) >= heard + self._asked and view.log[:heard] == self._heard


def legal_choice(answer: object, legal: Sequence[Action]) -> Action | None:
    """The legal action that an answer names, as an object of our own. What only claims to equal one is none."""
    return next((action for action in legal if action == answer), None) if type(answer) in ACTIONS else None


def describe_error(problem: BaseException) -> str:
    """What went wrong in a bot and where, without its words: they may name cards."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename != __file__]
    places = " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-DEEPEST_PLACES:])
    name = problem.code if isinstance(problem, TamayaError) else type(problem).__name__
    return plain_words(f"{name} ({places})" if places else name, LONGEST_FAILURE)


@dataclass(frozen=True, slots=True)
class BotMove:
    """What comes of a bot's turn: a legal action and, where the bot gives them, its reasons.

    With a `problem`, the bot failed and the action is the safe one in its place; it says what went wrong and names no card.
    """

    action: Action
    why: Message | None = None
    problem: str = ""


class BotRunner:
    """Cache of bots by table, seat, name and line-up; a bot keeps its memory between turns. A bot whose game is not the one it
    is asked about is replaced by a fresh one, which hears of everything that has happened; so is one that has failed. The bots
    that were not asked for longest are dropped."""

    def __init__(self, make: Callable[[str], Bot], most: int = MAX_BOTS) -> None:
        self._make, self._most = make, most
        self._seated: OrderedDict[tuple[str, int | None, str, tuple[str, ...]], BotSeat] = OrderedDict()

    def think(self, bot: str, view: View, table: str = "", lineup: Sequence[str] = ()) -> BotMove:
        """The turn of a bot, who is told by the `lineup` which bot plays at each seat. Whatever happens to the bot, the action
        is legal."""
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
        while len(self._seated) > self._most:
            self._seated.popitem(last=False)
        return thought
