"""The coach's analysis beneath a replay, as far as the viewer has seen the game.

`reader` is the viewer's seat, if they have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from markupsafe import Markup

from tamaya.coach.coach import TriedMove
from tamaya.i18n import tell, tenths
from tamaya.record import Record
from tamaya.review.analysis import GameAnalysis, MoveAnalysis
from tamaya.review.analysis_sentences import (
    SIGNS,
    VERDICTS,
    about_judgement,
    about_tried,
    agreements,
    better_line,
    caution,
    flagged,
    luck_and_losses,
)
from tamaya.rules import Action, Message, read_action, say
from tamaya.web.rendering.templates import render_component
from tamaya.web.table.snapshot import LogVerdict


class CoachAddresses(Protocol):
    """Makes the links of the coach's analysis."""

    def at(self, turn: int) -> str:
        """The address of a turn."""

    def after(self, turn: int, then: tuple[Action, ...]) -> str:
        """The address of the position after a turn and these actions."""

    def as_player_at(self, turn: int, seat: int) -> str:
        """The address at which the viewer decides for a player after a turn."""


LineStep = tuple[int, tuple[Message, ...], str]
"""A move of a line: its turn, its sentences, and the address of the position after it."""


@dataclass(frozen=True, slots=True)
class MoveNote:
    """The coach's verdict on the move that is shown, with links to try it and to the better line."""

    kind: str
    sign: str
    word: Message
    words: tuple[Message, ...]
    tried: str = ""
    line: str = ""


@dataclass(frozen=True, slots=True)
class TriedMoveNote:
    """How a tried move compares with the one judged. `slip` names the viewer's own slip that it solves; `every_hand` links to
    the same line with all hands visible."""

    working: bool
    move: MoveNote | None
    refused: Message | None
    slip: str
    every_hand: str


@dataclass(frozen=True, slots=True)
class CoachMoment:
    """A costly move, with its address, a link to try it, and a better line."""

    kind: str
    sign: str
    words: tuple[Message, ...]
    address: str
    tried: str
    line: tuple[LineStep, ...]


@dataclass(frozen=True, slots=True)
class CoachPlayer:
    """A player's accuracy in percent, and the points their decisions lost."""

    name: str
    accuracy: int
    lost: float


@dataclass(frozen=True, slots=True)
class AnalysisSummary:
    """The costliest moments of a game and, once it was seen and judged to the end, each player's accuracy and luck. `caution`
    addresses players with other conventions."""

    players: tuple[CoachPlayer, ...]
    luck: tuple[Message, ...]
    moments: tuple[CoachMoment, ...]
    caution: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class AnalysisStatus:
    """The progress of the coach on the turns that the viewer has seen, and the address that starts it."""

    start: str
    begun: bool
    done: int
    turns: int
    ready: bool
    refused: Message | None

    @property
    def working(self) -> bool:
        """Whether more verdicts will follow."""
        return self.begun and self.done < self.turns and not self.refused

    @property
    def gave_up(self) -> Message | None:
        """Why moves that the viewer has seen were not judged, if the coach gave up; nothing about later turns."""
        return self.refused if self.done < self.turns else None

    @property
    def can_be_asked(self) -> bool:
        """Whether a request would start or resume it."""
        return not self.begun and (self.refused is None or self.gave_up is not None)


def log_verdicts(known: GameAnalysis) -> Mapping[int, LogVerdict]:
    """The verdict beside each move of the log."""
    return {one.turn: LogVerdict(one.verdict.value, SIGNS[one.verdict], _verdict_words(one)) for one in known.judgements}


def _verdict_words(judgement: MoveAnalysis) -> Message:
    word = VERDICTS[judgement.verdict]
    return (
        say("{verdict}: {loss} points lost", verdict=word, loss=tenths(judgement.loss)) if judgement.verdict.is_flag else word
    )


def render_move(
    judgement: MoveAnalysis, record: Record, addresses: CoachAddresses, language: str, reader: int | None
) -> Markup:
    """The coach's verdict on one move; on a slip also the conventions."""
    verdict, before, names = judgement.verdict, judgement.turn - 1, record.names
    agreed = agreements(record, judgement, reader) if verdict.is_flag else None
    part = MoveNote(
        kind=verdict.value,
        sign=SIGNS[verdict],
        word=VERDICTS[verdict],
        words=(*about_judgement(judgement, names, reader), *filter(None, (agreed,))),
        tried=addresses.as_player_at(before, judgement.seat) if verdict.is_flag else "",
        line=addresses.after(before, (read_action(judgement.best),)) if judgement.line else "",
    )
    return render_component(part, language)


def render_tried(
    judgement: MoveAnalysis, weighing: TriedMove, record: Record, slip: str, every_hand: str, language: str, reader: int | None
) -> Markup:
    """The coach's verdict on a move tried in place of the judged one."""
    tried, move = weighing.analysis, None
    if tried:
        verdict, words = tried.verdict, about_tried(judgement, tried, record.names, reader)
        move = MoveNote(verdict.value, SIGNS[verdict], VERDICTS[verdict], words)
    solved = tried is not None and not tried.verdict.is_flag
    return render_component(
        TriedMoveNote(not weighing.done, move, weighing.error, slip if solved else "", every_hand), language
    )


def summary_of(
    known: GameAnalysis, whole: bool, record: Record, addresses: CoachAddresses, reader: int | None
) -> AnalysisSummary:
    """The analysis of a game as far as the viewer knows it, which may be the `whole`."""
    words = {found.turn: found.words for found in flagged(known, record.names, reader)}
    costly = tuple(
        CoachMoment(
            kind=one.verdict.value,
            sign=SIGNS[one.verdict],
            words=(*words[one.turn], *filter(None, (agreements(record, one, reader),))),
            address=addresses.at(one.turn),
            tried=addresses.as_player_at(one.turn - 1, one.seat),
            line=tuple(_line(one, record, addresses, reader)),
        )
        for one in known.costliest()
    )
    whole = whole and known.finished
    return AnalysisSummary(
        players=tuple(_players(known, record.names)) if whole else (),
        luck=tuple(luck_and_losses(known)) if whole else (),
        moments=costly,
        caution=tuple(caution(record)),
    )


def _players(known: GameAnalysis, names: Sequence[str]) -> Iterator[CoachPlayer]:
    for seat, name in enumerate(names):
        accuracy = known.accuracy(seat)
        if accuracy is not None:
            yield CoachPlayer(name, accuracy, known.points_lost(seat))


def _line(judgement: MoveAnalysis, record: Record, addresses: CoachAddresses, reader: int | None) -> Iterator[LineStep]:
    """The moves of the better line, if it may be shown."""
    before, actions = judgement.turn - 1, tuple(map(read_action, judgement.line))
    for place, event in enumerate(better_line(record, judgement) if actions else (), 1):
        yield event.turn, tell(event, record.names, record.rules, reader), addresses.after(before, actions[:place])
