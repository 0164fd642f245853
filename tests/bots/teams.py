"""Games of bots, move by move."""

from __future__ import annotations

from collections.abc import Sequence

from tamaya.bots import Bot, BotSeat, make_bot
from tamaya.engine import Event, Game
from tamaya.rules import Rules
from tamaya.sim.deals import seed_of


def play_with(bot: str, rules: Rules, seed: int, number: int) -> Sequence[Event]:
    """All that happened in a game of a seed, played by one bot at all seats from views."""
    game = Game(rules, seed=seed_of(seed, number))
    play_out(game, [BotSeat(make_bot(bot)) for _ in range(rules.players)])
    return game.log


def play_out(game: Game, seated: Sequence[Bot | BotSeat]) -> None:
    """Let bots play a game to its end, from views; there is one for each seat."""
    while game.to_move is not None:
        game.act(seated[game.to_move].act(game.view(game.to_move)))
