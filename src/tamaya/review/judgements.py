"""The coach: what every move of a game was worth to the player who made it.

Only records come in here, of games that are over or were brought from elsewhere; each move is weighed from its player's view.
"""

from __future__ import annotations

from collections.abc import Iterator

from tamaya.engine import Game
from tamaya.record import Record, play_again
from tamaya.review.coaching import AGREEMENTS, Coaching, Judgement, no_coaching
from tamaya.review.weighing import ORDINARY, Depth, weigh
from tamaya.rules import Action, Arrange, IllegalError, say
from tamaya.search.beliefs import SEARCHER_NOISE, noise_of


def judge(record: Record, turn: int, *, depth: Depth = ORDINARY, seed: int = 0, speed: str = "compiled") -> Judgement:
    """What the move of a turn was worth; turns count from 1."""
    return _judge(record, play_again(record).game, turn, depth, seed, speed)


def judge_instead(record: Record, turn: int, action: Action, *, speed: str = "compiled") -> Judgement:
    """What another move would have been worth than that of a turn, to the same player."""
    return _weigh(record, play_again(record).game, turn, action, ORDINARY, 0, speed)


def judgements(record: Record, *, depth: Depth = ORDINARY, seed: int = 0, speed: str = "compiled") -> Iterator[Judgement]:
    """What the moves of a game were worth, one after the other."""
    game = play_again(record).game
    for turn in range(1, game.turn + 1):
        yield _judge(record, game, turn, depth, seed, speed)


def coaching_of(record: Record, *, depth: Depth = ORDINARY, seed: int = 0, speed: str = "compiled") -> Coaching:
    """The whole game, judged here and now."""
    judged = tuple(judgements(record, depth=depth, seed=seed, speed=speed))
    return no_coaching(record).and_also(judged)


def _judge(record: Record, game: Game, turn: int, depth: Depth, seed: int, speed: str) -> Judgement:
    if not 1 <= turn <= game.turn:
        raise IllegalError("no_such_turn", say("This game has turns from {first} to {last}.", first=1, last=game.turn))
    moves = [move for move in record.moves if not isinstance(move, Arrange)]
    return _weigh(record, game, turn, moves[turn - 1], depth, seed, speed)


def _weigh(record: Record, game: Game, turn: int, action: Action, depth: Depth, seed: int, speed: str) -> Judgement:
    before = game.at(turn - 1)
    assert before.to_move is not None
    return weigh(before.view(before.to_move), action, noise_in(record), depth=depth, seed=seed, speed=speed)


def noise_in(record: Record) -> tuple[float, ...]:
    """How much each seat is assumed to deviate from the agreements. Not even a bot's is trusted blindly: some of its moves may
    be those of a guided deal, or of the person whose seat it took."""
    return tuple(max(SEARCHER_NOISE, noise) for noise in noise_of(record.bots, AGREEMENTS))
