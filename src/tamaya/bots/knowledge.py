"""What follows from a view: which cards a hidden card can be, and what a card is good for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from tamaya.engine import SeenCard, View
from tamaya.rules import Card


class Knowledge:
    """The conclusions that the player of a view can draw by counting cards."""

    def __init__(self, view: View) -> None:
        self.view, thrown = view, view.discards
        placed = (Card(colour, value) for colour, height in view.fireworks.items() for value in range(1, height + 1))
        held = (seen.card for hand in view.hands for seen in hand if seen.card)
        self._thrown, self._seen = Counter(thrown), Counter(chain(thrown, placed, held))

    def possible(self, seen: SeenCard) -> list[Card]:
        """The cards that one of the player's own can be: left open by the clues, and not all seen elsewhere."""
        rules = self.view.rules
        cards = (Card(colour, value) for colour in seen.colours for value in seen.values)
        return [card for card in cards if self._seen[card] < rules.copies(card)]

    def unseen(self) -> Counter[Card]:
        """The cards the player does not see: those of the deck and of the own hand."""
        rules = self.view.rules
        return Counter({card: rules.copies(card) - self._seen[card] for card in rules.cards})

    def is_playable(self, card: Card) -> bool:
        """Whether the card continues its firework now."""
        return self.view.is_playable(card)

    def is_useless(self, card: Card) -> bool:
        """Whether the card can never be placed any more."""
        return not self.view.fireworks[card.colour] < card.value <= self.view.reach[card.colour]

    def is_last_copy(self, card: Card) -> bool:
        """Whether the card is needed and no other copy of it is left in hands or deck."""
        return not self.is_useless(card) and self._thrown[card] == self.view.rules.copies(card) - 1

    def surely_playable(self, cards: Iterable[Card]) -> bool:
        """Whether a card that is one of these can be played without risk."""
        options = list(cards)
        return bool(options) and all(map(self.is_playable, options))

    def surely_useless(self, cards: Iterable[Card]) -> bool:
        """Whether a card that is one of these is of no use, whichever it is."""
        options = list(cards)
        return bool(options) and all(map(self.is_useless, options))


def share(cards: Sequence[Card], has: Callable[[Card], bool]) -> float:
    """How many of these cards, as a part of all, are of a kind."""
    return sum(map(has, cards)) / len(cards) if cards else 0.0
