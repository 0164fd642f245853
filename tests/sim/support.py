"""Helpers to build, drive, compare and count batches, and teams in which every seat has its own memory."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from tamaya import EDITIONS, Game, Rules
from tamaya.bots.policy import Policy
from tamaya.bots.random_play import random_action as any_action
from tamaya.bots.random_play import random_bits
from tamaya.engine.instances import Rows, Speed, call, instance_of, loop
from tamaya.engine.kernel.deal import deal
from tamaya.engine.kernel.turn import legal
from tamaya.engine.layout import ENDED, LAST_ACTION, RUNNING, TURN
from tamaya.sim import Batch, Snapshot
from tamaya.sim.games import CHOOSE, GameArrays, TeamSetting, memory_count, saved_size, start, take_turn
from tamaya.sim.loops import MAX_TURNS, Workspace
from tamaya.sim.team import workspace
from tamaya.sim.threads import Array, seed_rows
from tests.tables import careful_action, every_rules, moves_of_a_game, patient_action, random_action, rules

seeds = st.integers(0, 2**64 - 1)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game under any rules at any point, with hands rearranged now and then."""
    seed = draw(seeds)
    game, choice = Game(draw(rules()), seed=seed), random.Random(seed)
    style = draw(st.sampled_from([random_action, careful_action, patient_action]))
    for _ in itertools.islice(moves_of_a_game(game, choice, style), draw(st.integers(0, 90))):
        pass
    return game


def rules_of_editions() -> list[Rules]:
    """Every edition for every number of players; some yield the same rules."""
    return list(dict.fromkeys(edition.rules(players) for players in (2, 3, 4, 5) for edition in EDITIONS.values()))


def all_rules() -> list[Rules]:
    """Every edition and every combination of variants, for every number of players."""
    return list(dict.fromkeys([*rules_of_editions(), *every_rules()]))


def both_speeds(rules: Rules, games: int, **settings: Any) -> tuple[Batch, Batch]:
    """The same batch compiled and interpreted."""
    return Batch(rules, games, speed="compiled", **settings), Batch(rules, games, speed="interpreted", **settings)


def contents(batch: Batch) -> dict[str, tuple[str, bytes]]:
    """Everything that a batch holds, byte for byte."""
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
    """A legal action for every game, or 0 if there is none; patient players hardly ever play a card, so that games reach the
    end of the deck."""
    luck = choice.random(batch.legal.shape) * batch.legal
    if patient:
        plan = batch.layout
        luck[:, plan.play_action : plan.colour_action] *= 0.05
        luck[:, plan.announce_action :] *= 0.05
    return np.asarray(luck.argmax(axis=1))


def played(turns: int = 10, **settings: Any) -> Batch:
    """A batch after some turns."""
    batch, choice = Batch(Rules(), 8, seed=1, speed="interpreted", **settings), np.random.default_rng(1)
    for _ in range(turns):
        batch.step(any_legal(batch, choice))
    return batch


def decks_of(batch: Batch) -> Array:
    """The deck of every game, as before the deal."""
    return batch.save().states[:, batch.layout.deck : batch.layout.hands].copy()


def state_of(game: Game) -> bytes:
    """The game's state as bytes."""
    return game.state


def batch_of(games: Sequence[Game], speed: str = "interpreted", **settings: Any) -> Batch:
    """A batch of these games in their positions."""
    batch = Batch(games[0].rules, len(games), seed=0, speed=speed, **settings)
    states = np.stack([np.frombuffer(state_of(game), np.uint8) for game in games])
    batch.restore(Snapshot(batch.rules, states, np.zeros((len(games), 2), np.uint32)))
    return batch


def chi_square(found: Iterable[float], expected: Iterable[float]) -> tuple[float, int]:
    """The chi-square statistic of counts, and its degrees of freedom; impossible outcomes must not occur."""
    counts, wanted = np.asarray(found, float).ravel(), np.asarray(expected, float).ravel()
    possible = wanted > 0
    assert not counts[~possible].any()
    assert wanted[possible].min() > 5, "too few for a judgement"
    return float(((counts[possible] - wanted[possible]) ** 2 / wanted[possible]).sum()), int(possible.sum()) - 1


def critical(freedom: int, deviations: float) -> float:
    """The chi-square value that is this many standard deviations above the mean, by Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    return freedom * float(1 - part + deviations * sqrt(part)) ** 3


def is_uniform(found: Iterable[float], expected: Iterable[float]) -> bool:
    """Whether counts agree with the expected ones by chance: neither too far from them nor too near."""
    distance, freedom = chi_square(found, expected)
    return critical(freedom, -5) < distance < critical(freedom, 5)


# Teams in which every seat has its own memory, from its own sights: policies that share one memory promise that all of these
# are equal after every turn.

NO_SLIPS = 0


class Compared(NamedTuple):
    """For each game: score, ending, number of turns, number of illegal choices, number of turns on which memories differed, and
    a row of the actions' numbers."""

    scores: Array
    endings: Array
    turns: Array
    illegal: Array
    differing: Array
    actions: Array


@call
def memories_differ(memories: Rows) -> bool:
    """Whether the kept part of any seat's memory differs from the first seat's."""
    for seat in range(1, memory_count):
        for at in range(saved_size):
            if memories[seat][at] != memories[0][at]:
                return True
    return False


@loop
def compare_memories(seeds: Rows, room: Workspace, compared: Compared, slips: int) -> None:
    """Play the games of these seeds and compare the memories after every turn. One action in `slips` is a random legal one, not
    the policy's."""
    for number in range(len(seeds)):
        state, seed = room.state, seeds[number]
        game = GameArrays(state, seed, room.mask, room.seats, room.memories, room.sights, room.after)
        deal(state, seed[0], seed[1])
        start(game)
        while state[ENDED] == RUNNING:
            turn_number, action = state[TURN] + 0, CHOOSE
            legal(state, game.mask)
            if slips > 0 and (random_bits(~turn_number & 0xFF, seed[0] + 0, seed[1] + 0) * slips) >> 32 == 0:
                action = any_action(game.mask, random_bits(turn_number, seed[0] + 0, seed[1] + 0))
            turn = take_turn(game, action, True)
            compared.scores[number] = turn.score
            compared.illegal[number] += turn.illegal
            compared.actions[number][turn_number] = state[LAST_ACTION]
            compared.differing[number] += memories_differ(game.memories)
        compared.endings[number] = state[ENDED]
        compared.turns[number] = state[TURN]


class SeparateTeam:
    """A team of one policy in which every seat has its own memory."""

    def __init__(self, rules: Rules, name: str, policy: Policy[Any], speed: Speed) -> None:
        self._setting = TeamSetting(rules, (policy,), (name,), with_others=True)  # as if the caller played some seats
        self._loop: Any = instance_of(self._setting, speed)(compare_memories)

    def play(self, seed: int, games: int, slips: int = NO_SLIPS) -> Compared:
        """Play the first games of a seed and compare memories; one action in `slips` is a random legal one, not the
        policy's."""
        assert not self._setting.shares_memory()
        scores, endings, turns, illegal, differing = (np.zeros(games, np.int64) for _ in range(5))
        compared = Compared(scores, endings, turns, illegal, differing, np.zeros((games, MAX_TURNS), np.uint8))
        self._loop(seed_rows(seed, np.arange(games)), workspace(self._setting), compared, slips)
        return compared
