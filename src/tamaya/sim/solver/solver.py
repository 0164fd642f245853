"""Whether a position can be won by players who know every card, the deck included."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from itertools import product
from operator import index
from typing import NamedTuple

from tamaya.engine import Game
from tamaya.engine.kernel import Jit, Row, interpreted, interpreted_kernel
from tamaya.engine.layout import DRAWN, ENDED, RUNNING, SEAT, Layout, layout_of
from tamaya.rules import Action, Ending, Rules, action_of
from tamaya.rules.errors import require
from tamaya.rules.validation import checked_integer
from tamaya.sim.solver.answer import Answer, Verdict, why_over, why_too_full, why_too_late, why_tried
from tamaya.sim.solver.bounds import build_bounds
from tamaya.sim.solver.line import actions_of
from tamaya.sim.solver.positions import build_packing, build_reading, refuse_what_does_not_fit
from tamaya.sim.solver.search import CUT, SAVING, SPENDING, SPENT, WON, build_following, build_merit, build_search
from tamaya.sim.solver.steps import STEP_BITS, build_choices, build_steps
from tamaya.sim.solver.workspace import DEPTH, FORKS, NODES, WINNING, Numbers, Workspace, make_workspace

WIDTHS = (4, 32, 256, 2048, 16384, 131072)
"""How many positions of a layer are followed up, round after round."""

BUDGET = 5_000_000
"""Positions that are looked at before a deal is left undecided."""

EASY = 30_000
"""Positions that are not worth a compiler: about a second."""

MOST_BUDGET = 10**12

UNKNOWN, TOO_LATE, TOO_FULL = range(3)
"""What the bounds say: nothing, or that it cannot be won because cards come too late or hands are too small."""


class Functions(NamedTuple):
    """What the solver calls, at one speed."""

    find_proof: Callable[[Row, Workspace], int]
    """Read a game's state and say whether a bound proves it lost."""
    search: Callable[[Row, Workspace, int, int, int, int], int]
    """Search from a game's state with a width, completely or not, with a merit of tokens, up to a number of nodes."""
    zeros: Callable[[int], Numbers]
    """A row of numbers for the workspace."""
    row_of: Callable[[bytes], Row]
    """A game's state in the form the functions take."""


def build_find_proof(layout: Layout, jit: Jit) -> Callable[[Row, Workspace], int]:
    """The function that reads a game and looks for a proof that it is lost."""
    reading, bounds = build_reading(layout, jit), build_bounds(layout, jit, build_choices(layout, jit))

    def find_proof(state: Row, workspace: Workspace) -> int:
        reading.read_deck(state, workspace.deck)
        reading.read_position(state, workspace.position)
        if bounds.comes_too_late(workspace.position, state[DRAWN] + 0, workspace.deck, workspace.times):
            return TOO_LATE
        return TOO_FULL if bounds.has_too_small_hands(workspace.position, state[DRAWN] + 0, workspace, FORKS) else UNKNOWN

    return find_proof


def build_search_game(layout: Layout, jit: Jit) -> Callable[[Row, Workspace, int, int, int, int], int]:
    """The function that reads a game and searches from there."""
    choices, packing, reading = build_choices(layout, jit), build_packing(layout, jit), build_reading(layout, jit)
    steps, bounds = build_steps(layout, jit, choices), build_bounds(layout, jit, choices)
    following = build_following(layout, jit, packing, steps, bounds, build_merit(layout, jit, choices))
    search = build_search(layout, jit, packing, following)

    def search_game(state: Row, workspace: Workspace, width: int, complete: int, token: int, budget: int) -> int:
        reading.read_deck(state, workspace.deck)
        reading.read_position(state, workspace.position)
        return search(workspace, state[DRAWN] + 0, width, complete, token, budget)

    return search_game


def fastest() -> str:
    """The fastest speed for which the packages are installed."""
    return "compiled" if find_spec("numba") and find_spec("numpy") else "interpreted"


