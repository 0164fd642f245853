"""Solve deals with the whole deck known: find a winning line, or prove that there is none."""

from tamaya.solver.answer import Answer, Verdict
from tamaya.solver.solver import BUDGET, Deals, Solved, Solver, fastest, solve, solve_deals

__all__ = ["BUDGET", "Answer", "Deals", "Solved", "Solver", "Verdict", "fastest", "solve", "solve_deals"]
