"""What a player could know of the own hand: which cards each place can hold, and how likely each is, counted exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import perm

from tamaya.bots import Knowledge
from tamaya.engine import View
from tamaya.rules import Card


class HandChances:
    """All hands that a player can hold, going by what the player sees and was told.

    Every order of the cards that the player does not see is as likely as any other, so the weight of a hand is the number of
    ways to pick it from those cards. What teammates meant by a clue does not count here, only what it says.
    """

    def __init__(self, view: View) -> None:
        know = Knowledge(view)
        self._left = +know.unseen()
        self._options = [frozenset(know.possible(seen)) for seen in view.hand]

    @cached_property
    def _patterns(self) -> dict[Card, int]:
        """For each card that is left, the places that can hold it, as bits."""
        return {card: sum(1 << slot for slot, options in enumerate(self._options) if card in options) for card in self._left}

    def weights(self, slot: int) -> dict[Card, int]:
        """In how many of the hands each card lies in this place."""
        others = (1 << len(self._options)) - 1 - (1 << slot)
        groups: Counter[int] = Counter()
        for card, pattern in self._patterns.items():
            groups[pattern] += self._left[card]
        ways: dict[int, int] = {}
        for pattern in groups:
            if pattern >> slot & 1:
                ways[pattern] = _ways(others, groups - Counter([pattern]))
        found = {card: self._left[card] * ways.get(pattern, 0) for card, pattern in self._patterns.items()}
        return {card: weight for card, weight in found.items() if weight}

    def chance(self, slot: int, has: Callable[[Card], bool]) -> Fraction:
        """How likely it is that the card in this place is of a kind."""
        weights = self.weights(slot)
        return Fraction(sum(weight for card, weight in weights.items() if has(card)), sum(weights.values()))


def _ways(places: int, groups: Counter[int]) -> int:
    """In how many ways the places, given as bits, can be filled. A group are cards that fit into the same places: which of
    them lies where makes a difference in number alone."""
    filled = {0: 1}
    for pattern, cards in groups.items():
        following = dict(filled)
        subset = pattern & places
        while subset:
            picked = perm(cards, subset.bit_count())
            if picked:
                for done, ways in filled.items():
                    if not done & subset:
                        following[done | subset] = following.get(done | subset, 0) + ways * picked
            subset = (subset - 1) & pattern & places
        filled = following
    return filled.get(places, 0)
