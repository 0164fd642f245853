"""The kernels, with one thread per game: turns and observations, dealing, marking, checking, resampling.

To play, a block copies its games into shared memory, all threads side by side, plays them there, and copies them back. Each
thread writes the bits of its own observation, and then all threads together write the cells.
"""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from tamaya.bots.encoding import believe, encode
from tamaya.engine.instances import LookupTable, Options, Row, derived, inline, paste, per_rules, per_setting
from tamaya.engine.kernel.deal import begin, deal
from tamaya.engine.kernel.turn import legal
from tamaya.engine.layout import ENDED, RUNNING, layout
from tamaya.sim.cuda.block_copies import (
    CELLS,
    Block,
    LaunchSetting,
    Observations,
    copy_in,
    copy_out,
    deal_ended,
    note_end,
    plain,
    plan,
    write_observations,
)
from tamaya.sim.cuda.device import BYTE, NUMBER, WORD, cuda
from tamaya.sim.deals import observer_of, resample
from tamaya.sim.games import CHOOSE, GameArrays, take_turn
from tamaya.sim.loops import StepOptions, Steps, reward_of

OPTIONS = Options("loop")


def memory_size_of(setting: LaunchSetting) -> int:
    """The size of a thread's memory, in numbers."""
    return max(setting.memory_size(), 1)


SEATS: LookupTable = per_rules(lambda rules: LookupTable((0,) * rules.players))
"""One policy plays at every seat."""
MEMORY_SIZE: int = per_setting(memory_size_of)
STATE_SIZE: int = derived(layout, attrgetter("size"))
CARDS: int = derived(layout, attrgetter("cards"))
"""CUDA needs array sizes that are globals of their own."""


acts: bool = per_setting(attrgetter("acts"))
given: bool = per_setting(attrgetter("given"))
observes: bool = per_setting(attrgetter("observes"))
refines: bool = per_setting(LaunchSetting.refines)


class DeviceGames(NamedTuple):
    """The games of a batch on a device, each array as one row: states and masks in words, two words of seed per game."""

    states: Row
    seeds: Row
    masks: Row
    counts: Row


class Turns(NamedTuple):
    """The size of a launch: the number of games, the turns to take in each, and the observing seat, or -1 for the mover."""

    games: int
    turns: int
    seat: int


def play(batch: DeviceGames, steps: Steps, out: Observations, options: StepOptions, turns: Turns) -> None:  # noqa: C901
    """Take turns in every game, then write an observation."""
    shared_bytes, shared = cuda.shared.array(0, BYTE), cuda.shared.array(0, WORD)
    here = Block(shared_bytes, shared, cuda.threadIdx.x, cuda.blockIdx.x)
    number = here.block * plan.threads + here.thread
    copy_in(batch.states, batch.masks, here)
    state = plain(shared_bytes[here.thread * plan.stride : here.thread * plan.stride + layout.size])
    mask = plain(shared_bytes[plan.masks + here.thread * plan.actions : plan.masks + (here.thread + 1) * plan.actions])
    seed = plain(batch.seeds[number * 2 : number * 2 + 2])
    if acts:
        memories = (plain(cuda.local.array(MEMORY_SIZE, NUMBER)),)
        sights = (plain(cuda.local.array(STATE_SIZE, BYTE)),)
        game = GameArrays(state, seed, mask, SEATS, memories, sights, sights[0])
        for _ in range(turns.turns):
            shared[plan.over] = 0
            cuda.syncthreads()
            if number < turns.games:
                turn = take_turn(game, given_action(steps, number), options.replace_illegal)
                note_end(here, state, turn)
                if given:
                    steps.endings[number] = turn.ended
                    steps.illegal[number] = turn.illegal
                    steps.rewards[number] = reward_of(turn, options)
                    if turn.ended != RUNNING:
                        steps.scores[number] = turn.score
            deal_ended(here, batch.seeds, turns.games)
            legal(state, mask)
    cuda.syncthreads()
    observer = observer_of(state, turns.seat)
    if observes and number < turns.games:
        first = plan.words + here.thread * plan.width
        encode(state, observer, plain(shared[first : first + plan.width]))
    cuda.syncthreads()
    if acts:
        copy_out(batch.states, batch.masks, batch.counts, here)
    if observes:
        write_observations(plain(shared[plan.words : plan.words + plan.threads * plan.width]), out, here, turns.games)
    if refines:
        cuda.syncthreads()
        if number < turns.games:
            row = plain(out.cells[number * CELLS : (number + 1) * CELLS])
            believe(state, observer, cuda.local.array(CARDS, BYTE), row)


@inline
def given_action(steps: Steps, number: int) -> int:
    """The action given for a game, or `CHOOSE`; numbers outside the actions are illegal either way."""
    if given:
        action = steps.actions[number] + 0
        return action if action != CHOOSE else layout.actions
    return CHOOSE


class FlatGames(NamedTuple):
    """The games of a batch in bytes, `stride` per game, and the words of their seeds."""

    states: Row
    seeds: Row
    masks: Row
    stride: int
    games: int


@paste
def state_of(games: FlatGames, number: int) -> Row:
    """The state of a game."""
    return plain(games.states[number * games.stride : number * games.stride + layout.size])


@paste
def seed_at(games: FlatGames, number: int) -> Row:
    """The seed of a game."""
    return plain(games.seeds[number * 2 : number * 2 + 2])


@paste
def mask_of(games: FlatGames, number: int) -> Row:
    """The legal actions of a game."""
    return plain(games.masks[number * layout.actions : (number + 1) * layout.actions])


def deal_all(games: FlatGames, by_seed: bool) -> None:
    """Deal every game by its seed, or start it with the deck in its state."""
    number = cuda.grid(1)
    if number < games.games:
        state, seed = state_of(games, number), seed_at(games, number)
        if by_seed:
            deal(state, seed[0], seed[1])
        else:
            begin(state)
        legal(state, mask_of(games, number))


def resample_all(games: FlatGames, seat: int) -> None:
    """Resample what a seat cannot see in every game."""
    number = cuda.grid(1)
    if number < games.games:
        state, seed = state_of(games, number), seed_at(games, number)
        resample(state, observer_of(state, seat), seed[0], seed[1])
        legal(state, mask_of(games, number))


def mark_all(games: FlatGames) -> None:
    """Write the legal actions of every game, for states that came from elsewhere."""
    number = cuda.grid(1)
    if number < games.games:
        legal(state_of(games, number), mask_of(games, number))


def check_all(games: FlatGames, actions: Row, found: Row) -> None:
    """Find the first game whose action is illegal."""
    number = cuda.grid(1)
    if number < games.games:
        action = actions[number] + 0
        outside = action < 0 or action >= layout.actions
        if state_of(games, number)[ENDED] == RUNNING and (outside or not mask_of(games, number)[action]):
            cuda.atomic.min(found, 0, number)
