"""The settings of a table: the rules of the game, and how people talk, watch and ask for advice."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cached_property

import msgspec

from tamaya.record import Origin
from tamaya.rules import EDITIONS, Edition, Message, Rules, read_rules, say, say_in


class ChatPolicy(StrEnum):
    """How much players may talk during the game."""

    STRICT = "strict"
    REMARKS = "remarks"
    FREE = "free"

    @property
    def word(self) -> Message:
        """The name of this choice."""
        return {
            ChatPolicy.STRICT: say("Strict"),
            ChatPolicy.REMARKS: say("Set remarks"),
            ChatPolicy.FREE: say("Free talk"),
        }[self]

    @property
    def summary(self) -> Message:
        """One sentence about this choice."""
        return {
            ChatPolicy.STRICT: say("Clues only while the game goes on; talk comes before and after."),
            ChatPolicy.REMARKS: say("Harmless phrases from a list, which everybody reads in their own language."),
            ChatPolicy.FREE: say("Write whatever you like, whenever you like."),
        }[self]


class ClueMemory(StrEnum):
    """How much of what is known about a card the table shows, so that players need not remember it."""

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
        """The name of this choice."""
        return {
            ClueMemory.NOTHING: say_in("memory", "Nothing"),
            ClueMemory.SAID: say("What was said"),
            ClueMemory.RULED_OUT: say("What was said and ruled out"),
            ClueMemory.DEDUCTION: say("Full deduction"),
        }[self]

    @property
    def summary(self) -> Message:
        """One sentence about this choice."""
        return {
            ClueMemory.NOTHING: say("As with cards in hand: remember every clue yourself."),
            ClueMemory.SAID: say("The colours and values that clues named for a card."),
            ClueMemory.RULED_OUT: say("Also what a card cannot be because a clue passed it over."),
            ClueMemory.DEDUCTION: say("Also what a card cannot be because all its copies lie elsewhere."),
        }[self]


class SpectatorMode(StrEnum):
    """What spectators may see."""

    NOBODY = "nobody"
    TABLE = "table"
    HANDS = "hands"

    @property
    def word(self) -> Message:
        """The name of this choice."""
        return {
            SpectatorMode.NOBODY: say("Nobody watches"),
            SpectatorMode.TABLE: say("Spectators see the table, no hands"),
            SpectatorMode.HANDS: say("Spectators see every hand"),
        }[self]

    @property
    def warning(self) -> Message | None:
        """What players must know before they agree: the table cannot recognise a player who watches in a private window."""
        if self is not SpectatorMode.HANDS:
            return None
        return say("Only among people who trust each other: nothing keeps a player from watching in a second window "
                   "and seeing their own cards there.")  # fmt: skip


class AdvicePolicy(StrEnum):
    """Who may ask for advice."""

    NOBODY = "nobody"
    ALONE = "alone"
    EVERYBODY = "everybody"

    @property
    def word(self) -> Message:
        """The name of this choice."""
        return {
            AdvicePolicy.NOBODY: say_in("advice", "For nobody"),
            AdvicePolicy.ALONE: say_in("advice", "For somebody alone with bots"),
            AdvicePolicy.EVERYBODY: say_in("advice", "For everybody who asks"),
        }[self]


class Starter(StrEnum):
    """How the first player is chosen, unless the settings name a seat."""

    RANDOM = "random"
    CUSTOM = "custom"


class Settings(msgspec.Struct, frozen=True, dict=True):
    """The settings fixed when a table is opened; `starter` is a `Starter` or the number of a seat, from 1."""

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
    """Whether players may take back their last action if all others agree."""
    advice: AdvicePolicy = AdvicePolicy.ALONE
    """Who may ask for advice; the lobby shows it to players before they sit down."""
    slow_games: int = 0
    """The number of games, this one and its rematches, in which bots play slowly."""
    origin: Origin | None = None
    """The game and turn from which this game continues, if it does not begin with a deal."""

    @property
    def next_game(self) -> Settings:
        """The settings of the rematch: not guided again, and with one game less in which bots play slowly."""
        return msgspec.structs.replace(self, lesson=False, origin=None, slow_games=max(0, self.slow_games - 1))

    @cached_property
    def rules(self) -> Rules:
        """The rules of the game."""
        return read_rules(self.rules_text)

    def first(self, chance: Callable[[int], int]) -> int:
        """The seat that begins, from 0; `chance` picks one of N seats if the settings name none."""
        return chance(self.rules.players) if self.starter in tuple(Starter) else int(self.starter) - 1

    @cached_property
    def edition(self) -> Edition:
        """The edition that the rules come from."""
        return EDITIONS[self.edition_name]
