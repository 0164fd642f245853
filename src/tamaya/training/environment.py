"""Batches of games for a network to play, on the CPU or on a GPU; CUDA graphs of repeated work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from tamaya.bots.encoding import row_of
from tamaya.rules import Rules
from tamaya.sim import Batch

SEEN, OWN = "canonical", "own_hand"


class Games(ABC):
    """Endless games: when one ends, the next is dealt. `step` overwrites all tensors in place."""

    seen: Tensor
    """The observation of the player to move."""
    own: Tensor
    """The cards of the player to move, hidden from that player: for the critic, not for the actor."""
    legal: Tensor
    rewards: Tensor
    endings: Tensor
    scores: Tensor

    def __init__(self, rules: Rules, count: int, device: torch.device) -> None:
        self.rules, self.count, self.device = rules, count, device

    @abstractmethod
    def step(self, actions: Tensor) -> None:
        """Take an action in every game."""

    @abstractmethod
    def deal(self, seed: int) -> None:
        """Restart all games with the deals of a seed."""

    @abstractmethod
    def twin(self) -> Games:
        """Return games of the same kind and number, to `resample` into."""

    @abstractmethod
    def resample(self, real: Games) -> None:
        """Copy positions and redeal the hidden cards, by what the player to move sees and the literal clues alone."""


class CpuGames(Games):
    """Games on the CPU."""

    def __init__(self, rules: Rules, count: int, seed: int) -> None:
        super().__init__(rules, count, torch.device("cpu"))
        self._batch = Batch(rules, count, seed=seed, illegal="mask")
        self._observations = {
            name: np.zeros((count, row_of(name, "uint8", self._batch.layout)[0]), np.uint8) for name in (SEEN, OWN)
        }
        self.seen, self.own = (torch.from_numpy(cells) for cells in self._observations.values())
        self.legal = torch.zeros(count, self._batch.layout.actions, dtype=torch.bool)
        self.rewards = torch.zeros(count)
        self.endings, self.scores = torch.zeros(count, dtype=torch.uint8), torch.zeros(count, dtype=torch.uint8)
        self._observe()

    def step(self, actions: Tensor) -> None:
        """Take an action in every game."""
        self._batch.step(actions.numpy())
        for ours, theirs in ((self.rewards, "rewards"), (self.endings, "endings"), (self.scores, "scores")):
            ours.copy_(torch.from_numpy(np.array(getattr(self._batch, theirs))))
        self._observe()

    def deal(self, seed: int) -> None:
        """Restart all games with the deals of a seed."""
        self._batch.deal(seed)
        self._observe()

    def twin(self) -> Games:
        """Return games of the same kind and number."""
        return CpuGames(self.rules, self.count, 0)

    def resample(self, real: Games) -> None:
        """Copy the positions of other games, and redeal the cards that the player to move cannot see."""
        assert isinstance(real, CpuGames)
        self._batch.restore(real._batch.save())
        self._batch.resample(seed=int(torch.randint(2**62, (), dtype=torch.int64)))

    def _observe(self) -> None:
        for name, cells in self._observations.items():
            self._batch.observe(name, out=cells)
        self.legal.copy_(torch.from_numpy(np.array(self._batch.legal)))


class GpuGames(Games):
    """Games on a GPU; PyTorch and the simulator share its memory and PyTorch's current stream."""

    def __init__(self, rules: Rules, count: int, seed: int) -> None:
        from tamaya.sim.cuda import CudaBatch

        super().__init__(rules, count, torch.device("cuda"))
        self._batch: Any = CudaBatch(rules, count, seed=seed, illegal="mask")
        layout = self._batch.layout
        sizes = {name: row_of(name, "uint8", layout)[0] for name in (SEEN, OWN)}
        self.seen, self.own = (torch.empty(count, size, dtype=torch.uint8, device=self.device) for size in sizes.values())
        self.legal, self.rewards, self.endings, self.scores = (
            torch.as_tensor(array, device=self.device)
            for array in (self._batch.legal, self._batch.rewards, self._batch.endings, self._batch.scores)
        )
        self._observe()

    def step(self, actions: Tensor) -> None:
        """Take an action in every game."""
        self._batch.use_stream(torch.cuda.current_stream().cuda_stream)
        self._batch.step(actions, encoder=SEEN, out=self.seen)
        self._batch.observe(OWN, out=self.own)

    def deal(self, seed: int) -> None:
        """Restart all games with the deals of a seed."""
        self._batch.deal(seed)
        self._observe()

    def twin(self) -> Games:
        """Return games of the same kind and number."""
        return GpuGames(self.rules, self.count, 0)

    def resample(self, real: Games) -> None:
        """Copy the positions of other games, and redeal the cards that the player to move cannot see."""
        assert isinstance(real, GpuGames)
        self._batch.use_stream(torch.cuda.current_stream().cuda_stream)
        self._batch.follow(real._batch)
        seeds = torch.randint(-(2**31), 2**31, (self.count, 2), dtype=torch.int32, device=self.device)
        self._batch.resample(seeds=seeds)

    def _observe(self) -> None:
        self._batch.use_stream(torch.cuda.current_stream().cuda_stream)
        self._batch.observe(SEEN, out=self.seen)
        self._batch.observe(OWN, out=self.own)


def build_games(rules: Rules, count: int, seed: int, device: str) -> Games:
    """Return games on a device of PyTorch, ``cpu`` or ``cuda``."""
    return GpuGames(rules, count, seed) if device == "cuda" else CpuGames(rules, count, seed)


Work = Callable[[], None]
Function = TypeVar("Function", bound=Callable[..., Any])
WARM_UP = 3
"""The runs of some work before it is captured as a graph: they compile and allocate everything."""


def cuda_graph(work: Work, device: torch.device) -> Work:
    """Return the work as a CUDA graph, or on the CPU the work itself. Its tensors must stay in place."""
    return _CudaGraph(work) if device.type == "cuda" else work


def compiled(function: Function, device: torch.device) -> Function:
    """Return the function, compiled by PyTorch on a GPU."""
    return torch.compile(function, dynamic=False) if device.type == "cuda" else function


class _CudaGraph:
    def __init__(self, work: Work) -> None:
        self._work, self._runs = work, 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._side = torch.cuda.Stream()

    def __call__(self) -> None:
        if self._graph is not None:
            self._graph.replay()
        elif self._runs < WARM_UP:
            self._warm_up()
        else:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                self._work()
            self._graph.replay()

    def _warm_up(self) -> None:
        """Run the work on a side stream, as it will be captured."""
        self._side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._side):
            self._work()
        torch.cuda.current_stream().wait_stream(self._side)
        self._runs += 1
