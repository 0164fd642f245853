"""Policies: bots as plain functions (`tamaya.engine.instances`), and the memory that they keep.

A policy is a few functions over two rows of numbers: its *memory*, which it keeps through a game, and a *sight*, a game's state
in which everything that the seat cannot see is `NO_CARD` (`tamaya.engine.kernel.hands.see`). Interpreted, it plays at a table
from views (`tamaya.bots.policy_bot`); compiled, it plays in batches, in the league and in search (`tamaya.sim.games`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from typing import Any, Generic, TypeAlias, TypeVar, cast, get_type_hints

from tamaya.engine.instances import INTERPRETED, Fields, Row, Setting, call
from tamaya.engine.layout import Layout, layout_of
from tamaya.rules import Message, Rules, RulesError, say

SET_BITS = 32
"""The number of different cards that a set can hold: policies count and search the bits of 32-bit numbers."""
SomeMemory = TypeVar("SomeMemory")


class Visibility(Enum):
    """What a policy is shown."""

    OWN_VIEW = "own view"
    """What its seat sees."""
    ALL_HANDS = "all hands"
    """Every hand, but not the deck: for upper bounds. No table offers such a bot."""
    FULL_STATE = "full state"
    """The game's own state, not copied: for policies that play at random, to measure how fast games can be played."""


# Memories.

Size: TypeAlias = Callable[[Layout], int]

PER_NUMBER: Size = attrgetter("deck_size")
"""One number for each card of the deck."""
PER_CARD: Size = attrgetter("cards")
"""One for each different card."""
PER_COLOUR: Size = attrgetter("colours")
PER_SEAT: Size = attrgetter("players")
PER_SLOT: Size = attrgetter("hand_size")
"""One for each slot of one hand."""


def PER_HAND_SLOT(layout: Layout) -> int:  # noqa: N802 - it stands beside the others
    """One for each slot of every hand: ``seat * hand_size + slot``."""
    return layout.players * layout.hand_size


def exactly(count: int) -> Size:
    """The size of a field that is the same under all rules."""
    return lambda layout: count


class Scratch:
    """The type of the field in a memory behind which nothing is kept from turn to turn."""


class Memory:
    """What a policy remembers, as a class of named numbers::

        class HatMemory(Memory):
            possible: Annotated[Row, PER_NUMBER]  # what each card can be
            refuted: int
            scratch: Scratch  # the fields above are kept from turn to turn; those below may hold anything at the next call
            chances: Annotated[Row, PER_SLOT]

    The policy's functions take one: ``memory.possible[number]``, ``memory.refuted += 1``. It is a view of a row of numbers,
    which callers copy from turn to turn.
    """


@lru_cache(maxsize=256)
def fields_of(memory: type[Any], setting: Setting) -> tuple[Fields, int]:
    """The fields of a memory, and how many of its numbers are kept from turn to turn."""
    found, saved, layout = list[tuple[str, int]](), None, layout_of(setting.rules)
    for name, hint in get_type_hints(memory, include_extras=True).items():
        if hint is Scratch:
            saved = sum(size or 1 for _, size in found)
        elif hint is int:
            found.append((name, 0))
        else:
            size = hint.__metadata__[0]
            found.append((name, size.of(setting) if isinstance(size, PerSetting) else size(layout)))
    return Fields(tuple(found)), sum(size or 1 for _, size in found) if saved is None else saved


@dataclass(frozen=True)
class PerSetting:
    """The size of a field that follows from a policy's own setting."""

    of: Callable[[Any], int]


# Policies.


@call
def nothing_to_start(memory: Any, sight: Row) -> None:
    """Prepare nothing."""


@call
def nothing_to_update(memory: Any, seat: int, before: Row, after: Row) -> None:
    """Remember nothing."""


def every_rule_set(rules: Rules) -> bool:
    """Accept any rules."""
    return True


@dataclass(frozen=True)
class Policy(Generic[SomeMemory]):
    """A bot as plain functions (`tamaya.engine.instances`), and what its callers need to know of it.

    `choose` takes the memory, the sight, the mask of legal actions and 32 random bits, and returns the number of a legal
    action. The bits follow from the game and the turn, so that a policy which uses them plays the same at every speed.
    `start` takes the memory and what any seat sees, and prepares for a game, at its start or from a position in the middle.
    `update` takes the memory, the observing seat, and its sight before and after any player's action, and updates the memory.
    `memory` is a class of named numbers, if the policy has one.

    With `team_memory`, everything remembered is common knowledge as long as every seat plays this policy: then a team of it can
    share one memory, which the acting seat updates; otherwise each seat needs its own. With `public_memory` that holds whatever
    the other players do. `on_gpu` says that the policy can be compiled for a GPU: it does not recurse, and its memory is small
    enough for every thread to have one. `supports` says which rules it can play; others are refused. `setting` is what its
    functions are instanced for, if that is more than the rules. `plays_with` is the digest of other input, such as a file of
    weights.
    """

    choose: Callable[[SomeMemory, Row, Row, int], int]
    start: Callable[[SomeMemory, Row], None] = nothing_to_start
    update: Callable[[SomeMemory, int, Row, Row], None] = nothing_to_update
    memory: type[SomeMemory] | None = None
    _: KW_ONLY
    visibility: Visibility = Visibility.OWN_VIEW
    team_memory: bool = True
    public_memory: bool = False
    explain: Callable[[Rules, SomeMemory], Message | None] | None = None
    on_gpu: bool = False
    supports: Callable[[Rules], bool] = every_rule_set
    setting: Callable[[Rules], Setting] = Setting
    plays_with: str = ""
    summary: str = ""

    def check_rules(self, rules: Rules) -> None:
        """Refuse rules that it does not support, or that have more cards than a set can hold."""
        if len(rules.cards) > SET_BITS:
            raise too_many_cards(len(rules.cards))
        if not self.supports(rules):
            raise unknown_rules(rules.players)
        if self.saved_size(rules) and self.start is nothing_to_start:
            raise TypeError("A policy whose memory is kept from turn to turn needs a start, which sets it for a new game.")

    def fields(self, rules: Rules) -> Fields | None:
        """The names of its memory's numbers."""
        return fields_of(cast(Any, self.memory), self.setting(rules))[0] if self.memory else None

    def saved_size(self, rules: Rules) -> int:
        """How many numbers of its memory, from the first, are kept from turn to turn; the rest are scratch."""
        return fields_of(cast(Any, self.memory), self.setting(rules))[1] if self.memory else 0

    def size(self, rules: Rules) -> int:
        """The size of its memory, in numbers."""
        fields = self.fields(rules)
        return sum(size or 1 for _, size in fields.sizes) if fields else 0

    def named(self, rules: Rules, row: Row | Sequence[int]) -> SomeMemory:
        """A row of its memory with named fields, for callers that are not compiled."""
        fields = self.fields(rules)
        return cast(SomeMemory, INTERPRETED.view(fields)(row) if fields else row)


def unknown_rules(players: int) -> RulesError:
    """The refusal of rules that a bot has not learned."""
    message = say("This bot does not know these rules, or not with {players} players; choose another bot.", players=players)
    return RulesError("unknown_rules", message)


def too_many_cards(cards: int) -> RulesError:
    """The refusal of rules with more different cards than a set of cards can hold."""
    message = say("These rules have {cards} different cards; policies and the solver know at most {most}.",
                  cards=cards, most=SET_BITS)  # fmt: skip
    return RulesError("too_many_cards", message)
