"""Helpers for environments: variants, random play, and the games inside as objects."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from tamaya import Game, Rules, read_rules
from tamaya.engine.layout import layout_of
from tamaya.sim import Batch, Snapshot
from tamaya.sim.environments import HanabiEnvironment, HanabiVectorEnv

VARIANTS = {
    text: read_rules(text)
    for text in (
        "players=2",
        "players=3",
        "players=4",
        "players=5",
        "players=2 multicolour=ten",
        "players=3 multicolour=five multicolour_named=no",
        "players=2 all_or_nothing=yes",
        "players=4 announced_plays=yes empty_clues=yes",
        "players=2 last_mistake=points mistakes=1",
    )
}


def choose(mask: Any, choice: random.Random) -> int:
    return int(choice.choice(np.flatnonzero(mask).tolist()))


def fewer_plays(rules: Rules, mask: Any, choice: random.Random) -> Any:
    """Mostly actions that are no plays, if there are any: games last longer then."""
    others, plan = mask.copy(), layout_of(rules)
    others[plan.play_action : plan.colour_action] = others[plan.announce_action :] = 0
    return others if others.any() and choice.random() < 0.9 else mask


def choose_each(masks: Any, choice: random.Random) -> Any:
    """Any marked action of each row; 0 if none is."""
    return np.array([choose(mask, choice) if mask.any() else 0 for mask in masks])


def choose_illegal(mask: Any, choice: random.Random) -> int:
    """Any action that is not marked, or an invalid number."""
    return int(choice.choice([*np.flatnonzero(mask == 0).tolist(), -1, len(mask), 10**9]))


def turns(env: HanabiEnvironment, choice: random.Random, count: int = 1000) -> Iterator[tuple[str, int]]:
    """Take at most `count` random legal turns, ending with the game; yields each agent and its action beforehand."""
    for _ in range(count):
        if any(env.terminations.values()):
            return
        agent = env.agent_selection
        action = choose(fewer_plays(env.rules, env.observe(agent)["action_mask"], choice), choice)
        yield agent, action
        env.step(action)


def begun(rules: Rules, seed: int, count: int, **options: Any) -> HanabiEnvironment:
    """An environment in which this many turns were taken, if the game lasted."""
    env = HanabiEnvironment(rules, **options)
    env.reset(seed=seed)
    for _ in turns(env, random.Random(seed), count):
        pass
    return env


def game_in(rules: Rules, saved: Snapshot, place: int = 0) -> Game:
    """A game of a snapshot as an object."""
    batch = Batch(rules, len(saved.states), speed="interpreted", seed=0)
    batch.restore(saved)
    return batch.game(place)


def deck_in(rules: Rules, saved: Snapshot, place: int = 0) -> list[int]:
    """The card numbers of a deck in a snapshot, top first."""
    plan = layout_of(rules)
    return [int(card) for card in saved.states[place, plan.deck : plan.hands]]


def numbers(rules: Rules, game: Game) -> list[int]:
    return [rules.cards.index(card) for card in game.reveal_deck()]


def same(one: Any, other: Any) -> bool:
    """Whether two observations are byte for byte equal."""
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


def many(rules: Rules | None = None, num_envs: int = 4, **options: Any) -> HanabiVectorEnv:
    """A vector environment that needs no compiling."""
    return HanabiVectorEnv(rules, num_envs, **{"speed": "interpreted", **options})
