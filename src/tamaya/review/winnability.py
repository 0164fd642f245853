"""Whether the deal of a game could be won, and until which turn, by players who know every card.

It takes records only, never a running game. The positions to solve come from a generator, so that the caller decides where each
is solved, and sees the progress.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from tamaya.engine import Event, Game
from tamaya.i18n.player_names import player_at, with_names
from tamaya.record import Record, play_again
from tamaya.rules import Action, Ending, Message, TamayaError, say
from tamaya.solver import Answer, Verdict, solve

MAX_POSITIONS = 16
"""Positions of one game that are solved, twice as many as clear answers would take."""

MAX_BUDGET = 10**12

BUDGET = 300_000
"""Nodes that the solver visits for one position before it gives up: seconds with a compiler, half a minute without."""

Reply = Answer
"""The solver's answer for a position."""

UNANSWERED = Reply(Verdict.UNDECIDED)
"""The answer of a solver that ran out of time."""


@dataclass(frozen=True)
class Winnability:
    """How long a game could be won. `until` is the last turn after which a win was found, None if there is none; `lost` the
    first after which none is possible, None if there is none. `exact` says whether no turn between the two is undecided.

    `line` wins from the position after turn `until`. `reason` says why the deal could not be won, or not be solved.
    """

    until: int | None
    lost: int | None
    exact: bool = True
    line: tuple[Action, ...] = ()
    reason: Message | None = None


SolverSteps = Generator[Game, Reply, Winnability]
"""Yields positions to be solved, is sent the answer for each, and returns the result."""


def solver_steps(record: Record) -> SolverSteps:
    """The positions of a game to solve. A position that cannot be won has no winnable successor, so this is a binary search."""
    game, top = play_again(record).game, record.rules.maximum
    if game.outcome is not None and game.outcome.ending is Ending.WON:
        return Winnability(game.turn, None)
    lost = next((turn for turn in range(game.turn + 1) if game.at(turn).maximum < top), game.turn + 1)
    deal = yield game.at(0)
    if deal.verdict is Verdict.LOST:
        return Winnability(None, 0, reason=deal.reason)
    until, best, asked = (0, deal, {0}) if deal.verdict is Verdict.WINNABLE else (-1, deal, {0})
    while len(asked) < MAX_POSITIONS:
        open_turns = [turn for turn in range(until + 1, lost) if turn not in asked]
        if not open_turns:
            break
        turn = open_turns[len(open_turns) // 2]
        asked.add(turn)
        answer = yield game.at(turn)
        if answer.verdict is Verdict.WINNABLE:
            until, best = turn, answer
        elif answer.verdict is Verdict.LOST:
            lost = turn
    exact, lost_turn = lost == until + 1, lost if lost <= game.turn else None
    return Winnability(until if until >= 0 else None, lost_turn, exact, best.solution, best.reason)


def winnability_of(record: Record, budget: int = BUDGET) -> Winnability:
    """How long a game could be won, solved in this process."""
    search = solver_steps(record)
    try:
        position = next(search)
        while True:
            position = search.send(answer_to(position, budget))
    except StopIteration as done:
        result: Winnability = done.value
        return result


def answer_to(position: Game, budget: int) -> Reply:
    """The solver's answer for a position, undecided for rules that it does not know."""
    try:
        return solve(position, budget)
    except TamayaError as problem:
        return Reply(Verdict.UNDECIDED, reason=problem.message)


def line_of(record: Record, winning: Winnability) -> Iterator[Event]:
    """The events of the winning line."""
    if winning.until is not None:
        game = play_again(record).game.at(winning.until)
        yield from (game.act(action) for action in winning.line)


def winnability_sentences(winning: Winnability, names: tuple[str, ...], reader: int | None = None) -> tuple[Message, ...]:
    """The result in sentences, for readers who have seen the end of the game; `reader` is the seat of the reader."""
    until, lost = winning.until, winning.lost
    if until is None:
        first = say("Even with every card known, this deal could not be won.")
        unclear = say("Whether this deal could have been won was not found out.")
        return (first if winning.exact else unclear, *filter(None, (winning.reason,)))
    if lost is None:
        stopped = say("With every card known, the game could still be won when it was stopped.")
        return (stopped,) if winning.line else ()
    if winning.exact:
        decisive = say(
            "After the move of {player} in turn {lost} it could not be won any more.",
            player=player_at(until % len(names)),
            lost=lost,
        )
        last = say("With every card known, the game could be won until turn {until}.", until=until)
        return last, with_names(decisive, names, reader)
    return (
        say("With every card known, the game could be won until turn {until} at least.", until=until),
        say("After turn {lost} it could not be won any more.", lost=lost),
    )
