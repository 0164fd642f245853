"""Whether search can begin at once: what it runs is compiled for given rules and policies, which takes half a minute, and then
kept on disk."""

from __future__ import annotations

from collections.abc import Iterable

from tamaya.rules import Rules
from tamaya.sim.team import Team, team


def is_ready(rules: Rules, policies: Iterable[str]) -> bool:
    """Whether what search needs for these rules and policies is in this process or on disk. Nothing is compiled to find out,
    and what was kept of other versions of the rules or policies does not count."""
    return _team(rules, policies).is_ready


def prepare(rules: Rules, policies: Iterable[str]) -> None:
    """Make it ready: find it on disk, or compile it and keep it there if the disk lets us."""
    _team(rules, policies).prepare()


def _team(rules: Rules, policies: Iterable[str]) -> Team:
    return team(rules, tuple(sorted(set(policies))), "compiled")
