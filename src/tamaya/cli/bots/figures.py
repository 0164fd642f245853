"""How well our own bots play: which games are played to find out, and the rows that the documentation and its test keep."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tamaya.bots import BOTS
from tamaya.league import Match, MatchResult
from tamaya.league.checkpoint import as_digits
from tamaya.rules import EDITIONS, Rules
from tamaya.rules.editions import VARIANTS
from tamaya.rules.ruleset import ALLOWED

FEWER = 10
"""Bots that are not compiled play so many times fewer games, and so do all bots by rules other than the standard ones."""
FIRST = 100
"""How many scores are kept, so that playing those games again shows whether the figures still hold."""

STANDARD = "standard"

Row = dict[str, Any]


class RuleChoice(NamedTuple):
    """The rules that games are played by: an edition, and a variant if any."""

    edition: str
    variant: str = ""

    def rules(self, players: int) -> Rules:
        """The rules for so many players."""
        return EDITIONS[self.edition].rules(players, [self.variant] if self.variant else [])


def editions_by_rules() -> dict[str, list[str]]:
    """The editions, together where their rules are the same; the standard one first."""
    found: dict[str, list[str]] = {}
    for edition in EDITIONS.values():
        found.setdefault(str(edition.rules(2)), []).append(edition.name)
    return {names[0]: names for names in found.values()}


def house_bots() -> list[str]:
    """Our own bots, but for the one that only measures how fast games go."""
    return [bot for bot in BOTS if bot != "faultless"]


def worthwhile_bots() -> list[str]:
    """Those of them that somebody would want to play with."""
    return [bot for bot in house_bots() if BOTS[bot].offered and bot != "random"]


def runs_for(games: int, seed: int) -> dict[Match, RuleChoice]:
    """The runs behind the documentation, each with its rules: every bot by the rules of every edition, and the worthwhile
    ones by the standard rules with each variant."""
    bots_by_rules = {RuleChoice(edition): house_bots() for edition in editions_by_rules()}
    bots_by_rules |= {RuleChoice(STANDARD, variant): worthwhile_bots() for variant in VARIANTS}
    found = {}
    for choice, bots in bots_by_rules.items():
        for players in ALLOWED["players"]:
            for bot in (bot for bot in bots if BOTS[bot].knows(choice.rules(players))):
                wanted = games if BOTS[bot].is_compiled else games // FEWER
                wanted = wanted if choice == RuleChoice(STANDARD) else wanted // FEWER
                found[Match(bot, choice.rules(players), seed, max(wanted, 1))] = choice
    return found


def row_of(standing: MatchResult, choice: RuleChoice) -> Row:
    """A standing as it is kept: what was counted, and the scores of the first games."""
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
        "first": as_digits(standing.scores[:FIRST]),
    }


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Keep rows in a file, one a line."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")


def read_rows(path: Path) -> list[Row]:
    """The rows that a file keeps."""
    found: list[Row] = json.loads(path.read_text("utf-8"))
    return found


def choice_of(row: Row) -> RuleChoice:
    """The edition and the variant of a row."""
    return RuleChoice(row["edition"], row["variant"])


def rules_of(row: Row) -> Rules:
    """The rules by which the games of a row were played."""
    return choice_of(row).rules(row["players"])
