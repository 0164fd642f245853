"""Figures as tables of the documentation's page on bots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tamaya.cli.bots.figures import STANDARD, Row, Which, editions_by_rules, which
from tamaya.cli.league.tables import as_markdown
from tamaya.rules.editions import VARIANTS
from tamaya.rules.ruleset import ALLOWED

PLACES = ("standard", "editions", "variants")


def tables(rows: Sequence[Row]) -> dict[str, str]:
    """The tables by the places that the page keeps for them."""
    standard = _rows(rows, Which(STANDARD))
    parts = [
        f"Mean score, standard error, and how many games were perfect; seed {standard[0]['seed']}, {_games(standard)}.",
        _table(standard),
        _lost(standard),
    ]
    others = []
    for edition, names in editions_by_rules().items():
        found = _rows(rows, Which(edition))
        if edition != STANDARD and found:
            others += [f"**{', '.join(name.capitalize() for name in names)}**; {_games(found)}.", _table(found), _lost(found)]
    varied = []
    for name, variant in VARIANTS.items():
        found = _rows(rows, Which(STANDARD, name))
        if found:
            varied += [f"**`{name}`** ({variant.letter}): {variant.summary} {_games(found)}.", _table(found), _lost(found)]
    return {"standard": "\n\n".join(parts), "editions": "\n\n".join(others), "variants": "\n\n".join(varied)}


def _rows(rows: Iterable[Row], wanted: Which) -> list[Row]:
    return [row for row in rows if which(row) == wanted]


def _table(rows: Sequence[Row]) -> str:
    """A row for each bot, the weakest first, and a column for each number of players."""
    strength: dict[str, float] = {}
    cells: dict[str, dict[int, str]] = {}
    for row in rows:
        perfect = row["histogram"][-1] / row["games"]
        strength[row["bot"]] = strength.get(row["bot"], 0.0) + row["mean"]
        cells.setdefault(row["bot"], {})[row["players"]] = f"{row['mean']:.3f} ± {row['stderr']:.3f} ({perfect:.1%})"
    players = ALLOWED["players"]
    head = ("bot", *(f"{count} players" for count in players))
    in_order = sorted(cells, key=lambda bot: strength[bot])
    return as_markdown([head, *((bot, *(cells[bot].get(count, "") for count in players)) for bot in in_order)])


def _games(rows: Iterable[Row]) -> str:
    """How many games there are of each bot."""
    counts: dict[int, dict[str, None]] = {}
    for row in rows:
        counts.setdefault(row["games"], {})[row["bot"]] = None
    most = sorted(counts.items(), reverse=True)
    return ", ".join(f"{count:,} game{'s' * (count > 1)} each of {', '.join(names)}" for count, names in most)


def _lost(rows: Iterable[Row]) -> str:
    """How many games were lost by those bots that lose any, for each number of players."""
    shares: dict[str, list[float]] = {}
    for row in rows:
        shares.setdefault(row["bot"], []).append(row["lost"] / row["games"])
    told = [f"{bot} {' / '.join(f'{share:.2%}' for share in found)}" for bot, found in shares.items() if any(found)]
    return f"Lost at {ALLOWED['players'][0]} to {ALLOWED['players'][-1]} players: {', '.join(told) if told else 'none'}."
