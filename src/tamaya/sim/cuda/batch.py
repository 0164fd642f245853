"""A batch of games on a device, as a GPU is called here."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from tamaya.bots.encoding import Sections, row_of
from tamaya.bots.random_play import RANDOM
from tamaya.bots.registry import find_policy, known_policies
from tamaya.engine import Game
from tamaya.engine.game import checked_seed
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.layout import ENDED, RUNNING
from tamaya.rules import Rules
from tamaya.rules.errors import checked_integer
from tamaya.rules.ruleset import checked_rules
from tamaya.sim import validation
from tamaya.sim.batch import ScoreCounts, Snapshot, checked_snapshot
from tamaya.sim.batch_config import MAX_TURNS, MOVER, BatchConfig
from tamaya.sim.cuda import launches
from tamaya.sim.cuda.block_copies import LaunchSetting, Observations
from tamaya.sim.cuda.device import DEVICE, BlockPlan, address, cuda, find_device
from tamaya.sim.cuda.launches import DeviceGames, FlatGames, Turns
from tamaya.sim.loops import Steps
from tamaya.sim.threads import Array, seed_rows, whole_seeds

WHOLE_BLOCKS = 384  # a multiple of every allowed number of threads per block
THREADS = 128
GIVEN = "given"
"""Instead of a policy: the caller gives the actions."""


class CudaBatch:
    """Games under given rules on a device: byte for byte the games of a `tamaya.sim.Batch` with the same seed.

    Options mean the same as there, and a new game is always dealt when one ends. A batch's arrays (`legal`, `rewards`,
    `endings`, `scores`, `illegal` and observations) are on the device; PyTorch, CuPy and JAX use them without a copy, and the
    next call overwrites them. Do not write into them: legality is looked up there. Calls return before the device is done;
    `synchronize` waits for it. Refusing an ``illegal`` action with an error (``raise``) waits at every step, so the other two
    options are faster.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        games: int = 1,
        *,
        seed: int | None = None,
        rewards: str = "difference",
        illegal: str = "raise",
        penalty: float = -1.0,
    ) -> None:
        seed = checked_seed(seed)
        self.config = BatchConfig(checked_rules(rules), games, rewards, illegal, penalty)
        self.rules, self.layout, self.games = self.config.rules, self.config.layout, self.config.games
        find_device()
        self._instance = instance_of(Setting(self.rules), DEVICE)
        self._stride = setting_for(self.rules, None, None, "uint8", True).plan.stride
        self._places = -(-self.games // WHOLE_BLOCKS) * WHOLE_BLOCKS
        self._states = _zeros(self._places * self._stride // 4, np.uint32)
        self._masks = _zeros(self._places * self.layout.actions // 4, np.uint32)
        self._seeds = _zeros(self._places * 2, np.uint32)
        self._counts = _zeros(self.rules.maximum + 2, np.uint64)
        self._nothing = _zeros(8, np.uint8)
        self.legal = self._masks.view(np.uint8).reshape(self._places, self.layout.actions)[: self.games]
        self.rewards = _zeros(self.games, np.float32)
        self.endings, self.scores, self.illegal = (_zeros(self.games, np.uint8) for _ in range(3))
        self._chosen = _zeros(self.games, np.int64)
        self._closed = False
        self._stream: Any = 0
        self.deal(seed)

    # Deals.

    def deal(self, seed: int | None = None, *, decks: Any = None) -> None:
        """Deal new games: by a seed, or with given decks (a row of card numbers each, top first)."""
        self._check_open()
        seeds = seed_rows(checked_seed(seed), np.arange(self.games))
        if decks is not None:
            states = np.zeros((self.games, self.layout.size), np.uint8)
            states[:, self.layout.deck : self.layout.hands] = validation.decks(decks, self.games, self.layout)
            self._put_states(states)
        self._put_seeds(seeds)
        self._each(launches.deal_all)(self._flat, decks is None)
        self._forget_outcomes()

    def _forget_outcomes(self) -> None:
        for array in (self.rewards, self.endings, self.scores, self.illegal):
            array.copy_to_device(np.zeros(self.games, array.dtype))

    @property
    def seeds(self) -> Array:
        """The seeds that dealt the games, unless decks were given; copied to the host."""
        return whole_seeds(self.save().seeds)

    # Turns.

    def step(self, actions: Any, *, encoder: str | None = None, kind: str = "uint8", out: Any = None) -> Any:
        """Take an action in every game; returns the rewards. With an encoder or ``out``, it also observes in the same
        launch."""
        self._check_open()
        chosen = self._checked_actions(actions)
        if self.config.illegal == "raise":
            self._refuse_illegal(chosen)
        self._launch(GIVEN, chosen, 1, encoder, kind, out)
        return self.rewards

    def _checked_actions(self, actions: Any) -> Any:
        if not hasattr(actions, "__cuda_array_interface__"):
            self._chosen.copy_to_device(validation.actions(actions, self.games))
            return self._chosen
        return validation.device_array(cuda.as_cuda_array(actions), (self.games,), ("int64", "int32", "uint8"))

    def _refuse_illegal(self, chosen: Any) -> None:
        found = cuda.to_device(np.array([self.games]))
        self._each(launches.check_all)(self._flat, chosen, found)
        game = int(found.copy_to_host()[0])
        if game < self.games:
            raise validation.illegal_action(game, int(chosen[game]), self.legal[game].copy_to_host())

    def play(self, turns: int, policy: str = "random") -> ScoreCounts:
        """Play this many turns of every game with one policy, in one launch, dealing a new game when one ends."""
        self._check_open()
        turns = checked_integer("turns", turns, 1, MAX_TURNS)
        _check_policy(policy)
        self._counts.copy_to_device(np.zeros(self.rules.maximum + 2, np.uint64))
        self._launch(policy, self._chosen, turns)
        return ScoreCounts.of(self._counts.copy_to_host(), turns * self.games)

    def advance(self, policy: str = "random", *, encoder: str | None = None, kind: str = "uint8", out: Any = None) -> None:
        """Play one turn of every game with a policy and write the observations of the next movers, in one launch."""
        self._check_open()
        _check_policy(policy)
        self._launch(policy, self._chosen, 1, encoder, kind, out)

    # Looking.

    def sections(self, encoder: str = "canonical") -> Sections:
        """The named sections of an observation."""
        return self.config.sections(encoder)

    def buffer(self, encoder: str = "canonical", kind: str = "uint8") -> Any:
        """An array on the device that observations fit into."""
        width, cells = row_of(encoder, kind, self.layout)
        return cuda.device_array((self.games, width), np.dtype(cells))

    def observe(self, encoder: str = "canonical", *, kind: str = "uint8", seat: int | None = None, out: Any = None) -> Any:
        """What a seat sees in every game, by default the one to move; written to the buffer ``out`` on the device if given."""
        self._check_open()
        observer = self.config.seat(seat)
        out = self.buffer(encoder, kind) if out is None else out
        self._launch(None, self._chosen, 0, encoder, kind, out, observer)
        return out

    def game(self, place: int) -> Game:
        """One of the games as a `Game`, with its position but no history."""
        self._check_open()
        first = checked_integer("place", place, 0, self.games - 1) * self._stride
        return Game.from_state(self.rules, self._bytes[first : first + self.layout.size].copy_to_host().tobytes())

    def _launch(
        self,
        policy: str | None,
        chosen: Any,
        turns: int,
        encoder: str | None = None,
        kind: str = "uint8",
        out: Any = None,
        seat: int = MOVER,
    ) -> None:
        encoder = "canonical" if encoder is None and out is not None else encoder
        cells, ends, aligned = self._nothing.view(np.int64), self._nothing, True
        if encoder:
            cells, ends, aligned = self._checked_buffer(encoder, kind, out)
        launch, plan = launch_for(self.rules, policy, encoder, kind, aligned)
        launch[self._blocks(plan.threads), plan.threads, self._stream, plan.size](
            DeviceGames(self._states, self._seeds, self._masks, self._counts),
            Steps(chosen, self.rewards, self.endings, self.scores, self.illegal),
            Observations(cells, ends),
            self.config.step_options(),
            Turns(self.games, turns, seat),
        )

    def _each(self, launch: Any, stream: Any = 0) -> Any:
        return self._instance(launch)[self._blocks(THREADS), THREADS, stream]

    @property
    def _flat(self) -> FlatGames:
        return FlatGames(self._bytes, self._seeds, self._masks.view(np.uint8), self._stride, self.games)

    def _checked_buffer(self, encoder: str, kind: str, out: Any) -> tuple[Any, Any, bool]:
        """The buffer as one row, eight cells at a time if its alignment allows that; the buffer itself; and whether it does."""
        width, cells = row_of(encoder, kind, self.layout)
        row = validation.device_array(_taken_over(out), (self.games, width), (cells,)).reshape(-1)
        aligned = cells == "uint8" and width >= 8 and address(row) % 8 == 0
        return (row[: row.size // 8 * 8].view(np.int64) if aligned else row), row, aligned

    # Snapshots, copies and resampling.

    def save(self) -> Snapshot:
        """A snapshot of the position of every game, which a `tamaya.sim.Batch` can restore too."""
        self._check_open()
        seeds = self._seeds[: 2 * self.games].copy_to_host().reshape(self.games, 2)
        rows = self._bytes[: self.games * self._stride].copy_to_host().reshape(self.games, self._stride)
        return Snapshot(self.rules, np.ascontiguousarray(rows[:, : self.layout.size]), seeds)

    def restore(self, saved: Snapshot) -> None:
        """Restore a snapshot of a batch like this, or of a `tamaya.sim.Batch`."""
        self._check_open()
        states, seeds = checked_snapshot(saved, self.rules, self.games, self.layout)
        before = self.save()
        self._put(states, seeds)
        if not (self.legal.copy_to_host().any(axis=1) | (states[:, ENDED] != RUNNING)).all():
            self._put(before.states, before.seeds)
            raise validation.bad_snapshot(self.games)
        self._forget_outcomes()

    def _put(self, states: Array, seeds: Array) -> None:
        self._put_states(states)
        self._put_seeds(seeds)
        self._each(launches.mark_all)(self._flat)

    def _put_states(self, states: Array) -> None:
        rows = np.zeros((self.games, self._stride), np.uint8)
        rows[:, : self.layout.size] = states
        self._bytes[: rows.size].copy_to_device(rows.reshape(-1))

    def _put_seeds(self, seeds: Array) -> None:
        self._seeds[: 2 * self.games].copy_to_device(seeds.reshape(-1))

    def clone(self) -> CudaBatch:
        """An independent copy of the batch on the device in the same position."""
        self._check_open()
        choices = {name: choice for name, choice in self.config.as_arguments().items() if name != "automatic"}
        twin, saved = CudaBatch(**choices, seed=0), self.save()
        twin._put(saved.states, saved.seeds)
        return twin

    def follow(self, other: CudaBatch) -> None:
        """Copy the positions of another batch with the same rules and size, within the device."""
        self._check_open()
        other._check_open()
        if (other.rules, other.games) != (self.rules, self.games):
            raise validation.other_batch(self.games)
        for mine, theirs in ((self._states, other._states), (self._masks, other._masks), (self._seeds, other._seeds)):
            mine.copy_to_device(theirs, self._stream)

    def resample(self, seat: int | None = None, *, seed: int | None = None, seeds: Any = None) -> None:
        """Resample what a seat cannot see, by default the one to move: any deal that agrees with all that it knows. The seed is
        a number, or `seeds` on the device, two 32-bit numbers per game."""
        self._check_open()
        observer = self.config.seat(seat)
        if seeds is None:
            rows = cuda.to_device(seed_rows(checked_seed(seed), np.arange(self.games)).reshape(-1))
        else:
            given = validation.device_array(_taken_over(seeds), (self.games, 2), ("uint32", "int32"))
            rows = given.view(np.uint32).reshape(-1)
        self._each(launches.resample_all, self._stream)(self._flat._replace(seeds=rows), observer)

    # Streams and closing.

    def use_stream(self, handle: int) -> None:
        """Use another stream for turns and observations than the device's default, given its handle from PyTorch or another
        library: then their work and this batch's are in order, and can be recorded as a CUDA graph. 0 is the default stream."""
        self._stream = cuda.external_stream(handle) if handle else 0

    @property
    def _bytes(self) -> Any:
        return self._states.view(np.uint8)

    def _blocks(self, threads: int) -> int:
        return -(-self.games // threads)

    def synchronize(self) -> None:
        """Wait until the device has finished all launches."""
        cuda.synchronize()

    def close(self) -> None:
        """Free the device's memory; the batch cannot be used afterwards."""
        self._closed = True
        for name in ("_states", "_masks", "_seeds", "_chosen", "legal"):
            vars(self).pop(name, None)

    def _check_open(self) -> None:
        if self._closed:
            raise validation.closed()

    def __enter__(self) -> CudaBatch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def setting_for(rules: Rules, policy: str | None, encoder: str | None, kind: str, aligned: bool) -> LaunchSetting:
    """The setting of a launch: the policy or `GIVEN`, and the observation that it writes."""
    chosen = RANDOM if policy in (None, GIVEN) else find_policy(str(policy))
    chosen.check_rules(rules)
    return LaunchSetting(
        rules, encoder or "canonical", kind if encoder else "uint8", (chosen,), (str(policy),),
        acts=policy is not None, given=policy == GIVEN, observes=encoder is not None, aligned=aligned,
    )  # fmt: skip


@lru_cache(maxsize=64)
def launch_for(rules: Rules, policy: str | None, encoder: str | None, kind: str, aligned: bool) -> tuple[Any, BlockPlan]:
    """The launch that plays and writes, and its block plan."""
    setting = setting_for(rules, policy, encoder, kind, aligned)
    return instance_of(setting, DEVICE)(launches.play), setting.plan


def _check_policy(name: str) -> None:
    """Refuse a policy that cannot run on a device: one that remembers games, or recurses."""
    validation.one_of("policy", name, tuple(known for known, found in known_policies().items() if found.on_gpu))


def _taken_over(array: Any) -> Any:
    """A device array of another library as Numba's; anything else unchanged."""
    return cuda.as_cuda_array(array) if hasattr(array, "__cuda_array_interface__") else array


def _zeros(size: int, cells: Any) -> Any:
    return cuda.to_device(np.zeros(size, cells))
