"""The convention bot: it plays as people do, so that a person can play with it."""

from __future__ import annotations

from tamaya.bots.convention.calls import build_calls
from tamaya.bots.convention.cards import build_cards
from tamaya.bots.convention.clues import build_clues
from tamaya.bots.convention.deciding import build_deciding
from tamaya.bots.convention.explaining import explain_convention
from tamaya.bots.convention.memory import Memory, plan_memory
from tamaya.bots.convention.picture import build_picture
from tamaya.bots.convention.reading import build_reading
from tamaya.bots.convention.views import build_views
from tamaya.bots.convention.weights import WEIGHTS
from tamaya.bots.policy import Policy
from tamaya.engine.kernel import Jit, Kernel, Table
from tamaya.engine.kernel.parts import Parts

__all__ = ["build_convention", "explain_convention"]


def build_convention(kernel: Kernel, jit: Jit, table: Table) -> Policy:
    """The convention policy for a kernel."""
    weights = WEIGHTS[kernel.layout.players]
    notes = plan_memory(kernel.layout, len(weights))
    picture = build_picture(kernel, jit, table, notes, weights)
    parts = build_parts(kernel, jit, notes, picture)
    return Policy(words=notes.words, begin=picture.begin, choose=parts.choose, notice=parts.notice)


def build_parts(kernel: Kernel, jit: Jit, notes: Memory, picture: Parts) -> Parts:
    """The functions that choose and that take notes."""
    views = build_views(kernel, jit, notes, picture)
    reading = build_reading(kernel, jit, notes, picture, views)
    calls = build_calls(kernel, jit, notes, picture, views)
    clues = build_clues(kernel, jit, notes, picture, views, reading, calls)
    cards = build_cards(kernel, jit, notes, picture, views, calls)
    deciding = build_deciding(kernel, jit, notes, picture, views, clues, calls, cards)
    return Parts(choose=deciding.choose, notice=reading.notice)
