"""A device, as a GPU is called here: the speed that runs functions on it, and the layout of a block's games in its memory."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, NamedTuple

from tamaya.bots.encoding.cells import words_for
from tamaya.engine.instances import Fields, LookupTable, Options, Setting, view_class
from tamaya.engine.layout import Layout
from tamaya.rules import MissingPartError, say
from tamaya.rules.errors import require
from tamaya.sim.speeds import constant_array, record_view

cuda: Any = require("numba.cuda", "gpu")
BYTE, WORD, NUMBER = (getattr(require("numba", "sim"), kind) for kind in ("uint8", "uint32", "int64"))
WARP = 32
MAX_THREADS = 128
SHARED = 48 * 1024  # bytes available to any block

# Small batches are allowed although they leave most of a device idle.
warnings.filterwarnings("ignore", message=".*Grid size", module="numba")

IS_SIMULATED = "simulator" in cuda.jit.__module__
"""Whether Numba simulates the device thread by thread, for tests."""


class Device:
    """Functions as CUDA device functions, and loops as kernels."""

    interprets = IS_SIMULATED

    def make(self, function: FunctionType, options: Options, setting: Setting) -> Any:
        """A device function, or a kernel."""
        if options.kind == "loop":
            return cuda.jit(function)
        if IS_SIMULATED and "cuda" not in function.__code__.co_names:
            return function
        return cuda.jit(device=True, inline="always" if options.kind == "paste" else "never")(function)

    def table(self, numbers: LookupTable) -> Any:
        """Numbers that the compiler treats as constant."""
        return tuple(numbers) if IS_SIMULATED else constant_array(numbers)

    def view(self, fields: Fields) -> Callable[[Any], Any]:
        """The function that views a row as a record."""
        return view_class(fields) if IS_SIMULATED else cuda.jit(device=True, inline="always")(record_view(fields))

    def is_ready(self, loop: Any, arguments: Iterable[Any]) -> bool:
        """Whether a kernel was launched before, and so compiled."""
        return IS_SIMULATED or bool(loop.overloads)

    def __reduce__(self) -> str:
        return "DEVICE"


DEVICE = Device()


class BlockPlan(NamedTuple):
    """The use of a block's shared memory, with one game per thread: the bytes of every game, then the legal actions, the words
    of observations, the score counts, and which games are over."""

    threads: int
    stride: int  # bytes per game, in memory and in the block
    actions: int
    masks: int  # the byte at which the legal actions begin
    words: int  # the word at which the observations begin
    width: int  # words per observation
    counts: int  # the word at which the score counts begin
    scores: int  # words of the score counts
    over: int  # the word with the number of games that are over, followed by their list
    size: int  # total bytes


def odd_words(count: int) -> int:
    """The next odd number of words, so that neighbouring threads use different memory banks."""
    return count | 1


def plan_block(layout: Layout, cells: int, scores: int) -> BlockPlan:
    """The plan for blocks of as many threads as fit in shared memory; `cells` is the size of an observation, or 0."""
    stride = 4 * odd_words(-(-layout.size // 4))
    width = odd_words(words_for(cells)) if cells else 0
    for threads in range(MAX_THREADS, 0, -WARP):
        masks = threads * stride
        words = (masks + threads * layout.actions) // 4  # the number of threads is a multiple of 4
        counts = words + threads * width
        over = counts + scores
        size = 4 * (over + 1 + threads)
        if size <= SHARED or threads == WARP:
            break
    return BlockPlan(threads, stride, layout.actions, masks, words, width, counts, scores, over, size)


def address(array: Any) -> int:
    """The address of an array on the device."""
    return int((array.__array_interface__ if IS_SIMULATED else array.__cuda_array_interface__)["data"][0])


def find_device() -> None:
    """Raise `MissingPartError` if there is no CUDA device."""
    if not cuda.is_available():
        raise MissingPartError("no_device", say("There is no GPU here that CUDA can use."))
