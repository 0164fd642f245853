"""A bot at its seat: the one way in which every part of the house asks a bot for an action."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

from tamaya.bots.explanation import explanation, plain_words
from tamaya.bots.protocol import Bot, ExplainingBot, MeetingBot, ObservingBot, illegal_choice
from tamaya.engine import Event, View
from tamaya.rules import Action, Clue, Discard, Message, Play, TamayaError, say

ACTIONS = (Clue, Play, Discard)
CALLERS = (Path(__file__), Path(__file__).with_name("company.py"))
DEEPEST_PLACES, LONGEST_FAILURE = 3, 120


class SeatedBot:
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
            return say("It failed to explain this: {problem}", problem=failure(problem))

    def follows(self, view: View) -> bool:
        """Whether a view is a later one of the game that the bot has heard of; if not, it needs a fresh bot."""
        heard = len(self._heard)
        return len(view.log) >= heard + self._asked and view.log[:heard] == self._heard


def legal_choice(answer: object, legal: Sequence[Action]) -> Action | None:
    """The legal action that an answer names, as an object of our own. What only claims to equal one is none."""
    return next((action for action in legal if action == answer), None) if type(answer) in ACTIONS else None


def failure(problem: BaseException) -> str:
    """What went wrong in a bot and where, without its words: they may name cards."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if Path(frame.filename) not in CALLERS]
    places = " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-DEEPEST_PLACES:])
    name = problem.code if isinstance(problem, TamayaError) else type(problem).__name__
    return plain_words(f"{name} ({places})" if places else name, LONGEST_FAILURE)
