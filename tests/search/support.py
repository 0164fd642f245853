"""Games on their way, played by policies from views, in which somebody slips and hands are laid out anew."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from tamaya import Game, Rules
from tests.search.enumeration import company
from tests.tables import random_action, random_arrangement


def moments(
    rules: Rules, lineup: Sequence[str], seed: int, *, slips: float = 0.0, slipping: Sequence[int] = (), arranged: float = 0.1
) -> Iterator[Game]:
    """One game before each of its turns. The seats named slip now and then: they take any legal action instead of their
    bot's."""
    game, chance, bots = Game(rules, seed=seed), random.Random(seed), company(lineup)
    while game.to_move is not None:
        if chance.random() < arranged:
            game.arrange(random_arrangement(game, chance))
        yield game
        action = bots[game.to_move].act(game.view(game.to_move))
        if game.to_move in slipping and chance.random() < slips:
            action = random_action(game, chance)
        game.act(action)


def game_at(
    turn: int, rules: Rules, lineup: Sequence[str], seed: int, *, slips: float = 0.0, slipping: Sequence[int] = ()
) -> Game:
    """A game before a turn. Where nobody is named, the seat to move may have slipped."""
    seats = slipping or [turn % rules.players]
    return next(
        game for game in moments(rules, lineup, seed, slips=slips, slipping=seats, arranged=0.2) if game.turn == turn
    ).copy()
