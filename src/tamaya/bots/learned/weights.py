"""Weight files: networks in integers, read without running code, and bounds on their sums.

The bundled network is checked by its hash. Compiled, a network adds up its first layer in 32 bits, and multiplies cells in the
hidden layers in 32 where that suffices (`network.py`); everything else has 64. Overflow is not checked during play; it is ruled
out here, beforehand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamaya.bots.learned.features import CELL_BITS, LearnedShape, places_of
from tamaya.engine.instances import Setting
from tamaya.engine.layout import Layout, layout_of
from tamaya.rules import MalformedError, Rules, TamayaError, read_rules, say

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = Path(__file__).with_name("two.weights")
HASH = "d36e32b3651de6a46b5ebea5e2f1cf73978f72f6dee57ad6f9829606d7a4bc96"
"""The hash of the file, so that a damaged one is refused."""
TRAINED_FOR = Rules(players=2)
"""The rules in the file, known without reading it."""
MAX_HEAD_BYTES, MAX_FILE_BYTES = 1 << 16, 1 << 24
WRITES = "./dev train export"
"""The command that writes such files."""


@dataclass(frozen=True)
class LearnedLayer:
    """A layer in integers: `weights` from each input cell to each of its own, with `bits` fractional bits. What is `added` has
    the fractional bits of the input cells on top."""

    weights: NDArray[np.int16]
    added: NDArray[np.int64]
    bits: int


@dataclass(frozen=True)
class LearnedWeights:
    """A network's layers, and the metadata of its file: rules, figures, the command that made it."""

    about: dict[str, Any]
    layers: tuple[LearnedLayer, ...]


@dataclass(frozen=True)
class Network:
    """A network to play with: the rules that it was trained for, a digest, and its weights, unless it is the bundled one."""

    trained_for: Rules
    digest: str
    loaded: LearnedWeights | None = field(default=None, compare=False, repr=False)

    @property
    def weights(self) -> LearnedWeights:
        """Its weights."""
        return self.loaded or learned_weights()

    def supports(self, rules: Rules) -> bool:
        """Whether games by these rules look like those that it was trained on."""
        return _look(layout_of(rules)) == _look(layout_of(self.trained_for))

    def setting(self, rules: Rules) -> NetworkSetting:
        """The setting of a policy that plays with it."""
        return NetworkSetting(rules, self)


@dataclass(frozen=True)
class NetworkSetting(Setting):
    """The rules, and the network that plays."""

    network: Network

    @property
    def weights(self) -> LearnedWeights:
        """Its weights."""
        return self.network.weights

    @property
    def shape(self) -> LearnedShape:
        """Its shape for these rules."""
        return shape_of(self.weights, layout_of(self.rules))


def _look(layout: Layout) -> tuple[object, ...]:
    """What matters to a network's input and output; the effects of empty clues and of the last mistake do not."""
    cards = layout.players, layout.hand_size, layout.copies, layout.colours, layout.named_colours, layout.multicolour
    return (*cards, layout.clue_tokens, layout.mistakes, layout.actions)


# Files.


@lru_cache(maxsize=1)
def learned_weights() -> LearnedWeights:
    """The bundled network."""
    return read_weights(FILE.read_bytes(), HASH)


def read_weights(data: bytes, digest: str) -> LearnedWeights:
    """A network from the bytes of a file, which must have this hash."""
    if hashlib.sha256(data).hexdigest() != digest:
        raise damaged()
    return parse_weights(data, FILE.name)


def weights_in(path: Path) -> LearnedWeights:
    """The network in a file of unknown content."""
    if not path.is_file():
        raise MalformedError("no_file", say("There is no file {name}.", name=str(path)))
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError:
        raise unreadable(str(path)) from None
    if len(data) > MAX_FILE_BYTES:
        raise unreadable(str(path))
    return parse_weights(data, str(path))


def parse_weights(data: bytes, name: str) -> LearnedWeights:
    """A network from bytes of unknown content: sizes are checked before any number is read, and no code is run."""
    import numpy as np

    about, at = _read_head(data, name)
    layers = []
    for cells, width, bits in about["layers"]:
        weights = np.frombuffer(data, "<i2", cells * width, at).reshape(cells, width)
        at += weights.nbytes
        added = np.frombuffer(data, "<i8", width, at)
        at += added.nbytes
        layers.append(LearnedLayer(weights.astype(np.int16), added.astype(np.int64), bits))
    return LearnedWeights(about, tuple(layers))


