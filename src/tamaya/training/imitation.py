"""An imitation of people: a network that does what the players of saved games did, to stand in for them."""

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
from tamaya.sim.colours import action_order
from tamaya.training.config import TrainingSettings, command_for
from tamaya.training.environment import SEEN
from tamaya.training.model import Actor, Features, chances

PARTS = 10
"""Of so many parts of the deals, one says when to stop, and one is kept for the test. So there must be as many deals."""
PATIENCE = 10
"""Learning stops after so many rounds in which nothing got better."""
AT_ONCE = 1000
"""So many games are written out as rows at a time."""
BATCH = 256
RATE = 1e-3
"""The usual rate of learning; it stays the same."""
DECAY = 0.5
UNSEEN, IDLE = 0.2, 0.3
"""The parts of the features and of the hidden cells that are left out, others for each move."""
FOLLOWS = 0.01
"""By so much the network that plays follows the one that learns in each step: it is an average, which is steadier."""


def split(played: PlayedGames, seed: int) -> tuple[list[PlayedGame], ...]:
    """The games to learn from, those to stop by and those for the test; all games of a deal go the same way."""
    deals = list(played.deals.values())
    random.Random(seed).shuffle(deals)
    part = len(deals) // PARTS
    return tuple([game for deal in some for game in deal] for some in (deals[2 * part :], deals[:part], deals[part : 2 * part]))


def predicted(likely: Tensor, turns: Demonstrations, layout: Layout) -> dict[str, float]:
    """The part of moves that these chances predict, as the likeliest of all: of every move, and of each kind that there is."""
    actions = turns.actions
    discards = actions < layout.play_action
    plays = ~discards & (actions < layout.colour_action) | (actions >= layout.announce_action)
    kinds = {"predicted": actions >= 0, "plays": plays, "discards": discards, "clues": ~plays & ~discards}
    right = (likely.argmax(1) == actions).double()
    return {name: round(float(right[kind].mean()), 4) for name, kind in kinds.items() if kind.any()}


class Imitator:
    """Learns to do what players did. In each round it sees every game with its colours exchanged in another way."""

    def __init__(self, settings: TrainingSettings, played: PlayedGames) -> None:
        self.settings, self.rules, self._dice = settings, settings.read_rules(), random.Random(settings.seed)
        if len(played.deals) < PARTS:
            raise click.ClickException(f"Imitating takes games of {PARTS} deals at least by {settings.rules}: {played}.")
        torch.manual_seed(settings.seed)
        self.features = Features(self.rules, settings.past, torch.device("cpu"))
        self._games, *others = split(played, settings.seed)
        self.held, self.test = (turns_of(some, self.rules, self.features) for some in others)
        self.actor = Actor(self.features.size, settings.width, settings.layers, self.features.layout.actions)
        self._learning = deepcopy(self.actor)
        self._optimizer = torch.optim.AdamW(self._learning.parameters(), lr=settings.rate, weight_decay=DECAY)
        self.moves = 0

    def learn(self, end: float) -> Iterator[dict[str, float]]:
        """Learn until the moves of other games become no likelier, or until this moment; then go back to the best. Tells of
        each round."""
        best, since, kept = math.inf, 0, deepcopy(self.actor.state_dict())
        while since < PATIENCE and (time.monotonic() < end or not self.moves):
            self._learn_a_round(end)
            likely = chances(self.actor.judge(self.held.rows), self.held.legal)
            surprise = float(nll_loss(likely, self.held.actions))
            since += 1
            if surprise < best:
                best, since, kept = surprise, 0, deepcopy(self.actor.state_dict())
            yield {"moves": self.moves, "surprise": surprise} | predicted(likely, self.held, self.features.layout)
        self.actor.load_state_dict(kept)

    def _learn_a_round(self, end: float) -> None:
        """Every game once, or as many as there is time for."""
        games = [repainted(game, self.rules, self._order()) for game in self._games]
        self._dice.shuffle(games)
        for first in range(0, len(games), AT_ONCE):
            turns = turns_of(games[first : first + AT_ONCE], self.rules, self.features)
            for some in torch.randperm(len(turns.actions)).split(BATCH):
                self._step(*(part[some] for part in turns))
                if time.monotonic() > end:
                    return

    def _order(self) -> list[int]:
        """Colours in another order; a multicolour stays where it is."""
        plain = self.rules.colours
        return [*self._dice.sample(range(plain), plain), *range(plain, len(self.rules.suits))]

    def _step(self, rows: Tensor, legal: Tensor, actions: Tensor) -> None:
        """Learn from some moves; who plays follows who learns on average, which is steadier."""
        cells = dropout(rows.float(), UNSEEN)
        for layer in self._learning.hidden:
            cells = dropout(torch.relu(layer(cells)), IDLE)
        self._optimizer.zero_grad()
        nll_loss(chances(self._learning.out(cells), legal), actions).backward()
        torch.nn.utils.clip_grad_norm_(self._learning.parameters(), self.settings.longest_step)
        self._optimizer.step()
        with torch.no_grad():
            for mean, last in zip(self.actor.parameters(), self._learning.parameters(), strict=True):
                mean.lerp_(last, FOLLOWS)
        self.moves += len(actions)

    def examined(self) -> dict[str, float]:
        """What it predicts of the games that were kept for the test."""
        found = predicted(chances(self.actor.judge(self.test.rows), self.test.legal), self.test, self.features.layout)
        return {"test_moves": len(self.test.actions), **found}

    def state(self) -> dict[str, Any]:
        """What a run's folder keeps of a policy that can play but not go on to learn."""
        return {
            "settings": self.settings.as_json(),
            "moves": self.moves,
            "rate": self.settings.rate,
            "actor": self.actor.state_dict(),
            "command": command_for("./dev train imitate RUN GAMES", self.settings, TrainingSettings(rate=RATE)),
        }


