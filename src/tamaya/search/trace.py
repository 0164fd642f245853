"""What one seat has seen of a game, turn by turn, in the rows that policies are asked with.

All that lies open is the same in every world that the seat can be in: the head, the fireworks, the discards, the hands' marks.
Only the deck differs, from which every hand was dealt. So a world is one order of the deck, and a position of the past is what
lay open then with that order put in.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tamaya.bots.policy_bot import SightTracker
from tamaya.engine import View
from tamaya.engine.layout import DRAWN, LAST_ACTION, NO_CARD, NUMBER, SEAT, SLOT, Layout
from tamaya.rules import MalformedError, Rules, say
from tamaya.sim.threads import Array


class Trace:
    """The past of a game as a seat that is to move saw it. `before` has a row for each turn taken, `now` is what it sees at
    present; `movers` and `actions` say who did what."""

    def __init__(self, view: View) -> None:
        if view.seat is None or view.to_move != view.seat:
            message = say("Only the seat whose turn it is can weigh its moves; show its own view.")
            raise MalformedError("not_to_move", message)
        sights = SightTracker(view)
        turns = sights.follow(view)
        self.rules: Rules = view.rules
        self.layout: Layout = sights.layout
        self.seat: int = view.seat
        self.now: Array = np.frombuffer(bytes(sights.now), np.uint8)
        self.before: Array = np.array([np.frombuffer(bytes(before), np.uint8) for before, _ in turns], np.uint8).reshape(
            len(turns), self.layout.size
        )
        self.movers: Array = self.before[:, SEAT].astype(np.int64)
        self.actions: Array = np.array([after[LAST_ACTION] for _, after in turns], np.int64)

    @property
    def turns(self) -> int:
        """How many turns were taken."""
        return len(self.actions)

    @cached_property
    def hand(self) -> Array:
        """The numbers of the cards that the seat holds."""
        first = self.layout.hands + self.seat * self.layout.hand_bytes + NUMBER
        numbers = self.now[first : first + self.layout.hand_bytes : SLOT]
        return np.asarray(numbers[numbers != NO_CARD], np.int64)

    @cached_property
    def hidden(self) -> Array:
        """The numbers of all cards that the seat cannot see: its hand, then the deck."""
        return np.concatenate([self.hand, np.arange(self.now[DRAWN], self.layout.deck_size)])

    @cached_property
    def unseen(self) -> Array:
        """The cards that the seat cannot see, in the order of `Rules.cards`."""
        deck = self.now[self.layout.deck : self.layout.hands]
        left = np.array(self.layout.copies) - np.bincount(deck[deck != NO_CARD], minlength=self.layout.cards)
        return np.repeat(np.arange(self.layout.cards, dtype=np.uint8), left)

    @cached_property
    def some_deck(self) -> Array:
        """A deck with the unseen cards in any order."""
        deck = self.now[self.layout.deck : self.layout.hands].copy()
        deck[self.hidden] = self.unseen
        return deck

    def decks(self, hands: Array) -> Array:
        """Decks with these cards in hand, and the rest of what is not seen in some order behind them."""
        layout = self.layout
        decks = np.tile(self.some_deck, (len(hands), 1))
        decks[:, self.hand] = hands
        in_deck = self.hidden[len(self.hand) :]
        if len(in_deck) and len(hands):
            held = np.zeros((len(hands), layout.cards), np.int64)
            np.add.at(held, (np.arange(len(hands))[:, np.newaxis], hands), 1)
            left = np.bincount(self.unseen, minlength=layout.cards) - held
            decks[:, in_deck] = np.repeat(np.tile(np.arange(layout.cards), len(hands)), left.ravel()).reshape(len(hands), -1)
        return decks

    def positions(self, turn: int, decks: Array) -> Array:
        """The game before a turn, or at present, in each of these worlds."""
        states = np.empty((len(decks), self.layout.size), np.uint8)
        states[:] = self.now if turn == self.turns else self.before[turn]
        states[:, self.layout.deck : self.layout.hands] = decks
        return states
