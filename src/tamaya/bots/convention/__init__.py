"""The convention bot: it plays as people do, so that a person can play with it."""

from __future__ import annotations

from tamaya.bots.cards import build_cards
from tamaya.bots.convention.beliefs import build_beliefs
from tamaya.bots.convention.calls import build_calls
from tamaya.bots.convention.choosing import build_choose
from tamaya.bots.convention.clues import build_clues
from tamaya.bots.convention.memory import ConventionMemory, build_picture
from tamaya.bots.convention.reading import build_reading
from tamaya.bots.convention.reasons import explain_convention
from tamaya.bots.convention.weights import WEIGHTS
from tamaya.bots.memory import plan
from tamaya.bots.policy import Blueprint, Policy
from tamaya.engine.kernel import Constants, Jit, Kernel

__all__ = ["CONVENTION", "build_convention", "explain_convention"]


def build_convention(kernel: Kernel, jit: Jit, constants: Constants) -> Policy:
    """The convention policy for a kernel."""
    notes, weights = plan(ConventionMemory, kernel.layout), WEIGHTS[kernel.layout.players]
    cards = build_cards(kernel, jit, constants)
    picture = build_picture(kernel, jit, notes, cards)
    reading = build_reading(kernel, jit, notes, cards, picture)
    beliefs = build_beliefs(kernel, jit, notes, cards, picture, reading)
    calls = build_calls(kernel, jit, notes, weights, cards, picture, reading, beliefs)
    clues = build_clues(kernel, jit, notes, weights, cards, picture, reading, beliefs, calls)
    choose = build_choose(kernel, jit, notes, weights, cards, picture, beliefs, calls, clues)
    return Policy(notes.scratch, notes.words, picture.begin, choose, reading.notice)


CONVENTION = Blueprint(build_convention, explain=explain_convention)
