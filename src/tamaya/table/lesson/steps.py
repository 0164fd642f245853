"""What the learner is told in each step of the first deal, and how a wrong move is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tamaya.engine import View
from tamaya.i18n import player_at
from tamaya.rules import Action, Clue, Colour, Discard, Message, Play, say
from tamaya.table.lesson.deal import BOTH_ONES, HELPER, SPARE, TEACHER

Answer = Callable[[View, Action], Message]
"""The kind answer to a wrong move: why not, and what to try."""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step, from turn `begins` on: what to do, why, what to say once it is done, and how a wrong move is answered.

    The first steps are only watched; `reminder` repeats what they said.
    """

    begins: int
    sentence: Message
    why: Message
    done: Message | None = None
    answer: Answer | None = None
    reminder: Message | None = None


_TEACHER, _HELPER = player_at(TEACHER), player_at(HELPER)
_FACING_AWAY = say("Your cards face away from you: everybody sees them but you.")


def _number(view: View, action: Play | Discard) -> int:
    return view.hand[action.slot].number


def _instead_of_a_one(view: View, action: Action) -> Message:
    match action:
        case Clue():
            return say("A clue can wait: you hold a card that is sure to fit. Play one of your two 1s.")
        case Play():
            return say("That card is no 1, so it does not fit yet. Play one of the two that {player} marked.", player=_TEACHER)
        case Discard():
            return say("Nothing has to go yet: you hold a card that is sure to fit. Play one of your two 1s.")


def _instead_of_red(view: View, action: Action) -> Message:
    match action:
        case Clue(seat, 2) if seat == HELPER:
            return say("“2” would mark the white 2 as well, which does not fit yet. Tell {player} “red”.", player=_HELPER)
        case Clue(seat) if seat == HELPER:
            return say("That would not lead {player} to the red 2. Say “red”: it marks that card alone.", player=_HELPER)
        case Clue():
            return say("{teacher} holds no card that fits right now. {helper} does: the red 2.",
                       teacher=_TEACHER, helper=_HELPER)  # fmt: skip
        case _:
            return say("You are not sure of that card. {player} can play at once if you say “red”.", player=_HELPER)


def _instead_of_saving(view: View, action: Action) -> Message:
    match action:
        case Clue(seat, Colour.GREEN) if seat == TEACHER:
            return say("“Green” would mark the green 2 as well and sound like “play me”. Say “5”: everybody keeps a 5.")
        case Clue(seat) if seat == TEACHER:
            return say("That would leave the green 5 in danger. Tell {player} “5”.", player=_TEACHER)
        case _:
            return say("Meanwhile {player} might discard the green 5. First tell {player} “5”.", player=_TEACHER)


def _instead_of_discarding(view: View, action: Action) -> Message:
    match action:
        case Discard() if _number(view, action) in BOTH_ONES:
            return say("Keep your 1 a little longer. Discard a card nobody has spoken of.")
        case Discard():
            return say("That is your 5, and there is only one of each colour. Discard a card nobody has spoken of.")
        case Clue():
            return say("You could, but the tokens are running out. Discard a card nobody has spoken of.")
        case Play() if _number(view, action) in SPARE:
            return say("You know too little about that card: to play it is a gamble. Discard it instead.")
        case Play():
            return say("You cannot be sure that it fits. Discard a card nobody has spoken of.")


def _instead_of_the_risk(view: View, action: Action) -> Message:
    return say("In a real game that may be wiser. Just this once, take the risk: play your 1.")


STEPS = (
    LessonStep(
        0,
        _FACING_AWAY,
        say("You play together: each colour is a firework, built from 1 to 5. What you hold, the others tell you."),
    ),
    LessonStep(
        1,
        say("{player} tells you “1”, and your two 1s light up.", player=_TEACHER),
        say("A clue names one colour or one value and marks every card that has it. It costs a clue token."),
    ),
    LessonStep(
        2,
        say("{player} marked your two 1s. No firework has begun, so either fits: tap one and play it.", player=_TEACHER),
        say("Every firework begins with a 1, and none has one yet. So the colour does not matter: a 1 cannot be wrong now."),
        say("It is the red 1, and it fits: the first firework is lit. Now the others play."),
        _instead_of_a_one,
        _FACING_AWAY,
    ),
    LessonStep(
        5,
        say("{player} holds the red 2, which fits now, and does not know it. Tell {player} “red”.", player=_HELPER),
        say("{player} will see that a single card is red and that red needs its 2 next. A clue to one card says: play it.",
            player=_HELPER),
        say("{player} knows now which card is red. Watch what happens.", player=_HELPER),
        _instead_of_red,
    ),
    LessonStep(
        8,
        say("{player} may discard the green 5 next, and there is only one. Tell {player} “5” to save it.", player=_TEACHER),
        say("Each colour has three 1s, two each of 2, 3 and 4, and a single 5. "
            "What nobody has spoken of is discarded first, from the left."),
        say("The green 5 is safe: {player} will keep it.", player=_TEACHER),
        _instead_of_saving,
    ),
    LessonStep(
        11,
        say("Every clue costs a token, and 4 of 8 are left. Discard a card nobody has spoken of: that brings one back."),
        say("You know your 1 and your 5. Of the others you know little, but most cards have a copy: one of them may go."),
        say("A clue token is back, and you have drawn a new card."),
        _instead_of_discarding,
    ),
    LessonStep(
        14,
        say("Your other 1 is no longer sure: red and yellow have begun. Play it this once, to see what a mistake costs."),
        say("If it is red or yellow, it does not fit. Usually you would wait until somebody names its colour."),
        say("A mistake: the card is lost, and the third one ends the game without a point. "
            "You know all you need now: the deal goes on, and every move is up to you."),
        _instead_of_the_risk,
    ),
)  # fmt: skip
"""The steps in their order; the last is over when the learner has had one turn of their own."""
