"""The single lines of a board that say how things stand: whose turn it is, the score, what can be done now."""

from __future__ import annotations

from tamaya.engine import View
from tamaya.rules import Clue, Message, say, say_n
from tamaya.web.moment import Moment


def turn_words(moment: Moment) -> Message:
    """Whose turn it is, or how the game ended."""
    view = moment.view
    if view.outcome:
        return view.outcome.ending.word
    assert view.to_move is not None
    if view.to_move != moment.seat:
        return say("It is {player}'s turn.", player=moment.names[view.to_move])
    return say("A bot takes your turn.") if moment.bot_stands_in else say("Your turn")


def score_words(view: View) -> Message:
    """What the team has, and what it can get at most."""
    if view.rules.all_or_nothing:
        return say("{placed} of {maximum} cards placed", placed=view.points, maximum=view.rules.maximum)
    return say_n("{n} point, at most {maximum}", "{n} points, at most {maximum}", view.points, maximum=view.maximum)


def hint(moment: Moment) -> Message:
    """What the reader can do now, before anything is chosen."""
    if moment.tried and moment.view.to_move is not None:
        return say("Choose what {player} does instead.", player=moment.names[moment.view.to_move])
    if moment.bot_stands_in:
        return say("A bot plays for you; take your seat back first.")
    if moment.active and moment.advice:
        return moment.advice.advice.idea
    if not moment.active:
        return say("Meanwhile you can look at your cards and rearrange them.")
    if not moment.view.hand:
        return say("Your turn: choose a teammate to tell something.")
    if not moment.view.clue_tokens:
        return say("Your turn: choose one of your cards. No clue token is left.")
    if not any(isinstance(action, Clue) for action in moment.view.legal_actions):
        return say("Your turn: choose one of your cards.")
    return say("Your turn: choose a teammate to tell something, or one of your cards.")
