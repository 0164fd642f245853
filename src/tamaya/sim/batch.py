"""Many games at once, by the same rules, advanced together."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tamaya.engine import Game
from tamaya.engine.game import checked_seed
from tamaya.engine.layout import ENDED, RUNNING, SEAT, TURN
from tamaya.rules import Rules
from tamaya.sim import checks
from tamaya.sim.arrays import Array, halves, seeds_of
from tamaya.sim.choices import POLICIES
from tamaya.sim.encoding import Sections, find_encoder
from tamaya.sim.encoding.bits import words_for
from tamaya.sim.loops import MOVER, Loops, loops
from tamaya.sim.saved import Saved, Tally
from tamaya.sim.speeds import SPEEDS

REWARDS = ("difference", "final")
ILLEGAL = ("raise", "mask", "penalise")


class Batch:
    """Games by given rules that advance together, each call for all of them.

    Place ``p`` of a batch of ``n`` games plays the games number p, p + n, p + 2n ... of the seed, each dealt by
    `tamaya.sim.seed_of`: when one ends, the next is dealt in the same call, unless ``automatic`` is off. ``rewards`` are the
    ``difference`` of the score that a turn makes, or the ``final`` score when a game ends; both take the points away that the
    rules take away at the last mistake, so over a game they add up to its score. An ``illegal`` action is refused with an
    error before anything changes (``raise``), replaced by any legal one (``mask``), or nothing happens in that game
    (``penalise``); in the last two cases `illegal` marks it and the ``penalty`` is added to its reward.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        games: int = 1,
        *,
        seed: int | None = None,
        threads: int = 1,
        automatic: bool = True,
        rewards: str = "difference",
        illegal: str = "raise",
        penalty: float = -1.0,
        speed: str = "compiled",
    ) -> None:
        self.rules = rules or Rules()
        self.games = checks.whole("games", games, 1)
        self.threads = checks.whole("threads", threads, 1)
        self.automatic, self.penalty = bool(automatic), float(penalty)
        self._final = checks.one_of("rewards", rewards, REWARDS) == "final"
        self._treatment = checks.one_of("illegal", illegal, ILLEGAL)
        self._loops: Loops = loops(self.rules, checks.one_of("speed", speed, SPEEDS))
        self.layout = self._loops.kernel.layout
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._closed = False
        self._states: Array = np.zeros((games, self.layout.size), np.uint8)
        self._seeds: Array = np.zeros((games, 2), np.uint32)
        self.legal: Array = np.zeros((games, self.layout.actions), np.uint8)
        self.rewards: Array = np.zeros(games, np.float32)
        self.endings: Array = np.zeros(games, np.uint8)
        self.scores: Array = np.zeros(games, np.uint8)
        self.illegal: Array = np.zeros(games, np.uint8)
        self.deal(seed)

    # Deals.

    def deal(self, seed: int | None = None, *, decks: Any = None, places: Any = None) -> None:
        """Begin anew: by a seed, with given decks (a row of card numbers each, top first), everywhere or in some places."""
        where = checks.places(places, self.games)
        if decks is not None:
            decks = checks.decks(decks, len(where), self.layout)
        if seed is not None or places is None:
            numbers = seeds_of(checked_seed(seed), where)
        else:
            numbers = self.seeds[where] + np.uint64(self.games)
        self._check_open()
        self._seeds[where] = halves(numbers)
        states, masks, seeds = self._states, self.legal, self._seeds
        if places is not None:
            states, masks, seeds = states[where], masks[where], seeds[where]
        if decks is None:
            self._share(lambda first, last, _: self._loops.deal(states, seeds, masks, first, last), len(where))
        else:
            states[:, self.layout.deck : self.layout.hands] = decks
            self._share(lambda first, last, _: self._loops.begin(states, masks, first, last), len(where))
        if places is not None:
            self._states[where], self.legal[where] = states, masks
        for array in (self.rewards, self.endings, self.scores, self.illegal):
            array[where] = 0

    @property
    def seeds(self) -> Array:
        """The seeds that dealt the games: ``Game(rules, seed=int(batch.seeds[p]))`` deals one of them again."""
        self._check_open()
        halves = self._seeds.astype(np.uint64)
        return (halves[:, 0] << np.uint64(32)) | halves[:, 1]

    # Turns.

    @property
    def to_move(self) -> Array:
        """The seat whose turn it is in each game."""
        self._check_open()
        return self._states[:, SEAT].copy()

    @property
    def turns(self) -> Array:
        """The actions taken in each game."""
        self._check_open()
        return self._states[:, TURN].copy()

    @property
    def running(self) -> Array:
        """Which games are not over: all of them where new games follow by themselves."""
        self._check_open()
        return np.asarray(self._states[:, ENDED] == RUNNING)

    def step(self, actions: Any) -> Array:
        """Take an action in every game, by number; returns the rewards. A finished game takes any number and stays."""
        self._check_open()
        chosen = checks.actions(actions, self.games)
        if self._treatment == "raise":
            self._refuse_illegal(chosen)
        self._share(
            lambda first, last, _: self._loops.step(
                self._states, self._seeds, self.legal, chosen, self.rewards, self.endings, self.scores, self.illegal,
                first, last, self.games, self.automatic, self._treatment == "mask", self._final, self.penalty,
            )
        )  # fmt: skip
        return self.rewards

    def _refuse_illegal(self, chosen: Array) -> None:
        game = self._loops.find_illegal(self._states, self.legal, chosen, 0, self.games)
        if game < self.games:
            raise checks.illegal_action(game, int(chosen[game]), self.legal[game])

    def play(self, turns: int, policy: str = "random") -> Tally:
        """Let a policy take so many turns in every game, new games following on old ones."""
        self._check_open()
        turns = checks.whole("turns", turns, 1)
        loop = self._loops.play(checks.one_of("policy", policy, tuple(POLICIES)))
        tallies = np.zeros((self.threads, self.rules.maximum + 2), np.int64)
        self._share(
            lambda first, last, thread: loop(
                self._states, self._seeds, self.legal, tallies[thread], first, last, self.games, turns
            )
        )
        total = tallies.sum(axis=0).tolist()
        return Tally(scores=tuple(total[:-1]), lost=total[-1], moves=turns * self.games)

    # Looking.

    def sections(self, encoder: str = "canonical") -> Sections:
        """The named parts of an observation."""
        return find_encoder(encoder, "float32").sections(self.layout)

    def observe(self, encoder: str = "canonical", *, kind: str = "uint8", seat: int | None = None, out: Any = None) -> Array:
        """What a seat sees in every game, by default the one to move; into a buffer of yours if you give one."""
        self._check_open()
        size = find_encoder(encoder, kind).sections(self.layout).size
        width, cells = (-(-size // 32), "uint32") if kind == "bits" else (size, kind)
        out = np.empty((self.games, width), cells) if out is None else checks.buffer(out, (self.games, width), cells)
        observer = MOVER if seat is None else checks.whole("seat", seat, 0, self.rules.players - 1)
        loop = self._loops.observe(encoder, kind)
        words = np.zeros((self.threads, words_for(size)), np.uint32)
        counts = np.zeros((self.threads, len(self.layout.copies)), np.uint8)
        self._share(lambda first, last, thread: loop(self._states, words[thread], counts[thread], out, observer, first, last))
        return out  # type: ignore[no-any-return]

    def game(self, place: int) -> Game:
        """One of the games as an object of its own, with its position but no past."""
        self._check_open()
        place = checks.whole("place", place, 0, self.games - 1)
        game = object.__new__(Game)
        game.__setstate__((self.rules, self._states[place].tobytes(), [], []))
        return game

    # Other worlds.

    def save(self) -> Saved:
        """The position of every game, to come back to."""
        self._check_open()
        return Saved(self.rules, self._states.copy(), self._seeds.copy())

    def restore(self, saved: Saved) -> None:
        """Come back to what was saved, from this batch or another by the same rules and of the same size."""
        self._check_open()
        states, seeds = checks.saved(saved, self.rules, self.games, self.layout)
        self._states[:], self._seeds[:] = states, seeds
        self._share(lambda first, last, _: self._loops.mark_legal(self._states, self.legal, first, last))

    def clone(self) -> Batch:
        """Another batch in the same position that goes its own way."""
        self._check_open()
        twin = Batch(
            self.rules, self.games, seed=0, threads=self.threads, automatic=self.automatic, penalty=self.penalty,
            rewards=REWARDS[self._final], illegal=self._treatment, speed=self._loops.speed.name,
        )  # fmt: skip
        twin.restore(self.save())
        return twin

    def resample(self, seat: int | None = None, *, seed: int | None = None) -> None:
        """Deal anew what a seat cannot see, by default the one to move: any world that agrees with all it knows."""
        self._check_open()
        observer = MOVER if seat is None else checks.whole("seat", seat, 0, self.rules.players - 1)
        seeds = halves(seeds_of(checked_seed(seed), np.arange(self.games)))
        self._share(lambda first, last, _: self._loops.resample(self._states, seeds, observer, first, last))
        self._share(lambda first, last, _: self._loops.mark_legal(self._states, self.legal, first, last))

    # Threads.

    def _share(self, work: Callable[[int, int, int], Any], games: int | None = None) -> None:
        """Let every thread do its share of the games."""
        total = self.games if games is None else games
        if self._pool is None:
            work(0, total, 0)
            return
        bounds = [total * thread // self.threads for thread in range(self.threads + 1)]
        list(self._pool.map(work, bounds[:-1], bounds[1:], range(self.threads)))

    def close(self) -> None:
        """Give back the threads and the games' memory; the batch cannot be used any more."""
        if self._pool is not None:
            self._pool.shutdown()
        self._states, self._closed = self._states[:0].copy(), True

    def _check_open(self) -> None:
        if self._closed:
            raise checks.closed()

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
