"""Whether a position can be won by players who know every card, the deck included."""

from __future__ import annotations

from itertools import product
from operator import index
from typing import Any

from tamaya.engine import Game
from tamaya.engine.kernel import interpreted_kernel
from tamaya.engine.layout import ENDED, RUNNING, SEAT
from tamaya.rules import Action, Ending, Rules, action_of
from tamaya.sim.basics import whole
from tamaya.sim.solver.answer import Answer, Verdict
from tamaya.sim.solver.desk import DEPTH, NODES, WINNING, Desk, make_desk
from tamaya.sim.solver.functions import TOO_FULL, TOO_LATE, Functions, fastest, functions
from tamaya.sim.solver.layers import CUT, SPENT, WON
from tamaya.sim.solver.line import actions_of
from tamaya.sim.solver.reasons import why_over, why_too_full, why_too_late, why_tried
from tamaya.sim.solver.steps import STEP
from tamaya.sim.solver.worth import SAVING, SPENDING

WIDTHS = (4, 32, 256, 2048, 16384, 131072)
"""How many positions of a layer are followed up, round after round."""

BUDGET = 5_000_000
"""Positions that are looked at before a deal is left undecided."""

EASY = 30_000
"""Positions that are not worth a compiler: about a second."""

MOST_BUDGET = 10**12


class Solver:
    """Solves positions by given rules, one after the other; each thread needs one of its own."""

    def __init__(self, rules: Rules, speed: str = "interpreted") -> None:
        self.rules = rules
        self._referee = interpreted_kernel(rules)
        self._functions: Functions = functions(rules, speed)
        self._desks: dict[int, Desk] = {}

    def solve(self, state: bytes, budget: int = BUDGET) -> Answer:
        """What can be made of a position, given as the array of a game; at most about so many positions are looked at."""
        budget = whole("budget", budget, 1, MOST_BUDGET)
        if state[ENDED] != RUNNING:
            over = Verdict.WINNABLE if state[ENDED] == Ending.WON else Verdict.LOST
            return Answer(over, reason=why_over() if over is Verdict.LOST else None)
        game, desk = self._functions.bytes_of(state), self._desk(WIDTHS[0])
        found = self._functions.look(game, desk)
        if found == TOO_LATE:
            return Answer(Verdict.LOST, reason=why_too_late(self.rules, self._referee, state, desk))
        if found == TOO_FULL:
            return Answer(Verdict.LOST, reason=why_too_full(self.rules, desk))
        return self._search(state, game, budget)

    def solve_game(self, game: Game, budget: int = BUDGET) -> Answer:
        """What can be made of a game from where it stands."""
        return self.solve(game.__getstate__()[1], budget)

    def _search(self, state: bytes, game: Any, budget: int) -> Answer:
        """Search wider and wider, in both styles; where only the steps that hardly ever help were left out, with these too."""
        nodes = 0
        for width, token in product(WIDTHS, (SAVING, SPENDING)):
            desk = self._desk(width)
            for complete in (0, 1):
                desk.figures[NODES] = nodes
                found = self._functions.search(game, desk, width, complete, token, budget)
                nodes = index(desk.figures[NODES])
                if found == WON:
                    return Answer(Verdict.WINNABLE, self._line(state, desk, width), nodes=nodes)
                if found == SPENT:
                    return Answer(Verdict.UNDECIDED, nodes=nodes)
                if found == CUT:
                    break
                if complete:
                    return Answer(Verdict.LOST, reason=why_tried(), nodes=nodes)
        return Answer(Verdict.UNDECIDED, nodes=nodes)

    def _desk(self, width: int) -> Desk:
        if width not in self._desks:
            self._desks[width] = make_desk(self._referee.layout, width, self._functions.zeros)
        return self._desks[width]

    def _line(self, state: bytes, desk: Desk, width: int) -> tuple[Action, ...]:
        """The actions that lead to the win on the desk, played through to be sure."""
        links = [index(desk.figures[WINNING])]
        for depth in range(index(desk.figures[DEPTH]) - 1, -1, -1):
            links.append(index(desk.trail[depth * width + (links[-1] >> STEP)]))
        numbers = actions_of(self._referee, state, (link & ((1 << STEP) - 1) for link in reversed(links)))
        first, players = state[SEAT], self.rules.players
        return tuple(action_of(number, self.rules, (first + turn) % players) for turn, number in enumerate(numbers))


def solve(game: Game, budget: int = BUDGET, speed: str | None = None) -> Answer:
    """Whether a game can still be won from where it stands, by players who know every card.

    Without a speed, only a position that turns out hard is given to a compiler, if there is one: the answer is the same.
    Nothing of it may reach players of a game that goes on: this is for looking back, and for measuring.
    """
    if speed is not None:
        return Solver(game.rules, speed).solve_game(game, budget)
    answer = Solver(game.rules).solve_game(game, min(budget, EASY) if isinstance(budget, int) else budget)
    if answer.verdict is not Verdict.UNDECIDED or budget <= EASY:
        return answer
    return Solver(game.rules, fastest()).solve_game(game, budget)
