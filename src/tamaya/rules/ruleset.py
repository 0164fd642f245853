"""The rules of one game as data: all settings in which editions and variants differ, such as the clue tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from tamaya.rules.cards import BASE_COLOURS, COPIES, VALUES, Card, Colour
from tamaya.rules.errors import MAX_QUOTED, MalformedError, RulesError
from tamaya.rules.message import say


class Multicolour(StrEnum):
    """How many cards of the sixth colour are in the deck."""

    NONE = "none"
    TEN = "ten"
    FIVE = "five"


class LastMistake(StrEnum):
    """What the last permitted mistake costs."""

    ZERO = "zero"
    LOST = "lost"
    POINTS = "points"


ALLOWED: Mapping[str, tuple[Any, ...]] = {
    "players": (2, 3, 4, 5),
    "hand_size": (1, 2, 3, 4, 5, 6),
    "colours": (1, 2, 3, 4, 5),
    "multicolour": tuple(Multicolour),
    "multicolour_named": (False, True),
    "clue_tokens": tuple(range(1, 21)),
    "mistakes": tuple(range(1, 10)),
    "empty_clues": (False, True),
    "last_mistake": tuple(LastMistake),
    "all_or_nothing": (False, True),
    "announced_plays": (False, True),
}
"""Every setting and the values it may take."""

_DEFAULT: Any = None


def default_hand_size(players: int) -> int:
    """The default hand size: five with two or three players, four with more."""
    return 5 if players in (2, 3) else 4


@dataclass(frozen=True)
class Rules:
    """The rules of one game; by default the Hanabi of researchers, for two players.

    The default of ``hand_size`` depends on the number of players, that of ``last_mistake`` on ``all_or_nothing``.
    """

    players: int = 2
    hand_size: int = _DEFAULT
    colours: int = 5
    multicolour: Multicolour = Multicolour.NONE
    multicolour_named: bool = True
    clue_tokens: int = 8
    mistakes: int = 3
    empty_clues: bool = False
    last_mistake: LastMistake = _DEFAULT
    all_or_nothing: bool = False
    announced_plays: bool = False

    def __post_init__(self) -> None:
        if self.hand_size is None:
            object.__setattr__(self, "hand_size", default_hand_size(self.players))
        if self.last_mistake is None:
            object.__setattr__(self, "last_mistake", LastMistake.LOST if self.all_or_nothing else LastMistake.ZERO)
        for name, allowed in ALLOWED.items():
            object.__setattr__(self, name, _checked(name, getattr(self, name), allowed))
        self._refuse_contradictions()

    def _refuse_contradictions(self) -> None:
        if not self.multicolour_named and self.multicolour is Multicolour.NONE:
            raise RulesError(
                "contradictory_rules",
                say("multicolour_named can only be no when multicolour is ten or five: there is no sixth colour here."),
            )
        if self.all_or_nothing and self.last_mistake is not LastMistake.LOST:
            raise RulesError(
                "contradictory_rules",
                say("last_mistake must be lost when all_or_nothing is yes: then there are no points to keep."),
            )
        if self.players * self.hand_size >= self.deck_size:
            raise RulesError(
                "contradictory_rules",
                say(
                    "hand_size {hand_size} is too much for {players} players, as the deck has only {cards} cards; "
                    "choose at most {most}, or more colours.",
                    hand_size=self.hand_size,
                    players=self.players,
                    cards=self.deck_size,
                    most=(self.deck_size - 1) // self.players,
                ),
            )

    @cached_property
    def suits(self) -> tuple[Colour, ...]:
        """The colours of the fireworks, in the order of their numbers."""
        sixth = () if self.multicolour is Multicolour.NONE else (Colour.MULTICOLOUR,)
        return BASE_COLOURS[: self.colours] + sixth

    @cached_property
    def named_colours(self) -> tuple[Colour, ...]:
        """The colours that a clue may name."""
        return self.suits if self.multicolour_named else self.suits[:-1]

    def copies(self, card: Card) -> int:
        """How many copies of a card the deck has."""
        if card.colour is Colour.MULTICOLOUR and self.multicolour is Multicolour.FIVE:
            return 1
        return COPIES[card.value - 1]

    def matches(self, hint: Colour | int, card: Card) -> bool:
        """Whether a clue touches a card: a multicolour that cannot be named matches every colour."""
        if not isinstance(hint, Colour):
            return card.value == hint
        return card.colour is hint or (card.colour is Colour.MULTICOLOUR and not self.multicolour_named)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The distinct cards, in the order of their numbers."""
        return tuple(Card(colour, value) for colour in self.suits for value in VALUES)

    @cached_property
    def deck_size(self) -> int:
        """The number of cards in the deck before the deal."""
        return sum(self.copies(card) for card in self.cards)

    @property
    def maximum(self) -> int:
        """The points of a perfect game."""
        return len(self.suits) * len(VALUES)

    @property
    def has_last_round(self) -> bool:
        """Whether every player has one more turn after the last card is drawn; otherwise play goes on with fewer cards."""
        return not self.all_or_nothing

    @property
    def counts_points(self) -> bool:
        """Whether an unfinished firework is worth points."""
        return not self.all_or_nothing

    def __getstate__(self) -> dict[str, int | bool | str]:
        return self.to_json()

    def to_json(self) -> dict[str, int | bool | str]:
        """Every setting by name, as plain values."""
        return {name: getattr(self, name) for name in ALLOWED}

    @classmethod
    def from_json(cls, settings: object) -> Rules:
        """The rules with these settings, and defaults for the others."""
        if not isinstance(settings, dict):
            raise RulesError("malformed_rules", say("Rules are an object of settings: {known}.", known=tuple(ALLOWED)))
        for name in settings:
            if name not in ALLOWED:
                raise unknown_setting_error(str(name))
        return cls(**settings)

    def __str__(self) -> str:
        """The settings that differ from the defaults, in the form that `read_rules` reads."""
        usual = Rules(players=self.players)
        words = [f"players={self.players}"]
        for name in list(ALLOWED)[1:]:
            value = getattr(self, name)
            if value != getattr(usual, name):
                words.append(f"{name}={_as_text(value)}")
        return " ".join(words)


