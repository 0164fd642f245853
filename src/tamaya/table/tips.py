"""Tips before a move, for players new to the game."""

from __future__ import annotations

from functools import lru_cache

from tamaya.bots import Knowledge
from tamaya.engine import SeenCard, View
from tamaya.rules import VALUES, Action, Card, Clue, Colour, Discard, Message, Play, say
from tamaya.table.clue_memory import KnownCard, known_cards, next_discard
from tamaya.table.settings import ClueMemory


class MoveTips:
    """Tips about the actions of the player whose view this is, using what the table shows at this level of `memory`."""

    def __init__(self, view: View, memory: ClueMemory) -> None:
        self._view, self._memory, know = view, memory, Knowledge(view)
        self._fits = frozenset(filter(know.is_playable, view.rules.cards))
        self._useless = frozenset(filter(know.is_useless, view.rules.cards))
        self._last = frozenset(filter(know.is_last_copy, view.rules.cards))
        self._own = known_cards(view, memory)[view.seat] if view.seat is not None else ()
        self._options = tuple(map(_options, self._own))

    def advise(self, action: Action) -> Message | None:
        """One sentence about an action, or None."""
        if isinstance(action, Clue):
            return self._on_clue(action)
        if not self._memory.shows_clues or action.slot >= len(self._own):
            return None
        return self._on_discard(action.slot) if isinstance(action, Discard) else self._on_play(action)

    def _on_play(self, action: Play) -> Message | None:
        seen, options = self._view.hand[action.slot], self._options[action.slot]
        if action.announced:
            return None
        if options.isdisjoint(self._fits):
            return say("This card cannot fit now: it would be a mistake.")
        if options <= self._fits:
            return say("This card is sure to fit.")
        if self._view.mistakes == self._view.rules.mistakes - 1:
            return say("The clues do not say that it is sure to fit, and one more mistake ends the game.")
        return _without_clue(seen, self._view, self._memory) or say("The clues do not say that it is sure to fit.")

    def _on_discard(self, slot: int) -> Message | None:
        seen, known, options = self._view.hand[slot], self._own[slot], self._options[slot]
        if options <= self._useless:
            return say("Nobody needs this card any more.")
        if options <= self._last:
            return _last_copy(known)
        if options <= self._fits:
            return say("This card is sure to fit: better play it.")
        if known.clued:
            return say("Somebody has told you about this card; perhaps it is worth keeping.")
        if seen.number == next_discard(self._view.hand, self._own):
            return say("Nobody has spoken of this card, and you have held it longest: the usual one to discard.")
        return _without_clue(seen, self._view, self._memory)

    def _on_clue(self, clue: Clue) -> Message | None:
        hand = self._view.hands[clue.seat]
        touched = [(seen, seen.card) for seen in hand if seen.card and self._view.rules.matches(clue.hint, seen.card)]
        cards = [card for _, card in touched]
        if not touched:
            return say("This clue touches no card: it only says what they are not.")
        if self._memory.shows_clues and all(_is_known_hint(seen, clue.hint) for seen, _ in touched):
            return say("This clue touches nothing new.")
        if self._useless.issuperset(cards):
            return say("Nobody needs the cards it touches any more.")
        fits = next((card for card in cards if card in self._fits), None)
        if fits:
            return say("It touches a card that fits now: {card}.", card=fits.word)
        last = next((card for card in cards if card in self._last), None)
        if last:
            return say("It touches a card that is the last of its kind: {card}.", card=last.word)
        return say("None of the cards it touches fits yet.")


@lru_cache(maxsize=2_000)
def _options(known: KnownCard) -> frozenset[Card]:
    return frozenset(known.cards)


def _is_known_hint(seen: SeenCard, hint: Colour | int) -> bool:
    return hint in (seen.named_colours if isinstance(hint, Colour) else seen.named_values)


def _last_copy(known: KnownCard) -> Message:
    return say("This 5 is the last of its kind.") if known.value == 5 else say("This card is the last of its kind.")


def _without_clue(seen: SeenCard, view: View, memory: ClueMemory) -> Message | None:
    """The tip for a card that no clue has touched; ruled-out options count only if the table shows them."""
    if seen.clued:
        return None
    if memory is ClueMemory.SAID or len(seen.colours) < len(view.rules.suits) or len(seen.values) < len(VALUES):
        return say("No clue has touched this card yet.")
    return say("You know nothing about this card.")
