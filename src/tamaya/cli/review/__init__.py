"""``tamaya review``: the facts of saved games, and the coach's analysis."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from tamaya.cli.common import chosen_number, in_language, new_file
from tamaya.cli.review.text import ReviewedGame, as_json_line, lines_of
from tamaya.i18n import Catalogue
from tamaya.record import Entry, Record, read_file
from tamaya.review import facts_of
from tamaya.review.analysis import GameAnalysis, empty_analysis
from tamaya.review.evaluation import FULL_BUDGET, SHALLOW_BUDGET, analyse_moves
from tamaya.review.winnability import BUDGET, MAX_BUDGET, winnability_of
from tamaya.rules import MalformedError, TamayaError, say

DEPTHS = {"ordinary": FULL_BUDGET, "shallow": SHALLOW_BUDGET}
Coach = Callable[[str, Record], GameAnalysis]
CLEAR_LINE = "\r\x1b[K"


def make_coach(depth: str, speak: Catalogue) -> Coach:
    """A function that analyses a game and shows its progress on a terminal."""
    if depth not in DEPTHS:
        known = tuple(DEPTHS)
        raise MalformedError("bad_depth", say("“{depth}” is not a depth; there are {known}.", depth=depth[:20], known=known))
    shown = sys.stderr.isatty()

    def analyse(name: str, record: Record) -> GameAnalysis:
        coaching = empty_analysis(record)
        for judgement in analyse_moves(record, depth=DEPTHS[depth]):
            coaching = coaching.extended([judgement])
            if shown:
                words = say("{game}: move {turn} of {turns}", game=name, turn=judgement.turn, turns=coaching.turns)
                click.echo(f"{CLEAR_LINE}{speak(words)}", nl=False, err=True)
        if shown:
            click.echo(CLEAR_LINE, nl=False, err=True)
        return coaching

    return analyse


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, with every fact.")
@click.option(
    "--html", metavar="OUT", type=click.Path(path_type=Path), help="One page with a plot of each game, as a new file."
)
@click.option("--solve", is_flag=True, help="Find out until which turn each game could be won, with every card known.")
@click.option(
    "--budget", default=str(BUDGET), show_default=True, metavar="N", help="With --solve: positions to look at, a turn."
)
@click.option("--coach", is_flag=True, help="Weigh every move by what its player knew: half a minute a game.")
@click.option("--depth", default="ordinary", show_default=True, metavar="D", help="With --coach: ordinary, or shallow.")
@in_language
def review(
    speak: Catalogue,
    files: tuple[Path, ...],
    as_json: bool,
    html: Path | None,
    solve: bool,
    budget: str,
    coach: bool,
    depth: str,
) -> None:
    """Look back at the games in FILES: what was lost, who could have known, which plays were certain and which were not.

    FILES are as for tamaya verify. Of a damaged game the part before the damage is looked at. The exit status is 0 if every
    game could be read whole, else 2.
    """
    positions = chosen_number("--budget", budget, 1, MAX_BUDGET) if solve else 0
    coached = make_coach(depth, speak) if coach else None
    reviewed = (_review(entry, positions, coached) for path in files for entry in read_file(path))
    if html is None:
        wrong = sum([_print_review(game, as_json, speak) for game in reviewed])
    else:
        from tamaya.cli.review.html import page

        with new_file(html) as file:
            games = list(reviewed)
            file.write(page(games, speak))
        wrong = sum([_print_error(game, speak) for game in games])
    raise SystemExit(2 if wrong else 0)


def _review(entry: Entry, budget: int, coach: Coach | None) -> ReviewedGame:
    if entry.replay is None:
        return ReviewedGame(entry, None, None)
    record = entry.replay.record
    game = ReviewedGame(entry, facts_of(record), winnability_of(record, budget) if budget else None)
    try:
        return replace(game, analysis=coach(entry.id, record)) if coach else game
    except TamayaError as problem:
        return replace(game, coach_error=problem.message)


def _print_review(game: ReviewedGame, as_json: bool, speak: Catalogue) -> bool:
    """Print what was found out; return whether the game had an error."""
    if as_json:
        click.echo(as_json_line(game, speak))
        return game.problem is not None
    if game.facts:
        click.echo("\n".join(lines_of(game, game.facts, speak)))
    return _print_error(game, speak)


def _print_error(game: ReviewedGame, speak: Catalogue) -> bool:
    if game.problem:
        click.echo(f"{game.entry.id}: {speak(game.problem)}", err=True)
    return game.problem is not None
