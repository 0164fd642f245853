"""The facts of a game beneath its replay: a plot and a few sentences, and nothing later than the viewer has seen.

`reader` is the viewer's seat, if they have one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from markupsafe import Markup

from tamaya.coach.solver import SolverProgress
from tamaya.i18n import catalogue, tell
from tamaya.record import Record
from tamaya.review import FactSentence, GameFacts, about_move, about_pace, slips, summary
from tamaya.review.analysis import GameAnalysis
from tamaya.review.winnability import Winnability, line_of, winnability_sentences
from tamaya.rules import Action, Message
from tamaya.web.rendering.templates import render_component
from tamaya.web.replay.plots import analysis_plot, game_plot, lay_out_plot, lay_out_strip

NO_ANALYSIS = GameAnalysis((), 0)
NO_HTML = Markup()


class Addresses(Protocol):
    """Makes the links of the facts; an address is empty where the page has no such place."""

    def at(self, turn: int) -> str:
        """The address of a turn."""

    def after(self, turn: int, then: tuple[Action, ...]) -> str:
        """The address of the position after a turn and these actions."""


@dataclass(frozen=True, slots=True)
class TurnPanel:
    """The plot of a game with the kinds of slips on it, and sentences on the move and the pace at the turn shown. If the game
    is `coached`, the plot has expected scores, and `verdict` is the coach's on the move."""

    plot: Markup
    kinds: tuple[str, ...]
    coached: bool
    verdict: Markup
    move: tuple[Message, ...]
    pace: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class GamePanel:
    """A summary of the game so far, its slips, and the solver's answer. `anchor` prefixes the anchors of turns on a page
    without moves."""

    summary: tuple[FactSentence, ...]
    slips: tuple[tuple[FactSentence, str], ...]
    solver: Markup
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class SolverPanel:
    """The solver's answer, in sentences and as a line to step through. While it works, the page asks `again` for its progress,
    at once if it has not `begun`; if it `failed`, the viewer can ask again."""

    asked: int = 0
    again: str = ""
    begun: bool = False
    failed: bool = False
    words: tuple[Message, ...] = ()
    line: tuple[tuple[int, tuple[Message, ...], str], ...] = ()


def render_turn(
    known: GameFacts,
    turn: int | None,
    addresses: Addresses,
    language: str,
    reader: int | None = None,
    coaching: GameAnalysis = NO_ANALYSIS,
    verdict: Markup = NO_HTML,
) -> Markup:
    """The plot of a game as far as the viewer knows it, and the sentences on the turn shown."""
    plot = analysis_plot(game_plot(known, reader), coaching, known.names, reader)
    laid_out = lay_out_plot(plot, turn, addresses.at, catalogue(language))
    kinds = tuple(sorted({dot.kind for dot in laid_out.dots}, reverse=True))
    move, pace = ((), ()) if turn is None else (about_move(known, turn, reader), about_pace(known, turn))
    return render_component(
        TurnPanel(render_component(laid_out, language), kinds, bool(plot.expected), verdict, move, pace), language
    )


def render_strip(
    known: GameFacts, turn: int, addresses: Addresses, language: str, reader: int | None, coaching: GameAnalysis
) -> Markup:
    """The line of expected scores above the slider, as far as the viewer knows the game."""
    plot = analysis_plot(game_plot(known, reader), coaching, known.names, reader)
    strip = lay_out_strip(plot, turn, addresses.at, catalogue(language))
    return render_component(strip, language) if strip else Markup()


def render_game(
    known: GameFacts, addresses: Addresses, language: str, solver: Markup, reader: int | None = None, anchor: str = ""
) -> Markup:
    """The summary of a game as far as the viewer knows it."""
    found = tuple((slip, addresses.at(slip.turn)) for slip in slips(known, reader) if slip.turn is not None)
    return render_component(GamePanel(summary(known, reader), found, solver, anchor), language)


def render_solver_progress(
    record: Record, search: SolverProgress, addresses: Addresses, again: str, language: str, reader: int | None
) -> Markup:
    """The solver's answer or progress; `again` is where the page asks for more."""
    if search.result:
        return render_winnability(record, search.result, addresses, language, reader)
    return render_component(SolverPanel(search.positions, again, search.requested, search.failed), language)


def render_winnability(
    record: Record, winning: Winnability, addresses: Addresses, language: str, reader: int | None = None
) -> Markup:
    """The solver's answer, with links to each move of its line."""
    start = winning.until or 0
    line = tuple(
        (
            event.turn,
            tell(event, record.names, record.rules, reader),
            addresses.after(start, winning.line[: event.turn - start]),
        )
        for event in line_of(record, winning)
    )
    return render_component(SolverPanel(words=winnability_sentences(winning, record.names, reader), line=line), language)
