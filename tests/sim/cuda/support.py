"""Compare a batch on a device with one on the host, byte for byte; run as a script, for rules given as settings."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda

from tamaya.bots.encoding import ENCODERS
from tamaya.bots.registry import known_policies
from tamaya.rules import IllegalError, MalformedError, Rules
from tamaya.sim import Batch
from tamaya.sim.cuda import CudaBatch
from tamaya.sim.threads import seed_rows

POLICIES = tuple(name for name, policy in known_policies().items() if policy.on_gpu)


def on_host(array: Any) -> np.ndarray[Any, Any]:
    return np.asarray(array.copy_to_host())


def same(device: CudaBatch, twin: Batch) -> None:
    ours, theirs = device.save(), twin.save()
    assert (ours.states == theirs.states).all()
    assert (ours.seeds == theirs.seeds).all()
    assert (on_host(device.legal) == twin.legal).all()
    for name in ("rewards", "endings", "scores", "illegal"):
        assert (on_host(getattr(device, name)) == getattr(twin, name)).all(), name


def same_observations(device: CudaBatch, twin: Batch) -> None:
    for encoder, entry in ENCODERS.items():
        for kind in entry.kinds:
            seen, expected = on_host(device.observe(encoder, kind=kind)), twin.observe(encoder, kind=kind)
            assert (seen == expected).all(), (encoder, kind)
    for seat in range(twin.rules.players):
        assert (on_host(device.observe(seat=seat)) == twin.observe(seat=seat)).all()
    width = twin.sections().size
    crooked = cuda.device_array(twin.games * width + 1, np.uint8)[1:].reshape(twin.games, width)
    assert (on_host(device.observe(out=crooked)) == twin.observe()).all()


def same_steps(device: CudaBatch, twin: Batch, steps: int, choice: np.random.Generator) -> None:
    """Step with any numbers, legal or not, and write the next observation in the same launch."""
    out = device.buffer()
    for _ in range(steps):
        actions = choice.integers(-1, twin.layout.actions + 1, twin.games)
        device.step(actions, encoder="canonical", out=out)
        twin.step(actions)
        same(device, twin)
        assert (on_host(out) == twin.observe()).all()


def agree(rules: Rules, games: int, speed: str, turns: int = 8, steps: int = 2) -> None:
    """Play with every policy that devices support, observe, step, resample, save and restore on both."""
    for illegal, rewards in (("mask", "difference"), ("penalise", "final")):
        device = CudaBatch(rules, games, seed=7, illegal=illegal, rewards=rewards, penalty=-0.5)
        twin = Batch(rules, games, seed=7, illegal=illegal, rewards=rewards, penalty=-0.5, speed=speed)
        same(device, twin)
        for policy in POLICIES:
            assert device.play(turns, policy) == twin.play(turns, policy)
            same(device, twin)
        same_steps(device, twin, steps, np.random.default_rng(3))
    same_observations(device, twin)
    device.resample(seed=5)
    twin.resample(seed=5)
    same(device, twin)
    saved, clone = pickle.loads(pickle.dumps(device.save())), device.clone()
    device.advance("random")
    device.restore(saved)
    twin.restore(saved)
    same(device, twin)
    same(clone, twin)
    assert device.game(0).view(0).hands == twin.game(0).view(0).hands
    assert (device.seeds == twin.seeds).all()
    decks = twin.save().states[:, twin.layout.deck : twin.layout.hands][::-1]
    device.deal(1, decks=decks)
    twin.deal(1, decks=decks)
    same(device, twin)


def refuses() -> None:
    """Invalid arguments raise and change nothing."""
    device, twin = CudaBatch(games=3, seed=1), Batch(games=3, seed=1, speed="interpreted")
    legal = twin.legal.argmax(axis=1)
    wrong: list[tuple[Any, type[Exception]]] = [
        (lambda: device.step([99, 0, 0]), IllegalError),
        (lambda: device.step(legal[:2]), MalformedError),
        (lambda: device.step(legal.astype(float)), MalformedError),
        (lambda: device.observe(out=np.zeros((3, 658), np.uint8)), MalformedError),
        (lambda: device.observe(kind="bits", out=device.buffer()), MalformedError),
        (lambda: device.advance("nobody"), MalformedError),
        (lambda: device.observe("nothing"), MalformedError),
        (lambda: device.observe(seat=2), MalformedError),
        (lambda: device.restore(Batch(Rules(players=3), 3, seed=1, speed="interpreted").save()), MalformedError),
        (lambda: device.deal(1, decks=np.zeros((3, 50), np.uint8)), MalformedError),
        (lambda: CudaBatch(games=0), MalformedError),
        (lambda: CudaBatch("french"), MalformedError),  # type: ignore[arg-type]
        (lambda: device.play(10**30), MalformedError),
    ]
    for attempt, kind in wrong:
        try:
            attempt()
        except kind as problem:
            assert str(problem)
        else:
            raise AssertionError("not refused")
        same(device, twin)
    device.close()
    device.close()
    for use in (
        lambda: device.play(1),
        device.save,
        device.observe,
        lambda: device.game(0),
        device.clone,
        lambda: device.seeds,
    ):
        try:
            use()
        except MalformedError as problem:
            assert "closed" in str(problem)
        else:
            raise AssertionError("a closed batch can be used")


def goes_on_after_the_end() -> None:
    """A restored game that is over is followed by a new deal, as on the host."""
    ended = Batch(games=3, seed=1, speed="interpreted", automatic=False)
    while ended.running.any():
        ended.step(ended.legal.argmax(axis=1))
    device, twin = CudaBatch(games=3, seed=1), Batch(games=3, seed=1, speed="interpreted")
    device.restore(ended.save())
    twin.restore(ended.save())
    same(device, twin)
    assert device.play(5) == twin.play(5)
    same(device, twin)
    assert twin.running.all()


def follows_another() -> None:
    """A batch follows another and continues independently; invalid arguments change nothing."""
    leader, device = CudaBatch(games=5, seed=7, illegal="mask"), CudaBatch(games=5, seed=1, illegal="mask")
    twin = Batch(games=5, seed=7, illegal="mask", speed="interpreted")
    leader.play(9)
    twin.play(9)
    device.follow(leader)
    assert (device.save().states == twin.save().states).all()
    assert (on_host(device.legal) == twin.legal).all()
    assert (device.seeds == twin.seeds).all()
    actions = np.arange(5)
    device.step(actions)
    twin.step(actions)
    assert device.play(80) == twin.play(80)
    same(device, twin)
    behind = Batch(games=5, seed=7, illegal="mask", speed="interpreted")
    behind.play(9)
    assert (leader.save().states == behind.save().states).all()
    closed = CudaBatch(games=5, seed=1)
    closed.close()
    for other, words in (
        (CudaBatch(Rules(players=3), 5, seed=1), "5 games by the same rules"),
        (CudaBatch(games=4, seed=1), "5 games by the same rules"),
        (closed, "closed"),
    ):
        refused(lambda other=other: device.follow(other), words)  # type: ignore[misc]
        same(device, twin)


def resamples_by_seeds() -> None:
    """Seeds on the device resample the same worlds as the seed that they come from."""
    device, twin = CudaBatch(games=5, seed=7), Batch(games=5, seed=7, speed="interpreted")
    device.play(9)
    twin.play(9)
    rows = seed_rows(5, np.arange(5))
    for seat, seeds in ((None, rows), (1, rows.view(np.int32))):
        before = twin.save().states
        device.resample(seat, seeds=cuda.to_device(seeds))
        twin.resample(seat, seed=5)
        same(device, twin)
        assert (twin.save().states != before).any()
    for wrong in (rows[:4], rows.reshape(-1), rows.astype(np.uint64), np.asfortranarray(rows)):
        refused(lambda wrong=wrong: device.resample(seeds=cuda.to_device(wrong)), "with shape (5, 2)")  # type: ignore[misc]
        same(device, twin)
    for nowhere in (rows, 5, "seeds"):
        refused(lambda nowhere=nowhere: device.resample(seeds=nowhere), "on the GPU")  # type: ignore[misc]
        same(device, twin)


def refused(attempt: Callable[[], object], words: str) -> None:
    try:
        attempt()
    except MalformedError as problem:
        assert words in str(problem), problem
    else:
        raise AssertionError("not refused")


if __name__ == "__main__":
    games = int(sys.argv[1])
    for settings in map(json.loads, sys.argv[2:]):
        agree(Rules(**settings), games, "interpreted")
        print("agree", settings)
    refuses()
    goes_on_after_the_end()
    print("refuses and goes on")
    follows_another()
    resamples_by_seeds()
    print("follows and resamples")
