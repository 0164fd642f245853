"""Coachings made up from a game: each judgement follows from what had happened by then, as real ones do."""

from __future__ import annotations

import random

from tamaya.engine import Game
from tamaya.record import Record, play_again
from tamaya.review.analysis import Coaching, Judgement, MoveVerdict, no_coaching, points
from tamaya.rules import Arrange, read_action

LOSSES = {MoveVerdict.BEST: 0.0, MoveVerdict.GOOD: 0.125, MoveVerdict.SLIP: 0.5, MoveVerdict.BLUNDER: 1.25}
LINE = 4


def made_up(record: Record, turns: int | None = None) -> Coaching:
    """A coaching of a game, or of its first turns. Only the lines of better moves depend on what lay ahead."""
    game = play_again(record).game
    moves = [str(move) for move in record.moves if not isinstance(move, Arrange)]
    told = moves if turns is None else moves[:turns]
    return no_coaching(record).and_also(_judgement(game, turn, move) for turn, move in enumerate(told, 1))


def _judgement(game: Game, turn: int, played: str) -> Judgement:
    before = game.at(turn - 1)
    seat = before.to_move
    assert seat is not None
    choice = random.Random(f"{turn} {played} {before.view(seat).hands}")
    others = [str(action) for action in before.legal_actions() if str(action) != played]
    verdict = choice.choice(list(MoveVerdict)) if others else MoveVerdict.BEST
    best = played if verdict is MoveVerdict.BEST else choice.choice(others)
    loss, expected = LOSSES[verdict], points(choice.uniform(15, 23))
    return Judgement(
        turn=turn,
        seat=seat,
        played=played,
        best=best,
        agreed=best,
        value=points(expected - loss),
        error=0.05,
        best_value=expected,
        loss=loss,
        loss_error=0.05,
        perfect=0.125,
        best_perfect=0.375 if verdict is MoveVerdict.BLUNDER else 0.125,
        verdict=verdict,
        line=_line(before, best) if verdict.is_flag else (),
    )


def _line(game: Game, best: str) -> tuple[str, ...]:
    """A better move and how it may have gone on, with the cards as they lay."""
    line, choice = [best], random.Random(str(game.reveal_deck()))
    game.act(read_action(best))
    while game.outcome is None and len(line) < LINE:
        line.append(str(choice.choice(game.legal_actions())))
        game.act(read_action(line[-1]))
    return tuple(line)
