"""The convention bot: plays by the usual conventions of people, so that a person can play with it."""

from __future__ import annotations

from tamaya.bots.convention.choice import choose
from tamaya.bots.convention.memory import ConventionMemory, start
from tamaya.bots.convention.reading import update
from tamaya.bots.convention.reasons import explain_convention
from tamaya.bots.policy import Policy

__all__ = ["CONVENTION", "explain_convention"]

CONVENTION: Policy[ConventionMemory] = Policy(
    choose, start, update, ConventionMemory, public_memory=True, explain=explain_convention
)
