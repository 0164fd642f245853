"""Whether a deal can be won at all, by players who know the whole deck: a line that wins, or a proof that there is none."""

from tamaya.sim.solver.answer import Answer, Verdict
from tamaya.sim.solver.series import Deals, Solved, solve_deals
from tamaya.sim.solver.solver import BUDGET, Solver, fastest, solve

__all__ = ["BUDGET", "Answer", "Deals", "Solved", "Solver", "Verdict", "fastest", "solve", "solve_deals"]
