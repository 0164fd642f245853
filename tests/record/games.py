"""Games to save, bring and take."""

from __future__ import annotations

import random

from tamaya import Game, Rules
from tamaya.record import Record
from tests.tables import careful_action


def a_record(rules: Rules | None = None, seed: int = 5, stop_at: int | None = None, names: tuple[str, ...] = ()) -> Record:
    """A game without rearrangements, which no other format can tell; one that is stopped, or goes to its end."""
    game = Game(rules or Rules(players=3), seed=seed)
    dice = random.Random(seed)
    while game.outcome is None and game.turn != stop_at:
        game.act(careful_action(game, dice))
    return Record.of(game, names or [f"player {seat}" for seat in range(game.rules.players)])
