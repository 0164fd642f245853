"""The network in whole numbers: interpreted with NumPy, compiled in plain loops, and both come to the very same.

A cell of a hidden layer counts in parts of ``2**CELL_BITS``. A product of cell and weight has the bits of both behind the
point, of which the weight's are shifted away again. That 32 bits suffice where they are used is known beforehand (`bounds.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tamaya.bots.learned.bounds import small_cells
from tamaya.bots.learned.memory import CELL_BITS, LearnedMemory
from tamaya.bots.learned.weights import LearnedLayer, LearnedWeights
from tamaya.engine.kernel import Jit, Row, interpreted

Judge = Callable[[Row], None]
"""From the cells in a memory to what each action is worth, in the memory, too; or a step on that way."""
Find = Callable[[Row, int], int]
"""How many of the cells in the list come before one."""
MOST_BYTES = 1_000_000
"""Numba takes an array for a constant, which can be kept on disk, as long as it has no more bytes."""


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
    find = _build_finding(jit, notes)
    steps = [*_first_steps(jit, notes, first, find)]
    for layer, small in zip(hidden, small_cells(weights), strict=False):
        steps += _hidden_steps(jit, notes, layer, find, small)
    return _joined(jit, [*steps, _build_last(jit, notes, last)])


def _joined(jit: Jit, steps: Sequence[Judge]) -> Judge:
    """All steps as one function: a compiler cannot call what lies in a list. Halves are joined, so that calls are not nested
    deeply, however many steps there are."""
    if len(steps) == 1:
        return steps[0]
    middle = len(steps) // 2
    first_half, second_half = _joined(jit, steps[:middle]), _joined(jit, steps[middle:])

    @jit
    def go_through(memory: Row) -> None:
        first_half(memory)
        second_half(memory)

    return go_through


def _parts(layer: LearnedLayer) -> Iterator[tuple[int, int, Any]]:
    """The weights of a layer in parts that are small enough: the first cell before it that a part is for, the one behind the
    last, and the rows of weights, one behind the other."""
    cells, width = layer.weights.shape
    most = MOST_BYTES // (layer.weights.itemsize * width)
    for start in range(0, cells, most):
        yield start, min(start + most, cells), layer.weights[start : start + most].reshape(-1)


def _build_finding(jit: Jit, notes: LearnedMemory) -> Find:
    @jit
    def find(memory: Row, cell: int) -> int:
        low, high = 0, memory[notes.listed] + 0
        while low < high:
            middle = (low + high) // 2
            if memory[notes.cells + middle] < cell:
                low = middle + 1
            else:
                high = middle
        return low

    return find


def _first_steps(jit: Jit, notes: LearnedMemory, layer: LearnedLayer, find: Find) -> Iterator[Judge]:
    """From the list of cells that are 1 to the first hidden layer."""
    from numpy import int32

    width, added, lift = layer.weights.shape[1], layer.added, CELL_BITS - layer.bits

    @jit
    def begin(memory: Any) -> None:
        sums = memory[notes.following : notes.following + width].view(int32)
        for at in range(width):
            sums[at] = added[at]

    yield begin
    for start, end, weights in _parts(layer):
        yield _build_first_part(jit, notes, width, find, start, end, weights)

    @jit
    def finish(memory: Any) -> None:
        cells = memory[notes.hidden : notes.hidden + width]
        sums = memory[notes.following : notes.following + width].view(int32)
        for at in range(width):
            cells[at] = max(sums[at], 0) << lift

    yield finish


def _build_first_part(jit: Jit, notes: LearnedMemory, width: int, find: Find, start: int, end: int, weights: Any) -> Judge:
    from numpy import int32

    @jit
    def add_rows(memory: Any) -> None:
        """Add the rows of the cells in this part: four at a time, for sums to be fetched less often."""
        sums = memory[notes.following : notes.following + width].view(int32)
        some = memory[notes.cells + find(memory, start) : notes.cells + find(memory, end)]
        fours = len(some) // 4 * 4
        for place in range(0, fours, 4):
            first, second = (some[place] - start) * width, (some[place + 1] - start) * width
            third, fourth = (some[place + 2] - start) * width, (some[place + 3] - start) * width
            row_1, row_2 = weights[first : first + width], weights[second : second + width]
            row_3, row_4 = weights[third : third + width], weights[fourth : fourth + width]
            for at in range(width):
                sums[at] += int32(row_1[at]) + int32(row_2[at]) + int32(row_3[at]) + int32(row_4[at])
        for place in range(fours, len(some)):
            first = (some[place] - start) * width
            row = weights[first : first + width]
            for at in range(width):
                sums[at] += row[at]

    return add_rows


def _hidden_steps(jit: Jit, notes: LearnedMemory, layer: LearnedLayer, find: Find, small: bool) -> Iterator[Judge]:
    """From one hidden layer to the next, whose cells come to lie where those before them did; small ones are multiplied in 32
    bits, which is quicker."""
    from numpy import int32, int64

    width, added, bits = layer.weights.shape[1], layer.added, layer.bits

    @jit
    def begin(memory: Row) -> None:
        cells, following = memory[notes.hidden : notes.hidden + width], memory[notes.following : notes.following + width]
        some, listed = memory[notes.cells : notes.cells + width], 0
        for cell in range(width):
            following[cell] = added[cell]
            if cells[cell] > 0:
                some[listed] = cell
                listed += 1
        memory[notes.listed] = listed

    yield begin
    for start, end, weights in _parts(layer):
        yield _build_hidden_part(jit, notes, width, find, start, end, weights, int32 if small else int64)

    @jit
    def finish(memory: Row) -> None:
        cells = memory[notes.hidden : notes.hidden + width]
        following = memory[notes.following : notes.following + width]
        for at in range(width):
            cells[at] = max(following[at], 0) >> bits

    yield finish


def _build_hidden_part(
    jit: Jit, notes: LearnedMemory, width: int, find: Find, start: int, end: int, weights: Any, number: Any
) -> Judge:
    @jit
    def add_rows(memory: Any) -> None:
        """Add the rows of the cells in this part times what is in those, four at a time as above."""
        following, cells = memory[notes.following : notes.following + width], memory[notes.hidden : notes.hidden + width]
        some = memory[notes.cells + find(memory, start) : notes.cells + find(memory, end)]
        fours = len(some) // 4 * 4
        for place in range(0, fours, 4):
            one, two = number(cells[some[place]]), number(cells[some[place + 1]])
            three, four = number(cells[some[place + 2]]), number(cells[some[place + 3]])
            first, second = (some[place] - start) * width, (some[place + 1] - start) * width
            third, fourth = (some[place + 2] - start) * width, (some[place + 3] - start) * width
            row_1, row_2 = weights[first : first + width], weights[second : second + width]
            row_3, row_4 = weights[third : third + width], weights[fourth : fourth + width]
            for at in range(width):
                following[at] += one * row_1[at] + two * row_2[at] + three * row_3[at] + four * row_4[at]
        for place in range(fours, len(some)):
            one, first = number(cells[some[place]]), (some[place] - start) * width
            row = weights[first : first + width]
            for at in range(width):
                following[at] += one * row[at]

    return add_rows


def _build_last(jit: Jit, notes: LearnedMemory, layer: LearnedLayer) -> Judge:
    """From the last hidden layer to what each action is worth."""
    (width, actions), weights, added = layer.weights.shape, layer.weights.reshape(-1), layer.added

    @jit
    def weigh(memory: Row) -> None:
        worth = memory[notes.worth : notes.worth + actions]
        for action in range(actions):
            worth[action] = added[action]
        for cell in range(width):
            much = memory[notes.hidden + cell]
            if much > 0:
                row = weights[cell * actions : cell * actions + actions]
                for action in range(actions):
                    worth[action] += much * row[action]

    return weigh
