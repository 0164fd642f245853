"""The network in integers: with NumPy when interpreted, in plain loops when compiled, with identical results.

A cell of a hidden layer is a fixed-point number with `CELL_BITS` fractional bits. A product of cell and weight has the
fractional bits of both, of which the weight's are shifted away again. `weights.py` checks beforehand that 32 bits suffice where
they are used.

Compiled, rows of weights are added up, except those of cells that are 0. It goes in steps: each is an instance of one of the
functions here for a part of a layer (`StepSetting`), with its weights and width as constants.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias, cast

from tamaya.bots.learned.features import CELL_BITS, LearnedMemory
from tamaya.bots.learned.weights import LearnedLayer, NetworkSetting, small_cells
from tamaya.engine.instances import Options, Row, derived, one_of, per_rules, per_setting, per_speed
from tamaya.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OPTIONS = Options()
Judge: TypeAlias = Callable[[LearnedMemory], None]
Step: TypeAlias = Callable[[int, LearnedMemory], None]
MAX_CONSTANT_BYTES = 1_000_000
"""The largest array, in bytes, that Numba compiles as a constant that can be cached on disk."""


# Compiled.


@dataclass(frozen=True)
class StepSetting(NetworkSetting):
    """The setting of a step: a layer, and the range of input cells whose weights it uses."""

    place: int
    start: int
    end: int

    @property
    def layer(self) -> LearnedLayer:
        """The layer."""
        return self.weights.layers[self.place]


def rows_of(setting: StepSetting) -> Row:
    """The weights of a step, row after row."""
    return cast(Row, setting.layer.weights[setting.start : setting.end].reshape(-1))


def added_of(setting: StepSetting) -> Row:
    """What the layer of a step adds."""
    return cast(Row, setting.layer.added)


def opens_layer(setting: StepSetting) -> bool:
    """Whether a step is the first of its layer."""
    return setting.start == 0


def closes_layer(setting: StepSetting) -> bool:
    """Whether a step is the last of its layer."""
    return setting.end == len(setting.layer.weights)


def type_of_cells(setting: StepSetting) -> type[int]:
    """The type in which input cells of a layer are multiplied: 32 bits for small numbers, which is faster."""
    import numpy as np

    return cast(type[int], np.int32 if small_cells(setting.weights)[setting.place - 1] else np.int64)


def int32_of(rules: Rules) -> type[int]:
    """NumPy's 32-bit integers; NumPy is imported when a network first plays."""
    import numpy as np

    return cast(type[int], np.int32)


INT32: type[int] = per_rules(int32_of)
CELL: type[int] = per_setting(type_of_cells)
WEIGHTS: Row = per_setting(rows_of)
ADDED: Row = per_setting(added_of)
WIDTH: int = derived(ADDED, len)
"""The cells of the layer."""
BITS: int = per_setting(lambda setting: cast(StepSetting, setting).layer.bits)
START: int = per_setting(attrgetter("start"))
END: int = per_setting(attrgetter("end"))
OPENS: bool = per_setting(opens_layer)
CLOSES: bool = per_setting(closes_layer)


def find(memory: LearnedMemory, cell: int) -> int:
    """How many of the listed cells come before this one."""
    low, high = 0, memory.listed + 0
    while low < high:
        middle = (low + high) // 2
        if memory.cells[middle] < cell:
            low = middle + 1
        else:
            high = middle
    return low


def add_first(memory: LearnedMemory) -> None:
    """Compute the first hidden layer from the listed cells, adding their rows four at a time to fetch sums less often."""
    sums = memory.following[0:WIDTH].view(INT32)
    if OPENS:
        for at in range(WIDTH):
            sums[at] = ADDED[at]
    some = memory.cells[find(memory, START) : find(memory, END)]
    fours = len(some) // 4 * 4
    for place in range(0, fours, 4):
        first, second = (some[place] - START) * WIDTH, (some[place + 1] - START) * WIDTH
        third, fourth = (some[place + 2] - START) * WIDTH, (some[place + 3] - START) * WIDTH
        row_1, row_2 = WEIGHTS[first : first + WIDTH], WEIGHTS[second : second + WIDTH]
        row_3, row_4 = WEIGHTS[third : third + WIDTH], WEIGHTS[fourth : fourth + WIDTH]
        for at in range(WIDTH):
            sums[at] += INT32(row_1[at]) + INT32(row_2[at]) + INT32(row_3[at]) + INT32(row_4[at])
    for place in range(fours, len(some)):
        first = (some[place] - START) * WIDTH
        row_1 = WEIGHTS[first : first + WIDTH]
        for at in range(WIDTH):
            sums[at] += row_1[at]
    if CLOSES:
        cells = memory.hidden[0:WIDTH]
        for at in range(WIDTH):
            cells[at] = max(sums[at], 0) << (CELL_BITS - BITS)


