"""What a player could know of a move before making it, worked out from that player's view and nothing else."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from tamaya.bots import Knowledge
from tamaya.engine import View
from tamaya.review.chances import HandChances
from tamaya.rules import Card, Colour, Discard, Play
from tamaya.table import ClueMemory, recall


class Judge:
    """Judges the moves of one player at one moment, going by what that player sees and was told."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._know = Knowledge(view)

    @cached_property
    def _hand(self) -> HandChances:
        return HandChances(self.view)

    def fits(self, card: Card, announced: Colour | None) -> bool:
        """Whether a card would be placed if it were played now."""
        return self.view.is_playable(card) and announced in (None, card.colour)

    def costs_points(self, card: Card, played: bool) -> bool:
        """Whether throwing a card away now lowers the best still possible, apart from the turn that it takes.

        It does if the card is needed and the last of its kind, unless so few turns are left that the points could not be made
        anyway, or the mistake would end the game.
        """
        view = self.view
        if not self._know.is_last_copy(card) or (played and view.mistakes + 1 == view.rules.mistakes):
            return False
        without, turns = sum(view.reach.values()) - view.reach[card.colour] + card.value - 1, self._turns_left()
        return turns is None or without < view.points + turns

    def _turns_left(self) -> int | None:
        """How many turns are left when the player has thrown a card away; None as long as the deck lasts, and where there is
        no last round."""
        if self.view.rules.all_or_nothing or self.view.deck_count > 1:
            return None
        return self.view.rules.players if self.view.deck_count == 1 else self.view.last_turns - 1

    def chance_to_fit(self, play: Play) -> Fraction:
        """How likely a play is to be placed."""
        return self._hand.chance(play.slot, lambda card: self.fits(card, play.announced))

    def loses(self, move: Play | Discard, card: Card) -> bool:
        """Whether a move would cost points, if this were the card."""
        if isinstance(move, Discard):
            return self.costs_points(card, played=False)
        return not self.fits(card, move.announced) and self.costs_points(card, played=True)

    def chance_of_loss(self, move: Play | Discard) -> Fraction:
        """How likely a move is to cost points."""
        return self._hand.chance(move.slot, lambda card: self.loses(move, card))


def possible_cards(view: View) -> list[tuple[Card, ...]]:
    """What each card of the player can be, by clues and by counting.

    A clue speaks of each card by itself. So it rules out a hand if and only if it rules out a card in some place.
    """
    assert view.seat is not None
    return [recalled.cards for recalled in recall(view, ClueMemory.DEDUCTION)[view.seat]]
