"""The fast door: bots written in the kernel's style.

A policy is a few plain functions over two flat arrays: its *memory*, whole numbers that it keeps through a game, and a
*sight*, a game's array in which everything that the seat cannot see is `NO_CARD` (`Kernel.see`). Built with ``jit`` the
identity they play at a table, from views (`tamaya.bots.seated_policy`); a compiler in its place makes the same lines fast for
the league and for search.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from tamaya.engine.kernel import Jit, Kernel, Table, interpreted, interpreted_kernel
from tamaya.rules import Rules


class Policy(NamedTuple):
    """The functions of a bot for one set of rules at one speed.

    What it writes into its memory must follow from what all players know, so that seats with the same policy could share
    one memory; `tamaya.sim.selfplay` does so.
    """

    words: int
    """How many numbers its memory has."""
    begin: Callable[[Any], None]
    """Prepare the memory for a new game."""
    choose: Callable[[Any, Any], int]
    """Memory and sight of the seat to move, to the number of a legal action."""
    notice: Callable[[Any, int, Any, Any], None]
    """Somebody acted: memory, the seat that looks, its sight before and its sight after."""


PolicyBuilder: TypeAlias = Callable[[Kernel, Jit, Table], Policy]


@lru_cache(maxsize=256)
def interpreted_policy(builder: PolicyBuilder, rules: Rules) -> Policy:
    """The functions as they stand, without a compiler, built once."""
    return builder(interpreted_kernel(rules), interpreted, tuple)
