"""From bits to cells on a device: neighbouring threads write neighbouring places."""

from __future__ import annotations

from typing import Any

from tamaya.sim.cuda.device import Device
from tamaya.sim.cuda.plan import BlockPlan

EIGHT = 8
NIBBLE_TO_BYTES, LOWEST_BITS = 0x00204081, 0x01010101


def build_spread(device: Device, plan: BlockPlan, cells: int, kind: str, aligned: bool) -> Any:
    """The function by which a block writes the observations of all its games, as one row of cells."""
    if kind == "bits":
        return _words(device, plan, cells)
    return _eights(device, plan, cells) if aligned else _cells(device, plan, cells)


def _eights(device: Device, plan: BlockPlan, cells: int) -> Any:
    """Eight cells at a time; the last ones, if they are not eight, one by one."""
    threads, width = plan.threads, plan.width
    eights, further, rest = threads * cells // EIGHT, threads * EIGHT // cells, threads * EIGHT % cells

    @device.jit
    def spread(words: Any, out: Any, ends: Any, thread: int, block: int, games: int) -> None:
        first = block * eights
        left = min(max(games * cells - first * EIGHT, 0), eights * EIGHT)
        here = left // EIGHT
        game, bit = thread * EIGHT // cells, thread * EIGHT % cells
        for at in range(thread, here, threads):
            word = game * width + (bit >> 5)
            bits = (words[word] | words[word + 1] << 32) >> (bit & 31)
            if bit + EIGHT > cells:
                bits |= words[(game + 1) * width] << (cells - bit)
            low = ((bits & 15) * NIBBLE_TO_BYTES) & LOWEST_BITS
            high = (((bits >> 4) & 15) * NIBBLE_TO_BYTES) & LOWEST_BITS
            out[first + at] = low | high << 32
            game, bit = game + further, bit + rest
            if bit >= cells:
                game, bit = game + 1, bit - cells
        cell = here * EIGHT + thread
        if cell < left:
            game, bit = cell // cells, cell % cells
            ends[first * EIGHT + cell] = (words[game * width + (bit >> 5)] >> (bit & 31)) & 1

    return spread


def _cells(device: Device, plan: BlockPlan, cells: int) -> Any:
    """A cell a thread."""
    threads, width = plan.threads, plan.width

    @device.jit
    def spread(words: Any, out: Any, ends: Any, thread: int, block: int, games: int) -> None:
        first, total = block * threads * cells, games * cells
        for at in range(thread, threads * cells, threads):
            game, bit = at // cells, at % cells
            if first + at < total:
                out[first + at] = (words[game * width + (bit >> 5)] >> (bit & 31)) & 1

    return spread


def _words(device: Device, plan: BlockPlan, cells: int) -> Any:
    """A word a thread."""
    threads, width, packed = plan.threads, plan.width, -(-cells // 32)

    @device.jit
    def spread(words: Any, out: Any, ends: Any, thread: int, block: int, games: int) -> None:
        first, total = block * threads * packed, games * packed
        for at in range(thread, threads * packed, threads):
            if first + at < total:
                out[first + at] = words[at // packed * width + at % packed]

    return spread
