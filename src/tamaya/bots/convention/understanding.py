"""What it takes to understand others by the conventions, for the bot that chooses and for whoever looks back at a game."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tamaya.bots.cards import Cards, build_cards
from tamaya.bots.convention.beliefs import Beliefs, build_beliefs
from tamaya.bots.convention.calls import Calls, build_calls
from tamaya.bots.convention.memory import ConventionMemory, ConventionPicture, build_picture
from tamaya.bots.convention.reading import Reading, build_reading
from tamaya.bots.convention.weights import WEIGHTS
from tamaya.bots.memory import plan
from tamaya.engine.kernel import Constants, Jit, Kernel, interpreted, interpreted_kernel
from tamaya.rules import Rules


class Understanding(NamedTuple):
    """The bundles that read what others do, for one kernel."""

    notes: ConventionMemory
    cards: Cards
    picture: ConventionPicture
    reading: Reading
    beliefs: Beliefs
    calls: Calls


def build_understanding(kernel: Kernel, jit: Jit, constants: Constants) -> Understanding:
    """The bundles that read what others do."""
    notes, weights = plan(ConventionMemory, kernel.layout), WEIGHTS[kernel.layout.players]
    cards = build_cards(kernel, jit, constants)
    picture = build_picture(kernel, jit, notes, cards)
    reading = build_reading(kernel, jit, notes, cards, picture)
    beliefs = build_beliefs(kernel, jit, notes, cards, picture, reading)
    calls = build_calls(kernel, jit, notes, weights, cards, picture, reading, beliefs)
    return Understanding(notes, cards, picture, reading, beliefs, calls)


@lru_cache(maxsize=256)
def interpreted_understanding(rules: Rules) -> Understanding:
    """The functions as they stand, without a compiler, built once."""
    return build_understanding(interpreted_kernel(rules), interpreted, tuple)
