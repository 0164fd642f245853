"""How often each score was reached, as bars across the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tamaya.sim.league import Standing

EIGHTHS = " ▏▎▍▌▋▊▉█"
MARGIN = len("  25  100.0%  ")


def histogram_lines(standings: Iterable[Standing], width: int) -> list[str]:
    """A block of bars for each standing, from the lowest score that occurred to the highest; the longest fills the width."""
    return [line for standing in standings for line in ("", *_block(standing, max(width - MARGIN, 10)))]


def _block(standing: Standing, width: int) -> Iterator[str]:
    yield f"{standing.run.bot}, {standing.run.rules.players}"
    counts = standing.totals.histogram
    reached = [score for score, count in enumerate(counts) if count]
    for score in range(reached[0], reached[-1] + 1):
        share = counts[score] / sum(counts)
        yield f"  {score:2}  {share:6.1%}  {bar(counts[score] / max(counts), width)}".rstrip()


def bar(part: float, width: int) -> str:
    """A bar of a part of the width, drawn to an eighth of a character; what is not nothing can be seen."""
    eighths = round(part * width * 8) or int(part > 0)
    return EIGHTHS[8] * (eighths // 8) + EIGHTHS[eighths % 8].strip()
