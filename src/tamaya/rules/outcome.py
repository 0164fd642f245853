"""How a game ends: the endings, the score and its rating."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from tamaya.rules.message import Message, say, say_in
from tamaya.rules.ruleset import LastMistake, Rules


class Ending(IntEnum):
    """Why a game is over; the numbers are those of the engine."""

    WON = 1
    POINTS = 2
    MISTAKES = 3
    MISSING_CARD = 4
    DEADLOCK = 5

    @property
    def lost(self) -> bool:
        """Whether the team lost before the end of the deck."""
        return self >= Ending.MISTAKES

    @property
    def word(self) -> Message:
        """One sentence about how the game ended."""
        return _ENDINGS[self]


_ENDINGS = {
    Ending.WON: say("Every firework is complete!"),
    Ending.POINTS: say("The show is over: the deck is empty and everyone has had a last turn."),
    Ending.MISTAKES: say("Lost: that was one mistake too many."),
    Ending.MISSING_CARD: say("Lost: a card without which a firework cannot be completed is gone."),
    Ending.DEADLOCK: say("Lost: the player whose turn it is has neither a card nor a clue token."),
}

_RATINGS = (
    (30, say_in("rating", "Divine: the stars step aside")),
    (25, say_in("rating", "Legendary: songs will be sung of it")),
    (21, say_in("rating", "Extraordinary: the whole city is at the windows")),
    (16, say_in("rating", "Excellent: the whole street cheers")),
    (11, say_in("rating", "Honourable: the neighbours nod")),
    (6, say_in("rating", "Poor: more smoke than light")),
    (0, say_in("rating", "Horrible: the powder was damp")),
)


def rating(score: int) -> Message:
    """The crowd's opinion of a score."""
    return next(words for least, words in _RATINGS if score >= least)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: why, the points of the fireworks, and the score, None where the rules give none."""

    ending: Ending
    points: int
    score: int | None

    @property
    def rating(self) -> Message | None:
        """The crowd's opinion of the score; None without one."""
        return None if self.score is None else rating(self.score)


def is_scored(rules: Rules, ending: Ending) -> bool:
    """Whether a game that ended so has a score; where all or nothing counts, or a loss is a loss, it has none."""
    return rules.counts_points and not (ending.lost and rules.last_mistake is LastMistake.LOST)
