"""Observations: what a seat sees as a row of numbers, with names for its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tamaya.bots.encoding.belief import Believe, build_belief
from tamaya.bots.encoding.bits import BITS, KINDS, build_expand
from tamaya.bots.encoding.canonical import Encode, build_canonical
from tamaya.bots.encoding.own_hand import build_own_hand
from tamaya.bots.encoding.sections import Sections, canonical_sections, minimal_sections, own_hand_sections
from tamaya.engine.kernel import Constants, Jit, Kernel
from tamaya.engine.layout import Layout
from tamaya.rules import MalformedError, say

__all__ = ["ENCODERS", "KINDS", "Encoder", "Sections", "build_expand", "find_encoder", "row_of"]


@dataclass(frozen=True)
class Encoder:
    """A kind of observation: its parts, the function that writes it as bits, and one that writes probabilities over some."""

    sections: Callable[[Layout], Sections]
    build: Callable[[Kernel, Sections, Jit, Constants], Encode]
    refine: Callable[[Kernel, Sections, Jit, Constants], Believe] | None = None


ENCODERS: Mapping[str, Encoder] = {
    "canonical": Encoder(canonical_sections, build_canonical),
    "minimal": Encoder(minimal_sections, build_canonical),
    "belief": Encoder(canonical_sections, build_canonical, build_belief),
    "own_hand": Encoder(own_hand_sections, build_own_hand),
}


def row_of(name: str, kind: str, layout: Layout) -> tuple[int, str]:
    """How wide a row of an observation is, and what its cells are."""
    size = find_encoder(name, kind).sections(layout).size
    return (-(-size // BITS), "uint32") if kind == "bits" else (size, kind)


def find_encoder(name: str, kind: str = "float32") -> Encoder:
    """The encoder of that name, if it can write observations of that kind."""
    if not isinstance(name, str) or name not in ENCODERS:
        raise MalformedError(
            "unknown_encoder",
            say("There is no observation “{name}”; there are {known}.", name=str(name)[:40], known=tuple(ENCODERS)),
        )
    kinds = ("float32",) if ENCODERS[name].refine else KINDS
    if not isinstance(kind, str) or kind not in kinds:
        raise MalformedError(
            "bad_kind",
            say(
                "The observation {name} cannot be written as {kind}; it can as {known}.",
                name=name,
                kind=str(kind)[:40],
                known=kinds,
            ),
        )
    return ENCODERS[name]
