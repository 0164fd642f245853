"""What a seat can believe about the cards that it does not see: possible worlds and their probabilities.

At first every order of the unseen cards that agrees with the clues given to the seat's hand is equally likely. The partners'
actions count as well: if a partner's policy would have acted differently in a world, either the partner deviated from it or the
world is not the real one. The *noise* of that partner's seat is the factor by which each such turn makes a world less likely: 0
excludes it, 0.2 makes it five times less likely, 1 ignores what the partner did.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tamaya.bots.registry import known_bots
from tamaya.search.hand_sampling import HandSampler, HandSamples, PriorHands
from tamaya.search.history import PolicyMemories, SeatHistory
from tamaya.sim.team import Team
from tamaya.sim.threads import Array

PEOPLE_NOISE = 0.35
"""For people, and for bots with another policy: measured on games of people (`docs/review.md`)."""
SEARCHER_NOISE = 0.05
"""For bots that play by the policy and occasionally deviate from it."""
CHUNK = 256
"""The number of hands that are drawn and tested together."""
STAGES = 8
"""The number of steps in which the partners' turns are considered."""
STAGE_HANDS = 48
"""The effective number of hands that a step looks for, in at most `STAGE_CHUNKS` chunks."""
STAGE_CHUNKS = 6
LEARN_EVERY = 4
"""The number of chunks after which the hands found so far adjust what is drawn."""
EASY_SHARE = 0.05
"""If more of the first hands than this are consistent, no steps are needed."""
MIN_LOG_LIKELIHOOD = -8.0
"""The least log-likelihood, relative to the best hand's, of hands that are kept."""


def noise_of(seats: Sequence[str | None], policy: str) -> tuple[float, ...]:
    """The noise of each seat by the bot that plays there; an empty name means a person."""
    searching = {name for name, entry in known_bots().items() if entry.base_policy == policy}
    return tuple(0.0 if bot == policy else SEARCHER_NOISE if bot in searching else PEOPLE_NOISE for bot in seats)


