"""Observations of a batch."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tamaya.bots.encoding import build_expand, find_encoder
from tamaya.engine.kernel import build
from tamaya.engine.layout import SEAT
from tamaya.rules import Rules
from tamaya.sim.speeds import speed


@lru_cache(maxsize=256)
def observe_loop(rules: Rules, name: str, encoder: str, kind: str) -> Any:
    """Write what a seat sees in every game, the one to move where the seat is negative."""
    at = speed(name)
    found, jit, constants, kernel = find_encoder(encoder, kind), at.jit, at.constants, build(rules, at.jit)
    sections, players = found.sections(kernel.layout), rules.players
    encode = found.build(kernel, sections, jit, constants)
    expand = build_expand(sections.size, kind, jit, constants)
    refines = found.refine is not None
    believe: Any = found.refine(kernel, sections, jit, constants) if found.refine else expand

    def observe_games(states: Any, words: Any, counts: Any, out: Any, seat: int, first: int, last: int) -> None:
        for game in range(first, last):
            state = states[game]
            observer = (state[SEAT] if seat < 0 else seat) % players
            encode(state, observer, words)
            expand(words, out[game])
            if refines:
                believe(state, observer, counts, out[game])

    return at.loop(observe_games, f"{rules} {encoder} {kind}")
