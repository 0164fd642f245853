"""Who plays together: bots by name, joined with ``+``, around the table and round again."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from tamaya.bots import load_bot
from tamaya.rules import MalformedError, Rules, say
from tamaya.sim.sources import sources

JOINT = "+"


def checked_team(team: str, rules: Rules) -> str:
    """A team of bots that exist and know the rules, and not more of them than there are players."""
    names = team.split(JOINT)
    if len(names) > 1 and not all(names):
        message = say("“{team}” is no team; write its bots with a + between them: {example}.",
                      team=team[:80], example="hat+simple")  # fmt: skip
        raise MalformedError("bad_team", message)
    for name in dict.fromkeys(names):
        load_bot(name).check_rules(rules)
    if len(names) > rules.players:
        message = say("The team {team} has {bots} bots, too many for {players} players; leave bots out, or seat more players.",
                      team=team[:80], bots=len(names), players=rules.players)  # fmt: skip
        raise MalformedError("team_too_large", message)
    return team


def lineup(team: str, players: int) -> tuple[str, ...]:
    """The bot at each seat: those of the team in turn, until every seat is taken."""
    return tuple(islice(cycle(team.split(JOINT)), players))


def is_compiled(team: str) -> bool:
    """Whether compiled code plays a team here: its bots are all policies, and NumPy and Numba are installed."""
    return can_compile() and all(load_bot(name).is_compiled for name in team.split(JOINT))


@cache
def can_compile() -> bool:
    """Whether there is a compiler. It is not loaded by asking."""
    return all(map(find_spec, ("numpy", "numba")))


def fingerprint(teams: Iterable[str]) -> str:
    """What plays these teams, as one number: the source of this package, the files that other bots come from, and
    what they play with."""
    digest = hashlib.sha256(sources().encode())
    for name in sorted({name for team in teams for name in team.split(JOINT)}):
        entry = load_bot(name)
        source: Any = entry.blueprint.build if entry.blueprint else entry.from_views
        with suppress(TypeError, OSError):  # no file, or a maker that is none of a file
            digest.update(Path(inspect.getfile(source)).read_bytes())
        if entry.blueprint:
            digest.update(entry.blueprint.plays_with.encode())
    return digest.hexdigest()
