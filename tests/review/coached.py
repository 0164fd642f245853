"""Judgements to test with, without weighing anything, and a depth at which something is weighed in a moment."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tamaya import Game, Rules
from tamaya.record import Record, play_again
from tamaya.review.analysis import Judgement, points
from tamaya.review.evaluation import Depth, verdict_of
from tamaya.rules import Arrange
from tests.tables import careful_action

TINY = Depth(race=20, hands=6.0, error=2.0, worlds=8, check=4, recheck=6, more_hands=8.0)


def short_game(seed: int = 0, turns: int | None = None) -> Game:
    """A game with ten cards, over or not."""
    game, choice = Game(Rules(players=2, colours=1, hand_size=2), seed=seed), random.Random(seed)
    while game.to_move is not None and (turns is None or game.turn < turns):
        game.act(careful_action(game, choice))
    return game


def a_judgement(record: Record, turn: int, choice: random.Random) -> Judgement:
    """A judgement of a move as it might have come out."""
    before = play_again(record).game.at(turn - 1)
    assert before.to_move is not None
    moves = [move for move in record.moves if not isinstance(move, Arrange)]
    played, legal = str(moves[turn - 1]), [str(action) for action in before.legal_actions()]
    loss, error = points(choice.choice((0.0, 0.2, 0.5, 2.0))), points(choice.uniform(0, 0.3))
    value, best = points(choice.uniform(0, 20)), choice.choice(legal) if loss else played
    verdict = verdict_of(loss, error)
    return Judgement(
        turn=turn,
        seat=before.to_move,
        played=played,
        best=best,
        agreed=choice.choice((played, best, choice.choice(legal))),
        value=value,
        error=0.05,
        best_value=points(value + loss),
        loss=loss,
        loss_error=error,
        perfect=0.1,
        best_perfect=0.2,
        verdict=verdict,
        line=(best, "play 1", "discard 1") if verdict.is_flag else (),
    )


def imagined(record: Record, **how: Any) -> Iterator[Judgement]:
    """In place of `judgements`: something about every move, the same each time."""
    choice = random.Random(5)
    for turn in range(1, play_again(record).game.turn + 1):
        yield a_judgement(record, turn, choice)
