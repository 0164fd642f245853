"""The worlds that a seat can be in: what it may hold and what may lie in the deck.

Every order of the cards that a seat cannot see is equally likely at first, as far as it agrees with the clues given to its
hand. What its partners did counts as well: in a world in which a partner's policy would have acted otherwise, either the
partner does not follow it or the world is not the real one. The *softness* of that partner's seat is the factor by which each
turn that does not fit makes a world less likely: 0 rules it out, 0.2 makes it five times less likely, 1 says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tamaya.search.budget import ENDLESS, Clock
from tamaya.search.hands import HandTrier, PossibleHands, Recollection
from tamaya.search.memories import Memories
from tamaya.search.trace import Trace
from tamaya.sim.team import Team
from tamaya.sim.threads import Array

CHUNK = 256
"""Hands that are tried together."""
STAGES = 8
"""In how many steps the partners' turns are taken in."""
ENOUGH = 48
"""Hands that must fit before the next step, if so many are found in `PATIENCE` chunks."""
PATIENCE = 6
RELEARN = 4
"""After how many chunks the hands that were found say anew what to try."""
EASY = 0.05
"""With so large a share of the hands fitting at first, they need not be narrowed down step by step."""
FAINTEST = -8.0
"""Hands with which partners would be less likely to have done what they did by more than this, as a logarithm, than with the
best fitting one are not followed any further."""


@dataclass(frozen=True)
class Worlds:
    """Some worlds: decks, one a row; how likely each is; the memories that the policies have in them, and which of these goes
    with each world; which hand is held in it. `exact` says that there are no others. `fitting` says how many equally likely
    hands would say as much."""

    decks: Array
    shares: Array
    memories: Array
    whose: Array
    held: Array
    fitting: float
    exact: bool = False

    def __len__(self) -> int:
        return len(self.decks)

    @property
    def likeliest(self) -> Worlds:
        """The one that is most likely."""
        place = slice(first := int(self.shares.argmax()), first + 1)
        return Worlds(self.decks[place], np.ones(1), self.memories, self.whose[place], self.held[place], self.fitting)


