"""``tamaya solve``: find out whether a deal can be won by players who know the deck."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import click

from tamaya.cli.batch_options import chosen_games, chosen_seed, show_progress
from tamaya.cli.common import (
    chosen_number,
    chosen_rules,
    edition_option,
    has_several,
    in_language,
    new_file,
    read_seed,
    refuse_with_saved_game,
    rules_options,
)
from tamaya.engine import Game
from tamaya.i18n import Catalogue, tell
from tamaya.league.workers import MAX_WORKERS
from tamaya.league.workers.processes import usable_cores
from tamaya.record import Record, Replay, native, read_file
from tamaya.rules import Arrange, MalformedError, Message, Rules, TamayaError, say, say_in, say_n
from tamaya.rules.errors import checked_integer
from tamaya.solver import BUDGET, Answer, Deals, Verdict, fastest, solve_deals
from tamaya.solver import solve as solve_game
from tamaya.solver.solver import MAX_BUDGET

WINNABLE, LOST, UNDECIDED = 0, 1, 3
"""The exit status for each verdict; 2 means invalid input."""

_STATUS = {Verdict.WINNABLE: WINNABLE, Verdict.LOST: LOST, Verdict.UNDECIDED: UNDECIDED}


@dataclass(frozen=True)
class SolverDeal:
    """A game to be solved from its current position, and its name."""

    id: str
    game: Game
    names: tuple[str, ...]

    def won_game(self, answer: Answer) -> Game:
        """The game after the winning line."""
        game = self.game.copy()
        for action in answer.solution:
            game.act(action)
        return game

    def record(self, answer: Answer) -> Record:
        """The record of the game after the winning line."""
        return Record.of(self.won_game(answer), self.names)


def placeholder_names(rules: Rules, speak: Catalogue) -> tuple[str, ...]:
    """Names for players without known names."""
    return tuple(speak(say("Player {number}", number=seat + 1)) for seat in range(rules.players))


def exit_status(verdicts: set[Verdict]) -> int:
    """The exit status for several verdicts: the worst one, where lost is worse than undecided."""
    return next(_STATUS[verdict] for verdict in (Verdict.LOST, Verdict.UNDECIDED, Verdict.WINNABLE) if verdict in verdicts)


def row_of(deal: SolverDeal, answer: Answer, speak: Catalogue) -> dict[str, Any]:
    """An answer for programs."""
    return {
        "id": deal.id,
        "verdict": answer.verdict.value,
        "turn": deal.game.turn,
        "line": [str(action) for action in answer.solution],
        "reason": speak(answer.reason) if answer.reason else None,
        "nodes": answer.nodes,
    }


def lines_of(deal: SolverDeal, answer: Answer, speak: Catalogue) -> Iterator[str]:
    """An answer for people: the verdict, then the line in sentences or the reason."""
    yield f"{deal.id}: {speak(_verdict_sentence(answer))}"
    if answer.reason:
        yield f"  {speak(answer.reason)}"
    before = len(deal.game.log)
    for event in deal.won_game(answer).log[before:]:
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
    """How many deals of a series can be won, and the seeds of the others."""

    deals: Deals
    counts: dict[Verdict, int] = field(default_factory=lambda: dict.fromkeys(Verdict, 0))
    seeds: dict[Verdict, list[int]] = field(default_factory=lambda: {verdict: [] for verdict in Verdict})
    nodes: int = 0

    def add(self, seed: int, answer: Answer) -> None:
        """Count an answer, and remember the seed of a deal that is not won."""
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
            seeds = " ".join(map(str, self.seeds[verdict][:MAX_SHOWN]))
            seeds += " …" if len(self.seeds[verdict]) > MAX_SHOWN else ""
            yield f"{count:>9} {count / self.deals.games:>8.2%}  {speak(names[verdict])}" + (f": {seeds}" if seeds else "")


MAX_SHOWN = 5
"""How many seeds are listed beside a figure."""


@contextmanager
def record_writer(path: Path | None, one_per_line: bool) -> Iterator[Callable[[Record], None]]:
    """A function that writes winning lines to a new file, or does nothing without a path."""
    if path is None:
        yield lambda record: None
        return
    with new_file(path) as file:

        def write(record: Record) -> None:
            file.write(json.dumps(native.to_json(record), ensure_ascii=False) + "\n" if one_per_line else native.write(record))

        yield write


MANY_DEALS = 200
"""From this many deals on, compiling and starting worker processes pays off."""


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--seed", metavar="S", help="The deal that this number or word gives in: tamaya play --seed S.")
@click.option("--games", metavar="N", help="A series of so many deals instead, from a number as the seed.")
@edition_option
@rules_options
@click.option("--turn", default="0", show_default=True, metavar="N", help="Of a saved game: from where it stood after N turns.")
@click.option("--budget", default=str(BUDGET), show_default=True, metavar="N", help="Positions to look at before giving up.")
@click.option("--workers", metavar="N", help="Solve a series in so many processes; else in one for each core.")
@click.option(
    "--out", metavar="FILE", type=click.Path(path_type=Path), help="Write the winning line as a record, to a new file."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@in_language
def solve(
    speak: Catalogue,
    file: Path | None,
    seed: str | None,
    games: str | None,
    edition: str,
    players: str,
    variants: tuple[str, ...],
    settings: tuple[str, ...],
    turn: str,
    budget: str,
    workers: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Say of the deal of a saved game in FILE, of a seed, or of a series of deals whether it can be won at all.

    Players are taken to know every card, the deck included. The answer is a line that wins, or why there is none. The exit
    status is 0 if the deal can be won, 1 if it cannot, 3 if that was not found out, 2 for wrong input; 0 after a series.
    """
    positions = chosen_number("--budget", budget, 1, MAX_BUDGET)
    if file is not None:
        refuse_with_saved_game("players", "edition", "variants", "settings", "seed", "games", "workers")
        raise SystemExit(_solve_file(file, chosen_number("--turn", turn, 0, None), positions, out, as_json, speak))
    if turn != "0":
        raise MalformedError("turn_without_file", say("--turn is for a saved game; name its file."))
    rules = chosen_rules(edition, players, variants, settings)[0]
    if games is not None:
        number, many = chosen_games(games), chosen_games(games) >= MANY_DEALS
        usual = usable_cores() if many else 1
        processes = usual if workers is None else chosen_number("--workers", workers, 1, MAX_WORKERS)
        deals = Deals(rules, chosen_seed(seed or "0"), number, positions, fastest() if many else None)
        _solve_series(deals, processes, out, as_json, speak)
    elif seed is not None:
        deal = SolverDeal(seed[:40], Game(rules, seed=read_seed(seed)), placeholder_names(rules, speak))
        raise SystemExit(_solve_all([deal], positions, out, as_json, speak))
    else:
        message = say("Name a file, a seed ({seed}) or a number of deals ({games}).", seed="--seed 7", games="--games 100")
        raise MalformedError("no_deal", message)