def unknown_setting_error(name: str) -> RulesError:
    """The error for an unknown setting."""
    return RulesError(
        "unknown_setting",
        say("There is no setting “{name}”; the settings are {known}.", name=name[:40], known=tuple(ALLOWED)),
    )


def read_setting(name: str, text: str) -> int | bool | str:
    """Parse the value of a setting."""
    if name not in ALLOWED:
        raise unknown_setting_error(name)
    for value in ALLOWED[name]:
        if text.lower() == _as_text(value):
            return value  # type: ignore[no-any-return]
    raise _not_allowed_error(name, text, ALLOWED[name])


def _as_text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _checked(name: str, value: object, allowed: tuple[Any, ...]) -> object:
    for choice in allowed:
        if value == choice and isinstance(value, bool) == isinstance(choice, bool) and isinstance(value, (int, str)):
            return choice
    raise _not_allowed_error(name, value, allowed)


def _not_allowed_error(name: str, value: object, allowed: tuple[Any, ...]) -> RulesError:
    return RulesError(
        "setting_out_of_range",
        say(
            "{name} cannot be {value}; allowed: {allowed}.",
            name=name,
            value=_as_text(value)[:40],
            allowed=tuple(_as_text(choice) for choice in allowed),
        ),
    )


def checked_rules(given: object) -> Rules:
    """Return rules, the standard ones for None; raise `MalformedError` for anything else."""
    if given is None or isinstance(given, Rules):
        return given or Rules()
    raise MalformedError(
        "bad_rules",
        say(
            "Rules are made by {one} or {other}; this is {given}.",
            one="Rules(players=3)",
            other='read_rules("french players=3")',
            given=repr(given)[:MAX_QUOTED],
        ),
    )
