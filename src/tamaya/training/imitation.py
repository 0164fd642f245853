"""Imitation learning: train a network to play as the players of saved games did."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import dropout, nll_loss

from tamaya import Game
from tamaya.engine.layout import HEIGHT, Layout
from tamaya.record import Record, read_file
from tamaya.rules import Arrange, Discard, Play, Rules, number_of
from tamaya.sim import Batch
from tamaya.sim.colour_permutations import action_order
from tamaya.training.config import TrainingSettings, command_for
from tamaya.training.environment import SEEN
from tamaya.training.model import Actor, Features, log_probabilities

PARTS = 10
"""The deals are split into this many parts, one to validate on and one to test on. There must be at least as many deals."""
MAX_EPOCHS_WITHOUT_IMPROVEMENT = 10
"""The epochs without improvement after which training stops."""
GAMES_AT_A_TIME = 1000
"""The games whose features are computed at a time."""
BATCH = 256
RATE = 1e-3
"""The default learning rate; it is constant."""
DECAY = 0.5
FEATURE_DROPOUT, HIDDEN_DROPOUT = 0.2, 0.3
AVERAGING = 0.01
"""The network that plays is a moving average of the trained one; each step moves it by this fraction."""


def split_by_deal(played: PlayedGames, seed: int) -> tuple[list[PlayedGame], ...]:
    """Split games into training, validation and test sets; all games of a deal are in one set."""
    deals = list(played.deals.values())
    random.Random(seed).shuffle(deals)
    part = len(deals) // PARTS
    return tuple([game for deal in some for game in deal] for some in (deals[2 * part :], deals[:part], deals[part : 2 * part]))


def accuracy_of(log_probs: Tensor, turns: Demonstrations, layout: Layout) -> dict[str, float]:
    """Return the fraction of moves that are the most likely ones: of all moves, and of each kind that occurs."""
    actions = turns.actions
    discards = actions < layout.play_action
    plays = ~discards & (actions < layout.colour_action) | (actions >= layout.announce_action)
    kinds = {"predicted": actions >= 0, "plays": plays, "discards": discards, "clues": ~plays & ~discards}
    right = (log_probs.argmax(1) == actions).double()
    return {name: round(float(right[kind].mean()), 4) for name, kind in kinds.items() if kind.any()}


class Imitator:
    """Trains an actor on demonstrations. Each epoch permutes the colours of every game at random."""

    def __init__(self, settings: TrainingSettings, played: PlayedGames) -> None:
        self.settings, self.rules, self._dice = settings, settings.read_rules(), random.Random(settings.seed)
        if len(played.deals) < PARTS:
            raise click.ClickException(f"Imitating takes games of {PARTS} deals at least by {settings.rules}: {played}.")
        torch.manual_seed(settings.seed)
        self.features = Features(self.rules, settings.history, torch.device("cpu"))
        self._games, *others = split_by_deal(played, settings.seed)
        self.held, self.test = (demonstrations_of(some, self.rules, self.features) for some in others)
        self.actor = Actor(self.features.size, settings.width, settings.layers, self.features.layout.actions)
        self._trained = deepcopy(self.actor)
        self._optimizer = torch.optim.AdamW(self._trained.parameters(), lr=settings.rate, weight_decay=DECAY)
        self.moves = 0

    def learn(self, end: float) -> Iterator[dict[str, float]]:
        """Train until the validation loss stops improving or the time ends; restore the best weights. Yields figures per
        epoch."""
        best, since, kept = math.inf, 0, deepcopy(self.actor.state_dict())
        while since < MAX_EPOCHS_WITHOUT_IMPROVEMENT and (time.monotonic() < end or not self.moves):
            self._train_epoch(end)
            log_probs = log_probabilities(self.actor.score_actions(self.held.rows), self.held.legal)
            surprise = float(nll_loss(log_probs, self.held.actions))
            since += 1
            if surprise < best:
                best, since, kept = surprise, 0, deepcopy(self.actor.state_dict())
            yield {"moves": self.moves, "surprise": surprise} | accuracy_of(log_probs, self.held, self.features.layout)
        self.actor.load_state_dict(kept)

    def _train_epoch(self, end: float) -> None:
        """Train on every game once, or on as many as there is time for."""
        games = [permute_colours(game, self.rules, self._order()) for game in self._games]
        self._dice.shuffle(games)
        for first in range(0, len(games), GAMES_AT_A_TIME):
            turns = demonstrations_of(games[first : first + GAMES_AT_A_TIME], self.rules, self.features)
            for some in torch.randperm(len(turns.actions)).split(BATCH):
                self._step(*(part[some] for part in turns))
                if time.monotonic() > end:
                    return

    def _order(self) -> list[int]:
        """Return a random order of the colours; a multicolour stays in place."""
        plain = self.rules.colours
        return [*self._dice.sample(range(plain), plain), *range(plain, len(self.rules.suits))]

    def _step(self, rows: Tensor, legal: Tensor, actions: Tensor) -> None:
        """Take one step of the optimiser, and update the moving average."""
        cells = dropout(rows.float(), FEATURE_DROPOUT)
        for layer in self._trained.hidden:
            cells = dropout(torch.relu(layer(cells)), HIDDEN_DROPOUT)
        self._optimizer.zero_grad()
        nll_loss(log_probabilities(self._trained.out(cells), legal), actions).backward()
        torch.nn.utils.clip_grad_norm_(self._trained.parameters(), self.settings.longest_step)
        self._optimizer.step()
        with torch.no_grad():
            for mean, last in zip(self.actor.parameters(), self._trained.parameters(), strict=True):
                mean.lerp_(last, AVERAGING)
        self.moves += len(actions)

    def test_accuracy(self) -> dict[str, float]:
        """Return the accuracy on the test set."""
        log_probs = log_probabilities(self.actor.score_actions(self.test.rows), self.test.legal)
        found = accuracy_of(log_probs, self.test, self.features.layout)
        return {"test_moves": len(self.test.actions), **found}

    def state(self) -> dict[str, Any]:
        """Return the state for a run's folder: a policy that plays but cannot be trained further."""
        return {
            "settings": self.settings.as_json(),
            "moves": self.moves,
            "rate": self.settings.rate,
            "actor": self.actor.state_dict(),
            "command": command_for("./dev train imitate RUN GAMES", self.settings, TrainingSettings(rate=RATE)),
        }


