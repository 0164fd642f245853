"""The analysis of a game as data: what every move was worth to the player who made it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import msgspec

from tamaya.record import Record, play_again

AGREEMENTS = "convention"
"""The policy by which all players are assumed to play on."""
UNFINISHED_ENDINGS = ("terminated", "timeout", "unfinished")
"""Endings of games whose score says little."""
PARTS_OF_A_POINT = 1000
"""Points are stored in thousandths."""


class MoveGrade(Enum):
    """The grade of a move, from its loss and the certainty of that."""

    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    BLUNDER = "blunder"

    @property
    def is_flag(self) -> bool:
        """Whether the move was wrong beyond doubt."""
        return self in (MoveGrade.SLIP, MoveGrade.BLUNDER)


class MoveAnalysis(msgspec.Struct, frozen=True):
    """What a move was worth, by what its player knew.

    `turn` counts from 1, as in events. Actions are text. `value` is the expected score after the move played, `best_value` that
    after the best one; `loss` is how much more the best is worth in the same worlds, never below 0. `agreed` is the move by the
    agreements of `convention`. With too few worlds that fit what the partners did, the analysis is `doubtful`. A slip or a
    blunder has a `line`: the better move and a likely continuation.
    """

    turn: int
    seat: int
    played: str
    best: str
    agreed: str
    value: float
    error: float
    best_value: float
    loss: float
    loss_error: float
    perfect: float
    best_perfect: float
    verdict: MoveGrade
    doubtful: bool = False
    line: tuple[str, ...] = ()


class GameAnalysis(msgspec.Struct, frozen=True):
    """The analysed moves of a game, in order, as far as they are computed; `turns` is the number of its turns and `score` its
    score, None if it was stopped before its end."""

    judgements: tuple[MoveAnalysis, ...]
    turns: int
    score: int | None = None

    @property
    def finished(self) -> bool:
        """Whether every turn is analysed."""
        return len(self.judgements) == self.turns

    @property
    def expected(self) -> tuple[float, ...]:
        """The expected score before each analysed turn, as its player could know it, and finally the score of the game, or its
        value after the last move if it was stopped."""
        line = [judgement.best_value for judgement in self.judgements]
        if self.finished and line:
            line.append(self.judgements[-1].value if self.score is None else float(self.score))
        return tuple(line)

    def extended(self, more: Iterable[MoveAnalysis]) -> GameAnalysis:
        """This analysis with further moves."""
        return GameAnalysis((*self.judgements, *more), self.turns, self.score)

    def to_text(self) -> str:
        """The analysis as text, for `read_analysis`."""
        return msgspec.json.encode(self).decode()

    def luck(self, turn: int) -> float:
        """The change of the expected score between a move and the next decision, which includes what only the next player
        knows; 0 until the next turn is analysed."""
        expected = self.expected
        return points(expected[turn] - self.judgements[turn - 1].value) if turn < len(expected) else 0.0

    def of(self, seat: int) -> tuple[MoveAnalysis, ...]:
        """The analysed moves of one player."""
        return tuple(judgement for judgement in self.judgements if judgement.seat == seat)

    def accuracy(self, seat: int) -> int | None:
        """How well a player chose, in percent: the mean over moves, from 100 for no loss to 0 for a point or more. A loss
        within its error counts as none. None without a move."""
        kept = [1 - min(judgement.loss, 1.0) * (judgement.verdict is not MoveGrade.BEST) for judgement in self.of(seat)]
        return round(100 * sum(kept) / len(kept)) if kept else None

    def points_lost(self, seat: int | None = None) -> float:
        """The points lost by the moves of one player, or of all."""
        return points(sum(judgement.loss for judgement in self.judgements if seat in (None, judgement.seat)))

    def luck_total(self, seat: int | None = None) -> float:
        """The luck after the moves of one player, or of all, in points. The expected score at the start, less the points lost,
        plus this is the score."""
        return points(sum(self.luck(judgement.turn) for judgement in self.judgements if seat in (None, judgement.seat)))

    def costliest(self, limit: int = 3) -> tuple[MoveAnalysis, ...]:
        """The slips and blunders that lost most, worst first."""
        flags = [judgement for judgement in self.judgements if judgement.verdict.is_flag]
        return tuple(sorted(flags, key=lambda judgement: -judgement.loss)[:limit])


def empty_analysis(record: Record) -> GameAnalysis:
    """The analysis of a game before its first move is analysed."""
    replay = play_again(record)
    return GameAnalysis((), replay.game.turn, None if replay.ended in UNFINISHED_ENDINGS else replay.game.score)


def read_analysis(text: str) -> GameAnalysis | None:
    """An analysis from its text; None if an older version wrote it in another form."""
    try:
        return msgspec.json.decode(text, type=GameAnalysis)
    except msgspec.MsgspecError:
        return None


def points(value: float) -> float:
    """Points, rounded as they are stored."""
    return round(value * PARTS_OF_A_POINT) / PARTS_OF_A_POINT
