"""The other launches: dealing, marking, checking, resampling; each thread with its game where it lies."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tamaya.engine.layout import ENDED, RUNNING, SEAT
from tamaya.rules import Rules
from tamaya.sim.cuda.device import cuda, device
from tamaya.sim.deals import build_resampling


@lru_cache(maxsize=64)
def deal_launch(rules: Rules) -> Any:
    """Deal every game by its seed, or begin it with the deck that lies in it."""
    here = device(rules)
    plain, kernel, size, actions = here.plain, here.kernel, here.kernel.layout.size, here.kernel.layout.actions

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(states: Any, seeds: Any, masks: Any, stride: int, games: int, by_seed: bool) -> None:
        game = cuda.grid(1)
        if game < games:
            state, seed = plain(states[game * stride : game * stride + size]), plain(seeds[game * 2 : game * 2 + 2])
            if by_seed:
                kernel.deal(state, seed[0], seed[1])
            else:
                kernel.begin(state)
            kernel.legal(state, plain(masks[game * actions : game * actions + actions]))

    return launch


@lru_cache(maxsize=64)
def resample_launch(rules: Rules) -> Any:
    """Deal anew what a seat cannot see in every game."""
    here = device(rules)
    plain, kernel, size, actions = here.plain, here.kernel, here.kernel.layout.size, here.kernel.layout.actions
    resampling, players = build_resampling(kernel, here.jit), rules.players

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(states: Any, seeds: Any, masks: Any, stride: int, games: int, seat: int) -> None:
        game = cuda.grid(1)
        if game < games:
            state, seed = plain(states[game * stride : game * stride + size]), plain(seeds[game * 2 : game * 2 + 2])
            resampling.resample(state, (state[SEAT] if seat < 0 else seat) % players, seed[0], seed[1])
            kernel.legal(state, plain(masks[game * actions : game * actions + actions]))

    return launch


@lru_cache(maxsize=64)
def mark_launch(rules: Rules) -> Any:
    """Mark the legal actions of every game, where states came from elsewhere."""
    here = device(rules)
    plain, kernel, size, actions = here.plain, here.kernel, here.kernel.layout.size, here.kernel.layout.actions

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(states: Any, masks: Any, stride: int, games: int) -> None:
        game = cuda.grid(1)
        if game < games:
            kernel.legal(
                plain(states[game * stride : game * stride + size]), plain(masks[game * actions : game * actions + actions])
            )

    return launch


@lru_cache(maxsize=64)
def check_launch(rules: Rules) -> Any:
    """Find the first game whose action is not legal."""
    here = device(rules)
    plain, size, actions = here.plain, here.kernel.layout.size, here.kernel.layout.actions

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(states: Any, masks: Any, chosen: Any, found: Any, stride: int, games: int) -> None:
        game = cuda.grid(1)
        if game < games:
            state, mask, action = (
                plain(states[game * stride : game * stride + size]),
                plain(masks[game * actions : game * actions + actions]),
                chosen[game],
            )
            if state[ENDED] == RUNNING and (action < 0 or action >= actions or not mask[action]):
                cuda.atomic.min(found, 0, game)

    return launch
