"""Networks that have learned nothing: whatever they are for, they can be played with."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tamaya.bots.learned.features import places_of
from tamaya.bots.learned.weights import LearnedLayer, LearnedWeights
from tamaya.engine.layout import layout_of
from tamaya.rules import read_rules

BITS, LARGEST = 12, 600
CAREFUL = 1 << 27
"""How much more than a play other actions are worth: games go on for longer."""


def unlearned(rules: str, width: int = 24, layers: int = 2, past: int = 3, seed: int = 1) -> LearnedWeights:
    """A network for some rules with hidden layers of some width, each cell of which adds up as it happens."""
    dice, layout = np.random.default_rng(seed), layout_of(read_rules(rules))
    shapes = pairwise([places_of(layout, past).size, *[width] * layers, layout.actions])
    weights = [dice.integers(-LARGEST, LARGEST, shape, np.int16, endpoint=True) for shape in shapes]
    made = [LearnedLayer(each, np.zeros(each.shape[1], np.int64), BITS) for each in weights]
    made[-1].added[:] = CAREFUL
    made[-1].added[layout.play_action : layout.play_action + layout.hand_size] = 0
    return LearnedWeights({"rules": rules}, tuple(made))
