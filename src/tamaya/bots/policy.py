"""The fast door: bots written in the kernel's dialect (`tamaya.engine.kernel.dialect`).

A policy is a few plain functions over two rows of numbers: its *memory*, which it keeps through a game, and a *sight*, a
game's state in which everything that the seat cannot see is `NO_CARD` (`Kernel.see`). Interpreted they play at a table, from
views (`tamaya.bots.policy_bot`); compiled they play in batches, in the league and in search (`tamaya.sim.games`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from tamaya.bots.memory import fields_of
from tamaya.engine.instances import INTERPRETED, Fields, Instance, Setting, call
from tamaya.engine.kernel import RULES, ByJit, Constants, Jit, Kernel, Row, interpreted, interpreted_kernel
from tamaya.engine.layout import Layout
from tamaya.rules import Message, Rules, RulesError, say

SET_BITS = 32
"""How many different cards a set of cards can hold: policies count and search the bits of such numbers."""


class PolicyFunctions(NamedTuple):
    """The functions of a bot for one set of rules at one speed."""

    kept: int
    """How many numbers of its memory, from the first, must be kept from turn to turn; the rest is scratch, and may hold
    anything when a function is called."""
    words: int
    """How many numbers its memory has in all."""
    begin: Callable[[Row, Row], None]
    """Memory and what any seat sees: prepare for a game, at its start or from a position in its middle."""
    choose: Callable[[Row, Row, Row, int], int]
    """Memory, sight, mask of the legal actions, and luck, to the number of a legal action. Luck is a number of 32 bits that
    looks random and follows from the game and the turn: whoever draws lots by it plays a game alike at every speed."""
    notice: Callable[[Row, int, Row, Row], None]
    """Somebody acted: memory, the seat that looks, its sight before and its sight after."""


PolicyBuilder: TypeAlias = Callable[[Kernel, Jit, Constants], PolicyFunctions]
Explain: TypeAlias = Callable[[Rules, Sequence[int]], Message | None]
"""Rules and memory, to the reason for the choice just made."""


class Visibility(Enum):
    """What a policy is shown."""

    OWN_VIEW = "own view"
    """What its seat sees."""
    ALL_HANDS = "all hands"
    """Every hand, but not the deck: for upper bounds. No table offers such a bot."""
    FULL_STATE = "full state"
    """The game's own state, uncopied: for measuring how fast games can be played, with policies that play at random."""

    SEAT, HANDS, STATE = "own view", "all hands", "full state"


Sees = Visibility
SomeMemory = TypeVar("SomeMemory")


@call
def nothing_to_start(memory: Any, sight: Row) -> None:
    """Prepare nothing."""


@call
def nothing_to_update(memory: Any, seat: int, before: Row, after: Row) -> None:
    """Remember nothing."""


def every_rule_set(rules: Rules) -> bool:
    """For policies that play by all rules."""
    return True


