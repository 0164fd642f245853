"""Plots of a league: mean scores by the number of players, and the distribution of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from tamaya.i18n import Catalogue
from tamaya.league import MatchResult
from tamaya.league.statistics import NORMAL
from tamaya.rules import say, say_in
from tamaya.rules.errors import require

INK, FAINT, PALE, PAPER = "#1d2433", "#5b6478", "#dde2ea", "#fbfbfd"
DPI = 150
"""Dots per inch."""
BAR_GROUP_WIDTH = 0.84
"""The width of all bars of a number of players, where the distance between numbers is 1."""
COLOURS = ("#d9690f", "#3a0ca3", "#2a9d8f", "#c1121f", "#76809a", "#a0714f", "#e9b44c", "#4d908e")
HEIGHT, BASE_WIDTH, EXTRA_WIDTH = 7.5, 5.0, 2.6
"""Inches: the plot's height, its base width, and the width that each number of players adds."""


def draw(standings: Sequence[MatchResult], path: Path, speak: Catalogue) -> None:
    """Write the plot; the file's suffix decides the format."""
    require("matplotlib", "plots")
    from matplotlib.figure import Figure

    player_counts = list(dict.fromkeys(standing.match.rules.players for standing in standings))
    teams = list(dict.fromkeys(standing.match.bot for standing in standings))
    colours = dict(zip(teams, cycle(COLOURS), strict=False))
    picture = Figure(figsize=(BASE_WIDTH + EXTRA_WIDTH * len(player_counts), HEIGHT), facecolor=PAPER)
    picture.set_layout_engine("constrained", h_pad=0.12, w_pad=0.12, hspace=0.03)
    grid = picture.add_gridspec(2, len(player_counts))
    means = picture.add_subplot(grid[0, :])
    style_panel(means, speak(say_in("league", "mean score")))
    means.set_xticks(range(len(player_counts)), [speak(say("{players} players", players=players)) for players in player_counts])
    _draw_means(means, standings, player_counts, teams, colours)
    for place, players in enumerate(player_counts):
        panel = picture.add_subplot(grid[1, place])
        style_panel(panel, speak(say("{players} players: scores", players=players)))
        _draw_scores(panel, [standing for standing in standings if standing.match.rules.players == players], colours)
    picture.suptitle(speak(say("A league of Hanabi bots")), color=INK, fontsize=14, fontweight="bold")
    picture.legend(
        *means.get_legend_handles_labels(), loc="outside lower center", ncols=min(len(teams), 6), frameon=False, labelcolor=INK
    )
    picture.savefig(path, dpi=DPI)


def style_panel(panel: Any, title: str) -> None:
    """Set the title and the colours of a panel."""
    panel.set_facecolor(PAPER)
    panel.set_title(title, color=INK, fontsize=10.5, loc="left")
    panel.grid(axis="y", color=PALE, linewidth=0.9)
    panel.set_axisbelow(True)
    panel.tick_params(length=0, colors=INK, labelsize=9)
    panel.spines[:].set_visible(False)


def _draw_means(
    panel: Any, standings: Sequence[MatchResult], player_counts: Sequence[int], teams: Sequence[str], colours: Mapping[str, str]
) -> None:
    """Bars side by side, with the 95 % confidence interval of the mean."""
    width = BAR_GROUP_WIDTH / len(teams)
    for place, team in enumerate(teams):
        its = [standing for standing in standings if standing.match.bot == team]
        middles = [player_counts.index(one.match.rules.players) + (place + 0.5) * width - BAR_GROUP_WIDTH / 2 for one in its]
        figures = [one.statistics for one in its]
        errors = [NORMAL * (figure.standard_error or 0.0) for figure in figures]
        means = [figure.mean for figure in figures]
        panel.bar(middles, means, 0.92 * width, yerr=errors, color=colours[team], ecolor=FAINT, capsize=3, label=team)
        for middle, mean in zip(middles, means, strict=True):
            panel.text(middle, mean / 2, f"{mean:.2f}", color=PAPER, fontsize=8.5, ha="center", weight="bold", rotation=90)


def _draw_scores(panel: Any, standings: Sequence[MatchResult], colours: Mapping[str, str]) -> None:
    for standing in standings:
        counts = standing.totals.histogram
        panel.plot(range(len(counts)), [100 * count / sum(counts) for count in counts], color=colours[standing.match.bot])
    panel.set_ylim(0)
    panel.yaxis.set_major_formatter(lambda share, _: f"{share:g} %")
