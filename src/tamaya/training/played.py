"""Games that were saved, as rows for a network: what each player saw, could do and did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from tamaya import Game
from tamaya.engine.layout import HEIGHT
from tamaya.record import Record, read_file
from tamaya.rules import Arrange, Discard, Play, Rules, number_of
from tamaya.sim import Batch
from tamaya.sim.colours import action_order
from tamaya.training.features import Features
from tamaya.training.games import SEEN

OVER = -1
"""In place of an action of a game that has no more."""


class PlayedGame(NamedTuple):
    """A game that was played: the numbers of the cards of its deck, and of its actions."""

    deck: tuple[int, ...]
    actions: tuple[int, ...]


class Turns(NamedTuple):
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


def turns_of(games: Sequence[PlayedGame], rules: Rules, features: Features) -> Turns:
    """All turns of games, as their players saw them."""
    past = torch.zeros(len(games), features.past, dtype=torch.uint8)
    ended, parts = torch.zeros(len(games)), []
    with Batch(rules, len(games), seed=0, automatic=False, illegal="mask") as batch:
        batch.deal(decks=np.array([game.deck for game in games]))
        for actions in zip_longest(*(game.actions for game in games), fillvalue=OVER):
            seen, legal = torch.from_numpy(batch.observe(SEEN)), torch.from_numpy(np.array(batch.legal)).bool()
            taken = torch.tensor(actions)
            on = taken != OVER
            parts.append(Turns(features.rows(seen[on], past[on]), legal[on], taken[on]))
            batch.step(taken.clamp(min=0).numpy())
            past = features.shifted(past, seen, ended)
    return Turns(*map(torch.cat, zip(*parts, strict=True)))
