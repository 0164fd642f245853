"""The prepared deck of the first deal, and what is right in each of its turns. Only the turn decides; nothing is remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tamaya.engine import View
from tamaya.rules import Action, Card, Clue, Colour, Discard, Play, read_card

PLAYERS = 3
FIRST = 1
"""The seat that begins, as the table is opened: the learner opens it and comes last."""
TEACHER, HELPER, LEARNER = range(PLAYERS)
"""The seats in the game: the bot that begins, the other one, and the person."""
TOP = (
    "W4 G5 Y1 B3 B4",  # the teacher's hand
    "G3 R2 W2 G4 Y4",  # the helper's
    "B5 R1 R2 R1 B2",  # the learner's
    "W3 G2 R4 Y3 Y2",  # what is drawn while the steps last
)
"""The cards on top of the deck. Nothing that is thrown away in the steps is missed later: there is a copy of each."""
BOTH_ONES, SPARE = (11, 13), (12, 14, 15)
"""Cards of the learner by their numbers: the 1s, and those that no clue touches."""

Right = Callable[[View], tuple[Action, ...]]


def _play(*numbers: int) -> Right:
    return lambda view: tuple(Play(slot) for slot, seen in enumerate(view.hand) if seen.number in numbers)


def _discard(*numbers: int) -> Right:
    return lambda view: tuple(Discard(slot) for slot, seen in enumerate(view.hand) if seen.number in numbers)


def _tell(seat: int, hint: Colour | int) -> Right:
    return lambda view: (Clue(seat, hint),)


TURNS: tuple[Right, ...] = (
    _tell(LEARNER, 1),
    _tell(TEACHER, 1),
    _play(*BOTH_ONES),
    _play(2),
    _tell(LEARNER, 5),
    _tell(HELPER, Colour.RED),
    _discard(0),
    _play(6),
    _tell(TEACHER, 5),
    _discard(3),
    _tell(TEACHER, Colour.YELLOW),
    _discard(*SPARE),
    _play(19),
    _discard(5),
    _play(*BOTH_ONES),
)
"""The right actions in each prepared turn, from the view of whose turn it is; the first is the one that is shown."""


def prepared(dealt: Sequence[Card]) -> list[Card]:
    """The deck of the first deal: prepared cards on top, then the others in the order in which they were dealt."""
    top = [read_card(word) for hand in TOP for word in hand.split()]
    left = Counter(top)
    rest = []
    for card in dealt:
        if left[card]:
            left[card] -= 1
        else:
            rest.append(card)
    return top + rest
