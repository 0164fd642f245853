"""Deals: many from one seed, and resampled ones that a seat could not tell from the one on the table.

Game number n of a seed is dealt by its own seed: the given one mixed, plus n. That gives the same games on every machine and
however the work is split; neighbouring seeds share no games, and any game can be dealt again: ``Game(rules, seed=seed_of(seed,
n))``.

What a seat cannot see, its own hand and the deck, is resampled uniformly: every order of the hidden cards that agrees with the
clues given to the hand is equally likely. The cards of the hand are drawn slot by slot among those that fit; a draw is accepted
with a probability proportional to its number of choices, else the hand is drawn again from the start. This compensates for
draws that leave fewer choices to the next slot.
"""

from __future__ import annotations

from typing import TypeAlias

from tamaya.engine.game import SEED_COUNT
from tamaya.engine.instances import Options, Row, Rows, loop
from tamaya.engine.kernel.clues import is_possible
from tamaya.engine.kernel.deal import below
from tamaya.engine.kernel.deal import start as start_generator
from tamaya.engine.kernel.hands import hand_count, number_at
from tamaya.engine.layout import DRAWN, SEAT, layout

OPTIONS = Options("inline")
Generator: TypeAlias = tuple[int, int, int, int]
"""The state of the random number generator."""


def first_seed(seed: int) -> int:
    """The seed of game 0: the given one, mixed by the finaliser of SplitMix64 (Sebastiano Vigna)."""
    mixed = (seed + 0x9E3779B97F4A7C15) % SEED_COUNT
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % SEED_COUNT
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % SEED_COUNT
    return mixed ^ (mixed >> 31)


def seed_of(seed: int, number: int) -> int:
    """The seed that deals game ``number``."""
    return (first_seed(seed) + number) % SEED_COUNT


def place_of(state: Row, seat: int, held: int, hidden: int) -> int:
    """The place of a hidden card: first those of the hand, then those of the deck."""
    number = state[DRAWN] + hidden - held
    if hidden < held:
        number = number_at(state, seat, hidden)
    return layout.deck + number


def count_fitting(state: Row, seat: int, held: int, slot: int, first: int) -> int:
    """How many hidden cards, starting at `first`, can lie in a slot."""
    count = 0
    for hidden in range(first, held + layout.deck_size - state[DRAWN]):
        count += is_possible(state, seat, slot, state[place_of(state, seat, held, hidden)] + 0)
    return count


def exchange(state: Row, one: int, other: int) -> None:
    """Exchange two cards."""
    card = state[one]
    state[one] = state[other]
    state[other] = card


def exchange_fitting(state: Row, seat: int, held: int, slot: int, nth: int) -> None:
    """Exchange the card in a slot with the nth hidden card from there on that fits."""
    for hidden in range(slot, held + layout.deck_size - state[DRAWN]):
        other = place_of(state, seat, held, hidden)
        if is_possible(state, seat, slot, state[other] + 0):
            if nth == 0:
                exchange(state, place_of(state, seat, held, slot), other)
                return
            nth -= 1


def resample_hand(state: Row, seat: int, seed_high: int, seed_low: int) -> Generator:
    """Resample the hand of a seat, by a seed of two 32-bit numbers; returns the generator's state.

    Cards are exchanged one for one, so the rest of the deck keeps its order. Exchanges of rejected draws are not undone.
    """
    a, b, c, counter = start_generator(seed_high, seed_low)
    held, slot = hand_count(state, seat), 0
    while slot < held:
        choices = count_fitting(state, seat, held, slot, slot)
        a, b, c, counter, drawn = below(count_fitting(state, seat, held, slot, 0), a, b, c, counter)
        if drawn < choices:
            a, b, c, counter, nth = below(choices, a, b, c, counter)
            exchange_fitting(state, seat, held, slot, nth)
            slot += 1
        else:
            slot = 0
    return a, b, c, counter


def resample(state: Row, seat: int, seed_high: int, seed_low: int) -> None:
    """Resample the hand of a seat, the same for the same seed, and then the order of the deck."""
    a, b, c, counter = resample_hand(state, seat, seed_high, seed_low)
    top = layout.deck + state[DRAWN]
    for left in range(layout.deck_size - state[DRAWN], 1, -1):
        a, b, c, counter, other = below(left, a, b, c, counter)
        exchange(state, top + left - 1, top + other)


def observer_of(state: Row, seat: int) -> int:
    """The seat, or the one to move if it is negative."""
    return (state[SEAT] if seat < 0 else seat) % layout.players


@loop
def resample_games(states: Rows, seeds: Rows, seat: int, first: int, last: int) -> None:
    """Resample what a seat cannot see in every game."""
    for number in range(first, last):
        state = states[number]
        resample(state, observer_of(state, seat), seeds[number][0], seeds[number][1])


@loop
def resample_hands(states: Rows, seeds: Rows, seat: int, first: int, last: int) -> None:
    """Resample the hand of a seat in every game, but not the order of the deck."""
    for number in range(first, last):
        state = states[number]
        resample_hand(state, observer_of(state, seat), seeds[number][0], seeds[number][1])