@lru_cache(maxsize=64)
def functions_at(rules: Rules, name: str) -> Functions:
    """The functions for these rules at the speed of that name, built once; interpreted ones need no other package."""
    layout = layout_of(rules)
    refuse_what_does_not_fit(layout)
    if name == "interpreted":
        find_proof, search = build_find_proof(layout, interpreted), build_search_game(layout, interpreted)
        return Functions(find_proof, search, lambda count: [0] * count, bytearray)
    np = require("numpy", "sim")
    from tamaya.sim.speeds import speed

    fast = speed(name)
    return Functions(
        find_proof=fast.loop(build_find_proof(layout, fast.jit), str(rules)),
        search=fast.loop(build_search_game(layout, fast.jit), str(rules)),
        zeros=lambda count: np.zeros(count, np.int64),
        row_of=lambda state: np.frombuffer(bytearray(state), np.uint8),
    )


class Solver:
    """Solves positions by given rules, one after the other; each thread needs one of its own."""

    def __init__(self, rules: Rules, speed: str = "interpreted") -> None:
        self.rules = rules
        self.kernel = interpreted_kernel(rules)
        self._functions = functions_at(rules, speed)
        self._workspaces: dict[int, Workspace] = {}

    def solve(self, state: bytes, budget: int = BUDGET) -> Answer:
        """What can be made of a position, given as the state of a game; at most about so many positions are looked at."""
        budget = checked_integer("budget", budget, 1, MOST_BUDGET)
        if state[ENDED] != RUNNING:
            over = Verdict.WINNABLE if state[ENDED] == Ending.WON else Verdict.LOST
            return Answer(over, reason=why_over() if over is Verdict.LOST else None)
        row, workspace = self._functions.row_of(state), self._workspace(WIDTHS[0])
        proof = self._functions.find_proof(row, workspace)
        if proof == TOO_LATE:
            return Answer(Verdict.LOST, reason=why_too_late(self.rules, self.kernel.layout, state, workspace))
        if proof == TOO_FULL:
            return Answer(Verdict.LOST, reason=why_too_full(self.rules, workspace))
        return self._search(state, row, budget)

    def solve_game(self, game: Game, budget: int = BUDGET) -> Answer:
        """What can be made of a game from where it stands."""
        return self.solve(game.state, budget)

    def _search(self, state: bytes, row: Row, budget: int) -> Answer:
        """Search wider and wider, in both styles; where only the steps that hardly ever help were left out, with these too."""
        nodes = 0
        for width, token in product(WIDTHS, (SAVING, SPENDING)):
            workspace = self._workspace(width)
            for complete in (0, 1):
                workspace.figures[NODES] = nodes
                found = self._functions.search(row, workspace, width, complete, token, budget)
                nodes = index(workspace.figures[NODES])
                if found == WON:
                    return Answer(Verdict.WINNABLE, self._line(state, workspace, width), nodes=nodes)
                if found == SPENT:
                    return Answer(Verdict.UNDECIDED, nodes=nodes)
                if found == CUT:
                    break
                if complete:
                    return Answer(Verdict.LOST, reason=why_tried(), nodes=nodes)
        return Answer(Verdict.UNDECIDED, nodes=nodes)

    def _workspace(self, width: int) -> Workspace:
        if width not in self._workspaces:
            self._workspaces[width] = make_workspace(self.kernel.layout, width, self._functions.zeros)
        return self._workspaces[width]

    def _line(self, state: bytes, workspace: Workspace, width: int) -> tuple[Action, ...]:
        """The actions that lead to the win that was found, played through to be sure."""
        links = [index(workspace.figures[WINNING])]
        for depth in range(index(workspace.figures[DEPTH]) - 1, -1, -1):
            links.append(index(workspace.trail[depth * width + (links[-1] >> STEP_BITS)]))
        numbers = actions_of(self.kernel, state, (link & ((1 << STEP_BITS) - 1) for link in reversed(links)))
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
