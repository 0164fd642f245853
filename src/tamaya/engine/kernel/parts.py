"""Passing: what rooms that are not yet converted import."""

from __future__ import annotations

from types import SimpleNamespace as Parts
from typing import Any

from tamaya.engine.kernel.dialect import Constants as Table
from tamaya.engine.kernel.dialect import Jit, interpreted

__all__ = ["Jit", "Parts", "Table", "interpreted"]


def build_mixing(jit: Any) -> Any:
    """Passing."""
    from tamaya.engine.kernel.shuffle import build_shuffle
    from tamaya.engine.layout import layout_of
    from tamaya.rules import Rules

    return build_shuffle(layout_of(Rules()), jit)
