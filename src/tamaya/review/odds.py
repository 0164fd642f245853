"""The chance of each card: what a player could know of the own hand and of a move, counted exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import perm

from tamaya.bots import Knowledge
from tamaya.engine import View
from tamaya.rules import Card, Colour, Discard, Play
from tamaya.table import ClueMemory, known_cards


class HandOdds:
    """All hands that a player can hold, by what they see and what clues say, not what they mean.

    All orders of the unseen cards are equally likely, so the weight of a hand is the number of ways to draw it from them.
    """

    def __init__(self, view: View) -> None:
        know = Knowledge(view)
        self._left = +know.unseen()
        self._options = [frozenset(know.possible(seen)) for seen in view.hand]

    @cached_property
    def _patterns(self) -> dict[Card, int]:
        """The slots that can hold each unseen card, as bits."""
        return {card: sum(1 << slot for slot, options in enumerate(self._options) if card in options) for card in self._left}

    def weights(self, slot: int) -> dict[Card, int]:
        """The number of hands with each card in this slot."""
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
        """The probability that the card in this slot satisfies `has`."""
        weights = self.weights(slot)
        return Fraction(sum(weight for card, weight in weights.items() if has(card)), sum(weights.values()))


def _ways(places: int, groups: Counter[int]) -> int:
    """The number of ways to fill the places, given as bits, from groups of cards that fit into the same places."""
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


class MoveOdds:
    """The odds of a player's moves at one moment, by what that player sees and was told."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._know = Knowledge(view)

    @cached_property
    def _hand(self) -> HandOdds:
        return HandOdds(self.view)

    def fits(self, card: Card, announced: Colour | None) -> bool:
        """Whether a card could be played successfully now."""
        return self.view.is_playable(card) and announced in (None, card.colour)

    def costs_points(self, card: Card, played: bool) -> bool:
        """Whether losing a card now lowers the maximum, apart from the turn it takes.

        It does if the card is needed and the last of its kind, unless too few turns are left for these points, or the mistake
        ends the game.
        """
        view = self.view
        if not self._know.is_last_copy(card) or (played and view.mistakes + 1 == view.rules.mistakes):
            return False
        without, turns = sum(view.reach.values()) - view.reach[card.colour] + card.value - 1, self._turns_left()
        return turns is None or without < view.points + turns

    def _turns_left(self) -> int | None:
        """The number of turns left after this one; None while the deck lasts, and if there is no last round."""
        if not self.view.rules.has_last_round or self.view.deck_count > 1:
            return None
        return self.view.rules.players if self.view.deck_count == 1 else self.view.last_turns - 1

    def chance_to_fit(self, play: Play) -> Fraction:
        """The probability that a play succeeds."""
        return self._hand.chance(play.slot, lambda card: self.fits(card, play.announced))

    def loses(self, move: Play | Discard, card: Card) -> bool:
        """Whether a move would cost points if this were the card."""
        if isinstance(move, Discard):
            return self.costs_points(card, played=False)
        return not self.fits(card, move.announced) and self.costs_points(card, played=True)

    def chance_of_loss(self, move: Play | Discard) -> Fraction:
        """The probability that a move costs points."""
        return self._hand.chance(move.slot, lambda card: self.loses(move, card))


def possible_cards(view: View) -> list[tuple[Card, ...]]:
    """What each card of the player can be, by clues and by counting.

    As a clue concerns each card separately, it rules out a hand if and only if it rules out a card in some slot.
    """
    assert view.seat is not None
    return [recalled.cards for recalled in known_cards(view, ClueMemory.DEDUCTION)[view.seat]]
