"""Standings and differences as tables: columns for a terminal, or Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from tamaya.i18n import Catalogue
from tamaya.rules import say_in
from tamaya.sim.league import Difference, Standing

Table = list[tuple[str, ...]]
"""The head, then the rows."""


def standings_table(standings: Iterable[Standing], speak: Catalogue) -> Table:
    """How well each team plays."""
    head = (
        say_in("league", "bot"),
        say_in("league", "players"),
        say_in("league", "games"),
        say_in("league", "mean score"),
        say_in("league", "perfect"),
        say_in("league", "lost"),
        say_in("league", "moves"),
        say_in("league", "games/s a core"),
    )
    return [tuple(map(speak, head)), *map(_standing, standings)]


def _standing(standing: Standing) -> tuple[str, ...]:
    figures = standing.statistics
    error = "" if figures.standard_error is None else f" ± {figures.standard_error:.3f}"
    return (
        standing.run.bot,
        str(standing.run.rules.players),
        str(figures.games),
        f"{figures.mean:.3f}{error}",
        f"{figures.perfect:.1%}",
        f"{figures.lost:.1%}",
        f"{figures.moves:.1f}",
        f"{standing.games_per_second:.1f}",
    )


def differences_table(found: Iterable[Difference], speak: Catalogue) -> Table:
    """How far teams lie apart on the same deals."""
    head = (
        say_in("league", "difference"),
        say_in("league", "players"),
        say_in("league", "games"),
        say_in("league", "mean"),
        say_in("league", "95 % interval"),
    )
    return [tuple(map(speak, head)), *map(_difference, found)]


def _difference(found: Difference) -> tuple[str, ...]:
    error = "" if found.standard_error is None else f" ± {found.standard_error:.3f}"
    interval = "" if found.interval is None else "[{:+.3f}, {:+.3f}]".format(*found.interval)
    return (f"{found.bot} − {found.other}", str(found.rules.players), str(found.games), f"{found.mean:+.3f}{error}", interval)


def as_text(table: Table) -> list[str]:
    """A table as lines for a terminal: names to the left, figures to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(_filled(row, widths)).rstrip() for row in table]


def _filled(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    spaces = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
    return [row[0] + spaces[0], *(space + cell for space, cell in zip(spaces[1:], row[1:], strict=True))]


def as_markdown(table: Table) -> str:
    """The same as Markdown."""
    rule = ("---", *("---:" for _ in table[0][1:]))
    return "\n".join(f"| {' | '.join(row)} |" for row in (table[0], rule, *table[1:]))
