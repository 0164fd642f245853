"""Many deals from one seed, the same on every machine and however the work is split.

Game number n of a seed is dealt by a seed of its own: the first one mixed, plus n. Neighbouring seeds share no games, and
any game can be dealt again by itself: ``Game(rules, seed=seed_of(seed, n))``.
"""

from __future__ import annotations

from tamaya.engine.game import SEEDS


def first_seed(seed: int) -> int:
    """The seed of game 0: the one given, mixed by the finaliser of SplitMix64 (Sebastiano Vigna)."""
    mixed = (seed + 0x9E3779B97F4A7C15) % SEEDS
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % SEEDS
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % SEEDS
    return mixed ^ (mixed >> 31)


def seed_of(seed: int, number: int) -> int:
    """The seed that deals game ``number``."""
    return (first_seed(seed) + number) % SEEDS
