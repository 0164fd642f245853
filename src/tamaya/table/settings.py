"""What the people at a table agreed on before the deal: the rules of the game, and the customs around it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cached_property

import msgspec

from tamaya.record import Origin
from tamaya.rules import EDITIONS, Edition, Message, Rules, read_rules, say, say_in


class ChatPolicy(StrEnum):
    """How much people may talk while the game goes on."""

    STRICT = "strict"
    REMARKS = "remarks"
    FREE = "free"

    @property
    def word(self) -> Message:
        """What the choice is called."""
        return {
            ChatPolicy.STRICT: say("Strict"),
            ChatPolicy.REMARKS: say("Set remarks"),
            ChatPolicy.FREE: say("Free talk"),
        }[self]

    @property
    def summary(self) -> Message:
        """One sentence on it."""
        return {
            ChatPolicy.STRICT: say("Clues only while the game goes on; talk comes before and after."),
            ChatPolicy.REMARKS: say("Harmless phrases from a list, which everybody reads in their own language."),
            ChatPolicy.FREE: say("Write whatever you like, whenever you like."),
        }[self]


class ClueMemory(StrEnum):
    """How much the table shows of what can be known about a card, so that nobody has to remember it."""

    NOTHING = "nothing"
    SAID = "said"
    RULED_OUT = "ruled-out"
    DEDUCTION = "deduction"

    @property
    def shows_clues(self) -> bool:
        """Whether the table shows on a card what clues said about it."""
        return self is not ClueMemory.NOTHING

    @property
    def keeps_history(self) -> bool:
        """Whether players can look back at earlier turns and write notes while the game goes on."""
        return self is not ClueMemory.NOTHING

    @property
    def word(self) -> Message:
        """What the choice is called."""
        return {
            ClueMemory.NOTHING: say_in("memory", "Nothing"),
            ClueMemory.SAID: say("What was said"),
            ClueMemory.RULED_OUT: say("What was said and ruled out"),
            ClueMemory.DEDUCTION: say("Full deduction"),
        }[self]

    @property
    def summary(self) -> Message:
        """One sentence on it."""
        return {
            ClueMemory.NOTHING: say("As with cards in hand: remember every clue yourself."),
            ClueMemory.SAID: say("The colours and values that clues named for a card."),
            ClueMemory.RULED_OUT: say("Also what a card cannot be because a clue passed it over."),
            ClueMemory.DEDUCTION: say("Also what a card cannot be because all its copies lie elsewhere."),
        }[self]


class SpectatorMode(StrEnum):
    """What people without a seat may see."""

    NOBODY = "nobody"
    TABLE = "table"
    HANDS = "hands"

    @property
    def word(self) -> Message:
        """What the choice is called."""
        return {
            SpectatorMode.NOBODY: say("Nobody watches"),
            SpectatorMode.TABLE: say("Spectators see the table, no hands"),
            SpectatorMode.HANDS: say("Spectators see every hand"),
        }[self]

    @property
    def warning(self) -> Message | None:
        """What whoever agrees to it has to know: somebody in a private window is a stranger to the table, who may play there,
        too."""
        if self is not SpectatorMode.HANDS:
            return None
        return say("Only among people who trust each other: nothing keeps a player from watching in a second window "
                   "and seeing their own cards there.")  # fmt: skip


class AdvicePolicy(StrEnum):
    """Who may ask what a good player would do."""

    NOBODY = "nobody"
    ALONE = "alone"
    EVERYBODY = "everybody"

    @property
    def word(self) -> Message:
        """What the choice is called."""
        return {
            AdvicePolicy.NOBODY: say_in("advice", "For nobody"),
            AdvicePolicy.ALONE: say_in("advice", "For somebody alone with bots"),
            AdvicePolicy.EVERYBODY: say_in("advice", "For everybody who asks"),
        }[self]


class Starter(StrEnum):
    """Who has the first turn; the table may also name a seat."""

    RANDOM = "random"
    CUSTOM = "custom"


class Settings(msgspec.Struct, frozen=True, dict=True):
    """Everything that is fixed when a table is opened; `starter` is a `Starter` or the number of a seat, from 1."""

    rules_text: str
    edition_name: str = "standard"
    variants: tuple[str, ...] = ()
    talk: ChatPolicy = ChatPolicy.REMARKS
    memory: ClueMemory = ClueMemory.RULED_OUT
    watching: SpectatorMode = SpectatorMode.TABLE
    starter: str = Starter.RANDOM
    listed: bool = False
    lesson: bool = False
    """Whether this is the guided first deal, with its prepared deck."""
    take_backs: bool = False
    """Whether players may take back their last action, if everybody agrees."""
    advice: AdvicePolicy = AdvicePolicy.ALONE
    """Who may ask for advice. Among people, whoever sits down agrees to what the lobby says of it."""
    slow_games: int = 0
    """For how many games, this one and its rematches, bots take their time."""
    origin: Origin | None = None
    """Where the game goes on from, if it does not begin with a deal of its own."""

    @property
    def next_game(self) -> Settings:
        """What the same people agree on for their next game: nobody is guided twice, and bots soon go at their usual pace."""
        return msgspec.structs.replace(self, lesson=False, origin=None, slow_games=max(0, self.slow_games - 1))

    @cached_property
    def rules(self) -> Rules:
        """The rules of the game."""
        return read_rules(self.rules_text)

    def first(self, chance: Callable[[int], int]) -> int:
        """The seat that begins, from 0; `chance` picks one of so many where the table names none."""
        return chance(self.rules.players) if self.starter in tuple(Starter) else int(self.starter) - 1

    @cached_property
    def edition(self) -> Edition:
        """The edition the rules come from."""
        return EDITIONS[self.edition_name]
