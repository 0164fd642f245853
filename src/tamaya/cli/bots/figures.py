"""The figures of the house's bots: which games they come from, and how they are kept for the documentation and its test."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tamaya.bots import BOTS
from tamaya.rules import EDITIONS, Rules
from tamaya.rules.editions import VARIANTS
from tamaya.rules.ruleset import ALLOWED
from tamaya.sim.league import Run, Standing
from tamaya.sim.league.keeping import as_digits
from tamaya.sim.league.teams import house_bots, is_policy

FEWER = 10
"""By how much fewer games there are of bots that are no policies, and of rules that are not the standard ones."""
FIRST = 100
"""How many games' scores are kept, to see by playing them again whether figures are those of the bots that there are now."""

STANDARD = "standard"

Row = dict[str, Any]


class Which(NamedTuple):
    """By which rules games are played: an edition, and a variant if any."""

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


def players_at_tables() -> list[str]:
    """The bots of the house that one would play with."""
    return [bot for bot in BOTS if bot != "random"]


def runs_for(games: int, seed: int) -> dict[Run, Which]:
    """What is played for the tables, with the rules that each run stands for: every bot by the rules of every edition, and
    those that one would play with by the standard rules with each variant."""
    played = {Which(edition): house_bots() for edition in editions_by_rules()}
    played |= {Which(STANDARD, variant): players_at_tables() for variant in VARIANTS}
    found = {}
    for which, bots in played.items():
        for players in ALLOWED["players"]:
            for bot in bots:
                wanted = games if is_policy(bot) else games // FEWER
                wanted = wanted if which == Which(STANDARD) else wanted // FEWER
                found[Run(bot, which.rules(players), seed, max(wanted, 1))] = which
    return found


def figures(standings: Iterable[Standing], whiches: dict[Run, Which]) -> list[Row]:
    """Standings as they are kept: what was counted, and the scores of the first games."""
    return [
        {
            "bot": standing.run.bot,
            "edition": whiches[standing.run].edition,
            "variant": whiches[standing.run].variant,
            "players": standing.run.rules.players,
            "seed": standing.run.seed,
            "games": standing.totals.games,
            "mean": round(standing.statistics.mean, 4),
            "stderr": round(standing.statistics.standard_error or 0.0, 4),
            "lost": standing.totals.lost,
            "moves": standing.totals.moves,
            "histogram": standing.totals.histogram,
            "first": as_digits(standing.scores[:FIRST]),
        }
        for standing in standings
    ]


def write(path: Path, rows: Sequence[Row]) -> None:
    """Keep figures, a row a line."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")


def read(path: Path) -> list[Row]:
    """Figures that were kept."""
    found: list[Row] = json.loads(path.read_text("utf-8"))
    return found


def rules_of(row: Row) -> Rules:
    """By which rules the games of a row were played."""
    return which(row).rules(row["players"])


def which(row: Row) -> Which:
    """The edition and the variant of a row."""
    return Which(row["edition"], row["variant"])
