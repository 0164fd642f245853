"""The figures of the documentation's page on bots, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from tamaya.cli.bots.figures import STANDARD, Row, RuleChoice, choice_of, editions_by_rules
from tamaya.cli.grids import as_markdown
from tamaya.rules.editions import VARIANTS
from tamaya.rules.ruleset import ALLOWED

PLACES = ("standard", "editions", "variants")


def figures_for_page(rows: Sequence[Row]) -> dict[str, str]:
    """What belongs in each of the places that the page keeps for figures."""
    standard = _rows_by(rows, RuleChoice(STANDARD))
    seed = standard[0]["seed"]
    editions, variants = [], []
    for edition, names in editions_by_rules().items():
        if edition != STANDARD:
            title = f"**{', '.join(name.capitalize() for name in names)}**;"
            editions += _section(title, _rows_by(rows, RuleChoice(edition)))
    for name, variant in VARIANTS.items():
        title = f"**`{name}`** ({variant.letter}): {variant.summary}"
        variants += _section(title, _rows_by(rows, RuleChoice(STANDARD, name)))
    return {
        "standard": "\n\n".join(
            _section(f"Mean score, standard error, and how many games were perfect; seed {seed},", standard)
        ),
        "editions": "\n\n".join(editions),
        "variants": "\n\n".join(variants),
    }


def _section(title: str, rows: Sequence[Row]) -> list[str]:
    """The paragraphs of one choice of rules; none where nothing was played by them."""
    return [f"{title} {_game_counts(rows)}.", _score_table(rows), _lost_sentence(rows)] if rows else []


def _rows_by(rows: Iterable[Row], wanted: RuleChoice) -> list[Row]:
    return [row for row in rows if choice_of(row) == wanted]


def _score_table(rows: Sequence[Row]) -> str:
    """A row for each bot, the weakest first, and a column for each number of players."""
    strength: dict[str, list[float]] = {}
    cells: dict[str, dict[int, str]] = {}
    for row in rows:
        perfect = row["histogram"][-1] / row["games"]
        strength.setdefault(row["bot"], []).append(row["mean"])
        cells.setdefault(row["bot"], {})[row["players"]] = f"{row['mean']:.3f} ± {row['stderr']:.3f} ({perfect:.1%})"
    players = ALLOWED["players"]
    headings = ("bot", *(f"{count} players" for count in players))
    in_order = sorted(cells, key=lambda bot: fmean(strength[bot]))
    return as_markdown([headings, *((bot, *(cells[bot].get(count, "") for count in players)) for bot in in_order)])


def _game_counts(rows: Iterable[Row]) -> str:
    """How many games there are of each bot."""
    counts: dict[int, dict[str, None]] = {}
    for row in rows:
        counts.setdefault(row["games"], {})[row["bot"]] = None
    in_order = sorted(counts.items(), reverse=True)
    return ", ".join(f"{count:,} game{'s' * (count > 1)} each of {', '.join(names)}" for count, names in in_order)


def _lost_sentence(rows: Iterable[Row]) -> str:
    """How many games were lost by those bots that lose any, for each number of players."""
    shares: dict[str, list[float]] = {}
    for row in rows:
        shares.setdefault(row["bot"], []).append(row["lost"] / row["games"])
    losers = [f"{bot} {' / '.join(f'{share:.2%}' for share in found)}" for bot, found in shares.items() if any(found)]
    return f"Lost at {ALLOWED['players'][0]} to {ALLOWED['players'][-1]} players: {', '.join(losers) if losers else 'none'}."