def list_hidden(memory: LearnedMemory) -> None:
    """Start the sums of a hidden layer, and list the input cells that are not 0."""
    cells, following, listed = memory.hidden[0:WIDTH], memory.following[0:WIDTH], 0
    for cell in range(WIDTH):
        following[cell] = ADDED[cell]
        if cells[cell] > 0:
            memory.cells[listed] = cell
            listed += 1
    memory.listed = listed


def add_hidden(memory: LearnedMemory) -> None:
    """Compute the next hidden layer in place: add the rows of the listed cells, times the cells, four at a time."""
    if OPENS:
        list_hidden(memory)
    cells, following = memory.hidden[0:WIDTH], memory.following[0:WIDTH]
    some = memory.cells[find(memory, START) : find(memory, END)]
    fours = len(some) // 4 * 4
    for place in range(0, fours, 4):
        one, two = CELL(cells[some[place]]), CELL(cells[some[place + 1]])
        three, four = CELL(cells[some[place + 2]]), CELL(cells[some[place + 3]])
        first, second = (some[place] - START) * WIDTH, (some[place + 1] - START) * WIDTH
        third, fourth = (some[place + 2] - START) * WIDTH, (some[place + 3] - START) * WIDTH
        row_1, row_2 = WEIGHTS[first : first + WIDTH], WEIGHTS[second : second + WIDTH]
        row_3, row_4 = WEIGHTS[third : third + WIDTH], WEIGHTS[fourth : fourth + WIDTH]
        for at in range(WIDTH):
            following[at] += one * row_1[at] + two * row_2[at] + three * row_3[at] + four * row_4[at]
    for place in range(fours, len(some)):
        one, first = CELL(cells[some[place]]), (some[place] - START) * WIDTH
        row_1 = WEIGHTS[first : first + WIDTH]
        for at in range(WIDTH):
            following[at] += one * row_1[at]
    if CLOSES:
        for at in range(WIDTH):
            cells[at] = max(following[at], 0) >> BITS


def add_last(memory: LearnedMemory) -> None:
    """Compute the worth of each action from the last hidden layer."""
    worth = memory.worth[0:WIDTH]
    for action in range(WIDTH):
        worth[action] = ADDED[action]
    for cell in range(END):
        much = memory.hidden[cell]
        if much > 0:
            row = WEIGHTS[cell * WIDTH : (cell + 1) * WIDTH]
            for action in range(WIDTH):
                worth[action] += much * row[action]


def steps_of(setting: NetworkSetting) -> list[StepSetting]:
    """The steps through a network: each hidden layer in parts small enough to be constants, and the last layer whole."""
    found, layers = list[StepSetting](), setting.weights.layers
    for place, layer in enumerate(layers):
        cells, width = layer.weights.shape
        most = MAX_CONSTANT_BYTES // (layer.weights.itemsize * width) if layer is not layers[-1] else cells
        for start in range(0, cells, most):
            found.append(StepSetting(setting.rules, setting.network, place, start, min(start + most, cells)))
    return found


def step_in(setting: NetworkSetting) -> Step:
    """All steps as one function, whose first argument selects the step."""
    steps, last = steps_of(setting), len(setting.weights.layers) - 1
    functions = [add_first if step.place == 0 else add_last if step.place == last else add_hidden for step in steps]
    return cast(Step, one_of(functions, steps, [None] * len(steps)))


take_step: Step = per_setting(step_in)
STEPS: int = per_setting(lambda setting: len(steps_of(cast(NetworkSetting, setting))))


def judge_in_steps(memory: LearnedMemory) -> None:
    """Write the worth of each action, from the listed cells."""
    for step in range(STEPS):
        take_step(step, memory)


# Interpreted.


def wide_rows(setting: NetworkSetting) -> list[NDArray[np.int64]]:
    """The weights of all layers but the first, widened to the type of the sums."""
    import numpy as np

    return [layer.weights.astype(np.int64) for layer in setting.weights.layers[1:]]


LAYERS: tuple[LearnedLayer, ...] = per_setting(lambda setting: cast(NetworkSetting, setting).weights.layers)
WIDE_ROWS: list[NDArray[np.int64]] = per_setting(wide_rows)


def judge_with_numpy(memory: LearnedMemory) -> None:
    """Write the worth of each action, computed layer by layer with NumPy."""
    import numpy as np

    first, *others = LAYERS
    listed = np.asarray(memory.cells[0 : memory.listed])
    cells = np.maximum(first.weights[listed].sum(axis=0, dtype=np.int64) + first.added, 0) << (CELL_BITS - first.bits)
    for place, (layer, rows) in enumerate(zip(others, WIDE_ROWS, strict=True), 1):
        some = np.flatnonzero(cells)
        cells = cells[some] @ rows[some] + layer.added
        if place < len(others):
            cells = np.maximum(cells, 0) >> layer.bits
    for action, worth in enumerate(cells.tolist()):
        memory.worth[action] = worth


judge: Judge = per_speed(judge_with_numpy, judge_in_steps)
"""Writes the worth of each action, from the listed cells."""