class Belief:
    """What a seat can believe about the cards that it does not see, while its partners play by these policies.

    `lineup` names the policy of each seat; the seat itself is not asked what it would have done. Hands that fitted at an
    earlier turn (`before`) say where to look first.
    """

    def __init__(
        self,
        trace: Trace,
        team: Team,
        lineup: Sequence[str],
        softness: Sequence[float],
        seed: int = 0,
        before: Recollection | None = None,
    ) -> None:
        self._trace, self._team, self._lineup = trace, team, tuple(lineup)
        with np.errstate(divide="ignore"):
            self._doubt = np.log(np.array(softness, float))
        self._chance = np.random.default_rng([seed, trace.turns])
        self._trier = HandTrier(trace, self._chance)
        if before:
            self._trier.recall(before)
        self._partner_turns = np.flatnonzero(trace.movers != trace.seat)
        self._refused, self._asked = np.zeros(trace.turns), np.ones(trace.turns)
        strict = not any(np.delete(softness, trace.seat))
        self._memories = Memories(trace, team, self._lineup, self._trier.one_hand(), strict)

    @property
    def own_choice(self) -> int:
        """What the seat's own policy would do now."""
        return self._memories.own_choice

    # Hands.

    def hands(self, enough: float, tries: int, clock: Clock = ENDLESS) -> PossibleHands:
        """Hands that fit what all partners did: as many as say what `enough` equally likely ones would, or what is found.

        Late in a game one hand in thousands fits. So the partners' turns are taken in a few at a time, and each time the hands
        that still fit say which cards to try in which slot. Early on, where partners are not trusted much, or where the hands
        of an earlier turn say enough, there is no need for that.
        """
        begun = self.fitting(self._partner_turns, self._trier.draw(CHUNK))
        if begun.effective > EASY * CHUNK:
            return self._find(self._partner_turns, enough, tries, clock, begun)
        for known in self._steps():
            self._find(self._partner_turns[:known], ENOUGH, PATIENCE * CHUNK, clock)
        return self._find(self._partner_turns, enough, tries, clock)

    def _steps(self) -> Iterator[int]:
        """How many of the partners' turns are taken in, step by step, before all are."""
        turns = len(self._partner_turns)
        yield from sorted({turns * step // STAGES for step in range(1, STAGES)} - {0})

    def _find(self, turns: Array, enough: float, tries: int, clock: Clock, begun: PossibleHands | None = None) -> PossibleHands:
        if begun is not None:
            self._trier.learn(begun)
        found = begun or self.fitting(turns, self._trier.draw(CHUNK))
        for lot in range(1, tries // CHUNK):
            if found.effective >= enough or clock.is_over:
                break
            if lot % RELEARN == 0:
                self._trier.learn(found)
            found = found.and_also(self.fitting(turns, self._trier.draw(CHUNK)))
        self._trier.learn(found)
        return found

    def fitting(self, turns: Array, hands: PossibleHands) -> PossibleHands:
        """What is left of some hands after asking what the partners would have done in some turns. Where memories are the same
        in every world the most telling turns come first; the others have to be followed one after the other."""
        open_turns = turns[turns < self._memories.open]
        telling = self._refused[open_turns] / self._asked[open_turns]
        for turn in open_turns[np.argsort(-telling, kind="stable")]:
            if not len(hands):
                return hands
            hands = self._weighed(turn, hands, self._memories.choices(turn, hands))
        return self._followed(turns, hands)

    def _followed(self, turns: Array, hands: PossibleHands) -> PossibleHands:
        """The same for the turns whose memories differ from world to world."""
        first, asked = self._memories.open, set(turns.tolist())
        if first > self._trace.turns:
            return hands
        hands = hands.with_memories(self._memories.opened(hands))
        for turn in range(first, self._trace.turns):
            if not len(hands) or (asked and turn > max(asked)):
                break
            if turn in asked:
                hands = self._weighed(turn, hands, self._memories.choices(turn, hands))
            self._memories.advance(turn, hands)
        return hands

    def _weighed(self, turn: int, hands: PossibleHands, choices: Array) -> PossibleHands:
        """The hands that are still likely after a partner's turn; whatever does not fit is less so."""
        fits = choices == self._trace.actions[turn]
        self._asked[turn] += len(hands)
        self._refused[turn] += len(hands) - fits.sum()
        doubts = hands.doubts + np.where(fits, 0.0, self._doubt[self._trace.movers[turn]])
        return hands.doubted(doubts).only(doubts > doubts.max() + FAINTEST if np.isfinite(doubts.max()) else fits)

    # Worlds.

    def worlds(self, hands: PossibleHands, count: int) -> Worlds:
        """So many worlds with these hands, each as often as it is likely, and the rest of the cards in any order."""
        trace = self._trace
        places = (np.arange(count) + self._chance.random()) / count
        which = np.minimum(np.searchsorted(hands.shares.cumsum(), places), len(hands) - 1)
        self._chance.shuffle(which)
        decks = trace.decks(hands.cards[which])
        in_deck = trace.hidden[len(trace.hand) :]
        decks[:, in_deck] = self._chance.permuted(decks[:, in_deck], axis=1)
        memories, whose = self._memories.now(hands, which)
        return Worlds(decks, np.full(count, 1 / count), memories, whose, which, hands.effective)

    def every_world(self, most: int) -> Worlds | None:
        """All worlds that fit, with how likely each is; nothing if there may be more than that."""
        trace = self._trace
        orders = self._trier.every_order(most)
        if orders is None:
            return None
        orders = self._chance.permutation(orders)  # so that the first of them are any
        cards, which = np.unique(orders[:, : len(trace.hand)], axis=0, return_inverse=True)
        hands = PossibleHands.of(cards)
        fitting = self.fitting(self._partner_turns, hands.numbered())
        if not len(fitting):
            return None
        place = np.full(len(cards), -1)
        place[fitting.numbers] = np.arange(len(fitting))
        chosen = place[which.ravel()]
        decks = np.tile(trace.some_deck, (len(orders), 1))
        decks[:, trace.hidden] = orders
        decks, chosen = decks[chosen >= 0], chosen[chosen >= 0]
        likely = fitting.shares[chosen]
        memories, whose = self._memories.now(fitting, chosen)
        shares = likely / likely.sum()
        return Worlds(np.ascontiguousarray(decks), shares, memories, whose, chosen, fitting.effective, exact=True)
