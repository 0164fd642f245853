"""Gaps in drawings: what changes more often than the rest of a drawing is put into it without drawing it anew."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

_GAP = re.compile(r"<!--gap (\S+)-->")


def gap(name: str) -> Markup:
    """Where something is put in later. Nobody can write one in a name or a message: what people write is escaped."""
    return Markup(f"<!--gap {name}-->")


@dataclass(frozen=True, slots=True)
class Gapped:
    """A drawing, and from where to where in it each of its gaps goes."""

    text: Markup
    gaps: tuple[tuple[str, int, int], ...]

    @classmethod
    def of(cls, drawn: Markup) -> Gapped:
        """A drawing whose gaps are still open."""
        return cls(drawn, tuple((found[1], *found.span()) for found in _GAP.finditer(drawn)))

    def filled(self, fillings: Mapping[str, Markup]) -> Gapped:
        """The drawing with these in its gaps, whatever was in them."""
        pieces, gaps, read, written = list[str](), list[tuple[str, int, int]](), 0, 0
        for name, start, end in self.gaps:
            pieces += self.text[read:start], fillings[name]
            begins = written + start - read
            read, written = end, begins + len(fillings[name])
            gaps.append((name, begins, written))
        return Gapped(Markup("".join([*pieces, self.text[read:]])), tuple(gaps))
