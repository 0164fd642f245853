"""How well a policy plays, always by its best action, on deals that are the same for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from tamaya.rules import Ending
from tamaya.sim.team import MOST_TURNS
from tamaya.training.features import Features
from tamaya.training.games import make_games
from tamaya.training.network import Judge
from tamaya.training.playing import Players
from tamaya.training.settings import TrainingSettings

DEALS = 7_000_000_000
"""The seed of the deals on which policies are measured while they learn; training begins with other seeds."""


@dataclass(frozen=True)
class Strength:
    """What many games came to, by the rules of the run."""

    games: int
    mean: float
    error: float
    perfect: float
    lost: float

    def as_json(self) -> dict[str, float]:
        """For a line of the curve."""
        return {"mean": round(self.mean, 4), "error": round(self.error, 4), "perfect": self.perfect, "lost": self.lost}


class Examiner:
    """Lets a policy play games, which it keeps at hand."""

    def __init__(self, settings: TrainingSettings, judge: Judge, device: str, games: int, seed: int = DEALS) -> None:
        rules = settings.read_rules()
        self._games, self._seed, self._most = make_games(rules, games, seed, device), seed, rules.maximum
        self._players = Players(self._games, Features(rules, settings.past, torch.device(device)), judge)

    def measure(self, seats: Sequence[Judge] = ()) -> Strength:
        """The strength of the policy as it is now, or of those that sit at each of the seats."""
        self._games.deal(self._seed)
        scores, endings = self._players.play_greedily(MOST_TURNS, seats)
        points = scores.double()
        error = float(points.std() / len(points) ** 0.5)
        perfect, lost = (float(share.double().mean()) for share in (scores == self._most, endings >= Ending.MISTAKES))
        return Strength(len(points), float(points.mean()), error, perfect, lost)
