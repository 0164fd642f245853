"""Gaps in drawings: what changes more often than the rest of a drawing is put into it without drawing it anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

_BEGINS, _ENDS = "<!--gap ", "-->"


def gap(name: str) -> Markup:
    """Where something is put in later. Nobody can write one in a name or a message: what people write is escaped."""
    return Markup(_BEGINS + name + _ENDS)


@dataclass(frozen=True, slots=True)
class Gapped:
    """A drawing, and from where to where in it each of its gaps goes."""

    text: str
    gaps: tuple[tuple[str, int, int], ...]

    @classmethod
    def of(cls, drawn: str) -> Gapped:
        """A drawing whose gaps are still open."""
        gaps, end = list[tuple[str, int, int]](), 0
        while (start := drawn.find(_BEGINS, end)) >= 0:
            ends = drawn.index(_ENDS, start)
            end = ends + len(_ENDS)
            gaps.append((drawn[start + len(_BEGINS) : ends], start, end))
        return cls(drawn, tuple(gaps))

    def filled(self, fillings: Mapping[str, Markup]) -> Gapped:
        """The drawing with these in its gaps, whatever was in them."""
        pieces, gaps, read, written = list[str](), list[tuple[str, int, int]](), 0, 0
        for name, start, end in self.gaps:
            pieces += self.text[read:start], fillings[name]
            begins = written + start - read
            read, written = end, begins + len(fillings[name])
            gaps.append((name, begins, written))
        return Gapped("".join([*pieces, self.text[read:]]), tuple(gaps))
