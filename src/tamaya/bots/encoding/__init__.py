"""Observations: what a seat sees, as a row of numbers with named sections.

An encoder is plain functions: one that writes an observation as bits, and perhaps one that refines it to probabilities. The
instance for an `EncoderSetting` has `observe`, which writes an observation as a row of cells of the setting's kind::

    own = instance_of(EncoderSetting(rules, "canonical", "uint8"), speed)
    own(observe)(state, observer, words, counts, row)

`encode`, `expand` and `believe` are its steps, for loops that take them one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tamaya.bots.encoding.canonical import encode_canonical, encode_minimal, encode_own_hand
from tamaya.bots.encoding.cells import BITS, KINDS, Cells, copy_words, expand_words, write_beliefs
from tamaya.bots.encoding.sections import Sections, canonical_sections, minimal_sections, own_hand_sections
from tamaya.engine.instances import Options, Row, Setting, per_setting
from tamaya.engine.layout import Layout, layout_of
from tamaya.rules import MalformedError, say

__all__ = [
    "ENCODERS",
    "KINDS",
    "Encoder",
    "EncoderSetting",
    "Sections",
    "believe",
    "encode",
    "expand",
    "find_encoder",
    "observe",
    "row_of",
]

OPTIONS = Options("inline")
Encode: TypeAlias = Callable[[Row, int, Row], None]
"""Writes what a seat sees: takes the state, the observer's seat, and the words to write bits into."""
Expand: TypeAlias = Callable[[Row, Cells], None]
"""Writes the bits of some words as a row of cells."""
Believe: TypeAlias = Callable[[Row, int, Row, Cells], None]
"""Writes probabilities: takes the state, the observer's seat, a row to count cards in, and the row to write."""


def leave_bits(state: Row, observer: int, counts: Row, row: Cells) -> None:
    """Leave the row unchanged."""


@dataclass(frozen=True)
class Encoder:
    """A kind of observation: its sections, and the functions that write its bits and any probabilities."""

    sections: Callable[[Layout], Sections]
    encode: Encode
    believe: Believe = leave_bits

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of cells that it can write."""
        return KINDS if self.believe is leave_bits else ("float32",)


ENCODERS: Mapping[str, Encoder] = {
    "canonical": Encoder(canonical_sections, encode_canonical),
    "minimal": Encoder(minimal_sections, encode_minimal),
    "belief": Encoder(canonical_sections, encode_canonical, write_beliefs),
    "own_hand": Encoder(own_hand_sections, encode_own_hand),
}


@dataclass(frozen=True)
class EncoderSetting(Setting):
    """The rules, the name of an encoder, and the kind of cells that it writes."""

    encoder: str
    kind: str

    def __str__(self) -> str:
        return f"{self.rules} {self.encoder} {self.kind}"

    @property
    def found(self) -> Encoder:
        """The encoder of that name, if it can write such cells."""
        return find_encoder(self.encoder, self.kind)

    @property
    def size(self) -> int:
        """The number of cells in an observation."""
        return self.found.sections(layout_of(self.rules)).size


def encode_of(setting: EncoderSetting) -> Encode:
    """The function that writes the bits."""
    return setting.found.encode


def expand_of(setting: EncoderSetting) -> Expand:
    """The function that writes bits as cells."""
    return copy_words if setting.kind == "bits" else expand_words


def believe_of(setting: EncoderSetting) -> Believe:
    """The function that writes probabilities."""
    return setting.found.believe


encode: Encode = per_setting(encode_of)
expand: Expand = per_setting(expand_of)
believe: Believe = per_setting(believe_of)


def observe(state: Row, observer: int, words: Row, counts: Row, row: Cells) -> None:
    """Write a seat's observation into a row, using ``words_for(setting.size)`` words and a number per card as scratch."""
    encode(state, observer, words)
    expand(words, row)
    believe(state, observer, counts, row)


def row_of(name: str, kind: str, layout: Layout) -> tuple[int, str]:
    """The width of an observation's row, and the type of its cells."""
    size = find_encoder(name, kind).sections(layout).size
    return (-(-size // BITS), "uint32") if kind == "bits" else (size, kind)


def find_encoder(name: str, kind: str = "float32") -> Encoder:
    """The encoder of that name, if it can write observations of that kind."""
    if not isinstance(name, str) or name not in ENCODERS:
        raise MalformedError(
            "unknown_encoder",
            say("There is no observation “{name}”; there are {known}.", name=str(name)[:40], known=tuple(ENCODERS)),
        )
    kinds = ENCODERS[name].kinds
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
