"""Many games at once, by the same rules, advanced together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tamaya.bots.encoding import Sections, row_of
from tamaya.bots.encoding.cells import words_for
from tamaya.engine import Game
from tamaya.engine.game import checked_seed
from tamaya.engine.layout import ENDED, LAST_ACTION, RUNNING, SEAT, TURN
from tamaya.rules import Rules
from tamaya.sim import checks
from tamaya.sim.arrays import Array, apart, read_only, seed_rows, split_seeds, whole_seeds
from tamaya.sim.loops import Loops, loops
from tamaya.sim.partners import Partners, checked_partners
from tamaya.sim.saved import Saved, Tally
from tamaya.sim.settings import MOST_TURNS, BatchSettings
from tamaya.sim.sharing import Threads, Work
from tamaya.sim.speeds import SPEEDS

MOST_THREADS = 1024


class Batch:
    """Games by given rules that advance together, each call for all of them.

    Place ``p`` of a batch of ``n`` games plays the games number p, p + n, p + 2n ... of the seed, each dealt by
    `tamaya.sim.seed_of`: when one ends, the next is dealt in the same call, unless ``automatic`` is off. ``rewards`` are the
    ``difference`` of the score that a turn makes, or the ``final`` score when a game ends; both take the points away that the
    rules take away at the last mistake, so over a game they add up to its score. An ``illegal`` action is refused with an
    error before anything changes (``raise``), replaced by any legal one (``mask``), or nothing happens in that game and its
    reward is the ``penalty`` (``penalise``); in the last two cases `illegal` marks it.

    `partners` are policies by the numbers of their seats, ``{1: "hat"}``. They take their turns by themselves, after a deal and
    in every `step`, so that the turn is always one of the other seats'; what they earn counts for the action before them.

    `legal`, `rewards`, `endings`, `scores` and `illegal` are always the same arrays, which the next call overwrites and which
    nobody else can write into: copy what you keep.
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
        partners: Mapping[int, str] | None = None,
    ) -> None:
        seed = checked_seed(seed)
        self.settings = BatchSettings(checks.rules(rules), games, rewards, illegal, penalty, automatic)
        self._threads = Threads(checks.whole("threads", threads, 1, MOST_THREADS))
        self.rules, self.layout, self.games = self.settings.rules, self.settings.layout, self.settings.games
        self.threads, self.speed = self._threads.count, checks.one_of("speed", speed, SPEEDS)
        self._loops: Loops = loops(self.rules, self.speed)
        self._closed = False
        seats = checked_partners(partners, self.rules.players)
        self._partners = Partners(self._loops, seats, self.games, self.threads) if seats else None
        self._players: Partners | None = None  # who played last, as long as nobody else has moved since
        self._states: Array = np.zeros((self.games, self.layout.size), np.uint8)
        self._seeds: Array = np.zeros((self.games, 2), np.uint32)
        self._legal: Array = np.zeros((self.games, self.layout.actions), np.uint8)
        self._rewards: Array = np.zeros(self.games, np.float32)
        self._endings, self._scores, self._illegal = (np.zeros(self.games, np.uint8) for _ in range(3))
        self.legal, self.rewards, self.endings = read_only(self._legal), read_only(self._rewards), read_only(self._endings)
        self.scores, self.illegal = read_only(self._scores), read_only(self._illegal)
        self.deal(seed)

    # Deals.

    def deal(self, seed: int | None = None, *, decks: Any = None, places: Any = None) -> None:
        """Begin anew: by a seed, with given decks (a row of card numbers each, top first), everywhere or in some places.

        Without a seed, some places go on with their next games, all places begin by chance.
        """
        self._check_open()
        where = checks.places(places, self.games)
        if decks is not None:
            decks = checks.decks(decks, len(where), self.layout)
        if seed is not None or places is None:
            seeds = seed_rows(checked_seed(seed), where)
        else:
            seeds = split_seeds(self.seeds[where] + np.uint64(self.games))
        states, masks = (self._states, self._legal) if places is None else (self._states[where], self._legal[where])
        if decks is None:
            self._share(lambda first, last, _: self._loops.deal(states, seeds, masks, first, last), len(where))
        else:
            states[:, self.layout.deck : self.layout.hands] = decks
            self._share(lambda first, last, _: self._loops.begin(states, masks, first, last), len(where))
        if places is not None:
            self._states[where], self._legal[where] = states, masks
        self._seeds[where] = seeds
        self._forget_outcomes(where)
        self._players = None
        if self._partners:
            before = self._partners.kept.copy()
            self._let_begin(self._partners)
            others = np.setdiff1d(np.arange(self.games), where)
            self._partners.kept[others] = before[others]
            self._let_partners_move(acts=False)

    def _forget_outcomes(self, where: Any = slice(None)) -> None:
        for array in (self._rewards, self._endings, self._scores, self._illegal):
            array[where] = 0

    @property
    def seeds(self) -> Array:
        """The seeds that dealt the games: ``Game(rules, seed=batch.seeds[p])`` deals one again, unless decks were given."""
        self._check_open()
        return whole_seeds(self._seeds)

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
        """Which games are not over."""
        self._check_open()
        return np.asarray(self._states[:, ENDED] == RUNNING)

    def step(self, actions: Any) -> Array:
        """Take an action in every game, by number; returns the rewards.

        A game that was over before takes any number; where games go on by themselves, it is dealt anew.
        """
        self._check_open()
        chosen = checks.actions(actions, self.games)
        if self.settings.illegal == "raise":
            self._refuse_illegal(chosen)
        self._players = None
        if self._partners:
            self._let_partners_move(chosen)
            return self.rewards
        settings = self.settings
        self._share(
            lambda first, last, _: self._loops.step(
                *self._games, chosen, self._rewards, self._endings, self._scores, self._illegal,
                first, last, self.games, settings.automatic, settings.illegal == "mask", settings.at_the_end, settings.fine,
            )
        )  # fmt: skip
        return self.rewards

    @property
    def _games(self) -> tuple[Array, Array, Array]:
        return self._states, self._seeds, self._legal

    def _let_begin(self, players: Partners) -> None:
        self._share(lambda first, last, thread: players.begin(self._states, first, last, thread))

    def _let_partners_move(self, chosen: Array | None = None, acts: bool = True) -> None:
        """Take the chosen actions, if there are any, and let the partners move until it is somebody else's turn."""
        partners, settings = self._partners, self.settings
        assert partners
        self._taken = np.zeros(self.games, np.int64) if chosen is None else chosen.copy()
        outcomes = (self._taken, self._rewards, self._endings, self._scores, self._illegal)
        ways = (settings.automatic, settings.illegal == "mask", settings.at_the_end, settings.fine)
        self._share(
            lambda first, last, thread: partners.step(self._games, outcomes, first, last, thread, self.games, acts, *ways)
        )

    @property
    def taken(self) -> Array:
        """The action that the last step took in each game, unless the game was dealt anew: the one that was given, or the legal
        one in place of an illegal one."""
        return self._taken if self._partners else self._states[:, LAST_ACTION].astype(np.int64)

    def _refuse_illegal(self, chosen: Array) -> None:
        game = self._loops.find_illegal(self._states, self._legal, chosen, 0, self.games)
        if game < self.games:
            raise checks.illegal_action(game, int(chosen[game]), self._legal[game])

    def play(self, turns: int, policy: str = "random") -> Tally:
        """Let a policy take so many turns at all seats of every game, new games following on old ones.

        It remembers the games from one call to the next. In games that others have moved in, it begins in the middle: with what
        lies on the table and what clues have told, but without having seen how it came to that.
        """
        self._check_open()
        turns, name = checks.whole("turns", turns, 1, MOST_TURNS), str(policy)
        seats = dict.fromkeys(range(self.rules.players), name)
        if self._players is None or self._players.seats != seats:
            self._players = Partners(self._loops, seats, self.games, self.threads)
            self._let_begin(self._players)
        players, tallies = self._players, apart(self.threads, self.rules.maximum + 2, np.int64)
        self._share(
            lambda first, last, thread: players.play(self._games, tallies[thread], first, last, thread, self.games, turns)
        )
        if self._partners:
            self._let_begin(self._partners)
            self._let_partners_move(acts=False)
        return Tally.of(tallies.sum(axis=0)[: self.rules.maximum + 2], turns * self.games)

    # Looking.

    def sections(self, encoder: str = "canonical") -> Sections:
        """The named parts of an observation."""
        return self.settings.sections(encoder)

    def observe(
        self,
        encoder: str = "canonical",
        *,
        kind: str = "uint8",
        seat: int | None = None,
        places: Any = None,
        out: Any = None,
    ) -> Array:
        """What a seat sees, by default the one to move, in every game or in some; into a buffer of yours if you give one."""
        self._check_open()
        width, cells = row_of(encoder, kind, self.layout)
        states = self._states if places is None else self._states[checks.places(places, self.games)]
        shape = (len(states), width)
        seen: Array = np.empty(shape, cells) if out is None else checks.buffer(out, shape, cells)
        observer, loop = self.settings.seat(seat), self._loops.observe(encoder, kind)
        words = apart(self.threads, words_for(self.sections(encoder).size), np.uint32)
        counts = apart(self.threads, len(self.layout.copies), np.uint8)
        self._share(
            lambda first, last, thread: loop(states, words[thread], counts[thread], seen, observer, first, last), len(states)
        )
        return seen

    def game(self, place: int) -> Game:
        """One of the games as an object of its own, with its position but no past."""
        self._check_open()
        return Game.from_state(self.rules, self._states[checks.whole("place", place, 0, self.games - 1)].tobytes())

    # Other worlds.

    def save(self) -> Saved:
        """The position of every game, to come back to."""
        self._check_open()
        memories = self._partners.kept.copy() if self._partners else None
        return Saved(self.rules, self._states.copy(), self._seeds.copy(), memories)

    def restore(self, saved: Saved) -> None:
        """Come back to what was saved, from this batch or another by the same rules and of the same size."""
        self._check_open()
        states, seeds = checks.saved(saved, self.rules, self.games, self.layout)
        masks = np.zeros_like(self._legal)
        self._share(lambda first, last, _: self._loops.mark_legal(states, masks, first, last))
        if not (masks.any(axis=1) | (states[:, ENDED] != RUNNING)).all():
            raise checks.not_saved(self.games)
        self._states[:], self._seeds[:], self._legal[:] = states, seeds, masks
        self._forget_outcomes()
        self._players = None
        if self._partners and saved.memories is not None and saved.memories.shape == self._partners.kept.shape:
            self._partners.kept[:] = saved.memories
        elif self._partners:
            self._let_begin(self._partners)
            self._let_partners_move(acts=False)

    def clone(self) -> Batch:
        """Another batch in the same position that goes its own way."""
        self._check_open()
        return _revived(*self.__reduce__()[1])

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any], list[Array]]]:
        partners = self._partners.seats if self._partners else None
        choices = {
            **self.settings.as_arguments(),
            "threads": self.threads,
            "speed": self.speed,
            "seed": 0,
            "partners": partners,
        }
        return _revived, (choices, [array.copy() for array in self._arrays()])

    def _arrays(self) -> list[Array]:
        arrays = [*self._games, self._rewards, self._endings, self._scores, self._illegal]
        return [*arrays, self._partners.kept] if self._partners else arrays

    def resample(self, seat: int | None = None, *, seed: int | None = None, deck: bool = True) -> None:
        """Deal anew what a seat cannot see, by default the one to move: any world that agrees with all it knows. Without the
        deck, only the hand is dealt anew; the cards that it is exchanged with lie in the deck where those now held lay."""
        self._check_open()
        observer = self.settings.seat(seat)
        resample = self._loops.resample(deck)
        seeds = seed_rows(checked_seed(seed), np.arange(self.games))
        self._share(lambda first, last, _: resample(self._states, seeds, observer, first, last))
        self._share(lambda first, last, _: self._loops.mark_legal(self._states, self._legal, first, last))

    # The end.

    def _share(self, work: Work, games: int | None = None) -> None:
        self._threads.share(work, self.games if games is None else games)

    def close(self) -> None:
        """Give the threads back; the batch cannot be used any more."""
        self._threads.close()
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise checks.closed()

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _revived(choices: dict[str, Any], arrays: list[Array]) -> Batch:
    """A batch from what another one was made of and held."""
    batch = Batch(**choices)
    for mine, array in zip(batch._arrays(), arrays, strict=True):
        mine[:] = array
    return batch
