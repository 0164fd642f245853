"""Hands that a seat may hold, tried where they are likely and weighed for it.

A hand's *chance* is how likely it is by the cards that the seat cannot see over how likely it was to be tried; its *doubt* is
how likely partners are to have done what they did if it is the real one. Both are logarithms; their sum says how likely it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tamaya.engine.layout import HEIGHT, POSSIBLE_COLOURS, POSSIBLE_VALUES, SLOT
from tamaya.search.trace import Trace
from tamaya.sim.threads import Array

OPEN_MIND = 0.3
"""How often a slot is tried with any card that the clues allow, whatever the hands that fit so far say."""
MOST_LOTS = 200
"""How often a hand is looked for that agrees with the clues, before giving up."""


@dataclass(frozen=True)
class PossibleHands:
    """Hands, a row each: their cards by slot, their chances and doubts, the memories that go with them (none where those are
    the same for all), and numbers to tell them by."""

    cards: Array
    chances: Array
    doubts: Array
    memories: Array
    numbers: Array

    @classmethod
    def of(cls, cards: Array, chances: Array | None = None) -> PossibleHands:
        """Hands without a past, equally likely unless their chances say otherwise."""
        count = len(cards)
        nothing = np.zeros((count, 0, 0), np.int64)
        return cls(cards, np.zeros(count) if chances is None else chances, np.zeros(count), nothing, np.zeros(count, np.int64))

    def __len__(self) -> int:
        return len(self.cards)

    def numbered(self) -> PossibleHands:
        """The same, with their places as numbers."""
        return replace(self, numbers=np.arange(len(self)))

    def doubted(self, doubts: Array) -> PossibleHands:
        """The same with other doubts."""
        return replace(self, doubts=doubts)

    def with_memories(self, memories: Array) -> PossibleHands:
        """The same with memories."""
        return replace(self, memories=memories)

    def only(self, which: Array) -> PossibleHands:
        """Some of them."""
        return PossibleHands(*(mine[which] for mine in vars(self).values()))

    def and_also(self, others: PossibleHands) -> PossibleHands:
        """These and others."""
        if not len(self) or not len(others):
            return self if len(self) else others
        return PossibleHands(*(np.concatenate([mine, vars(others)[name]]) for name, mine in vars(self).items()))

    @property
    def shares(self) -> Array:
        """How likely each is."""
        weights = self.chances + self.doubts
        likely = np.exp(weights - weights.max(initial=-np.inf))
        return np.asarray(likely / likely.sum())

    @property
    def effective(self) -> float:
        """How many equally likely hands would say as much."""
        return float(1 / (self.shares**2).sum()) if len(self) else 0.0

    @property
    def likeliest(self) -> PossibleHands:
        """The one that is most likely, with all its copies counted together."""
        _, first, which = np.unique(self.cards, axis=0, return_index=True, return_inverse=True)
        return self.only(first[[np.bincount(which.ravel(), self.shares).argmax()]])


class Recollection(NamedTuple):
    """Hands that fitted at some turn, and how likely each was; `places` says where in the deck the cards came from that were
    held then."""

    places: Array
    cards: Array
    shares: Array

    @classmethod
    def of(cls, trace: Trace, found: PossibleHands) -> Recollection:
        """What was found at the present of a trace."""
        return cls(trace.hand, found.cards, found.shares)


class HandTrier:
    """Draws hands that agree with the clues: at first by the cards alone, then as those say that were found to fit."""

    def __init__(self, trace: Trace, chance: np.random.Generator) -> None:
        self._trace, self._chance = trace, chance
        self._left = np.bincount(trace.unseen, minlength=trace.layout.cards)
        self._allowed = _allowed(trace)
        self._plain = self._allowed * self._left
        self._hunch = self._plain.copy()

    def draw(self, count: int) -> PossibleHands:
        """Hands of about that number: those for which the cards do not suffice are left out."""
        left = np.tile(self._left, (count, 1))
        hands, chances, rows = np.zeros((count, len(self._hunch)), np.int64), np.zeros(count), np.arange(count)
        for slot, hunch in enumerate(self._hunch):
            likely = hunch * (left > 0)
            sums = likely.cumsum(axis=1)
            lots = self._chance.random(count) * sums[:, -1]
            cards = np.minimum((sums <= lots[:, np.newaxis]).sum(axis=1), likely.shape[1] - 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                chances += np.log(left[rows, cards] * sums[:, -1] / likely[rows, cards])
            hands[:, slot] = cards
            left[rows, cards] -= 1
        drawn = np.isfinite(chances)
        return PossibleHands.of(hands[drawn], chances[drawn])

    def one_hand(self) -> Array:
        """Any hand that agrees with the clues."""
        for _ in range(MOST_LOTS):
            found = self.draw(64)
            if len(found):
                return found.cards[:1]
        raise AssertionError("the cards in hand agree with the clues")

    def learn(self, found: PossibleHands) -> None:
        """Let the hands that fit say which cards to try in which slot."""
        self.recall(Recollection.of(self._trace, found))

    def recall(self, before: Recollection) -> None:
        """Let hands that fitted at an earlier turn say it of the cards that are still in hand."""
        then = before.places.tolist() if len(before.cards) else []
        for slot, place in enumerate(self._trace.hand.tolist()):
            if place not in then:
                continue
            plain = self._plain[slot]
            seen = np.bincount(before.cards[:, then.index(place)], before.shares, minlength=len(plain)) * (plain > 0)
            self._hunch[slot] = (1 - OPEN_MIND) * seen + OPEN_MIND * plain / plain.sum()

    def every_order(self, most: int) -> Array | None:
        """Every order of the unseen cards that agrees with the clues: hand, then deck; nothing if there are more than that."""
        places = len(self._trace.hidden)
        orders: list[list[int]] = []
        for order in _orders([int(count) for count in self._left], self._allowed, [], places):
            orders.append(order)
            if len(orders) > most:
                return None
        return np.array(orders, np.int64).reshape(len(orders), places)


def _orders(left: list[int], allowed: Array, begun: list[int], places: int) -> Iterator[list[int]]:
    """Orders that begin with some cards."""
    place = len(begun)
    if place == places:
        yield list(begun)
        return
    for card, copies in enumerate(left):
        if copies and (place >= len(allowed) or allowed[place][card]):
            left[card] -= 1
            begun.append(card)
            yield from _orders(left, allowed, begun, places)
            begun.pop()
            left[card] += 1


def _allowed(trace: Trace) -> Array:
    """Which cards the clues allow in each slot of the hand: 1 or 0."""
    layout, cards = trace.layout, np.arange(trace.layout.cards)
    first = layout.hands + trace.seat * layout.hand_bytes
    at = first + np.arange(len(trace.hand))[:, np.newaxis] * SLOT
    colours, values = trace.now[at + POSSIBLE_COLOURS], trace.now[at + POSSIBLE_VALUES]
    return np.asarray((colours >> (cards // HEIGHT)) & (values >> (cards % HEIGHT)) & 1, float)
