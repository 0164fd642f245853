"""The network in whole numbers: interpreted with NumPy, compiled in plain loops, and both come to the very same.

A cell of a hidden layer counts in parts of ``2**CELL_BITS``. A product of cell and weight has the bits of both behind the
point, of which the weight's are shifted away again. That 32 bits suffice where they are used is known beforehand (`bounds.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tamaya.bots.learned.memory import CELL_BITS, WIDTH, LearnedMemory
from tamaya.bots.learned.weights import LearnedLayer, LearnedWeights
from tamaya.engine.kernel import Jit, Row, interpreted

Judge = Callable[[Row], None]
"""From the cells in a memory to what each action is worth, in the memory, too."""


def build_network(jit: Jit, notes: LearnedMemory, weights: LearnedWeights) -> Judge:
    """The function that judges."""
    return build_with_numpy(notes, weights) if jit is interpreted else build_loops(jit, notes, weights)


def build_with_numpy(notes: LearnedMemory, weights: LearnedWeights) -> Judge:
    """The function as NumPy works it out, a layer at a time."""
    import numpy as np

    first, *hidden, last = weights.layers
    lift = CELL_BITS - first.bits
    wide = [layer.weights.astype(np.int64) for layer in (*hidden, last)]

    def judge(memory: Row) -> None:
        active = [memory[notes.cells + place] for place in range(memory[notes.listed])]
        cells = np.maximum(first.weights[active].sum(axis=0, dtype=np.int64) + first.added, 0) << lift
        for layer, rows in zip((*hidden, last), wide, strict=True):
            some = np.flatnonzero(cells)
            cells = cells[some] @ rows[some] + layer.added
            if layer is not last:
                cells = np.maximum(cells, 0) >> layer.bits
        for action, worth in enumerate(cells.tolist()):
            memory[notes.worth + action] = worth

    return judge


def build_loops(jit: Jit, notes: LearnedMemory, weights: LearnedWeights) -> Judge:
    """The function as a compiler wants it: rows of weights are added up, and those of cells that are 0 are left out."""
    first, *hidden, last = weights.layers
    add_cells = _build_first(jit, notes, first)
    pass_on = [_build_hidden(jit, notes, layer) for layer in hidden]
    weigh = _build_last(jit, notes, last)
    second, third = pass_on  # a compiler cannot call what lies in a list

    @jit
    def judge(memory: Row) -> None:
        add_cells(memory)
        second(memory)
        third(memory)
        weigh(memory)

    return judge


def _build_first(jit: Jit, notes: LearnedMemory, layer: LearnedLayer) -> Judge:
    from numpy import int32

    half, added, lift = layer.weights.shape[0] // 2, layer.added, CELL_BITS - layer.bits
    lower, upper = layer.weights[:half].reshape(-1), layer.weights[half:].reshape(-1)
    # Numba takes an array for a constant, which can be kept on disk, as long as it has no more than a million bytes.

    @jit
    def add_rows(sums: Any, some: Any, weights: Any, start: int) -> None:
        """Add the rows of some cells, of which `start` has the first: four at a time, for sums to be fetched less often."""
        fours = len(some) // 4 * 4
        for place in range(0, fours, 4):
            first, second = (some[place] - start) * WIDTH, (some[place + 1] - start) * WIDTH
            third, fourth = (some[place + 2] - start) * WIDTH, (some[place + 3] - start) * WIDTH
            row_1, row_2 = weights[first : first + WIDTH], weights[second : second + WIDTH]
            row_3, row_4 = weights[third : third + WIDTH], weights[fourth : fourth + WIDTH]
            for at in range(WIDTH):
                sums[at] += int32(row_1[at]) + int32(row_2[at]) + int32(row_3[at]) + int32(row_4[at])
        for place in range(fours, len(some)):
            first = (some[place] - start) * WIDTH
            row = weights[first : first + WIDTH]
            for at in range(WIDTH):
                sums[at] += row[at]

    @jit
    def add_cells(memory: Any) -> None:
        cells, listed = memory[notes.hidden : notes.hidden + WIDTH], memory[notes.listed] + 0
        sums = memory[notes.following : notes.following + WIDTH].view(int32)
        for at in range(WIDTH):
            sums[at] = added[at]
        some, low = memory[notes.cells : notes.cells + listed], 0
        while low < listed and some[low] < half:
            low += 1
        add_rows(sums, some[:low], lower, 0)
        add_rows(sums, some[low:], upper, half)
        for at in range(WIDTH):
            cells[at] = max(sums[at], 0) << lift

    return add_cells


def _build_hidden(jit: Jit, notes: LearnedMemory, layer: LearnedLayer) -> Judge:
    from numpy import int32

    weights, added, bits = _flat(layer), layer.added, layer.bits

    @jit
    def add_rows(following: Any, cells: Any, some: Any) -> None:
        """Add the rows of some cells times what is in those, four at a time as above."""
        fours = len(some) // 4 * 4
        for place in range(0, fours, 4):
            first, second, third, fourth = some[place], some[place + 1], some[place + 2], some[place + 3]
            one, two, three, four = int32(cells[first]), int32(cells[second]), int32(cells[third]), int32(cells[fourth])
            row_1, row_2 = weights[first * WIDTH : first * WIDTH + WIDTH], weights[second * WIDTH : second * WIDTH + WIDTH]
            row_3, row_4 = weights[third * WIDTH : third * WIDTH + WIDTH], weights[fourth * WIDTH : fourth * WIDTH + WIDTH]
            for at in range(WIDTH):
                following[at] += one * row_1[at] + two * row_2[at] + three * row_3[at] + four * row_4[at]
        for place in range(fours, len(some)):
            first = some[place]
            one, row = int32(cells[first]), weights[first * WIDTH : first * WIDTH + WIDTH]
            for at in range(WIDTH):
                following[at] += one * row[at]

    @jit
    def pass_on(memory: Row) -> None:
        cells = memory[notes.hidden : notes.hidden + WIDTH]
        following = memory[notes.following : notes.following + WIDTH]
        some, listed = memory[notes.cells : notes.cells + WIDTH], 0
        for cell in range(WIDTH):
            following[cell] = added[cell]
            if cells[cell] > 0:
                some[listed] = cell
                listed += 1
        add_rows(following, cells, some[:listed])
        for at in range(WIDTH):
            cells[at] = max(following[at], 0) >> bits

    return pass_on


def _build_last(jit: Jit, notes: LearnedMemory, layer: LearnedLayer) -> Judge:
    weights, added, actions = _flat(layer), layer.added, layer.weights.shape[1]

    @jit
    def weigh(memory: Row) -> None:
        worth = memory[notes.worth : notes.worth + actions]
        for action in range(actions):
            worth[action] = added[action]
        for cell in range(WIDTH):
            much = memory[notes.hidden + cell]
            if much > 0:
                row = weights[cell * actions : cell * actions + actions]
                for action in range(actions):
                    worth[action] += much * row[action]

    return weigh


def _flat(layer: LearnedLayer) -> Any:
    return layer.weights.reshape(-1)
