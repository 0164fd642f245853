"""``./dev bench coach``: how long the coach takes for saved games, how precise its values are, and whether its flags and better
moves recur in runs with other random numbers."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from benchmarks.measuring import machine_line
from tamaya.record import Record, play_again, read_file
from tamaya.review.analysis import AGREEMENTS, MoveAnalysis
from tamaya.review.comparison import compare
from tamaya.review.evaluation import FULL_BUDGET, SHALLOW_BUDGET, EvaluationBudget, analyse_move, noise_in
from tamaya.rules import TamayaError, read_action
from tamaya.search import Search

ORDINARY_GAME = 60
"""The number of moves that the time limit is for."""
OTHER_SEED = 1_000
MIN_SAME_FLAGS, MIN_SAME_MOVES, MAX_SECONDS, MAX_ERROR = 0.9, 0.8, 30.0, 0.1
"""The limits: shares of recurring flags and better moves, seconds for an ordinary game, standard error of values."""
WORLDS = 1_000
"""The number of worlds in which two better moves are compared."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--every", type=click.IntRange(1), default=1, show_default=True, help="Look at every so many games.")
@click.option("--moves", type=click.IntRange(1), default=1, show_default=True, help="Look at every so many moves.")
@click.option("--seed", default=0, show_default=True, help="Chance.")
@click.option(
    "--again",
    type=click.IntRange(1, OTHER_SEED - 1),
    default=2,
    show_default=True,
    help="How often to look again at what was wrong.",
)
@click.option("--shallow", is_flag=True, help="Look as tamaya review --depth shallow does.")
@click.option("--json", "as_json", is_flag=True, help="One object instead of lines.")
def coach(files: tuple[Path, ...], every: int, moves: int, seed: int, again: int, shallow: bool, as_json: bool) -> None:
    """Let the coach analyse the games of FILES, and again each move that it flags. A game it cannot analyse is an error."""
    tally, depth = CoachTally(), SHALLOW_BUDGET if shallow else FULL_BUDGET
    for file in files:
        for entry in list(read_file(file))[::every]:
            try:
                if entry.replay:
                    _analyse(tally, entry.id, entry.replay.record, moves, CoachSettings(depth, seed, again))
            except TamayaError as problem:
                tally.wrong.append(f"{entry.id}: {problem.message}")
    report = tally.report()
    click.echo(json.dumps(report, indent=1) if as_json else "\n".join([*_lines(report), machine_line()]))
    if tally.wrong:
        sys.exit(1)


@dataclass(frozen=True)
class CoachSettings:
    """The coach's budget and seed, and how many times flagged moves are analysed again."""

    depth: EvaluationBudget
    seed: int
    again: int


@dataclass
class CoachTally:
    """The results so far."""

    games: int = 0
    judged: list[tuple[MoveAnalysis, float]] = field(default_factory=list)
    again: list[tuple[MoveAnalysis, MoveAnalysis, bool]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def report(self) -> dict[str, Any]:
        """The figures with their limits."""
        errors = sorted(judged.error for judged, _ in self.judged)
        seconds = sum(seconds for _, seconds in self.judged) / max(len(self.judged), 1)
        flags, looks = sum(judged.verdict.is_flag for judged, _ in self.judged), len(self.again)
        same = [pair for pair in self.again if pair[1].verdict.is_flag]
        return {
            "games": self.games,
            "moves": len(self.judged),
            "wrong": self.wrong,
            "seconds_for_60_moves": round(seconds * ORDINARY_GAME, 1),
            "error": {f"p{share}": errors[(len(errors) - 1) * share // 100] for share in (50, 90, 100)} if errors else {},
            "flags": flags,
            "looks_again": looks,
            "flags_again": round(len(same) / looks, 3) if looks else None,
            "named_again": round(sum(one.best == other.best for one, other, _ in same) / len(same), 3) if same else None,
            "named_as_good": round(sum(as_good for *_, as_good in same) / len(same), 3) if same else None,
            "doubtful": sum(judged.doubtful for judged, _ in self.judged),
            "bars": {"flags_again": MIN_SAME_FLAGS, "named": MIN_SAME_MOVES, "seconds": MAX_SECONDS, "error": MAX_ERROR},
        }


def _analyse(tally: CoachTally, name: str, record: Record, moves: int, looks: CoachSettings) -> None:
    turns = play_again(record).game.turn
    if turns and not tally.games:
        analyse_move(record, 1, depth=SHALLOW_BUDGET)  # compile before measuring
    tally.games += 1
    for turn in range(1 + tally.games % moves, turns + 1, moves):
        began = time.process_time()
        judged = analyse_move(record, turn, depth=looks.depth, seed=looks.seed)
        tally.judged.append((judged, time.process_time() - began))
        for number in range(1, looks.again + 1) if judged.verdict.is_flag else ():
            other = analyse_move(record, turn, depth=looks.depth, seed=looks.seed + number * OTHER_SEED)
            as_good = other.verdict.is_flag and (judged.best == other.best or _as_good(record, judged, other, looks.seed))
            tally.again.append((judged, other, as_good))
            click.echo(f"{name}, turn {turn}: {_told(judged)}; again: {_told(other)}{', as good' * as_good}", err=True)


def _told(judged: MoveAnalysis) -> str:
    return f"{judged.played} lost {judged.loss:.2f} ± {judged.loss_error:.2f} to {judged.best} ({judged.verdict.value})"


def _as_good(record: Record, judged: MoveAnalysis, other: MoveAnalysis, seed: int) -> bool:
    """Whether the first better move is as good as the other within its error, in worlds of their own."""
    view = play_again(record).game.at(judged.turn - 1).view(judged.seat)
    search = Search(view, AGREEMENTS, noise=noise_in(record), seed=seed + OTHER_SEED**2)
    first, second = (search.number(read_action(one.best)) for one in (judged, other))
    behind = compare(search, [first, second], WORLDS).gain(second, first)
    return behind.mean <= 2 * behind.error


def _lines(report: Mapping[str, Any]) -> Iterable[str]:
    yield f"{report['games']} games, {report['moves']} moves; {report['seconds_for_60_moves']} s of a core for 60 moves"
    yield "standard error of values: " + ", ".join(f"{name} {error:.3f}" for name, error in report["error"].items())
    yield f"{report['flags']} flags, {report['looks_again']} looks again"
    yield f"  flags that come again: {report['flags_again']}; with the same better move: {report['named_again']},"
    yield f"  with one that is as good: {report['named_as_good']}; doubtful moves: {report['doubtful']}"
    yield from (f"wrong: {line}" for line in report["wrong"])
