"""The convention bot: it plays as people do, so that a person can play with it."""

from __future__ import annotations

from tamaya.bots.convention.clues import build_clues
from tamaya.bots.convention.deciding import build_deciding
from tamaya.bots.convention.memory import Memory, plan_memory
from tamaya.bots.convention.picture import build_picture
from tamaya.bots.convention.reading import build_reading
from tamaya.bots.convention.views import build_views
from tamaya.bots.convention.weights import WEIGHTS
from tamaya.bots.policy import Policy, Table
from tamaya.engine.kernel import Jit, Kernel
from tamaya.engine.kernel.parts import Parts


def build_convention(kernel: Kernel, jit: Jit, table: Table) -> Policy:
    """The convention policy for a kernel."""
    notes = plan_memory(kernel.layout, len(WEIGHTS))
    picture = build_picture(kernel, jit, table, notes, WEIGHTS)
    parts = build_parts(kernel, jit, table, notes, picture)
    return Policy(words=notes.words, begin=picture.begin, choose=parts.choose, notice=parts.notice)


def build_parts(kernel: Kernel, jit: Jit, table: Table, notes: Memory, picture: Parts) -> Parts:
    """The functions that choose and that take notes."""
    views = build_views(kernel, jit, notes, picture)
    reading = build_reading(kernel, jit, notes, picture, views)
    clues = build_clues(kernel, jit, table, notes, picture, views, reading)
    deciding = build_deciding(kernel, jit, table, notes, picture, views, clues)
    return Parts(choose=deciding.choose, notice=reading.notice)
