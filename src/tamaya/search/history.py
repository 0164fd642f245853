"""What one seat has seen of a game, and the policies' memories at each turn, as rows for `tamaya.sim.team`.

Everything on the table is the same in every world that the seat considers possible: tokens, fireworks, discards and the clues
given. Worlds differ only in the order of the deck, from which all hands were dealt. So a world is an order of the deck, and a
past position is the table at that turn with this deck inserted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tamaya.bots.policy_bot import SightTracker
from tamaya.engine import View
from tamaya.engine.layout import DRAWN, LAST_ACTION, NO_CARD, NUMBER, SEAT, SLOT, Layout
from tamaya.rules import MalformedError, Rules, say
from tamaya.sim.team import Team
from tamaya.sim.threads import Array


class SeatHistory:
    """The game as seen by the seat to move: `before` has a row for each turn, `now` is its present sight; `movers` and
    `actions` are the seat and the action of each turn."""

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
        """The number of turns taken."""
        return len(self.actions)

    @cached_property
    def hand(self) -> Array:
        """The deck numbers of the cards that the seat holds."""
        first = self.layout.hands + self.seat * self.layout.hand_bytes + NUMBER
        numbers = self.now[first : first + self.layout.hand_bytes : SLOT]
        return np.asarray(numbers[numbers != NO_CARD], np.int64)

    @cached_property
    def hidden(self) -> Array:
        """The deck numbers of all cards that the seat cannot see: its hand, then the cards not drawn yet."""
        return np.concatenate([self.hand, np.arange(self.now[DRAWN], self.layout.deck_size)])

    @cached_property
    def unseen(self) -> Array:
        """The cards that the seat cannot see, in the order of `Rules.cards`."""
        deck = self.now[self.layout.deck : self.layout.hands]
        left = np.array(self.layout.copies) - np.bincount(deck[deck != NO_CARD], minlength=self.layout.cards)
        return np.repeat(np.arange(self.layout.cards, dtype=np.uint8), left)

    @cached_property
    def any_deck(self) -> Array:
        """A deck with the unseen cards in any order."""
        deck = self.now[self.layout.deck : self.layout.hands].copy()
        deck[self.hidden] = self.unseen
        return deck

    def decks(self, hands: Array) -> Array:
        """Decks with these cards in hand, and the other unseen cards after them in some order."""
        layout = self.layout
        decks = np.tile(self.any_deck, (len(hands), 1))
        decks[:, self.hand] = hands
        in_deck = self.hidden[len(self.hand) :]
        if len(in_deck) and len(hands):
            held = np.zeros((len(hands), layout.cards), np.int64)
            np.add.at(held, (np.arange(len(hands))[:, np.newaxis], hands), 1)
            left = np.bincount(self.unseen, minlength=layout.cards) - held
            decks[:, in_deck] = np.repeat(np.tile(np.arange(layout.cards), len(hands)), left.ravel()).reshape(len(hands), -1)
        return decks

    def positions(self, turn: int, decks: Array) -> Array:
        """The states before a turn, or at present, with these decks."""
        states = np.empty((len(decks), self.layout.size), np.uint8)
        states[:] = self.now if turn == self.turns else self.before[turn]
        states[:, self.layout.deck : self.layout.hands] = decks
        return states


class PolicyMemories:
    """The memories of all seats before each turn, computed once while they are the same in every world.

    A policy's memory follows from what its seat has seen. It is the same in every world if the memory is public, or while every
    seat has followed a policy whose team shares its memory. From the turn `differ_from` on (one past the present if they never
    differ) each world has its own memories.

    `hand` is any hand that agrees with the clues. With `strict`, every partner has followed its policy in every world.
    """

    def __init__(self, history: SeatHistory, team: Team, lineup: Sequence[str], hand: Array, strict: bool) -> None:
        self._history, self._team, self._lineup = history, team, tuple(lineup)
        shared = strict and team.shares_memory
        deck = history.decks(hand)
        self._common = np.zeros((history.turns + 1, team.memories, team.saved_size), np.int64)
        self.differ_from = history.turns + 1 if team.memories == 1 or shared else 0
        memories = team.start(self._lineup, history.positions(0, deck), checked=False)
        for turn in range(history.turns + 1):
            if shared and turn <= self.differ_from:  # every seat's memory is that of the searching seat
                memories[:] = memories[:, history.seat if team.memories > 1 else 0, np.newaxis]
            self._common[turn] = memories[0]
            is_own = turn == history.turns or history.movers[turn] == history.seat
            choice = self._ask(turn, deck, memories[0]) if is_own else None
            if turn == history.turns:
                break
            if choice is not None and team.memories > 1 and choice[0] != history.actions[turn]:
                self.differ_from = min(self.differ_from, turn)
            self._take(turn, deck, memories)
        assert choice is not None
        self.own_choice = int(choice[0])

    def initial(self, hands: Array) -> Array:
        """The memories of each world before the turn `differ_from`: initial ones at the start, later the common ones."""
        if self.differ_from == 0:
            return self._team.start(self._lineup, self._history.positions(0, self._history.decks(hands)), checked=False)
        return np.repeat(self._common[self.differ_from][np.newaxis], len(hands), axis=0)

    def choices(self, turn: int, hands: Array, memories: Array) -> Array:
        """The actions that the policy of the seat to move would have chosen on a turn, seeing each of these hands."""
        return self._ask(turn, self._history.decks(hands), self._common[turn] if turn < self.differ_from else memories)

    def advance(self, turn: int, hands: Array, memories: Array) -> None:
        """Update the memories of each world by the action of a turn."""
        self._take(turn, self._history.decks(hands), memories)

    def now(self, memories: Array, hand_index: Array) -> tuple[Array, Array]:
        """The present memories, and for each world, given by the index of its hand, the index of its memories."""
        if self.differ_from > self._history.turns:
            return self._common[-1:], np.zeros(len(hand_index), np.int64)
        return np.ascontiguousarray(memories), hand_index.astype(np.int64)

    def _ask(self, turn: int, decks: Array, memories: Array) -> Array:
        return self._team.ask(self._lineup, self._history.positions(turn, decks), memories, checked=False)

    def _take(self, turn: int, decks: Array, memories: Array) -> None:
        actions = np.full(len(decks), self._history.actions[turn])
        self._team.advance(self._lineup, self._history.positions(turn, decks), memories, actions, checked=False)
