"""What the table shows about cards: what each can be, at the level of memory that its players chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from tamaya.bots import Knowledge
from tamaya.engine import SeenCard, View
from tamaya.rules import VALUES, Card, Colour, Rules
from tamaya.table.settings import ClueMemory


@dataclass(frozen=True, slots=True)
class KnownCard:
    """What the table shows about a card: the colours and values it can have, whether a clue touched it, and, if cards were
    counted, the combinations that are left."""

    colours: tuple[Colour, ...]
    values: tuple[int, ...]
    clued: bool
    counted: tuple[Card, ...] | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards it can be."""
        if self.counted is not None:
            return self.counted
        return tuple(Card(colour, value) for colour in self.colours for value in self.values)

    @property
    def colour(self) -> Colour | None:
        """The colour, if only one is left."""
        return self.colours[0] if len(self.colours) == 1 else None

    @property
    def value(self) -> int | None:
        """The value, if only one is left."""
        return self.values[0] if len(self.values) == 1 else None

    @property
    def card(self) -> Card | None:
        """The card, if only one is left."""
        return Card(self.colour, self.value) if self.colour is not None and self.value is not None else None


def known_cards(view: View, memory: ClueMemory) -> tuple[tuple[KnownCard, ...], ...]:
    """What the table shows about every card of every hand. Only the viewer's own hand is narrowed by counting cards: what
    others can count depends on cards that the viewer does not see."""
    hands = [_known_hand(hand, view.rules, memory) for hand in view.hands]
    if memory is ClueMemory.DEDUCTION and view.seat is not None and view.hand:
        hands[view.seat] = _deduced_hand(view)
    return tuple(hands)


def next_discard(hand: Sequence[SeenCard], known: Sequence[KnownCard]) -> int | None:
    """The number of the card that is discarded next by convention: the oldest that no clue has touched, as the table shows."""
    return min((seen.number for seen, card in zip(hand, known, strict=True) if not card.clued), default=None)


@lru_cache(maxsize=10_000)
def _known_hand(hand: tuple[SeenCard, ...], rules: Rules, memory: ClueMemory) -> tuple[KnownCard, ...]:
    return tuple(_known_card(seen, rules, memory) for seen in hand)


def _known_card(seen: SeenCard, rules: Rules, memory: ClueMemory) -> KnownCard:
    colours: tuple[Colour, ...] = rules.suits
    values: tuple[int, ...] = VALUES
    if memory is ClueMemory.SAID:
        colours = tuple(suit for suit in rules.suits if _would_be_touched(suit, seen.named_colours, rules))
        values = seen.named_values or VALUES
    elif memory.shows_clues:
        colours, values = seen.colours, seen.values
    return KnownCard(colours, values, seen.clued and memory.shows_clues)


def _would_be_touched(suit: Colour, named: tuple[Colour, ...], rules: Rules) -> bool:
    """Whether a card of this colour would have been touched by each of the clues."""
    return all(rules.matches(colour, Card(suit, 1)) for colour in named)


def _deduced_hand(view: View) -> tuple[KnownCard, ...]:
    """For each of the player's own cards, what it is in at least one hand consistent with everything the player sees."""
    know = Knowledge(view)
    options = _consistent([set(know.possible(seen)) for seen in view.hand], know.unseen())
    result = []
    for seen, found in zip(view.hand, options, strict=True):
        cards = tuple(card for card in view.rules.cards if card in found)
        colours = tuple(suit for suit in view.rules.suits if any(card.colour is suit for card in cards))
        values = tuple(value for value in VALUES if any(card.value == value for card in cards))
        result.append(KnownCard(colours, values, seen.clued, cards))
    return tuple(result)


def _consistent(options: list[set[Card]], left: Counter[Card]) -> list[set[Card]]:
    """The options without cards of which other places of the hand need every copy that is left (Hall's theorem: a card is
    possible in a place if and only if no group of other places needs all copies of all their cards)."""
    result = [set(cards) for cards in options]
    for size in range(1, len(options)):
        for places in combinations(range(len(options)), size):
            needed = set[Card]().union(*(options[place] for place in places))
            if sum(left[card] for card in needed) == size:
                for place in set(range(len(options))).difference(places):
                    result[place] -= needed
    return result
