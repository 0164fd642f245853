"""Whether the deal of a game could be won, and until which turn it still could, by players who know every card.

Only records come in here: nobody may ask this about a game that goes on. The questions are a generator, so that whoever asks
them decides where each is answered, and knows how far it is.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from tamaya.engine import Event, Game
from tamaya.i18n.player_names import player_at, with_names
from tamaya.record import Record, play_again
from tamaya.rules import Action, Ending, Message, TamayaError, say
from tamaya.solver import Answer, Verdict, solve

MOST_QUESTIONS = 16
"""Positions of one game that are given to the solver. Twice as many as it takes where every answer is clear."""

MOST_BUDGET = 10**12

BUDGET = 300_000
"""Positions that the solver looks at for one question before it gives up: seconds with a compiler, half a minute without."""

Reply = Answer
"""What the solver says of a position."""

UNANSWERED = Reply(Verdict.UNDECIDED)
"""The answer of a solver that had no time."""


@dataclass(frozen=True)
class Winnability:
    """What could have been made of a game. `until` is the last turn after which a win was found possible, None if there was
    none; `lost` the first after which it is known to be impossible, None if there was none. `exact` says whether nothing lies
    between the two that was not found out.

    `line` wins from where the game stood after turn `until`. `reason` says why the deal could not be won, or not be solved.
    """

    until: int | None
    lost: int | None
    exact: bool = True
    line: tuple[Action, ...] = ()
    reason: Message | None = None


SolverSteps = Generator[Game, Reply, Winnability]
"""Positions to be solved; each is sent the answer for the one before, and what they return is the result."""


def solver_steps(record: Record) -> SolverSteps:
    """The questions about a game. Who knows the deck and cannot win now, cannot win later either: so turns are halved."""
    game, top = play_again(record).game, record.rules.maximum
    if game.outcome is not None and game.outcome.ending is Ending.WON:
        return Winnability(game.turn, None)
    lost = next((turn for turn in range(game.turn + 1) if game.at(turn).maximum < top), game.turn + 1)
    deal = yield game.at(0)
    if deal.verdict is Verdict.LOST:
        return Winnability(None, 0, reason=deal.reason)
    until, best, asked = (0, deal, {0}) if deal.verdict is Verdict.WINNABLE else (-1, deal, {0})
    while len(asked) < MOST_QUESTIONS:
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
    """What could have been made of a game, found out here and now."""
    search = solver_steps(record)
    try:
        position = next(search)
        while True:
            position = search.send(answer_to(position, budget))
    except StopIteration as done:
        result: Winnability = done.value
        return result


def answer_to(position: Game, budget: int) -> Reply:
    """What the solver says of a position. Rules that it cannot read leave everything open."""
    try:
        return solve(position, budget)
    except TamayaError as problem:
        return Reply(Verdict.UNDECIDED, reason=problem.message)


def line_of(record: Record, winning: Winnability) -> Iterator[Event]:
    """What would have happened along the line that wins."""
    if winning.until is not None:
        game = play_again(record).game.at(winning.until)
        yield from (game.act(action) for action in winning.line)


def told(winning: Winnability, names: tuple[str, ...], reader: int | None = None) -> tuple[Message, ...]:
    """The result in sentences, for people who have seen the end of the game; `reader` is the seat of whoever reads them."""
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
