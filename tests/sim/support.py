"""Many games at once, set up, driven, compared and counted the way tests need it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tamaya import EDITIONS, Game, Rules
from tamaya.sim import Batch, Snapshot
from tamaya.sim.threads import Array
from tests.tables import careful_action, every_rules, moves_of_a_game, patient_action, random_action, rules

seeds = st.integers(0, 2**64 - 1)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game by any rules somewhere on its way, hands laid out anew now and then."""
    seed = draw(seeds)
    game, choice = Game(draw(rules()), seed=seed), random.Random(seed)
    style = draw(st.sampled_from([random_action, careful_action, patient_action]))
    for _ in itertools.islice(moves_of_a_game(game, choice, style), draw(st.integers(0, 90))):
        pass
    return game


def rules_of_editions() -> list[Rules]:
    """Every edition for every number of players; some come to the same rules."""
    return list(dict.fromkeys(edition.rules(players) for players in (2, 3, 4, 5) for edition in EDITIONS.values()))


def all_rules() -> list[Rules]:
    """Every edition and every combination of variants, for every number of players."""
    return list(dict.fromkeys([*rules_of_editions(), *every_rules()]))


def both_speeds(rules: Rules, games: int, **settings: Any) -> tuple[Batch, Batch]:
    """The same batch compiled and interpreted."""
    return Batch(rules, games, speed="compiled", **settings), Batch(rules, games, speed="interpreted", **settings)


def contents(batch: Batch) -> dict[str, tuple[str, bytes]]:
    """All that a batch holds, byte for byte."""
    saved = batch.save()
    arrays = {
        "states": saved.states,
        "seeds": saved.seeds,
        "numbers": batch.seeds,
        "legal": batch.legal,
        "rewards": batch.rewards,
        "endings": batch.endings,
        "scores": batch.scores,
        "illegal": batch.illegal,
        "to_move": batch.to_move,
        "turns": batch.turns,
        "running": batch.running,
    }
    return {name: (f"{array.dtype} {array.shape}", array.tobytes()) for name, array in arrays.items()}


def any_legal(batch: Batch, choice: np.random.Generator, patient: bool = False) -> Array:
    """A legal action for every game; patient players hardly ever play a card, so that games come to the end of the deck.

    Number 0 where nothing is legal.
    """
    luck = choice.random(batch.legal.shape) * batch.legal
    if patient:
        plan = batch.layout
        luck[:, plan.play_action : plan.colour_action] *= 0.05
        luck[:, plan.announce_action :] *= 0.05
    return np.asarray(luck.argmax(axis=1))


def played(turns: int = 10, **settings: Any) -> Batch:
    """A batch in which something has happened."""
    batch, choice = Batch(Rules(), 8, seed=1, speed="interpreted", **settings), np.random.default_rng(1)
    for _ in range(turns):
        batch.step(any_legal(batch, choice))
    return batch


def decks_of(batch: Batch) -> Array:
    """The deck of every game, as it lay before the deal."""
    return batch.save().states[:, batch.layout.deck : batch.layout.hands].copy()


def state_of(game: Game) -> bytes:
    """The one array of bytes that a game is."""
    return game.state


def batch_of(games: Sequence[Game], speed: str = "interpreted", **settings: Any) -> Batch:
    """A batch in which these games stand as they are."""
    batch = Batch(games[0].rules, len(games), seed=0, speed=speed, **settings)
    states = np.stack([np.frombuffer(state_of(game), np.uint8) for game in games])
    batch.restore(Snapshot(batch.rules, states, np.zeros((len(games), 2), np.uint32)))
    return batch


def chi_square(found: Iterable[float], expected: Iterable[float]) -> tuple[float, int]:
    """How far counts are from what was expected, and the degrees of freedom; what cannot be must not be found."""
    counts, wanted = np.asarray(found, float).ravel(), np.asarray(expected, float).ravel()
    possible = wanted > 0
    assert not counts[~possible].any()
    assert wanted[possible].min() > 5, "too few for a judgement"
    return float(((counts[possible] - wanted[possible]) ** 2 / wanted[possible]).sum()), int(possible.sum()) - 1


def critical(freedom: int, deviations: float) -> float:
    """The chi-square that lies so many standard deviations from the usual one, by Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    return freedom * float(1 - part + deviations * sqrt(part)) ** 3


def is_uniform(found: Iterable[float], expected: Iterable[float]) -> bool:
    """Whether counts are what chance makes of the expected ones: neither too far from them nor too near."""
    distance, freedom = chi_square(found, expected)
    return critical(freedom, -5) < distance < critical(freedom, 5)
