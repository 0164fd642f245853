"""Many games whose moves come from a network: on this computer, or on a GPU without a copy in between."""

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
    """Games that go on for ever: where one ends, the next is dealt. All tensors stay where they are and are overwritten by
    every `step`."""

    seen: Tensor
    """What the player to move sees."""
    own: Tensor
    """Their own cards, which they do not see: for those who judge, not for those who play."""
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
        """Begin anew, with the deals of a seed."""

    @abstractmethod
    def twin(self) -> Games:
        """As many games of the same kind, to `suppose` with."""

    @abstractmethod
    def suppose(self, real: Games) -> None:
        """Go to the positions of other games, in some world that the player to move there could be in by what is seen and by
        what clues said of the cards, whatever else moves may have told."""


class ProcessorGames(Games):
    """Games on this computer."""

    def __init__(self, rules: Rules, count: int, seed: int) -> None:
        super().__init__(rules, count, torch.device("cpu"))
        self._batch = Batch(rules, count, seed=seed, illegal="mask")
        self._looks = {name: np.zeros((count, row_of(name, "uint8", self._batch.layout)[0]), np.uint8) for name in (SEEN, OWN)}
        self.seen, self.own = (torch.from_numpy(look) for look in self._looks.values())
        self.legal = torch.zeros(count, self._batch.layout.actions, dtype=torch.bool)
        self.rewards = torch.zeros(count)
        self.endings, self.scores = torch.zeros(count, dtype=torch.uint8), torch.zeros(count, dtype=torch.uint8)
        self._look()

    def step(self, actions: Tensor) -> None:
        """Take an action in every game."""
        self._batch.step(actions.numpy())
        for ours, theirs in ((self.rewards, "rewards"), (self.endings, "endings"), (self.scores, "scores")):
            ours.copy_(torch.from_numpy(np.array(getattr(self._batch, theirs))))
        self._look()

    def deal(self, seed: int) -> None:
        """Begin anew, with the deals of a seed."""
        self._batch.deal(seed)
        self._look()

    def twin(self) -> Games:
        """As many games of the same kind."""
        return ProcessorGames(self.rules, self.count, 0)

    def suppose(self, real: Games) -> None:
        """Go to positions of other games, dealt anew as far as their movers cannot see."""
        assert isinstance(real, ProcessorGames)
        self._batch.restore(real._batch.save())
        self._batch.resample(seed=int(torch.randint(2**62, (), dtype=torch.int64)))

    def _look(self) -> None:
        for name, look in self._looks.items():
            self._batch.observe(name, out=look)
        self.legal.copy_(torch.from_numpy(np.array(self._batch.legal)))


class DeviceGames(Games):
    """Games on a GPU; PyTorch and the simulator share its memory, and the stream that is PyTorch's at the time."""

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
        self._look()

    def step(self, actions: Tensor) -> None:
        """Take an action in every game."""
        self._batch.use_stream(torch.cuda.current_stream().cuda_stream)
        self._batch.step(actions, encoder=SEEN, out=self.seen)
        self._batch.observe(OWN, out=self.own)

    def deal(self, seed: int) -> None:
        """Begin anew, with the deals of a seed."""
        self._batch.deal(seed)
        self._look()

    def twin(self) -> Games:
        """As many games of the same kind."""
        return DeviceGames(self.rules, self.count, 0)

    def suppose(self, real: Games) -> None:
        """Go to positions of other games, dealt anew as far as their movers cannot see."""
        assert isinstance(real, DeviceGames)
        self._batch.use_stream(torch.cuda.current_stream().cuda_stream)
        self._batch.follow(real._batch)
        seeds = torch.randint(-(2**31), 2**31, (self.count, 2), dtype=torch.int32, device=self.device)
        self._batch.resample(seeds=seeds)

    def _look(self) -> None:
        self._batch.use_stream(torch.cuda.current_stream().cuda_stream)
        self._batch.observe(SEEN, out=self.seen)
        self._batch.observe(OWN, out=self.own)


def make_games(rules: Rules, count: int, seed: int, device: str) -> Games:
    """Games on a device by its name for PyTorch."""
    return DeviceGames(rules, count, seed) if device == "cuda" else ProcessorGames(rules, count, seed)


Replayed = Callable[[], None]
Function = TypeVar("Function", bound=Callable[..., Any])
WARM = 3
"""So many times something is done before it is recorded, by which everything it needs is compiled and allotted."""


def recorded(work: Replayed, device: torch.device) -> Replayed:
    """The same work, which reads from and writes to tensors that stay where they are; recorded when it is first wanted."""
    return _Recorded(work) if device.type == "cuda" else work


def compiled(function: Function, device: torch.device) -> Function:
    """The same function; on a GPU, its small steps made into few large ones."""
    return torch.compile(function, dynamic=False) if device.type == "cuda" else function


class _Recorded:
    def __init__(self, work: Replayed) -> None:
        self._work, self._done = work, 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._aside = torch.cuda.Stream()

    def __call__(self) -> None:
        if self._graph is not None:
            self._graph.replay()
        elif self._done < WARM:
            self._warm_up()
        else:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                self._work()
            self._graph.replay()

    def _warm_up(self) -> None:
        """Do it aside, as it will be recorded."""
        self._aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._aside):
            self._work()
        torch.cuda.current_stream().wait_stream(self._aside)
        self._done += 1
