"""Measured scores of our own bots: which games are played for them, and the rows in the documentation and its test."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from tamaya.bots import BOTS
from tamaya.cli.grids import as_markdown
from tamaya.league import Match, MatchResult
from tamaya.league.checkpoint import as_digits
from tamaya.rules import EDITIONS, Rules
from tamaya.rules.editions import VARIANTS
from tamaya.rules.ruleset import ALLOWED

SLOW_DIVISOR = 10
"""The divisor of the number of games for interpreted bots, and for all bots under rules other than the standard ones."""
MAX_KEPT_SCORES = 100
"""The scores kept of each row, so that a test can replay those games and compare."""

STANDARD = "standard"

Row = dict[str, Any]


class RuleChoice(NamedTuple):
    """The rules of games: an edition, and a variant if any."""

    edition: str
    variant: str = ""

    def rules(self, players: int) -> Rules:
        """The rules for a number of players."""
        return EDITIONS[self.edition].rules(players, [self.variant] if self.variant else [])


def editions_by_rules() -> dict[str, list[str]]:
    """The editions, grouped where their rules are the same; the standard one first."""
    found: dict[str, list[str]] = {}
    for edition in EDITIONS.values():
        found.setdefault(str(edition.rules(2)), []).append(edition.name)
    return {names[0]: names for names in found.values()}


def house_bots() -> list[str]:
    """Our own bots, except the one that only measures speed."""
    return [bot for bot in BOTS if bot != "faultless"]


def worthwhile_bots() -> list[str]:
    """Our own bots that are teammates worth playing with."""
    return [bot for bot in house_bots() if BOTS[bot].offered and bot != "random"]


def matches_for(games: int, seed: int) -> dict[Match, RuleChoice]:
    """The matches behind the documentation, with their rules.

    Every bot plays by the rules of every edition; the worthwhile ones also by the standard rules with each variant.
    """
    bots_by_rules = {RuleChoice(edition): house_bots() for edition in editions_by_rules()}
    bots_by_rules |= {RuleChoice(STANDARD, variant): worthwhile_bots() for variant in VARIANTS}
    found = {}
    for choice, bots in bots_by_rules.items():
        for players in ALLOWED["players"]:
            for bot in (bot for bot in bots if BOTS[bot].knows(choice.rules(players))):
                wanted = games if BOTS[bot].is_compiled else games // SLOW_DIVISOR
                wanted = wanted if choice == RuleChoice(STANDARD) else wanted // SLOW_DIVISOR
                found[Match(bot, choice.rules(players), seed, max(wanted, 1))] = choice
    return found


def row_of(standing: MatchResult, choice: RuleChoice) -> Row:
    """A result as a row of the file: its totals and the scores of the first games."""
    return {
        "bot": standing.match.bot,
        "edition": choice.edition,
        "variant": choice.variant,
        "players": standing.match.rules.players,
        "seed": standing.match.seed,
        "games": standing.totals.games,
        "mean": round(standing.statistics.mean, 4),
        "stderr": round(standing.statistics.standard_error or 0.0, 4),
        "lost": standing.totals.lost,
        "moves": standing.totals.moves,
        "histogram": standing.totals.histogram,
        "first": as_digits(standing.scores[:MAX_KEPT_SCORES]),
    }


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write rows to a file, one a line."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")


def read_rows(path: Path) -> list[Row]:
    """Read the rows of a file."""
    found: list[Row] = json.loads(path.read_text("utf-8"))
    return found


def choice_of(row: Row) -> RuleChoice:
    """The edition and the variant of a row."""
    return RuleChoice(row["edition"], row["variant"])


def rules_of(row: Row) -> Rules:
    """The rules of a row's games."""
    return choice_of(row).rules(row["players"])


PLACES = ("standard", "editions", "variants")


def figures_for_page(rows: Sequence[Row]) -> dict[str, str]:
    """The text for each of the page's places for figures."""
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
    counts: dict[int, dict[str, None]] = {}
    for row in rows:
        counts.setdefault(row["games"], {})[row["bot"]] = None
    in_order = sorted(counts.items(), reverse=True)
    return ", ".join(f"{count:,} game{'s' * (count > 1)} each of {', '.join(names)}" for count, names in in_order)


def _lost_sentence(rows: Iterable[Row]) -> str:
    """How many games were lost by the bots that lose any, for each number of players."""
    shares: dict[str, list[float]] = {}
    for row in rows:
        shares.setdefault(row["bot"], []).append(row["lost"] / row["games"])
    losers = [f"{bot} {' / '.join(f'{share:.2%}' for share in found)}" for bot, found in shares.items() if any(found)]
    return f"Lost at {ALLOWED['players'][0]} to {ALLOWED['players'][-1]} players: {', '.join(losers) if losers else 'none'}."