@dataclass(frozen=True)
class Policy(Generic[SomeMemory]):
    """A bot as plain functions (`tamaya.engine.instances`), and what its callers need to know of it.

    `choose` takes the memory, the sight, the mask of the legal actions and 32 random bits, and returns the number of a legal
    action. The bits follow from the game and the turn: a policy that decides by them plays a game alike at every speed.
    `start` takes the memory and what any seat sees: prepare for a game, at its start or from a position in its middle.
    `update` takes the memory, the seat that looks, its sight before and its sight after: update the memory after any player's
    action. `memory` is a class of named numbers, if the policy has any.

    With `team_memory` all that it remembers follows from what all players know as long as every seat plays this policy: then a
    team of it can have one memory, which the seat that acts updates; otherwise each seat needs its own. With `public_memory`
    that holds whatever the other players do. `on_gpu` says that it can be compiled for a GPU: it does not recurse, and its
    memory is small enough for every thread to have one. `supports` says by which rules it can play; others are refused.
    `setting` is what its functions are instanced for, where that is more than the rules. What it plays with beside its source,
    such as a file of numbers, has its digest in `plays_with`.
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
        """Refuse rules that it does not support, or with more cards than a set can hold."""
        if len(rules.cards) > SET_BITS:
            raise too_many_cards(len(rules.cards))
        if not self.supports(rules):
            raise unknown_rules(rules.players)

    def fields(self, rules: Rules) -> Fields | None:
        """The names of its memory's numbers."""
        return fields_of(self.memory, self.setting(rules))[0] if self.memory else None

    def saved_size(self, rules: Rules) -> int:
        """How many numbers of its memory, from the first, are kept from turn to turn; the rest is scratch."""
        return fields_of(self.memory, self.setting(rules))[1] if self.memory else 0

    def size(self, rules: Rules) -> int:
        """How many numbers its memory has in all."""
        fields = self.fields(rules)
        return sum(size or 1 for _, size in fields.sizes) if fields else 0

    def named(self, rules: Rules, row: Row | Sequence[int]) -> SomeMemory:
        """A row of its memory with the names of its numbers, for callers that are not compiled."""
        fields = self.fields(rules)
        return cast(SomeMemory, INTERPRETED.view(fields)(row) if fields else row)

    # What follows goes with the last builder.

    @property
    def sees(self) -> Visibility:  # noqa: D102
        return self.visibility

    @property
    def shared(self) -> bool:  # noqa: D102
        return self.team_memory

    @property
    def public(self) -> bool:  # noqa: D102
        return self.public_memory

    def knows(self, layout: Layout) -> bool:  # noqa: D102
        return layout not in RULES or self.supports(RULES[layout])

    def policy(self, kernel: Kernel, jit: Jit, constants: Constants) -> PolicyFunctions:  # noqa: D102
        if kernel.layout.cards > SET_BITS:
            raise too_many_cards(kernel.layout.cards)
        rules = RULES[kernel.layout]
        self.check_rules(rules)
        own, fields = Instance(self.setting(rules), ByJit(jit, constants)), self.fields(rules)
        begin, choose, notice = own(self.start), own(self.choose), own(self.update)
        if fields is None:
            return PolicyFunctions(0, 0, begin, choose, notice)
        view = own.speed.view(fields)

        @jit
        def begin_named(memory: Row, sight: Row) -> None:
            begin(view(memory), sight)

        @jit
        def choose_named(memory: Row, sight: Row, mask: Row, luck: int) -> int:
            return choose(view(memory), sight, mask, luck)

        @jit
        def notice_named(memory: Row, seat: int, before: Row, after: Row) -> None:
            notice(view(memory), seat, before, after)

        return PolicyFunctions(self.saved_size(rules), self.size(rules), begin_named, choose_named, notice_named)


def every_game(layout: Layout) -> bool:
    """For policies that play by all rules."""
    return True


@dataclass(frozen=True)
class Blueprint:
    """How to build a policy for any rules at any speed, and what those who play it need to know.

    With `shared` memory, all that it keeps follows from what all players know as long as every seat plays this policy, so that
    a team of it can have one memory, in which the seat that acts takes the notes; otherwise each seat needs its own. With
    `public` memory that holds whatever anybody does: the seats of a game in which others play, or somebody leaves the policy,
    would still write down the same. `on_gpu` says that it can be compiled for a GPU: it does not recurse, and its memory is
    small enough for every thread to have one. `knows` says by which rules it can play; others it refuses. What it plays with
    beside its source, such as a file of numbers, has its digest in `plays_with`.
    """

    build: PolicyBuilder
    sees: Sees = Sees.SEAT
    shared: bool = True
    public: bool = False
    explain: Explain | None = None
    on_gpu: bool = False
    knows: Callable[[Layout], bool] = every_game
    plays_with: str = ""

    def policy(self, kernel: Kernel, jit: Jit, constants: Constants) -> PolicyFunctions:
        """The policy for a kernel; rules that it does not know, or with more cards than a set can hold, are refused."""
        if kernel.layout.cards > SET_BITS:
            raise too_many_cards(kernel.layout.cards)
        if not self.knows(kernel.layout):
            raise unknown_rules(kernel.layout.players)
        return self.build(kernel, jit, constants)


def unknown_rules(players: int) -> RulesError:
    """The refusal of a bot that has not learned to play by some rules."""
    message = say("This bot does not know these rules, or not with {players} players; choose another bot.", players=players)
    return RulesError("unknown_rules", message)


def too_many_cards(cards: int) -> RulesError:
    """The refusal of rules with more different cards than a set of cards can hold."""
    message = say("These rules have {cards} different cards; policies and the solver know at most {most}.",
                  cards=cards, most=SET_BITS)  # fmt: skip
    return RulesError("too_many_cards", message)


@lru_cache(maxsize=256)
def interpreted_policy(blueprint: Blueprint | Policy[Any], rules: Rules) -> PolicyFunctions:
    """The functions as they stand, without a compiler, built once."""
    return blueprint.policy(interpreted_kernel(rules), interpreted, tuple)