OVER = -1
"""The action of a game that has ended."""


class PlayedGame(NamedTuple):
    """A recorded game: the numbers of its deck's cards and of its actions."""

    deck: tuple[int, ...]
    actions: tuple[int, ...]


class Demonstrations(NamedTuple):
    """The features, legal actions and actions of recorded turns; each tensor has a row for a turn."""

    rows: Tensor
    legal: Tensor
    actions: Tensor


@dataclass(frozen=True)
class PlayedGames:
    """The games of some files that have the given rules, and how many were left out."""

    games: tuple[PlayedGame, ...]
    by_other_rules: int
    damaged: int

    @classmethod
    def read(cls, files: Iterable[Path], rules: Rules) -> PlayedGames:
        """Read files of any supported format; games that cannot be replayed to the last move are left out."""
        games, left_out = [], Counter[str]()
        for file in files:
            for entry in read_file(file):
                if entry.replay is None or entry.error:
                    left_out["damaged"] += 1
                elif entry.replay.record.rules != rules:
                    left_out["by_other_rules"] += 1
                elif entry.replay.record.moves:
                    games.append(_played_game(entry.replay.record))
        return cls(tuple(games), left_out["by_other_rules"], left_out["damaged"])

    def __str__(self) -> str:
        moves = sum(len(game.actions) for game in self.games)
        left_out = f"left out: {self.by_other_rules} by other rules, {self.damaged} that cannot be replayed"
        return f"{len(self.games)} games of {len(self.deals)} deals, {moves} moves ({left_out})"

    @property
    def deals(self) -> dict[tuple[int, ...], list[PlayedGame]]:
        """The games by their decks."""
        found: dict[tuple[int, ...], list[PlayedGame]] = {}
        for game in self.games:
            found.setdefault(game.deck, []).append(game)
        return found


def _played_game(record: Record) -> PlayedGame:
    """Return a game as numbers, with slots as if no hand had been rearranged."""
    shown, drawn = Game(record.rules, deck=record.deck), Game(record.rules, deck=record.deck)
    actions = []
    for move in record.moves:
        action, seat = move, shown.to_move
        if isinstance(move, (Play, Discard)) and seat is not None:
            card = shown.hand_numbers(seat)[move.slot]
            action = replace(move, slot=drawn.hand_numbers(seat).index(card))
        shown.move(move)
        if seat is None or isinstance(action, Arrange):
            continue
        drawn.move(action)
        number = number_of(action, record.rules, seat)
        assert number is not None
        actions.append(number)
    return PlayedGame(tuple(map(record.rules.cards.index, record.deck)), tuple(actions))


def permute_colours(game: PlayedGame, rules: Rules, order: Sequence[int]) -> PlayedGame:
    """Return the same game with its colours permuted: colour ``c`` becomes ``order[c]``."""
    numbers = action_order(rules, order).tolist()
    deck = tuple(order[card // HEIGHT] * HEIGHT + card % HEIGHT for card in game.deck)
    return PlayedGame(deck, tuple(numbers[action] for action in game.actions))


def demonstrations_of(games: Sequence[PlayedGame], rules: Rules, features: Features) -> Demonstrations:
    """Return all turns of games, as their players saw them."""
    history = torch.zeros(len(games), features.history, dtype=torch.uint8)
    ended, parts = torch.zeros(len(games)), []
    with Batch(rules, len(games), seed=0, automatic=False, illegal="mask") as batch:
        batch.deal(decks=np.array([game.deck for game in games]))
        for actions in zip_longest(*(game.actions for game in games), fillvalue=OVER):
            seen, legal = torch.from_numpy(batch.observe(SEEN)), torch.from_numpy(np.array(batch.legal)).bool()
            taken = torch.tensor(actions)
            on = taken != OVER
            parts.append(Demonstrations(features.rows(seen[on], history[on]), legal[on], taken[on]))
            batch.step(taken.clamp(min=0).numpy())
            history = features.shift_history(history, seen, ended)
    return Demonstrations(*map(torch.cat, zip(*parts, strict=True)))
