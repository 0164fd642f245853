"""The coach at the command line: how hard it looks, and how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from tamaya.i18n import Catalogue
from tamaya.record import Record
from tamaya.review.coaching import Coaching, no_coaching
from tamaya.review.judgements import judgements
from tamaya.review.weighing import ORDINARY, SHALLOW
from tamaya.rules import MalformedError, say

DEPTHS = {"ordinary": ORDINARY, "shallow": SHALLOW}
CLEAR = "\r\x1b[K"


def coach(depth: str, speak: Catalogue) -> Callable[[str, Record], Coaching]:
    """What works out the coaching of a game; a terminal is told how far it is."""
    if depth not in DEPTHS:
        known = tuple(DEPTHS)
        raise MalformedError("bad_depth", say("“{depth}” is not a depth; there are {known}.", depth=depth[:20], known=known))
    shown = sys.stderr.isatty()

    def work_out(name: str, record: Record) -> Coaching:
        coaching = no_coaching(record)
        for judgement in judgements(record, depth=DEPTHS[depth]):
            coaching = coaching.and_also([judgement])
            if shown:
                words = say("{game}: move {turn} of {turns}", game=name, turn=judgement.turn, turns=coaching.turns)
                click.echo(f"{CLEAR}{speak(words)}", nl=False, err=True)
        if shown:
            click.echo(CLEAR, nl=False, err=True)
        return coaching

    return work_out
