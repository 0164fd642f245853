"""Advice as a page shows it to the player who asked, and what everybody reads of it: that it was taken."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tamaya.i18n import catalogue, reason_in_words
from tamaya.rules import Clue, Message, say, say_n
from tamaya.web.moment import Moment


@dataclass(frozen=True, slots=True)
class AdviceNote:
    """What the reader can ask for next and has been told so far: the move, what it is about on the page, and the reasons."""

    step: int
    move: str = ""
    about: str = ""
    reasons: str = ""


def advice_note(moment: Moment, language: str) -> AdviceNote | None:
    """The advice that is open to the reader, if they can ask for some."""
    if not moment.live or not moment.facts.may_ask_advice:
        return None
    shown = moment.advice
    if shown is None or shown.steps == 1:
        return AdviceNote(step=2 if shown else 1)
    action, speak = shown.advice.action, catalogue(language)
    about = f"clue-{action.seat}" if isinstance(action, Clue) else f"card-{moment.view.hand[action.slot].number}"
    told = (reason_in_words(speak, reason, moment.names, moment.seat) for reason in shown.advice.reasons)
    return AdviceNote(3, str(action), about, speak.paragraph(told) if shown.steps == 3 else "")


def advised_words(moment: Moment) -> tuple[Message, ...]:
    """What is said of a game in which somebody took advice: who, and how often."""
    times = Counter(taken.seat for taken in moment.advised)
    return tuple(
        say_n("You took advice once.", "You took advice {n} times.", times[seat])
        if seat == moment.seat
        else say_n("{player} took advice once.", "{player} took advice {n} times.", times[seat], player=moment.names[seat])
        for seat in sorted(times)
    )


WITH_ADVICE = say("with advice")
"""What is said of a result, or of a table, that has to do with advice."""