OVER = -1
"""In place of an action of a game that has no more."""


class PlayedGame(NamedTuple):
    """A game that was played: the numbers of the cards of its deck, and of its actions."""

    deck: tuple[int, ...]
    actions: tuple[int, ...]


class Demonstrations(NamedTuple):
    """What players saw, could do and did; each tensor has a row for a turn."""

    rows: Tensor
    legal: Tensor
    actions: Tensor


@dataclass(frozen=True)
class PlayedGames:
    """The games of some files by the rules that are wanted, and how many were left out."""

    games: tuple[PlayedGame, ...]
    by_other_rules: int
    damaged: int

    @classmethod
    def read(cls, files: Iterable[Path], rules: Rules) -> PlayedGames:
        """Read files of any format; a game that cannot be replayed to its last move is left out."""
        games, left_out = [], Counter[str]()
        for file in files:
            for entry in read_file(file):
                if entry.replay is None or entry.error:
                    left_out["damaged"] += 1
                elif entry.replay.record.rules != rules:
                    left_out["by_other_rules"] += 1
                elif entry.replay.record.moves:
                    games.append(_played(entry.replay.record))
        return cls(tuple(games), left_out["by_other_rules"], left_out["damaged"])

    def __str__(self) -> str:
        moves = sum(len(game.actions) for game in self.games)
        left_out = f"left out: {self.by_other_rules} by other rules, {self.damaged} that cannot be replayed"
        return f"{len(self.games)} games of {len(self.deals)} deals, {moves} moves ({left_out})"

    @property
    def deals(self) -> dict[tuple[int, ...], list[PlayedGame]]:
        """The games of each deal, by its deck."""
        found: dict[tuple[int, ...], list[PlayedGame]] = {}
        for game in self.games:
            found.setdefault(game.deck, []).append(game)
        return found


def _played(record: Record) -> PlayedGame:
    """A game in numbers, with every slot where it would be had nobody rearranged a hand."""
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


def repainted(game: PlayedGame, rules: Rules, order: Sequence[int]) -> PlayedGame:
    """The same game with its colours exchanged: ``order[c]`` is the colour that colour ``c`` is painted in."""
    numbers = action_order(rules, order).tolist()
    deck = tuple(order[card // HEIGHT] * HEIGHT + card % HEIGHT for card in game.deck)
    return PlayedGame(deck, tuple(numbers[action] for action in game.actions))


def turns_of(games: Sequence[PlayedGame], rules: Rules, features: Features) -> Demonstrations:
    """All turns of games, as their players saw them."""
    past = torch.zeros(len(games), features.past, dtype=torch.uint8)
    ended, parts = torch.zeros(len(games)), []
    with Batch(rules, len(games), seed=0, automatic=False, illegal="mask") as batch:
        batch.deal(decks=np.array([game.deck for game in games]))
        for actions in zip_longest(*(game.actions for game in games), fillvalue=OVER):
            seen, legal = torch.from_numpy(batch.observe(SEEN)), torch.from_numpy(np.array(batch.legal)).bool()
            taken = torch.tensor(actions)
            on = taken != OVER
            parts.append(Demonstrations(features.rows(seen[on], past[on]), legal[on], taken[on]))
            batch.step(taken.clamp(min=0).numpy())
            past = features.shifted(past, seen, ended)
    return Demonstrations(*map(torch.cat, zip(*parts, strict=True)))
