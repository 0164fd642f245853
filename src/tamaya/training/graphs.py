"""On a GPU, what is done again and again is recorded once and replayed as a whole: no time is lost between small steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import torch

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
