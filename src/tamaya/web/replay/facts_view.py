"""The facts of a game under its replay: one plot and a few sentences, of what the reader has seen and of nothing later.

Everywhere, `reader` is the seat of whoever reads it, if they have one."""

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
    """Where a page leads from the facts of a game: to a turn, and to what actions after one would have made of it. Where
    there is no such place, the address is empty."""

    def at(self, turn: int) -> str:
        """The address of a turn."""

    def after(self, turn: int, then: tuple[Action, ...]) -> str:
        """The address of what these actions after a turn lead to."""


@dataclass(frozen=True, slots=True)
class TurnPanel:
    """The plot of a game with the kinds of slips on it, what is to be said of the move that is shown, and of the pace then. If
    the game is `coached`, the plot has what was to be expected, and `verdict` is what the coach says of the move."""

    plot: Markup
    kinds: tuple[str, ...]
    coached: bool
    verdict: Markup
    move: tuple[Message, ...]
    pace: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class GamePanel:
    """What is to be said of a game so far, of its slips, and what the solver found out. On a page that shows no moves, `anchor`
    is what the places of its turns are called."""

    summary: tuple[FactSentence, ...]
    slips: tuple[tuple[FactSentence, str], ...]
    solver: Markup
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class SolverPanel:
    """What the solver found out: in sentences, and as a line to step through from a turn on. As long as it is at work, a page
    asks `again` how far it is, at once if nobody has `begun`; where it `failed`, the reader can ask again."""

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
    """The plot of a game as far as it is known to the reader, and what there is to say of the turn that is shown, if one is;
    `verdict` is what the coach says of it."""
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
    """The line of what was to be expected, low above the slider, as far as it is known to the reader."""
    plot = analysis_plot(game_plot(known, reader), coaching, known.names, reader)
    strip = lay_out_strip(plot, turn, addresses.at, catalogue(language))
    return render_component(strip, language) if strip else Markup()


def render_game(
    known: GameFacts, addresses: Addresses, language: str, solver: Markup, reader: int | None = None, anchor: str = ""
) -> Markup:
    """What there is to say of a game as far as it is known to the reader."""
    found = tuple((slip, addresses.at(slip.turn)) for slip in slips(known, reader) if slip.turn is not None)
    return render_component(GamePanel(summary(known, reader), found, solver, anchor), language)


def render_solver_progress(
    record: Record, search: SolverProgress, addresses: Addresses, again: str, language: str, reader: int | None
) -> Markup:
    """What the solver found out about a game, or how far it is; `again` is where a page asks for more."""
    if search.result:
        return render_winnability(record, search.result, addresses, language, reader)
    return render_component(SolverPanel(search.positions, again, search.requested, search.failed), language)


def render_winnability(
    record: Record, winning: Winnability, addresses: Addresses, language: str, reader: int | None = None
) -> Markup:
    """What the solver found out about a game, each move of its line with the address of what it leads to."""
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
