"""What the threads of a block do together: copy games in and out, deal new ones for those that ended, and write observations.

Neighbouring threads read and write neighbouring addresses of the device's memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import NamedTuple, Protocol, TypeVar

from tamaya.bots.encoding import EncoderSetting, leave_bits
from tamaya.bots.encoding.cells import Cells
from tamaya.engine.instances import Options, Row, derived, per_setting
from tamaya.engine.kernel.ending import LOST
from tamaya.engine.layout import ENDED, RUNNING, layout, layout_of
from tamaya.sim.cuda.device import IS_SIMULATED, BlockPlan, cuda, plan_block
from tamaya.sim.games import TeamSetting, Turn, deal_next

OPTIONS = Options()
Part = TypeVar("Part")
EIGHT = 8
NIBBLE_TO_BYTES, LOWEST_BITS = 0x00204081, 0x01010101


@dataclass(frozen=True)
class LaunchSetting(TeamSetting, EncoderSetting):
    """What a launch plays and writes: turns by a policy, with `given` actions, or none at all (``acts``), then an observation
    if it ``observes``. In ``aligned`` memory, it writes eight bytes at a time."""

    acts: bool = False
    given: bool = False
    observes: bool = False
    aligned: bool = True

    def refines(self) -> bool:
        """Whether the observation has more than bits."""
        return self.observes and self.found.believe is not leave_bits

    @property
    def plan(self) -> BlockPlan:
        """The use of a block's memory."""
        return plan_block(layout_of(self.rules), self.size if self.observes else 0, self.rules.maximum + 2)


