"""The numbers that were learned: one file, checked by its hash, of which nothing is run."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamaya.bots.learned.memory import WIDTH, places_of
from tamaya.engine.layout import layout_of
from tamaya.rules import MalformedError, Rules, say

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = Path(__file__).with_name("two.weights")
HASH = "a2b88f7075f0edc35d846dbc4814a50ace3a061d39d1ed1ff2e5f3978e1b5119"
"""Of the file, so that nobody plays with a damaged one."""
LARGEST_HEAD = 1 << 16


@dataclass(frozen=True)
class LearnedLayer:
    """A layer in whole numbers: `weights` from each cell before it to each of its own, with so many `bits` behind the point.
    What is `added` has as many more as the cells before it have."""

    weights: NDArray[np.int16]
    added: NDArray[np.int64]
    bits: int


@dataclass(frozen=True)
class LearnedWeights:
    """A network, and what its file says of it: rules, figures, the command that made it."""

    about: dict[str, Any]
    layers: tuple[LearnedLayer, ...]


@lru_cache(maxsize=1)
def learned_weights() -> LearnedWeights:
    """The network of the house."""
    return read_weights(FILE.read_bytes(), HASH)


def read_weights(data: bytes, digest: str) -> LearnedWeights:
    """A network from the bytes of a file that must have this hash."""
    import numpy as np

    if hashlib.sha256(data).hexdigest() != digest:
        raise damaged()
    end = data.index(b"\n", 0, LARGEST_HEAD)
    about: dict[str, Any] = json.loads(data[:end])
    layers, at = [], end + 1
    for cells, width, bits in about["layers"]:
        weights = np.frombuffer(data, "<i2", cells * width, at).reshape(cells, width)
        at += weights.nbytes
        added = np.frombuffer(data, "<i8", width, at)
        at += added.nbytes
        layers.append(LearnedLayer(weights.astype(np.int16), added.astype(np.int64), int(bits)))
    if at != len(data):
        raise damaged()
    return LearnedWeights(about, tuple(layers))


def fits(weights: LearnedWeights) -> bool:
    """Whether a network has the shape that the policy plays with."""
    layout = layout_of(Rules(players=2))
    cells = (places_of(layout).size, WIDTH, WIDTH, WIDTH, layout.actions)
    return [layer.weights.shape for layer in weights.layers] == [*pairwise(cells)]


def write_weights(weights: LearnedWeights) -> bytes:
    """The bytes of a file."""
    shapes = [[*layer.weights.shape, layer.bits] for layer in weights.layers]
    parts = [json.dumps({**weights.about, "layers": shapes}, sort_keys=True).encode(), b"\n"]
    for layer in weights.layers:
        parts += layer.weights.astype("<i2").tobytes(), layer.added.astype("<i8").tobytes()
    return b"".join(parts)


def damaged() -> MalformedError:
    """The refusal of a file that is not as it was made."""
    return MalformedError("damaged_weights", say("The file of what the bot has learned is damaged; install Tamaya again."))
