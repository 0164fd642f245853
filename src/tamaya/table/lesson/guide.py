"""How the first deal guides: what a view of it calls for, and what is answered to anything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamaya.engine import View
from tamaya.i18n.players import with_names
from tamaya.rules import Action, Clue, Message
from tamaya.table.lesson.deal import LEARNER, PLAYERS, TURNS
from tamaya.table.lesson.steps import STEPS, LessonStep


@dataclass(frozen=True, slots=True)
class Guidance:
    """What the learner is told now: the step they are in, its words, and the actions that are right (none while another plays).

    It follows from the learner's own view alone.
    """

    view: View
    step: LessonStep
    number: int
    names: tuple[str, ...]
    right: tuple[Action, ...]

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(STEPS)

    @property
    def sentence(self) -> Message:
        """What to do; once it is done, what came of it."""
        done = self.step.done if self.view.turn > self.step.begins else None
        return with_names(done or self.step.sentence, self.names)

    @property
    def why(self) -> Message | None:
        """One more sentence, while there is something to do."""
        return with_names(self.step.why, self.names) if self.view.turn == self.step.begins else None

    @property
    def reminder(self) -> Message | None:
        """What was said in a step that may have gone by too fast."""
        return self.step.reminder if self.right else None

    def objection(self, action: Action) -> Message | None:
        """The kind answer to a wrong action; nothing against a right one, or when the learner is free."""
        if not self.right or action in self.right or self.step.answer is None:
            return None
        return with_names(self.step.answer(self.view, action), self.names)

    @property
    def cards(self) -> tuple[int, ...]:
        """The numbers of the learner's own cards that are right to take."""
        return tuple(self.view.hand[action.slot].number for action in self.right if not isinstance(action, Clue))

    @property
    def teammate(self) -> int | None:
        """The seat of the teammate to whom a clue is right."""
        return next((action.seat for action in self.right if isinstance(action, Clue)), None)


def right_actions(view: View) -> tuple[Action, ...]:
    """What is right for the player of the view, whose turn it is; nothing once the prepared turns are over."""
    return TURNS[view.turn](view) if view.turn < len(TURNS) else ()


def guidance(view: View, names: Sequence[str]) -> Guidance | None:
    """What the first deal tells the player of a view; nothing once they have had a turn of their own, or to anybody else."""
    if view.seat != LEARNER or view.turn >= len(TURNS) + PLAYERS or view.outcome is not None:
        return None
    number = sum(step.begins <= view.turn for step in STEPS)
    right = right_actions(view) if view.to_move == view.seat else ()
    return Guidance(view, STEPS[number - 1], number, tuple(names), right)
