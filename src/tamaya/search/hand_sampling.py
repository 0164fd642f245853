"""Importance sampling of the hands that a seat may hold.

A hand's weight is the product of two factors, kept as logarithms. Its *importance* is its probability by the unseen cards,
divided by the probability of drawing it. Its *likelihood* is the probability of the partners' actions if it is the real hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.kernel.clues import possible_cards
from tamaya.search.history import SeatHistory
from tamaya.sim.threads import Array

EXPLORATION = 0.3
"""The share of a slot's draws that ignores which cards were consistent so far, and takes any card that the clues allow."""
MAX_ATTEMPTS = 200
"""The batches in which `any_hand` looks for a hand that agrees with the clues."""


@dataclass(frozen=True)
class HandSamples:
    """Hands, one per row: their cards by slot, the logarithms of their importance and likelihood, the policies' memories with
    each of them (empty if those are the same for all), and an index that identifies them."""

    cards: Array
    log_importance: Array
    log_likelihood: Array
    memories: Array
    index: Array

    @classmethod
    def of(cls, cards: Array, log_importance: Array | None = None) -> HandSamples:
        """Hands before any partner's action is considered, equally likely unless an importance is given."""
        count = len(cards)
        memories = np.zeros((count, 0, 0), np.int64)
        importance = np.zeros(count) if log_importance is None else log_importance
        return cls(cards, importance, np.zeros(count), memories, np.zeros(count, np.int64))

    def __len__(self) -> int:
        return len(self.cards)

    def indexed(self) -> HandSamples:
        """The same hands, each with its row as index."""
        return replace(self, index=np.arange(len(self)))

    def with_memories(self, memories: Array) -> HandSamples:
        """The same hands with these memories."""
        return replace(self, memories=memories)

    def with_likelihood(self, log_likelihood: Array) -> HandSamples:
        """The same hands with these likelihoods."""
        return replace(self, log_likelihood=log_likelihood)

    def select(self, which: Array) -> HandSamples:
        """Some of the hands, by a mask or by rows."""
        return HandSamples(*(mine[which] for mine in vars(self).values()))

    def joined(self, others: HandSamples) -> HandSamples:
        """These hands and others."""
        if not len(self) or not len(others):
            return self if len(self) else others
        return HandSamples(*(np.concatenate([mine, vars(others)[name]]) for name, mine in vars(self).items()))

    @property
    def weights(self) -> Array:
        """The probability of each hand."""
        logarithms = self.log_importance + self.log_likelihood
        likely = np.exp(logarithms - logarithms.max(initial=-np.inf))
        return np.asarray(likely / likely.sum())

    @property
    def effective_size(self) -> float:
        """The effective sample size: the number of equally likely hands that would be as informative."""
        return float(1 / (self.weights**2).sum()) if len(self) else 0.0

    @property
    def most_likely(self) -> HandSamples:
        """The most likely hand; equal hands count together."""
        _, first, which = np.unique(self.cards, axis=0, return_index=True, return_inverse=True)
        return self.select(first[[np.bincount(which.ravel(), self.weights).argmax()]])


class PriorHands(NamedTuple):
    """Hands found at an earlier turn with their weights; `numbers` are the deck numbers of the cards held then."""

    numbers: Array
    cards: Array
    weights: Array

    @classmethod
    def of(cls, history: SeatHistory, found: HandSamples) -> PriorHands:
        """The hands found at the present turn of a history."""
        return cls(history.hand, found.cards, found.weights)


class HandSampler:
    """Draws hands that agree with the clues: at first by the unseen cards alone, then near consistent hands found before."""

    def __init__(self, history: SeatHistory, random: np.random.Generator) -> None:
        self._history, self._random = history, random
        self._left = np.bincount(history.unseen, minlength=history.layout.cards)
        self._possible = possible_in_hand(history)
        self._by_cards = self._possible * self._left
        self._proposal = self._by_cards.copy()

    def draw(self, count: int) -> HandSamples:
        """About `count` hands; draws that need more copies of a card than there are are rejected."""
        left = np.tile(self._left, (count, 1))
        hands, log_importance, rows = np.zeros((count, len(self._proposal)), np.int64), np.zeros(count), np.arange(count)
        for slot, proposal in enumerate(self._proposal):
            likely = proposal * (left > 0)
            sums = likely.cumsum(axis=1)
            drawn = self._random.random(count) * sums[:, -1]
            cards = np.minimum((sums <= drawn[:, np.newaxis]).sum(axis=1), likely.shape[1] - 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                log_importance += np.log(left[rows, cards] * sums[:, -1] / likely[rows, cards])
            hands[:, slot] = cards
            left[rows, cards] -= 1
        complete = np.isfinite(log_importance)
        return HandSamples.of(hands[complete], log_importance[complete])

    def any_hand(self) -> Array:
        """The cards of any hand that agrees with the clues, as the only row."""
        for _ in range(MAX_ATTEMPTS):
            found = self.draw(64)
            if len(found):
                return found.cards[:1]
        raise AssertionError("the cards in hand agree with the clues")

    def learn(self, found: HandSamples) -> None:
        """Draw more often the cards that consistent hands have in each slot."""
        self.use(PriorHands.of(self._history, found))

    def use(self, prior: PriorHands) -> None:
        """Draw more often the cards that consistent hands of an earlier turn have, for the cards that are still held."""
        then = prior.numbers.tolist() if len(prior.cards) else []
        for slot, number in enumerate(self._history.hand.tolist()):
            if number not in then:
                continue
            by_cards = self._by_cards[slot]
            found = np.bincount(prior.cards[:, then.index(number)], prior.weights, minlength=len(by_cards)) * (by_cards > 0)
            self._proposal[slot] = (1 - EXPLORATION) * found + EXPLORATION * by_cards / by_cards.sum()

    def all_orders(self, limit: int) -> Array | None:
        """All orders of the unseen cards, hand first, that agree with the clues; None if there are more than `limit`."""
        places = len(self._history.hidden)
        orders: list[list[int]] = []
        for order in _orders([int(count) for count in self._left], self._possible, [], places):
            orders.append(order)
            if len(orders) > limit:
                return None
        return np.array(orders, np.int64).reshape(len(orders), places)


def _orders(left: list[int], possible: Array, begun: list[int], places: int) -> Iterator[list[int]]:
    """The orders that start with the given cards."""
    place = len(begun)
    if place == places:
        yield list(begun)
        return
    for card, copies in enumerate(left):
        if copies and (place >= len(possible) or possible[place][card]):
            left[card] -= 1
            begun.append(card)
            yield from _orders(left, possible, begun, places)
            begun.pop()
            left[card] += 1


def possible_in_hand(history: SeatHistory) -> Array:
    """For each slot of the seat's hand and each card, 1.0 if the clues leave the card possible there, else 0.0."""
    possible = instance_of(Setting(history.rules))(possible_cards)
    sets = [possible(history.now.data, history.seat, slot) for slot in range(len(history.hand))]
    return (np.array(sets, np.int64)[:, np.newaxis] >> np.arange(history.layout.cards) & 1).astype(float)
