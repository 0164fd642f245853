"""The hat bot: a clue tells every player something about its own hand."""

from __future__ import annotations

from typing import Any

from tamaya.bots.hat.clues import build_clues
from tamaya.bots.hat.deciding import build_deciding
from tamaya.bots.hat.memory import plan_memory
from tamaya.bots.hat.picture import build_picture
from tamaya.bots.hat.questions import build_questions
from tamaya.bots.policy import Policy, Table
from tamaya.engine.kernel import Jit, Kernel


def build_hat(kernel: Kernel, jit: Jit, table: Table) -> Policy:
    """The hat policy for a kernel."""
    notes = plan_memory(kernel.layout)
    picture = build_picture(kernel, jit, table, notes)
    questions = build_questions(kernel, jit, notes, picture)
    clues = build_clues(kernel, jit, notes, picture)
    deciding = build_deciding(kernel, jit, notes, picture, questions, clues)
    return Policy(words=notes.words, begin=picture.begin, choose=deciding.choose, notice=deciding.notice)
