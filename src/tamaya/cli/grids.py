"""Grids of figures: as text for a terminal, as Markdown, and in their places on a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from rich.cells import cell_len

from tamaya.rules import MalformedError, say

Grid: TypeAlias = list[Sequence[str]]
"""The headings, then the rows. The first cells of a row are names, the others figures."""

BEGIN, END = "<!-- figures: {name} -->", "<!-- end of figures: {name} -->"


def as_text(grid: Grid, names: int = 1) -> list[str]:
    """Lines for a terminal: names to the left, figures to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*grid, strict=True)]
    return ["  ".join(_padded(row, widths, names)).rstrip() for row in grid]


def _padded(row: Sequence[str], widths: Sequence[int], names: int) -> list[str]:
    spaces = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
    both = list(zip(row, spaces, strict=True))
    return [*(cell + space for cell, space in both[:names]), *(space + cell for cell, space in both[names:])]


def as_markdown(grid: Grid, names: int = 1) -> str:
    """A Markdown table."""
    rule = ["---" if place < names else "---:" for place in range(len(grid[0]))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (grid[0], rule, *grid[1:]))


def check_places(path: Path, names: Iterable[str]) -> None:
    """Refuse a page without a place for each of the figures, before they are measured."""
    text = path.read_text("utf-8")
    for begin, end in map(_marks, names):
        if end not in text.partition(begin)[2]:
            message = say("{file} has no place for figures: a line {begin} and below it {end}.",
                          file=path.name, begin=begin, end=end)  # fmt: skip
            raise MalformedError("no_place", message)


def write_figures(path: Path, parts: Mapping[str, str]) -> None:
    """Put figures between the two lines that mark their place on a page."""
    check_places(path, parts)
    text = path.read_text("utf-8")
    for name, figures in parts.items():
        begin, end = _marks(name)
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{figures}\n{end}{rest.partition(end)[2]}"
    path.write_text(text, "utf-8")


def _marks(name: str) -> tuple[str, str]:
    return BEGIN.format(name=name), END.format(name=name)
