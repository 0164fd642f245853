"""Reports of a league: grids of results and differences, histograms, and the machine."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tamaya.cli.grids import Grid, as_markdown
from tamaya.i18n import Catalogue
from tamaya.league import Difference, MatchResult
from tamaya.league.matches import sources
from tamaya.league.workers.processes import usable_cores
from tamaya.rules import say, say_in

PACKAGES = {"NumPy": "numpy", "Numba": "numba"}
"""Packages that affect speed, by their display name."""


def processor() -> str:
    """The processor's name, as far as the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def describe_machine(packages: Mapping[str, str] = PACKAGES) -> str:
    """The machine, its Python and the versions of some packages, in one line."""
    parts = [f"{processor()}, {count_cores(usable_cores())}", f"Python {platform.python_version()}"]
    for name, package in packages.items():
        try:
            parts.append(f"{name} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"no {name}")
    return ", ".join(parts)


def count_cores(count: int) -> str:
    """The number of cores, in words."""
    return "1 core" if count == 1 else f"{count} cores"


EIGHTHS = " ▏▎▍▌▋▊▉█"
MARGIN = len("  25  100.0%  ")
REPORT_WIDTH = 80


def results_grid(standings: Iterable[MatchResult], speak: Catalogue) -> Grid:
    """A grid of how well each team plays."""
    headings = (
        say_in("league", "bot"),
        say_in("league", "players"),
        say_in("league", "games"),
        say_in("league", "mean score"),
        say_in("league", "perfect"),
        say_in("league", "lost"),
        say_in("league", "moves"),
        say_in("league", "games/s a core"),
    )
    return [tuple(map(speak, headings)), *map(_result_row, standings)]


def _result_row(standing: MatchResult) -> tuple[str, ...]:
    figures = standing.statistics
    return (
        standing.match.bot,
        str(standing.match.rules.players),
        str(figures.games),
        f"{figures.mean:.3f}{_error(figures.standard_error)}",
        f"{figures.perfect:.1%}",
        f"{figures.lost:.1%}",
        f"{figures.moves:.1f}",
        f"{standing.games_per_second:.1f}",
    )


def differences_grid(found: Iterable[Difference], speak: Catalogue) -> Grid:
    """A grid of the differences between teams on the same deals."""
    headings = (
        say_in("league", "difference"),
        say_in("league", "players"),
        say_in("league", "games"),
        say_in("league", "mean"),
        say_in("league", "95 % interval"),
    )
    return [tuple(map(speak, headings)), *map(_difference_row, found)]


def _difference_row(found: Difference) -> tuple[str, ...]:
    mean = f"{found.mean:+.3f}{_error(found.standard_error)}"
    interval = "" if found.interval is None else "[{:+.3f}, {:+.3f}]".format(*found.interval)
    return (f"{found.bot} − {found.other}", str(found.rules.players), str(found.games), mean, interval)


def _error(standard_error: float | None) -> str:
    return "" if standard_error is None else f" ± {standard_error:.3f}"


def histogram_lines(standings: Iterable[MatchResult], width: int) -> list[str]:
    """A histogram of each result, from the lowest score that occurred to the highest; the longest bar fills the width."""
    return [line for standing in standings for line in ("", *_bars(standing, max(width - MARGIN, 10)))]


def _bars(standing: MatchResult, width: int) -> Iterator[str]:
    yield f"{standing.match.bot}, {standing.match.rules.players}"
    counts = standing.totals.histogram
    reached = [score for score, count in enumerate(counts) if count]
    for score in range(reached[0], reached[-1] + 1):
        share = counts[score] / sum(counts)
        yield f"  {score:2}  {share:6.1%}  {bar(counts[score] / max(counts), width)}".rstrip()


def bar(part: float, width: int) -> str:
    """A bar of a share of the width, to an eighth of a character; any share above zero is visible."""
    eighths = round(part * width * 8) or int(part > 0)
    return EIGHTHS[8] * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def report(standings: Sequence[MatchResult], found: Sequence[Difference], command: str, speak: Catalogue) -> str:
    """A page of Markdown: what was played, how, and the results."""
    seeds = ", ".join(dict.fromkeys(str(standing.match.seed) for standing in standings))
    parts = [
        "# " + speak(say("A league of Hanabi bots")),
        f"```sh\n{command}\n```",
        speak(say("Every team played the same deals, those of seed {seed}. The mean score stands with its standard error; "
                  "“perfect” and “lost” are shares of the games; games in a second are those of one core, without compiling.",
                  seed=seeds)),
        as_markdown(results_grid(standings, speak)),
    ]  # fmt: skip
    if found:
        parts += [
            "## " + speak(say("Differences")),
            speak(say("What a team scored more than the other in the same games. The interval holds the true difference with a "
                      "confidence of 95 %, if the mean is normally distributed, as it nearly is after some hundred games.")),
            as_markdown(differences_grid(found, speak)),
        ]  # fmt: skip
    bars = "\n".join(histogram_lines(standings, REPORT_WIDTH)).strip("\n")
    parts += ["## " + speak(say("Scores")), f"```text\n{bars}\n```"]
    parts.append(speak(say("Tamaya {version}, source {fingerprint}; {machine}.",
                           version=version("tamaya"), fingerprint=sources()[:8], machine=describe_machine())))  # fmt: skip
    return "\n\n".join(parts) + "\n"
