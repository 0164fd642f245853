"""A batch of games that lives on a card."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamaya.engine.game import checked_seed
from tamaya.engine.layout import SEAT
from tamaya.rules import Rules
from tamaya.sim import checks
from tamaya.sim.arrays import Array, halves, seeds_of
from tamaya.sim.batch import ILLEGAL, REWARDS
from tamaya.sim.choices import POLICIES
from tamaya.sim.cuda import launches
from tamaya.sim.cuda.card import card, cuda
from tamaya.sim.cuda.playing import GIVEN, play_launch
from tamaya.sim.encoding import Sections, find_encoder
from tamaya.sim.loops import MOVER
from tamaya.sim.saved import Saved, Tally

WHOLE_BLOCKS = 384  # a multiple of every number of threads that a block may have
THREADS = 128


class CudaBatch:
    """Games by given rules on a card; the same games, byte for byte, as those of a `tamaya.sim.Batch` with the same seed.

    What a batch hands out (`legal`, `rewards`, `endings`, `scores`, `illegal` and observations) are arrays on the card that
    PyTorch, CuPy and JAX take over without a copy, and that the next call overwrites. Calls return before the card is
    done; `synchronize` waits for it. Refusing an ``illegal`` action with an error (``raise``) waits at every step, so the
    other two treatments are quicker.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        games: int = 1,
        *,
        seed: int | None = None,
        automatic: bool = True,
        rewards: str = "difference",
        illegal: str = "raise",
        penalty: float = -1.0,
    ) -> None:
        self.rules = rules or Rules()
        self.games = checks.whole("games", games, 1)
        self.automatic, self.penalty = bool(automatic), float(penalty)
        self._final = checks.one_of("rewards", rewards, REWARDS) == "final"
        self._treatment = checks.one_of("illegal", illegal, ILLEGAL)
        self.layout = card(self.rules).kernel.layout
        self._stride = play_launch(self.rules, None, None, "uint8").plan.stride
        self._places = -(-games // WHOLE_BLOCKS) * WHOLE_BLOCKS
        self._states = self._zeros(self._places * self._stride // 4, np.uint32)
        self._masks = self._zeros(self._places * self.layout.actions // 4, np.uint32)
        self._seeds = self._zeros(self._places * 2, np.uint32)
        self._tally = self._zeros(self.rules.maximum + 2, np.uint64)
        self._nothing = self._zeros(8, np.uint8)
        self.rewards = self._zeros(games, np.float32)
        self.endings, self.scores, self.illegal = (self._zeros(games, np.uint8) for _ in range(3))
        self._chosen = self._zeros(games, np.int64)
        self._closed = False
        self.deal(seed)

    def _blocks(self, threads: int) -> int:
        return -(-self.games // threads)

    def _zeros(self, size: int, cells: Any) -> Any:
        return cuda.to_device(np.zeros(size, cells))

    @property
    def legal(self) -> Any:
        """The legal actions of every game, a row of ones and zeros each."""
        return self._masks.view(np.uint8).reshape(self._places, self.layout.actions)[: self.games]

    # Deals.

    def deal(self, seed: int | None = None, *, decks: Any = None) -> None:
        """Begin anew: by a seed, or with given decks (a row of card numbers each, top first)."""
        self._check_open()
        if decks is not None:
            decks = checks.decks(decks, self.games, self.layout)
        self._seeds[: 2 * self.games].copy_to_device(halves(seeds_of(checked_seed(seed), np.arange(self.games))).reshape(-1))
        if decks is not None:
            states = np.zeros((self.games, self._stride), np.uint8)
            states[:, self.layout.deck : self.layout.hands] = decks
            self._put_states(states)
        deal = launches.deal_launch(self.rules)[self._blocks(THREADS), THREADS]
        deal(self._bytes, self._seeds, self._masks.view(np.uint8), self._stride, self.games, decks is None)

    @property
    def _bytes(self) -> Any:
        return self._states.view(np.uint8)

    def _put_states(self, states: Array) -> None:
        flat = np.zeros((self.games, self._stride), np.uint8)
        flat[:, : states.shape[1]] = states
        self._bytes[: flat.size].copy_to_device(flat.reshape(-1))

    def _take_states(self) -> Array:
        rows = self._bytes[: self.games * self._stride].copy_to_host().reshape(self.games, self._stride)
        return np.ascontiguousarray(rows[:, : self.layout.size])

    # Turns.

    @property
    def to_move(self) -> Array:
        """The seat whose turn it is in each game, brought to the computer."""
        return self._take_states()[:, SEAT]

    def step(self, actions: Any, *, encoder: str | None = None, kind: str = "uint8", out: Any = None) -> Any:
        """Take an action in every game; returns the rewards. With an encoder, the observations of the next movers go to ``out``
        in the same launch."""
        self._check_open()
        chosen = self._checked_actions(actions)
        if self._treatment == "raise":
            self._refuse_illegal(chosen)
        self._launch(GIVEN, chosen, 1, encoder, kind, out)
        return self.rewards

    def _checked_actions(self, actions: Any) -> Any:
        if not hasattr(actions, "__cuda_array_interface__"):
            self._chosen.copy_to_device(checks.actions(actions, self.games))
            return self._chosen
        return checks.card_array(cuda.as_cuda_array(actions), (self.games,), ("int64", "int32", "uint8"))

    def _refuse_illegal(self, chosen: Any) -> None:
        found = cuda.to_device(np.array([self.games]))
        check = launches.check_launch(self.rules)[self._blocks(THREADS), THREADS]
        check(self._bytes, self._masks.view(np.uint8), chosen, found, self._stride, self.games)
        game = int(found.copy_to_host()[0])
        if game < self.games:
            raise checks.illegal_action(game, int(chosen[game]), self.legal[game].copy_to_host())

    def play(self, turns: int, policy: str = "random") -> Tally:
        """Let a policy take so many turns in every game, all in one launch, new games following on old ones."""
        self._check_open()
        turns = checks.whole("turns", turns, 1)
        self._tally.copy_to_device(np.zeros(self.rules.maximum + 2, np.uint64))
        self._launch(checks.one_of("policy", policy, tuple(POLICIES)), self._chosen, turns, None, "uint8", None)
        total = self._tally.copy_to_host().tolist()
        return Tally(scores=tuple(total[:-1]), lost=total[-1], moves=turns * self.games)

    def advance(self, policy: str = "random", *, encoder: str | None = None, kind: str = "uint8", out: Any = None) -> None:
        """Let a policy take one turn in every game and write the observations of the next movers, in one launch."""
        self._check_open()
        self._launch(checks.one_of("policy", policy, tuple(POLICIES)), self._chosen, 1, encoder, kind, out)

    # Looking.

    def sections(self, encoder: str = "canonical") -> Sections:
        """The named parts of an observation."""
        return find_encoder(encoder, "float32").sections(self.layout)

    def buffer(self, encoder: str = "canonical", kind: str = "uint8") -> Any:
        """An array on the card that observations fit into."""
        size = find_encoder(encoder, kind).sections(self.layout).size
        shape, cells = ((self.games, -(-size // 32)), "uint32") if kind == "bits" else ((self.games, size), kind)
        return cuda.device_array(shape, np.dtype(cells))

    def observe(self, encoder: str = "canonical", *, kind: str = "uint8", seat: int | None = None, out: Any = None) -> Any:
        """What a seat sees in every game, by default the one to move; into a buffer of yours on the card if you give one."""
        self._check_open()
        observer = MOVER if seat is None else checks.whole("seat", seat, 0, self.rules.players - 1)
        out = self.buffer(encoder, kind) if out is None else out
        self._launch(None, self._chosen, 0, encoder, kind, out, observer)
        return out

    def _launch(
        self, policy: str | None, chosen: Any, turns: int, encoder: str | None, kind: str, out: Any, seat: int = MOVER
    ) -> None:
        launch = play_launch(self.rules, policy, encoder, kind)
        cells, ends = self._nothing.view(np.int64), self._nothing
        if encoder:
            cells, ends = self._checked_buffer(encoder, kind, out)
        launch.kernel[self._blocks(launch.plan.threads), launch.plan.threads, 0, launch.plan.size](
            self._states, self._seeds, self._masks, chosen, self.rewards, self.endings, self.scores, self.illegal,
            self._tally, cells, ends, self.games, turns, seat, self.automatic or policy != GIVEN,
            self._treatment == "mask", self._final, self.penalty,
        )  # fmt: skip

    def _checked_buffer(self, encoder: str, kind: str, out: Any) -> tuple[Any, Any]:
        """The buffer as one row of cells, eight bytes at a time where cells are bytes, and as it is for its last ones."""
        size = find_encoder(encoder, kind).sections(self.layout).size
        width, cells = (-(-size // 32), "uint32") if kind == "bits" else (size, kind)
        array = cuda.as_cuda_array(out) if hasattr(out, "__cuda_array_interface__") else out
        row = checks.card_array(array, (self.games, width), (cells,)).reshape(-1)
        return (row[: row.size // 8 * 8].view(np.int64) if cells == "uint8" else row), row

    # Other worlds.

    def save(self) -> Saved:
        """The position of every game, to come back to, here or in a `tamaya.sim.Batch`."""
        seeds = self._seeds[: 2 * self.games].copy_to_host().reshape(self.games, 2)
        return Saved(self.rules, self._take_states(), seeds)

    def restore(self, saved: Saved) -> None:
        """Come back to what was saved, here or in a `tamaya.sim.Batch`."""
        self._check_open()
        states, seeds = checks.saved(saved, self.rules, self.games, self.layout)
        self._put_states(states)
        self._seeds[: 2 * self.games].copy_to_device(np.ascontiguousarray(seeds).reshape(-1))
        mark = launches.mark_launch(self.rules)[self._blocks(THREADS), THREADS]
        mark(self._bytes, self._masks.view(np.uint8), self._stride, self.games)

    def resample(self, seat: int | None = None, *, seed: int | None = None) -> None:
        """Deal anew what a seat cannot see, by default the one to move: any world that agrees with all it knows."""
        self._check_open()
        observer = MOVER if seat is None else checks.whole("seat", seat, 0, self.rules.players - 1)
        seeds = cuda.to_device(halves(seeds_of(checked_seed(seed), np.arange(self.games))).reshape(-1))
        resample = launches.resample_launch(self.rules)[self._blocks(THREADS), THREADS]
        resample(self._bytes, seeds, self._masks.view(np.uint8), self._stride, self.games, observer)

    # Endings.

    def synchronize(self) -> None:
        """Wait until the card has done all that was asked."""
        cuda.synchronize()

    def close(self) -> None:
        """Give the card's memory back; the batch cannot be used any more."""
        self._closed = True
        del self._states, self._masks, self._seeds

    def _check_open(self) -> None:
        if self._closed:
            raise checks.closed()