plan: BlockPlan = per_setting(attrgetter("plan"))
CELLS: int = per_setting(attrgetter("size"))
STATE_WORDS: int = derived(plan, lambda plan: plan.threads * plan.stride // 4)
MASK_WORDS: int = derived(plan, lambda plan: plan.threads * plan.actions // 4)


class Block(NamedTuple):
    """A block from the point of view of one of its threads."""

    bytes: Row
    words: Row
    """The block's shared memory, as bytes and as words."""
    thread: int
    block: int


def simulated_row(row: Part) -> Part:
    """A row of an array on a simulated device, with plain numbers."""
    return row.data  # type: ignore[attr-defined, no-any-return]


def same_row(row: Part) -> Part:
    """The row itself."""
    return row


plain = simulated_row if IS_SIMULATED else same_row


def copy_in(states: Row, masks: Row, here: Block) -> None:
    """Copy the block's games into its shared memory."""
    for at in range(here.thread, STATE_WORDS, plan.threads):
        here.words[at] = states[here.block * STATE_WORDS + at]
    for at in range(here.thread, MASK_WORDS, plan.threads):
        here.words[STATE_WORDS + at] = masks[here.block * MASK_WORDS + at]
    for at in range(here.thread, plan.scores, plan.threads):
        here.words[plan.counts + at] = 0


def copy_out(states: Row, masks: Row, counts: Row, here: Block) -> None:
    """Copy the block's games back, and add up how they ended."""
    for at in range(here.thread, STATE_WORDS, plan.threads):
        states[here.block * STATE_WORDS + at] = here.words[at]
    for at in range(here.thread, MASK_WORDS, plan.threads):
        masks[here.block * MASK_WORDS + at] = here.words[STATE_WORDS + at]
    for at in range(here.thread, plan.scores, plan.threads):
        cuda.atomic.add(counts, at, here.words[plan.counts + at])


def note_end(here: Block, state: Row, turn: Turn) -> None:
    """Count a game that ended, and note that its thread needs the next one."""
    if turn.ended != RUNNING:
        cuda.atomic.add(here.words, plan.counts + turn.score, 1)
        if turn.ended >= LOST:
            cuda.atomic.add(here.words, plan.counts + plan.scores - 1, 1)
    if state[ENDED] != RUNNING:
        here.words[plan.over + 1 + cuda.atomic.add(here.words, plan.over, 1)] = here.thread


def deal_ended(here: Block, seeds: Row, games: int) -> None:
    """Deal the next game in place of each one that ended.

    A warp is as slow as its slowest thread, and a deal the slowest task: so the first threads of a block deal for all.
    """
    cuda.syncthreads()
    if here.thread < here.words[plan.over]:
        other = here.words[plan.over + 1 + here.thread]
        number = here.block * plan.threads + other
        state = plain(here.bytes[other * plan.stride : other * plan.stride + layout.size])
        deal_next(state, plain(seeds[number * 2 : number * 2 + 2]), games)
    cuda.syncthreads()


# Writing the bits as cells, with the observations of a block's games as one row.


class FlatCells(Cells, Protocol):
    """The observations of a batch as one row."""

    def __getitem__(self, part: slice, /) -> Cells: ...


def further_of(setting: LaunchSetting) -> tuple[int, int]:
    """The distance, in games and cells, to a thread's next eight cells."""
    return divmod(setting.plan.threads * EIGHT, setting.size)


class Observations(NamedTuple):
    """The output buffer: as one row, eight cells at a time if it is aligned; and unchanged."""

    cells: FlatCells
    ends: FlatCells


FURTHER_BOTH: tuple[int, int] = per_setting(further_of)
FURTHER: int = derived(FURTHER_BOTH, itemgetter(0))
FURTHER_BITS: int = derived(FURTHER_BOTH, itemgetter(1))
PACKED: int = derived(CELLS, lambda cells: -(-cells // 32))


def write_eights(words: Row, out: Observations, here: Block, games: int) -> None:
    """Write eight cells at a time, and the rest one by one."""
    eights = plan.threads * CELLS // EIGHT
    first = here.block * eights
    left = min(max(games * CELLS - first * EIGHT, 0), eights * EIGHT)
    whole = left // EIGHT
    game, bit = here.thread * EIGHT // CELLS, here.thread * EIGHT % CELLS
    for at in range(here.thread, whole, plan.threads):
        word = game * plan.width + (bit >> 5)
        bits = (words[word] | words[word + 1] << 32) >> (bit & 31)
        if bit + EIGHT > CELLS:
            bits |= words[(game + 1) * plan.width] << (CELLS - bit)
        low = ((bits & 15) * NIBBLE_TO_BYTES) & LOWEST_BITS
        high = (((bits >> 4) & 15) * NIBBLE_TO_BYTES) & LOWEST_BITS
        out.cells[first + at] = low | high << 32
        game, bit = game + FURTHER, bit + FURTHER_BITS
        if bit >= CELLS:
            game, bit = game + 1, bit - CELLS
    cell = whole * EIGHT + here.thread
    if cell < left:
        game, bit = cell // CELLS, cell % CELLS
        out.ends[first * EIGHT + cell] = (words[game * plan.width + (bit >> 5)] >> (bit & 31)) & 1


def write_cells(words: Row, out: Observations, here: Block, games: int) -> None:
    """Write one cell per thread."""
    first, total = here.block * plan.threads * CELLS, games * CELLS
    for at in range(here.thread, plan.threads * CELLS, plan.threads):
        game, bit = at // CELLS, at % CELLS
        if first + at < total:
            out.cells[first + at] = (words[game * plan.width + (bit >> 5)] >> (bit & 31)) & 1


def write_words(words: Row, out: Observations, here: Block, games: int) -> None:
    """Write one word of 32 cells per thread."""
    first, total = here.block * plan.threads * PACKED, games * PACKED
    for at in range(here.thread, plan.threads * PACKED, plan.threads):
        if first + at < total:
            out.cells[first + at] = words[at // PACKED * plan.width + at % PACKED]


def writer_of(setting: LaunchSetting) -> Callable[[Row, Observations, Block, int], None]:
    """The function that writes observations of the setting's kind."""
    if setting.kind == "bits":
        return write_words
    return write_eights if setting.aligned else write_cells


write_observations = per_setting(writer_of)
