"""The safe action that replaces a failing bot's, and the conclusions that it draws from a view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from tamaya.engine import SeenCard, View
from tamaya.rules import Action, Card, Clue, Discard, Play


class Knowledge:
    """What the player of a view can conclude by counting cards."""

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
        """The cards that the player does not see: those of the deck and of their own hand."""
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
        """Whether a card that is one of these is useless in any case."""
        options = list(cards)
        return bool(options) and all(map(self.is_useless, options))


def share(cards: Sequence[Card], has: Callable[[Card], bool]) -> float:
    """The share of these cards for which a condition holds."""
    return sum(map(has, cards)) / len(cards) if cards else 0.0


def fallback_action(view: View) -> Action:
    """The legal action that does the least harm.

    It plays a card that surely fits, or discards one that is surely useless. Otherwise it discards the oldest unclued card
    unless that is known to matter; then gives the clue that touches the fewest new cards; then makes the discard least likely
    to be missed, and last the play most likely to fit. Where a single discard can lose the game, clues come first.
    """
    know = Knowledge(view)
    options = [know.possible(seen) for seen in view.hand]
    plays = [action for action in view.legal_actions if isinstance(action, Play) and action.announced is None]
    discards = [action for action in view.legal_actions if isinstance(action, Discard)]
    discards.sort(key=lambda action: view.hand[action.slot].number)
    clues = [action for action in view.legal_actions if isinstance(action, Clue)]
    clues.sort(key=lambda clue: _disturbance(clue, know))
    fitting = [action for action in plays if know.surely_playable(options[action.slot])]
    useless = [action for action in discards if know.surely_useless(options[action.slot])]
    unspoken = [action for action in discards if not view.hand[action.slot].clued]
    unspoken = [action for action in unspoken if not all(map(know.is_last_copy, options[action.slot]))]
    discards.sort(key=lambda action: share(options[action.slot], know.is_last_copy))
    plays.sort(key=lambda action: -share(options[action.slot], know.is_playable))
    harmless = [] if view.rules.all_or_nothing else unspoken
    ideas: Iterator[Action] = chain(fitting, useless, harmless, clues, discards, plays)
    return next(ideas)


def _disturbance(clue: Clue, know: Knowledge) -> tuple[int, int]:
    """How many unplayable cards a clue newly touches, then how many cards it touches in all."""
    view = know.view
    touched = [seen for seen in view.hands[clue.seat] if seen.card and view.rules.matches(clue.hint, seen.card)]
    wrong = [seen for seen in touched if not seen.clued and seen.card and not know.is_playable(seen.card)]
    return len(wrong), len(touched)
