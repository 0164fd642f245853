"""The analysis of a game as data: what every move was worth to the player who made it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import msgspec

from tamaya.record import Record, play_again

AGREEMENTS = "convention"
"""The policy by which everybody is taken to play on."""
UNFINISHED = ("terminated", "timeout", "unfinished")
"""Ends of games that might have come to more."""
PARTS = 1000
"""Points are kept in thousandths."""


class MoveGrade(Enum):
    """What is to be said of a move, from what it cost and how sure that is."""

    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    BLUNDER = "blunder"

    @property
    def is_flag(self) -> bool:
        """Whether the move was wrong, beyond doubt."""
        return self in (MoveGrade.SLIP, MoveGrade.BLUNDER)


class MoveAnalysis(msgspec.Struct, frozen=True):
    """What a move was worth to somebody who knew what its player knew.

    `turn` counts as events do, from 1. Actions are text. `value` is the expected score after the move played, `best_value` that
    after the best one; `loss` is how much more the best is worth in the same worlds, never below 0. `agreed` is what the
    agreements of `convention` say. Where too few worlds fit what the partners did, all this is `doubtful`. `line` goes with a
    slip or a blunder: the better move and a likely way on.
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
    """The judgements of a game in the order of its turns, as far as they are worked out; `turns` is how many it had and `score`
    what it came to, None if it was stopped before its end."""

    judgements: tuple[MoveAnalysis, ...]
    turns: int
    score: int | None = None

    @property
    def finished(self) -> bool:
        """Whether every turn was judged."""
        return len(self.judgements) == self.turns

    @property
    def expected(self) -> tuple[float, ...]:
        """The expected score before each turn that was judged, as its player could know it; behind the last turn of the game
        its score. Where the game was stopped, that is what it was worth after the last move."""
        line = [judgement.best_value for judgement in self.judgements]
        if self.finished and line:
            line.append(self.judgements[-1].value if self.score is None else float(self.score))
        return tuple(line)

    def and_also(self, more: Iterable[MoveAnalysis]) -> GameAnalysis:
        """The same with what was worked out next."""
        return GameAnalysis((*self.judgements, *more), self.turns, self.score)

    def to_text(self) -> str:
        """This as text, for `read_coaching`."""
        return msgspec.json.encode(self).decode()

    def luck(self, turn: int) -> float:
        """What the cards did between a decision and the next one: how much better things then looked than after the move. What
        the next player knows and this one did not is part of it. Known as soon as the next turn is judged."""
        expected = self.expected
        return points(expected[turn] - self.judgements[turn - 1].value) if turn < len(expected) else 0.0

    def of(self, seat: int) -> tuple[MoveAnalysis, ...]:
        """The judgements of one player's moves."""
        return tuple(judgement for judgement in self.judgements if judgement.seat == seat)

    def accuracy(self, seat: int) -> int | None:
        """How well a player chose, in percent: a move that lost nothing counts 100, one that lost a point or more 0, others in
        between by what they lost; then the mean. A loss within its error is none. Nothing without a move."""
        kept = [1 - min(judgement.loss, 1.0) * (judgement.verdict is not MoveGrade.BEST) for judgement in self.of(seat)]
        return round(100 * sum(kept) / len(kept)) if kept else None

    def points_lost(self, seat: int | None = None) -> float:
        """What the moves of a player, or of all, cost in points."""
        return points(sum(judgement.loss for judgement in self.judgements if seat in (None, judgement.seat)))

    def luck_total(self, seat: int | None = None) -> float:
        """What the cards did after the moves of a player, or of all, in points. Expected score at the start, less what was
        lost, and this make the score."""
        return points(sum(self.luck(judgement.turn) for judgement in self.judgements if seat in (None, judgement.seat)))

    def costliest(self, most: int = 3) -> tuple[MoveAnalysis, ...]:
        """The slips and blunders that cost most, the worst first."""
        flags = [judgement for judgement in self.judgements if judgement.verdict.is_flag]
        return tuple(sorted(flags, key=lambda judgement: -judgement.loss)[:most])


def empty_analysis(record: Record) -> GameAnalysis:
    """The coaching of a game of which nothing is judged yet."""
    replay = play_again(record)
    return GameAnalysis((), replay.game.turn, None if replay.ended in UNFINISHED else replay.game.score)


def read_analysis(text: str) -> GameAnalysis | None:
    """A coaching from its text; nothing if an older version wrote it in another form."""
    try:
        return msgspec.json.decode(text, type=GameAnalysis)
    except msgspec.MsgspecError:
        return None


def points(value: float) -> float:
    """Points as they are kept."""
    return round(value * PARTS) / PARTS
