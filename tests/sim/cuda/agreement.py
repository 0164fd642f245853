"""A batch on a card beside one on the computer, byte for byte; run as a script, for rules given as settings."""

from __future__ import annotations

import json
import pickle
import sys
from typing import Any

import numpy as np
from numba import cuda

from tamaya.rules import IllegalError, MalformedError, Rules
from tamaya.sim import Batch
from tamaya.sim.cuda import CudaBatch
from tamaya.sim.encoding import ENCODERS, KINDS


def on_host(array: Any) -> np.ndarray[Any, Any]:
    return np.asarray(array.copy_to_host())


def same(card: CudaBatch, twin: Batch) -> None:
    ours, theirs = card.save(), twin.save()
    assert (ours.states == theirs.states).all()
    assert (ours.seeds == theirs.seeds).all()
    assert (on_host(card.legal) == twin.legal).all()
    for name in ("rewards", "endings", "scores", "illegal"):
        assert (on_host(getattr(card, name)) == getattr(twin, name)).all(), name


def same_observations(card: CudaBatch, twin: Batch) -> None:
    for encoder, entry in ENCODERS.items():
        for kind in ("float32",) if entry.refine else KINDS:
            seen, expected = on_host(card.observe(encoder, kind=kind)), twin.observe(encoder, kind=kind)
            assert (seen == expected).all(), (encoder, kind)
    for seat in range(twin.rules.players):
        assert (on_host(card.observe(seat=seat)) == twin.observe(seat=seat)).all()
    width = twin.sections().size
    crooked = cuda.device_array(twin.games * width + 1, np.uint8)[1:].reshape(twin.games, width)
    assert (on_host(card.observe(out=crooked)) == twin.observe()).all()


def same_steps(card: CudaBatch, twin: Batch, steps: int, choice: np.random.Generator) -> None:
    """Steps with any numbers, legal or not, each with the next observation in the same launch."""
    out = card.buffer()
    for _ in range(steps):
        actions = choice.integers(-1, twin.layout.actions + 1, twin.games)
        card.step(actions, encoder="canonical", out=out)
        twin.step(actions)
        same(card, twin)
        assert (on_host(out) == twin.observe()).all()


def agree(rules: Rules, games: int, speed: str, turns: int = 8, steps: int = 2) -> None:
    """Play, look, step, resample, save and restore on both."""
    for illegal, rewards in (("mask", "difference"), ("penalise", "final")):
        card = CudaBatch(rules, games, seed=7, illegal=illegal, rewards=rewards, penalty=-0.5)
        twin = Batch(rules, games, seed=7, illegal=illegal, rewards=rewards, penalty=-0.5, speed=speed)
        same(card, twin)
        assert card.play(turns) == twin.play(turns)
        assert card.play(turns, "long") == twin.play(turns, "long")
        same(card, twin)
        same_steps(card, twin, steps, np.random.default_rng(3))
    same_observations(card, twin)
    card.resample(seed=5)
    twin.resample(seed=5)
    same(card, twin)
    saved, clone = pickle.loads(pickle.dumps(card.save())), card.clone()
    card.advance("random")
    card.restore(saved)
    twin.restore(saved)
    same(card, twin)
    same(clone, twin)
    assert card.game(0).view(0).hands == twin.game(0).view(0).hands
    assert (card.seeds == twin.seeds).all()
    decks = twin.save().states[:, twin.layout.deck : twin.layout.hands][::-1]
    card.deal(1, decks=decks)
    twin.deal(1, decks=decks)
    same(card, twin)


def refuses() -> None:
    """What is wrong is said, and changes nothing."""
    card, twin = CudaBatch(games=3, seed=1), Batch(games=3, seed=1, speed="interpreted")
    legal = twin.legal.argmax(axis=1)
    wrong: list[tuple[Any, type[Exception]]] = [
        (lambda: card.step([99, 0, 0]), IllegalError),
        (lambda: card.step(legal[:2]), MalformedError),
        (lambda: card.step(legal.astype(float)), MalformedError),
        (lambda: card.observe(out=np.zeros((3, 658), np.uint8)), MalformedError),
        (lambda: card.observe(kind="bits", out=card.buffer()), MalformedError),
        (lambda: card.advance("nobody"), MalformedError),
        (lambda: card.observe("nothing"), MalformedError),
        (lambda: card.observe(seat=2), MalformedError),
        (lambda: card.restore(Batch(Rules(players=3), 3, seed=1, speed="interpreted").save()), MalformedError),
        (lambda: card.deal(1, decks=np.zeros((3, 50), np.uint8)), MalformedError),
        (lambda: CudaBatch(games=0), MalformedError),
        (lambda: CudaBatch("french"), MalformedError),  # type: ignore[arg-type]
        (lambda: card.play(10**30), MalformedError),
    ]
    for attempt, kind in wrong:
        try:
            attempt()
        except kind as problem:
            assert str(problem)
        else:
            raise AssertionError("not refused")
        same(card, twin)
    card.close()
    card.close()
    for use in (lambda: card.play(1), card.save, card.observe, lambda: card.game(0), card.clone, lambda: card.seeds):
        try:
            use()
        except MalformedError as problem:
            assert "closed" in str(problem)
        else:
            raise AssertionError("a closed batch can be used")


def goes_on_after_the_end() -> None:
    """A game that was over when it came is dealt anew, as on the computer."""
    ended = Batch(games=3, seed=1, speed="interpreted", automatic=False)
    while ended.running.any():
        ended.step(ended.legal.argmax(axis=1))
    card, twin = CudaBatch(games=3, seed=1), Batch(games=3, seed=1, speed="interpreted")
    card.restore(ended.save())
    twin.restore(ended.save())
    same(card, twin)
    assert card.play(5) == twin.play(5)
    same(card, twin)
    assert twin.running.all()


if __name__ == "__main__":
    games = int(sys.argv[1])
    for settings in map(json.loads, sys.argv[2:]):
        agree(Rules(**settings), games, "interpreted")
        print("agree", settings)
    refuses()
    goes_on_after_the_end()
    print("refuses and goes on")
