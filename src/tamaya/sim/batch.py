"""Batches: many games under the same rules, advanced together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamaya.bots.encoding import EncoderSetting, Sections, row_of
from tamaya.bots.encoding.cells import words_for
from tamaya.engine import Game
from tamaya.engine.game import checked_seed
from tamaya.engine.instances import Setting, instance_of
from tamaya.engine.layout import ENDED, LAST_ACTION, RUNNING, SEAT, TURN, Layout
from tamaya.rules import MalformedError, Rules, say
from tamaya.rules.errors import checked_integer
from tamaya.rules.ruleset import checked_rules
from tamaya.sim import deals, loops, validation
from tamaya.sim.batch_config import MAX_TURNS, BatchConfig, BatchPlayers, checked_partners
from tamaya.sim.loops import GameRows, ObservationRows, StepOptions, Steps
from tamaya.sim.speeds import SPEEDS
from tamaya.sim.speeds import speed as speed_of
from tamaya.sim.threads import Array, Threads, Work, apart, read_only, seed_rows, split_seeds, whole_seeds

MAX_THREADS = 1024
NO_MEMORIES: Array = np.zeros((0, 0, 0), np.int64)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The positions of a batch: for each game its state in bytes, the seed that dealt it, and its partners' memories."""

    rules: Rules
    states: Array
    seeds: Array
    memories: Array | None = None


@dataclass(frozen=True)
class ScoreCounts:
    """How many games ended with each score, how many were lost, and the number of moves."""

    scores: tuple[int, ...]
    lost: int
    moves: int

    @classmethod
    def of(cls, counts: Array, moves: int) -> ScoreCounts:
        """The counts from an array of games by score, followed by the lost games."""
        *scores, lost = (int(count) for count in counts)
        return cls(tuple(scores), lost, moves)

    @property
    def games(self) -> int:
        """The number of games that ended."""
        return sum(self.scores)

    @property
    def mean(self) -> float:
        """The mean score; NaN if no game ended."""
        return sum(score * count for score, count in enumerate(self.scores)) / self.games if self.games else float("nan")


