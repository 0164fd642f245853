"""From bits to cells: how an observation is handed out."""

from __future__ import annotations

from typing import Any

from tamaya.engine.kernel import Jit, Table

KINDS = ("uint8", "float32", "bits")
"""A cell a byte, a cell a float, or 32 cells a word with the first cell in the lowest bit."""


def build_expand(size: int, kind: str, jit: Jit, table: Table) -> Any:
    """The function that turns the words of an observation of this size into a row of this kind."""
    whole, rest = size // 32, size % 32
    ones = table((byte >> bit) & 1 for byte in range(256) for bit in range(8))

    @jit
    def copy(words: Any, row: Any) -> None:
        for at in range(whole + (rest > 0)):
            row[at] = words[at]

    @jit
    def expand(words: Any, row: Any) -> None:
        """Eight cells at a time, looked up."""
        for word in range(whole):
            bits = words[word]
            for quarter in range(4):
                eight = ((bits >> (8 * quarter)) & 255) * 8
                for bit in range(8):
                    row[word * 32 + quarter * 8 + bit] = ones[eight + bit]
        for bit in range(rest):
            row[whole * 32 + bit] = (words[whole] >> bit) & 1

    return copy if kind == "bits" else expand
