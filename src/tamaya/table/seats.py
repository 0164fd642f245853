"""Who has a seat at a table, what they said, and where the table is in its life."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from tamaya.rules import Message


class Phase(StrEnum):
    """Where a table is in its life."""

    OPEN = "open"
    PLAYING = "playing"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who has a seat: nobody, a person, a bot, or a bot that plays for a person. Of somebody who `parted` with the game after
    its end, the name is left."""

    person: str = ""
    bot: str = ""
    name: str = ""
    parted: bool = False

    @property
    def free(self) -> bool:
        """Whether somebody can sit down here."""
        return not self.name


@dataclass(frozen=True, slots=True)
class Removal:
    """Somebody whom the host removed from a seat, under the name they had there; `let_back` says that they may sit again."""

    person: str
    name: str
    let_back: bool = False


def let_back(removals: tuple[Removal, ...], number: int) -> tuple[Removal, ...]:
    """The removals of a table after the host let somebody back."""
    return (*removals[:number], replace(removals[number], let_back=True), *removals[number + 1 :])


@dataclass(frozen=True, slots=True)
class Spoken:
    """Something that was said at a table after so many turns: by whom, and the words."""

    turn: int
    name: str
    words: Message | str
