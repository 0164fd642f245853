"""Whether a deal can be won at all, by players who know the whole deck: a solution, or a proof that there is none."""

from tamaya.solver.answer import Answer, Verdict
from tamaya.solver.solver import BUDGET, Deals, Solved, Solver, fastest, solve, solve_deals

__all__ = ["BUDGET", "Answer", "Deals", "Solved", "Solver", "Verdict", "fastest", "solve", "solve_deals"]