def _read_head(data: bytes, name: str) -> tuple[dict[str, Any], int]:
    """The metadata of a file, and where its numbers begin; their count must be as stated."""
    try:
        end = data.index(b"\n", 0, MAX_HEAD_BYTES)
        about: dict[str, Any] = json.loads(data[:end])
        sizes = [2 * cells * width + 8 * width for cells, width, bits in about["layers"] if _is_layer(cells, width, bits)]
        if 0 < len(sizes) == len(about["layers"]) and end + 1 + sum(sizes) == len(data):
            return about, end + 1
    except (ValueError, TypeError, LookupError, RecursionError):
        pass
    raise unreadable(name)


def _is_layer(cells: object, width: object, bits: object) -> bool:
    whole = type(cells) is type(width) is type(bits) is int
    return whole and cells > 0 and width > 0 and 0 <= bits <= CELL_BITS  # type: ignore[operator]


def rules_of(weights: LearnedWeights, name: str) -> Rules:
    """The rules by which a network was trained; refuses a network that does not fit them or whose sums might overflow."""
    written = weights.about.get("rules")
    try:
        rules = read_rules(written) if isinstance(written, str) else None
    except TamayaError:
        rules = None
    if rules is None or not _fits(weights, shape_of(weights, layout_of(rules))):
        raise unfit(name)
    if not stays_small(weights):
        raise too_large(name)
    return rules


def shape_of(weights: LearnedWeights, layout: Layout) -> LearnedShape:
    """The shape of a network for some rules: how far it looks back follows from its number of input cells."""
    cells, width = weights.layers[0].weights.shape
    least = places_of(layout, 1)
    return LearnedShape(layout, 1 + (cells - least.size) // least.action_width, width)


def _fits(weights: LearnedWeights, shape: LearnedShape) -> bool:
    hidden = len(weights.layers) - 1
    cells = (shape.places.size, *[shape.width] * hidden, shape.layout.actions)
    found = [layer.weights.shape for layer in weights.layers]
    return hidden > 0 and shape.past > 0 and found == [*pairwise(cells)]


def write_weights(weights: LearnedWeights) -> bytes:
    """The bytes of a file."""
    shapes = [[*layer.weights.shape, layer.bits] for layer in weights.layers]
    parts = [json.dumps({**weights.about, "layers": shapes}, sort_keys=True).encode(), b"\n"]
    for layer in weights.layers:
        parts += layer.weights.astype("<i2").tobytes(), layer.added.astype("<i8").tobytes()
    return b"".join(parts)


# Bounds.

SMALL, LARGE = 2.0**31, 2.0**62
"""Numbers below these fit into 32 bits and, with room for rounding errors of the check, into 64."""


def stays_small(weights: LearnedWeights) -> bool:
    """Whether all sums fit, in any order and for any input."""
    return all(largest < (LARGE if place else SMALL) for place, (largest, _) in enumerate(_largest(weights)))


def small_cells(weights: LearnedWeights) -> list[bool]:
    """For each layer, whether its cells fit into 32 bits."""
    return [largest < SMALL for _, largest in _largest(weights)]


def _largest(weights: LearnedWeights) -> Iterator[tuple[float, float]]:
    """For each layer, its largest possible intermediate sum and its largest possible cell."""
    import numpy as np

    cells = np.ones(len(weights.layers[0].weights))
    for place, layer in enumerate(weights.layers):
        rows, added = layer.weights.astype(float), layer.added.astype(float)
        sums = cells @ np.abs(rows) + np.abs(added)
        most = np.maximum(cells @ np.maximum(rows, 0) + added, 0)
        cells = most * 2.0 ** (-layer.bits if place else CELL_BITS - layer.bits)
        yield float(sums.max()), float(cells.max())


# Refusals.


def damaged() -> MalformedError:
    """The refusal of a damaged file."""
    return MalformedError("damaged_weights", say("The file of what the bot has learned is damaged; install Tamaya again."))


def unreadable(name: str) -> MalformedError:
    """The refusal of a file that holds no network."""
    message = say("The file {name} cannot be read as a network that {command} has written.", name=name, command=WRITES)
    return MalformedError("bad_weights", message)


def unfit(name: str) -> MalformedError:
    """The refusal of a network that does not fit the rules that its file names."""
    message = say("The network in {name} does not fit the rules that the file names.", name=name)
    return MalformedError("unfit_weights", message)


def too_large(name: str) -> MalformedError:
    """The refusal of a network whose numbers might overflow."""
    message = say("The bot cannot play with the network in {name}: its weights are so large that sums of them might not fit.",
                  name=name)  # fmt: skip
    return MalformedError("large_weights", message)