class Batch:
    """Games under given rules that advance together, each call for all of them.

    Place ``p`` of a batch of ``n`` games plays the games number p, p + n, p + 2n ... of the seed, each dealt by
    `tamaya.sim.seed_of`: when one ends, the next is dealt in the same call, unless ``automatic`` is off. ``rewards`` are the
    ``difference`` that a turn makes to the score, or the ``final`` score when a game ends; both subtract the points that the
    rules take away at the last mistake, so over a game they add up to its score. An ``illegal`` action is refused with an error
    before anything changes (``raise``), replaced by any legal one (``mask``), or leaves the game unchanged for a reward of
    ``penalty`` (``penalise``); in the last two cases `illegal` marks it.

    `partners` are policies by seat number, ``{1: "hat"}``. They move automatically, after a deal and in every `step`, so that
    the turn is always another seat's; what they earn counts for the action before them.

    `legal`, `rewards`, `endings`, `scores` and `illegal` are always the same read-only arrays, which the next call overwrites:
    copy what you want to keep.
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
        self.config = BatchConfig(checked_rules(rules), games, rewards, illegal, penalty, automatic)
        self._threads = Threads(checked_integer("threads", threads, 1, MAX_THREADS))
        self.rules, self.layout, self.games = self.config.rules, self.config.layout, self.config.games
        self.threads, self.speed = self._threads.count, validation.one_of("speed", speed, SPEEDS)
        self._instance = instance_of(Setting(self.rules), speed_of(self.speed))
        self._closed = False
        self._partners = self._policies(checked_partners(partners, self.rules.players))
        self._players: BatchPlayers | None = None  # the policies that played last, until another call changes the games
        self._states: Array = np.zeros((self.games, self.layout.size), np.uint8)
        self._seeds: Array = np.zeros((self.games, 2), np.uint32)
        self._legal: Array = np.zeros((self.games, self.layout.actions), np.uint8)
        self._rewards: Array = np.zeros(self.games, np.float32)
        self._endings, self._scores, self._illegal = (np.zeros(self.games, np.uint8) for _ in range(3))
        self.legal, self.rewards, self.endings = read_only(self._legal), read_only(self._rewards), read_only(self._endings)
        self.scores, self.illegal = read_only(self._scores), read_only(self._illegal)
        self.deal(seed)

    def _policies(self, seats: Mapping[int, str]) -> BatchPlayers:
        return BatchPlayers(self.rules, speed_of(self.speed), seats, self.games, self.threads)

    # Deals.

    def deal(self, seed: int | None = None, *, decks: Any = None, places: Any = None) -> None:
        """Deal new games: by a seed, or with given decks (a row of card numbers each, top first), everywhere or in some places.

        Without a seed, the given places continue with their next games; a deal of all places is random.
        """
        self._check_open()
        where = validation.places(places, self.games)
        if decks is not None:
            decks = validation.decks(decks, len(where), self.layout)
        if seed is not None or places is None:
            seeds = seed_rows(checked_seed(seed), where)
        else:
            seeds = split_seeds(self.seeds[where] + np.uint64(self.games))
        states, masks = (self._states, self._legal) if places is None else (self._states[where], self._legal[where])
        begin = self._instance(loops.deal_games if decks is None else loops.begin_games)
        if decks is not None:
            states[:, self.layout.deck : self.layout.hands] = decks
        dealt = GameRows(states, seeds, masks, NO_MEMORIES)
        self._map_ranges(lambda first, last, _: begin(dealt, first, last), len(where))
        if places is not None:
            self._states[where], self._legal[where] = states, masks
        self._seeds[where] = seeds
        self._forget_outcomes(where)
        self._players = None
        if self._partners.seats:
            before = self._partners.saved_memories.copy()
            self._start(self._partners)
            others = np.setdiff1d(np.arange(self.games), where)
            self._partners.saved_memories[others] = before[others]
            self._let_partners_move()

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
        """The seat to move in each game."""
        self._check_open()
        return self._states[:, SEAT].copy()

    @property
    def turns(self) -> Array:
        """The number of actions taken in each game."""
        self._check_open()
        return self._states[:, TURN].copy()

    @property
    def running(self) -> Array:
        """Which games are not over."""
        self._check_open()
        return np.asarray(self._states[:, ENDED] == RUNNING)

    def step(self, actions: Any) -> Array:
        """Take an action in every game, by number; returns the rewards. A finished game ignores it; if ``automatic`` is on, the
        next game is dealt there."""
        self._check_open()
        chosen = validation.actions(actions, self.games)
        if self.config.illegal == "raise":
            self._refuse_illegal(chosen)
        self._players = None
        self._step(chosen.copy(), self.config.step_options())
        return self.rewards

    def _games_of(self, players: BatchPlayers) -> GameRows:
        return GameRows(self._states, self._seeds, self._legal, players.saved_memories)

    def _start(self, players: BatchPlayers) -> None:
        games = self._games_of(players)
        self._map_ranges(lambda first, last, thread: players.start(games, first, last, thread))

    def _let_partners_move(self) -> None:
        """Play the partners' turns until one of the caller's seats is to move."""
        self._step(np.zeros(self.games, np.int64), self.config.step_options(acts=False))

    def _step(self, actions: Array, options: StepOptions) -> None:
        """Take the actions, if the options say so, and play the partners' turns until one of the caller's seats is to move."""
        partners, self._taken = self._partners, actions
        games = self._games_of(partners)
        steps = Steps(actions, self._rewards, self._endings, self._scores, self._illegal)
        self._map_ranges(lambda first, last, thread: partners.step(games, steps, options, first, last, thread, self.games))

    @property
    def taken(self) -> Array:
        """The action that the last step took in each game: the one given, or a legal one. Undefined where it dealt a game."""
        return self._taken if self._partners.seats else self._states[:, LAST_ACTION].astype(np.int64)

    def _refuse_illegal(self, chosen: Array) -> None:
        game = self._instance(loops.find_illegal)(self._games_of(self._partners), chosen, 0, self.games)
        if game < self.games:
            raise validation.illegal_action(game, int(chosen[game]), self._legal[game])

    def play(self, turns: int, policy: str = "random") -> ScoreCounts:
        """Play this many turns of every game with one policy at all seats, dealing a new game when one ends.

        The policy remembers games from one call to the next, and joins games that other calls have moved in the middle.
        """
        self._check_open()
        turns, name = checked_integer("turns", turns, 1, MAX_TURNS), str(policy)
        seats = dict.fromkeys(range(self.rules.players), name)
        if self._players is None or self._players.seats != seats:
            self._players = self._policies(seats)
            self._start(self._players)
        players, counts = self._players, apart(self.threads, self.rules.maximum + 2, np.int64)
        games = self._games_of(players)
        self._map_ranges(
            lambda first, last, thread: players.play(games, counts[thread], first, last, thread, self.games, turns)
        )
        if self._partners.seats:
            self._start(self._partners)
            self._let_partners_move()
        return ScoreCounts.of(counts.sum(axis=0)[: self.rules.maximum + 2], turns * self.games)

    # Looking.

    def sections(self, encoder: str = "canonical") -> Sections:
        """The named sections of an observation."""
        return self.config.sections(encoder)

    def observe(
        self,
        encoder: str = "canonical",
        *,
        kind: str = "uint8",
        seat: int | None = None,
        places: Any = None,
        out: Any = None,
    ) -> Array:
        """What a seat sees, by default the one to move, in every game or in some; written to the buffer ``out`` if given."""
        self._check_open()
        width, cells = row_of(encoder, kind, self.layout)
        states = self._states if places is None else self._states[validation.places(places, self.games)]
        shape = (len(states), width)
        seen: Array = np.empty(shape, cells) if out is None else validation.buffer(out, shape, cells)
        observer = self.config.seat(seat)
        observe = instance_of(EncoderSetting(self.rules, encoder, kind), speed_of(self.speed))(loops.observe_games)
        words = apart(self.threads, words_for(self.sections(encoder).size), np.uint32)
        counts = apart(self.threads, len(self.layout.copies), np.uint8)
        rows = [ObservationRows(words[thread], counts[thread], seen) for thread in range(self.threads)]
        self._map_ranges(lambda first, last, thread: observe(states, rows[thread], observer, first, last), len(states))
        return seen

    def game(self, place: int) -> Game:
        """One of the games as a `Game`, with its position but no history."""
        self._check_open()
        return Game.from_state(self.rules, self._states[checked_integer("place", place, 0, self.games - 1)].tobytes())

    # Snapshots, copies and resampling.

    def save(self) -> Snapshot:
        """A snapshot of the position of every game."""
        self._check_open()
        memories = self._partners.saved_memories.copy() if self._partners.seats else None
        return Snapshot(self.rules, self._states.copy(), self._seeds.copy(), memories)

    def restore(self, saved: Snapshot) -> None:
        """Restore a snapshot of this batch or of another with the same rules and size."""
        self._check_open()
        states, seeds = checked_snapshot(saved, self.rules, self.games, self.layout)
        masks = np.zeros_like(self._legal)
        games, mark = GameRows(states, seeds, masks, NO_MEMORIES), self._instance(loops.mark_legal)
        self._map_ranges(lambda first, last, _: mark(games, first, last))
        if not (masks.any(axis=1) | (states[:, ENDED] != RUNNING)).all():
            raise validation.bad_snapshot(self.games)
        self._states[:], self._seeds[:], self._legal[:] = states, seeds, masks
        self._forget_outcomes()
        self._players = None
        kept = self._partners.saved_memories
        if self._partners.seats and saved.memories is not None and saved.memories.shape == kept.shape:
            kept[:] = saved.memories
        elif self._partners.seats:
            self._start(self._partners)
            self._let_partners_move()

    def clone(self) -> Batch:
        """An independent copy of the batch in the same position."""
        self._check_open()
        return _revived(*self.__reduce__()[1])

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any], list[Array]]]:
        choices = {
            **self.config.as_arguments(),
            "threads": self.threads,
            "speed": self.speed,
            "seed": 0,
            "partners": self._partners.seats or None,
        }
        return _revived, (choices, [array.copy() for array in self._arrays()])

    def _arrays(self) -> list[Array]:
        arrays = [self._states, self._seeds, self._legal, self._rewards, self._endings, self._scores, self._illegal]
        return [*arrays, self._partners.saved_memories]

    def resample(self, seat: int | None = None, *, seed: int | None = None, deck: bool = True) -> None:
        """Resample what a seat cannot see, by default the one to move: any deal that agrees with all that it knows. With
        ``deck=False`` only its hand is resampled; the cards exchanged with it go where the new ones lay in the deck."""
        self._check_open()
        observer = self.config.seat(seat)
        resample = self._instance(deals.resample_games if deck else deals.resample_hands)
        seeds = seed_rows(checked_seed(seed), np.arange(self.games))
        games, mark = self._games_of(self._partners), self._instance(loops.mark_legal)
        self._map_ranges(lambda first, last, _: resample(self._states, seeds, observer, first, last))
        self._map_ranges(lambda first, last, _: mark(games, first, last))

    # Threads and closing.

    def _map_ranges(self, work: Work, games: int | None = None) -> None:
        self._threads.map_ranges(work, self.games if games is None else games)

    def close(self) -> None:
        """Stop the threads; the batch cannot be used afterwards."""
        self._threads.close()
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise validation.closed()

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def checked_snapshot(given: Snapshot, rules: Rules, games: int, layout: Layout) -> tuple[Array, Array]:
    """The positions of a snapshot that fits the batch, as new arrays."""
    if not isinstance(given, Snapshot) or given.rules != rules:
        other = say("What was saved belongs to other rules than those of this batch, {rules}.", rules=str(rules))
        raise MalformedError("bad_saved", other)
    states, seeds = given.states, given.seeds
    are_arrays = isinstance(states, np.ndarray) and isinstance(seeds, np.ndarray)
    shapes = are_arrays and states.shape == (games, layout.size) and seeds.shape == (games, 2)
    if not shapes or states.dtype != np.uint8 or seeds.dtype != np.uint32 or not validation.all_valid_states(states, layout):
        raise validation.bad_snapshot(games)
    return np.array(states, order="C"), np.array(seeds, order="C")


def _revived(choices: dict[str, Any], arrays: list[Array]) -> Batch:
    batch = Batch(**choices)
    for mine, array in zip(batch._arrays(), arrays, strict=True):
        mine[:] = array
    return batch