def _solve_file(file: Path, turn: int, budget: int, out: Path | None, as_json: bool, speak: Catalogue) -> int:
    """Solve every game of a file; invalid ones are reported and skipped."""
    wrong: list[str] = []
    deals = _deals(file, turn, wrong, speak)
    first = next(deals, None)
    status = _solve_all(chain([first], deals), budget, out, as_json, speak) if first else 0
    return 2 if wrong else status


def _deals(file: Path, turn: int, wrong: list[str], speak: Catalogue) -> Iterator[SolverDeal]:
    """The deals of a file; the names of invalid games are appended to `wrong`."""
    for entry in read_file(file):
        try:
            if entry.error and (entry.replay is None or turn > entry.replay.game.turn):
                raise entry.error
            assert entry.replay is not None
            if entry.replay.ended == "unfinished":
                click.echo(speak(say("{id} is not over: whoever still plays it should not read on.", id=entry.id)), err=True)
            deal = SolverDeal(entry.id, _game_after(entry.replay, turn), entry.replay.record.names)
        except TamayaError as problem:
            click.echo(f"{entry.id}: {speak(problem.message)}", err=True)
            wrong.append(entry.id)
        else:
            yield deal


def _game_after(replay: Replay, turn: int) -> Game:
    checked_integer("--turn", turn, 0, replay.game.turn)
    game = Game(replay.record.rules, deck=replay.record.deck)
    for move in replay.record.moves:
        if game.turn == turn and not isinstance(move, Arrange):
            break
        game.move(move)
    return game


def _solve_all(deals: Iterable[SolverDeal], budget: int, out: Path | None, as_json: bool, speak: Catalogue) -> int:
    verdicts = set()
    several, deals = has_several(deals)
    with record_writer(out, several) as write:
        for deal in deals:
            answer = solve_game(deal.game, budget)
            verdicts.add(answer.verdict)
            if answer.solution:
                write(deal.record(answer))
            if as_json:
                click.echo(json.dumps(row_of(deal, answer, speak), ensure_ascii=False))
            else:
                click.echo("\n".join(lines_of(deal, answer, speak)))
    return exit_status(verdicts)


def _solve_series(deals: Deals, workers: int, out: Path | None, as_json: bool, speak: Catalogue) -> None:
    figures, names = Figures(deals), placeholder_names(deals.rules, speak)
    with (
        show_progress(speak, deals.games) as watch,
        record_writer(out, True) as write,
        closing(solve_deals(deals, workers)) as results,
    ):
        for seed, answer in results:
            figures.add(seed, answer)
            if out and answer.solution:
                write(SolverDeal(str(seed), Game(deals.rules, seed=seed), names).record(answer))
            watch(1)
    click.echo(json.dumps(figures.row()) if as_json else "\n".join(figures.lines(speak)))
