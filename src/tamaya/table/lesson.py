"""The guided first deal: an ordinary table with a prepared deck and prepared first turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tamaya.engine import View
from tamaya.i18n import player_at
from tamaya.i18n.player_names import with_names
from tamaya.rules import Action, Card, Clue, Colour, Discard, Message, Play, read_card, say

PLAYERS = 3
FIRST_SEAT = 1
"""The seat that begins, counted as the table is opened: the learner opens it and plays last."""
TEACHER, HELPER, LEARNER = range(PLAYERS)
"""The seats in the game: the bot that begins, the other bot, and the person."""
TOP_CARDS = (
    "W4 G5 Y1 B3 B4",  # the teacher's hand
    "G3 R2 W2 G4 Y4",  # the helper's
    "B5 R1 R2 R1 B2",  # the learner's
    "W3 G2 R4 Y3 Y2",  # what is drawn while the steps last
)
"""The cards on top of the deck. Of each card discarded in the steps there is another copy."""
ONES, UNCLUED = (11, 13), (12, 14, 15)
"""The numbers of the learner's 1s, and of the cards that no clue touches."""

Right = Callable[[View], tuple[Action, ...]]


def _play(*numbers: int) -> Right:
    return lambda view: tuple(Play(slot) for slot, seen in enumerate(view.hand) if seen.number in numbers)


def _discard(*numbers: int) -> Right:
    return lambda view: tuple(Discard(slot) for slot, seen in enumerate(view.hand) if seen.number in numbers)


def _tell(seat: int, hint: Colour | int) -> Right:
    return lambda view: (Clue(seat, hint),)


RIGHT_BY_TURN: tuple[Right, ...] = (
    _tell(LEARNER, 1),
    _tell(TEACHER, 1),
    _play(*ONES),
    _play(2),
    _tell(LEARNER, 5),
    _tell(HELPER, Colour.RED),
    _discard(0),
    _play(6),
    _tell(TEACHER, 5),
    _discard(3),
    _tell(TEACHER, Colour.YELLOW),
    _discard(*UNCLUED),
    _play(19),
    _discard(5),
    _play(*ONES),
)
"""The right actions in each prepared turn, from the view of the player to move; bots take the first."""


def prepared_deck(dealt: Sequence[Card]) -> list[Card]:
    """The deck of the first deal: the prepared cards, then the others in the order in which they were dealt."""
    top = [read_card(word) for hand in TOP_CARDS for word in hand.split()]
    left = Counter(top)
    rest = []
    for card in dealt:
        if left[card]:
            left[card] -= 1
        else:
            rest.append(card)
    return top + rest


Answer = Callable[[View, Action], Message]
"""The answer to a wrong move: why not, and what to try."""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step that starts at turn `begins`: what to do, why, what to say once it is done, and the answer to a wrong move.

    The learner only watches the first steps; `reminder` repeats what they said.
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
        case Discard() if _number(view, action) in ONES:
            return say("Keep your 1 a little longer. Discard a card nobody has spoken of.")
        case Discard():
            return say("That is your 5, and there is only one of each colour. Discard a card nobody has spoken of.")
        case Clue():
            return say("You could, but the tokens are running out. Discard a card nobody has spoken of.")
        case Play() if _number(view, action) in UNCLUED:
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
"""The steps in order; the last ends when the learner has had one free turn."""


@dataclass(frozen=True, slots=True)
class Guidance:
    """What the learner is told now: the step, its words, and the right actions (none while another player is to move).

    It depends on the learner's own view alone.
    """

    view: View
    step: LessonStep
    number: int
    names: tuple[str, ...]
    right: tuple[Action, ...]

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(STEPS)

    @property
    def sentence(self) -> Message:
        """What to do; once it is done, the result."""
        done = self.step.done if self.view.turn > self.step.begins else None
        return with_names(done or self.step.sentence, self.names)

    @property
    def why(self) -> Message | None:
        """One more sentence, while there is something to do."""
        return with_names(self.step.why, self.names) if self.view.turn == self.step.begins else None

    @property
    def reminder(self) -> Message | None:
        """What an earlier step said that may have passed too fast."""
        return self.step.reminder if self.right else None

    def objection(self, action: Action) -> Message | None:
        """The answer to a wrong action; None for a right one, or when the learner is free."""
        if not self.right or action in self.right or self.step.answer is None:
            return None
        return with_names(self.step.answer(self.view, action), self.names)

    @property
    def cards(self) -> tuple[int, ...]:
        """The numbers of the learner's cards that are right to play or discard."""
        return tuple(self.view.hand[action.slot].number for action in self.right if not isinstance(action, Clue))

    @property
    def teammate(self) -> int | None:
        """The seat of the teammate to whom a clue is right."""
        return next((action.seat for action in self.right if isinstance(action, Clue)), None)


def right_actions(view: View) -> tuple[Action, ...]:
    """The right actions of the player to move, whose view this is; none once the prepared turns are over."""
    return RIGHT_BY_TURN[view.turn](view) if view.turn < len(RIGHT_BY_TURN) else ()


def guidance(view: View, names: Sequence[str]) -> Guidance | None:
    """What the lesson tells the learner; None for other players, and once the learner has had a free turn."""
    if view.seat != LEARNER or view.turn >= len(RIGHT_BY_TURN) + PLAYERS or view.outcome is not None:
        return None
    number = sum(step.begins <= view.turn for step in STEPS)
    right = right_actions(view) if view.to_move == view.seat else ()
    return Guidance(view, STEPS[number - 1], number, tuple(names), right)


__all__ = ["FIRST_SEAT", "PLAYERS", "Guidance", "guidance", "prepared_deck", "right_actions"]
