"""The convention bot: it plays as people do, so that a person can play with it."""

from __future__ import annotations

from tamaya.bots.convention.choosing import build_choose
from tamaya.bots.convention.clues import build_clues
from tamaya.bots.convention.reasons import explain_convention
from tamaya.bots.convention.understanding import build_understanding
from tamaya.bots.convention.weights import WEIGHTS
from tamaya.bots.policy import Blueprint, PolicyFunctions
from tamaya.engine.kernel import Constants, Jit, Kernel

__all__ = ["CONVENTION", "build_convention", "explain_convention"]


def build_convention(kernel: Kernel, jit: Jit, constants: Constants) -> PolicyFunctions:
    """The convention policy for a kernel."""
    weights = WEIGHTS[kernel.layout.players]
    notes, cards, picture, reading, beliefs, calls = build_understanding(kernel, jit, constants)
    clues = build_clues(kernel, jit, notes, weights, cards, picture, reading, beliefs, calls)
    choose = build_choose(kernel, jit, notes, weights, cards, picture, beliefs, calls, clues)
    return PolicyFunctions(notes.scratch, notes.words, picture.begin, choose, reading.notice)


CONVENTION = Blueprint(build_convention, public=True, explain=explain_convention)
