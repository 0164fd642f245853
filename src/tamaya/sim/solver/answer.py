"""What the solver says of a position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tamaya.rules import Action, Message


class Verdict(StrEnum):
    """Whether the maximum can be reached by players who know the deck."""

    WINNABLE = "winnable"
    LOST = "not_winnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Answer:
    """The verdict; a line that wins, or the reason why none does; and how many positions were looked at."""

    verdict: Verdict
    line: tuple[Action, ...] = ()
    reason: Message | None = None
    nodes: int = 0
