"""Numbers in sentences."""

from __future__ import annotations

from tamaya.rules import Message, say


def tenths(value: float) -> Message:
    """A number with one digit behind the point, which is a comma in some languages."""
    whole, parts = divmod(round(abs(value) * 10), 10)
    return say("{whole}.{tenths}", whole=whole, tenths=parts)
