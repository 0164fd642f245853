"""The fast door: bots written in the kernel's dialect (`tamaya.engine.kernel.dialect`).

A policy is a few plain functions over two rows of numbers: its *memory*, which it keeps through a game, and a *sight*, a
game's state in which everything that the seat cannot see is `NO_CARD` (`Kernel.see`). Interpreted they play at a table, from
views (`tamaya.bots.policy_bot`); compiled they play in batches, in the league and in search (`tamaya.sim.driver`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from tamaya.engine.kernel import Constants, Jit, Kernel, Row, interpreted, interpreted_kernel
from tamaya.engine.layout import Layout
from tamaya.rules import Message, Rules, RulesError, say

SET_BITS = 32
"""How many different cards a set of cards can hold: policies count and search the bits of such numbers."""


class Policy(NamedTuple):
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


PolicyBuilder: TypeAlias = Callable[[Kernel, Jit, Constants], Policy]
Explain: TypeAlias = Callable[[Rules, Sequence[int]], Message | None]
"""Rules and memory, to the reason for the choice just made."""


class Sees(Enum):
    """What a policy is shown."""

    SEAT = "seat"
    """What its seat sees."""
    HANDS = "hands"
    """Every hand, but not the deck: for ceilings. No table offers such a bot."""
    STATE = "state"
    """The game's own state, uncopied: for measuring how fast games can be played, with policies that draw lots."""


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

    def policy(self, kernel: Kernel, jit: Jit, constants: Constants) -> Policy:
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
def interpreted_policy(blueprint: Blueprint, rules: Rules) -> Policy:
    """The functions as they stand, without a compiler, built once."""
    return blueprint.policy(interpreted_kernel(rules), interpreted, tuple)
