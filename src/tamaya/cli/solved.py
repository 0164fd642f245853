"""What ``tamaya solve`` shows: verdicts, winning lines as sentences and as records, and the figures of a series."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tamaya.cli.common import new_file
from tamaya.engine import Game
from tamaya.i18n import Catalogue, tell
from tamaya.record import Record, native
from tamaya.rules import Message, Rules, say, say_in, say_n
from tamaya.solver import Answer, Deals, Verdict

WINNABLE, LOST, UNDECIDED = 0, 1, 3
"""The exit status for each verdict; 2 is for wrong input."""

_STATUS = {Verdict.WINNABLE: WINNABLE, Verdict.LOST: LOST, Verdict.UNDECIDED: UNDECIDED}


@dataclass(frozen=True)
class Deal:
    """A game to be solved from where it stands, and what it is called."""

    id: str
    game: Game
    names: tuple[str, ...]

    def won(self, answer: Answer) -> Game:
        """The game with the winning line played."""
        game = self.game.copy()
        for action in answer.solution:
            game.act(action)
        return game

    def record(self, answer: Answer) -> Record:
        """The record of the game with the winning line played."""
        return Record.of(self.won(answer), self.names)


def placeholder_names(rules: Rules, speak: Catalogue) -> tuple[str, ...]:
    """Names for players whose own are not known."""
    return tuple(speak(say("Player {number}", number=seat + 1)) for seat in range(rules.players))


def status_of(verdicts: set[Verdict]) -> int:
    """The exit status for several answers: the worst of them, where lost is worse than undecided."""
    return next(_STATUS[verdict] for verdict in (Verdict.LOST, Verdict.UNDECIDED, Verdict.WINNABLE) if verdict in verdicts)


def row_of(deal: Deal, answer: Answer, speak: Catalogue) -> dict[str, Any]:
    """An answer for programs."""
    return {
        "id": deal.id,
        "verdict": answer.verdict.value,
        "turn": deal.game.turn,
        "line": [str(action) for action in answer.solution],
        "reason": speak(answer.reason) if answer.reason else None,
        "nodes": answer.nodes,
    }


def lines_of(deal: Deal, answer: Answer, speak: Catalogue) -> Iterator[str]:
    """An answer for people: the verdict, then the line in sentences or the reason."""
    yield f"{deal.id}: {speak(_verdict_sentence(answer))}"
    if answer.reason:
        yield f"  {speak(answer.reason)}"
    before = len(deal.game.log)
    for event in deal.won(answer).log[before:]:
        yield f"  {event.turn:3}. {speak.text(tell(event, deal.names, deal.game.rules))}"


def _verdict_sentence(answer: Answer) -> Message:
    match answer.verdict:
        case Verdict.WINNABLE:
            return say_n("it can be won, in {n} turn.", "it can be won, in {n} turns.", len(answer.solution))
        case Verdict.LOST:
            return say("it cannot be won.")
        case Verdict.UNDECIDED:
            return say("undecided after {nodes} positions; a larger --budget may tell.", nodes=answer.nodes)


@dataclass
class Figures:
    """How many deals of a series can be won, and which cannot."""

    deals: Deals
    counts: dict[Verdict, int] = field(default_factory=lambda: dict.fromkeys(Verdict, 0))
    seeds: dict[Verdict, list[int]] = field(default_factory=lambda: {verdict: [] for verdict in Verdict})
    nodes: int = 0

    def add(self, seed: int, answer: Answer) -> None:
        """Count an answer, and remember the seeds of deals that are not won."""
        self.counts[answer.verdict] += 1
        self.nodes += answer.nodes
        if answer.verdict is not Verdict.WINNABLE:
            self.seeds[answer.verdict].append(seed)

    def row(self) -> dict[str, Any]:
        """The figures for programs."""
        return {
            "rules": self.deals.rules.to_json(),
            "seed": self.deals.seed,
            "deals": self.deals.games,
            **{verdict.value: count for verdict, count in self.counts.items()},
            "nodes": self.nodes,
            "not_winnable_seeds": self.seeds[Verdict.LOST],
            "undecided_seeds": self.seeds[Verdict.UNDECIDED],
        }

    def lines(self, speak: Catalogue) -> Iterator[str]:
        """The figures for people."""
        names = {
            Verdict.WINNABLE: say_in("deals", "can be won"),
            Verdict.LOST: say_in("deals", "cannot be won"),
            Verdict.UNDECIDED: say_in("deals", "undecided"),
        }
        for verdict, count in self.counts.items():
            seeds = " ".join(map(str, self.seeds[verdict][:SHOWN])) + (" …" if len(self.seeds[verdict]) > SHOWN else "")
            yield f"{count:>9} {count / self.deals.games:>8.2%}  {speak(names[verdict])}" + (f": {seeds}" if seeds else "")


SHOWN = 5
"""Seeds that are named beside a figure."""


@contextmanager
def written_to(path: Path | None, a_line_each: bool) -> Iterator[Callable[[Record], None]]:
    """Where winning lines are written: to a new file, or nowhere."""
    if path is None:
        yield lambda record: None
        return
    with new_file(path) as file:

        def write(record: Record) -> None:
            file.write(json.dumps(native.to_json(record), ensure_ascii=False) + "\n" if a_line_each else native.write(record))

        yield write