class Deadline:
    """The time limit of a computation, if any."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and time.monotonic() >= self._end


NO_DEADLINE = Deadline(None)


@dataclass(frozen=True)
class Worlds:
    """Some worlds: decks, one per row, and their probabilities; the policies' memories, and for each world the index of its
    memories and of its hand. `exact` says that there are no other worlds. The hands are as informative as `effective_hands`
    equally likely ones."""

    decks: Array
    weights: Array
    memories: Array
    memory_index: Array
    hand_index: Array
    effective_hands: float
    exact: bool = False

    def __len__(self) -> int:
        return len(self.decks)

    @property
    def most_likely(self) -> Worlds:
        """The most likely world alone."""
        row = slice(first := int(self.weights.argmax()), first + 1)
        memory_index, hand_index = self.memory_index[row], self.hand_index[row]
        return Worlds(self.decks[row], np.ones(1), self.memories, memory_index, hand_index, self.effective_hands)


class Belief:
    """The worlds that a seat considers possible, given the policies and the noise of its partners.

    `lineup` names the policy of each seat; the searching seat's own past actions are not compared with its policy. `prior` are
    hands found at an earlier turn, which are tried first.
    """

    def __init__(
        self,
        history: SeatHistory,
        team: Team,
        lineup: Sequence[str],
        noise: Sequence[float],
        seed: int = 0,
        prior: PriorHands | None = None,
    ) -> None:
        self._history, self._team, self._lineup = history, team, tuple(lineup)
        with np.errstate(divide="ignore"):
            self._log_noise = np.log(np.array(noise, float))
        self._random = np.random.default_rng([seed, history.turns])
        self._sampler = HandSampler(history, self._random)
        if prior:
            self._sampler.use(prior)
        self._partner_turns = np.flatnonzero(history.movers != history.seat)
        self._refuted, self._asked = np.zeros(history.turns), np.ones(history.turns)
        strict = not any(np.delete(noise, history.seat))
        self._memories = PolicyMemories(history, team, self._lineup, self._sampler.any_hand(), strict)

    @property
    def own_choice(self) -> int:
        """The action that the seat's own policy would choose now."""
        return self._memories.own_choice

    # Hands.

    def hands(self, target: float, tries: int, deadline: Deadline = NO_DEADLINE) -> HandSamples:
        """Draw hands that are consistent with all partners' actions until their effective number is `target`, or `tries` draws
        or the time are used up.

        Late in a game one hand in thousands is consistent. So the partners' turns are considered a few at a time, and after
        each step the consistent hands tell which cards to try in which slot. Where enough hands are consistent from the start,
        this is not needed: early in a game, with much noise, or with good prior hands.
        """
        first = self.consistent(self._partner_turns, self._sampler.draw(CHUNK))
        if first.effective_size > EASY_SHARE * CHUNK:
            return self._find(self._partner_turns, target, tries, deadline, first)
        for known in self._steps():
            self._find(self._partner_turns[:known], STAGE_HANDS, STAGE_CHUNKS * CHUNK, deadline)
        return self._find(self._partner_turns, target, tries, deadline)

    def _steps(self) -> Iterator[int]:
        """The numbers of partners' turns to consider in each step before all are considered."""
        turns = len(self._partner_turns)
        yield from sorted({turns * step // STAGES for step in range(1, STAGES)} - {0})

    def _find(
        self, turns: Array, target: float, tries: int, deadline: Deadline, first: HandSamples | None = None
    ) -> HandSamples:
        if first is not None:
            self._sampler.learn(first)
        found = first or self.consistent(turns, self._sampler.draw(CHUNK))
        for chunk in range(1, tries // CHUNK):
            if found.effective_size >= target or deadline.is_over:
                break
            if chunk % LEARN_EVERY == 0:
                self._sampler.learn(found)
            found = found.joined(self.consistent(turns, self._sampler.draw(CHUNK)))
        self._sampler.learn(found)
        return found

    def consistent(self, turns: Array, hands: HandSamples) -> HandSamples:
        """The hands that are consistent with the partners' actions in some turns, weighted by how well they agree.

        Turns in which memories are the same in every world are tested in any order, those that refuted the most hands first;
        the others have to be followed in sequence.
        """
        common_turns = turns[turns < self._memories.differ_from]
        refuted = self._refuted[common_turns] / self._asked[common_turns]
        for turn in common_turns[np.argsort(-refuted, kind="stable")]:
            if not len(hands):
                return hands
            hands = self._weighted(turn, hands)
        return self._followed(turns, hands)

    def _followed(self, turns: Array, hands: HandSamples) -> HandSamples:
        """The same for turns in which memories differ from world to world."""
        first, asked = self._memories.differ_from, set(turns.tolist())
        if first > self._history.turns:
            return hands
        hands = hands.with_memories(self._memories.initial(hands.cards))
        for turn in range(first, self._history.turns):
            if not len(hands) or (asked and turn > max(asked)):
                break
            if turn in asked:
                hands = self._weighted(turn, hands)
            self._memories.advance(turn, hands.cards, hands.memories)
        return hands

    def _weighted(self, turn: int, hands: HandSamples) -> HandSamples:
        """The hands that are still likely after a partner's turn; unexplained ones are less likely by the noise of the seat."""
        agrees = self._memories.choices(turn, hands.cards, hands.memories) == self._history.actions[turn]
        self._asked[turn] += len(hands)
        self._refuted[turn] += len(hands) - agrees.sum()
        likelihood = hands.log_likelihood + np.where(agrees, 0.0, self._log_noise[self._history.movers[turn]])
        best = likelihood.max()
        return hands.with_likelihood(likelihood).select(likelihood > best + MIN_LOG_LIKELIHOOD if np.isfinite(best) else agrees)

    # Worlds.

    def worlds(self, hands: HandSamples, count: int) -> Worlds:
        """Draw `count` worlds with these hands, each by its probability, and the other unseen cards in random order."""
        history = self._history
        places = (np.arange(count) + self._random.random()) / count
        which = np.minimum(np.searchsorted(hands.weights.cumsum(), places), len(hands) - 1)
        self._random.shuffle(which)
        decks = history.decks(hands.cards[which])
        in_deck = history.hidden[len(history.hand) :]
        decks[:, in_deck] = self._random.permuted(decks[:, in_deck], axis=1)
        memories, memory_index = self._memories.now(hands.memories, which)
        return Worlds(decks, np.full(count, 1 / count), memories, memory_index, which, hands.effective_size)

    def all_worlds(self, limit: int) -> Worlds | None:
        """All consistent worlds with their probabilities; None if there may be more than `limit`."""
        history = self._history
        orders = self._sampler.all_orders(limit)
        if orders is None:
            return None
        orders = self._random.permutation(orders)  # so that the first ones are a sample
        cards, which = np.unique(orders[:, : len(history.hand)], axis=0, return_inverse=True)
        hands = self.consistent(self._partner_turns, HandSamples.of(cards).indexed())
        if not len(hands):
            return None
        row = np.full(len(cards), -1)
        row[hands.index] = np.arange(len(hands))
        chosen = row[which.ravel()]
        decks = np.tile(history.any_deck, (len(orders), 1))
        decks[:, history.hidden] = orders
        decks, chosen = decks[chosen >= 0], chosen[chosen >= 0]
        likely = hands.weights[chosen]
        memories, memory_index = self._memories.now(hands.memories, chosen)
        weights = likely / likely.sum()
        return Worlds(np.ascontiguousarray(decks), weights, memories, memory_index, chosen, hands.effective_size, exact=True)
