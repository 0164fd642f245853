"""What the coach says of a move, in sentences, and as far as somebody has seen the game.

They call a move by slots and hints alone, so they name no card. `reader` is the seat of whoever reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from tamaya.i18n import move_words, tenths, with_names
from tamaya.review.coaching import Coaching, Judgement, MoveVerdict
from tamaya.review.findings import Finding
from tamaya.rules import Message, read_action, say, say_in

TELLING = 0.05
"""A chance of a perfect game is worth a sentence where the better move has so much more of it."""

VERDICTS: Mapping[MoveVerdict, Message] = {
    MoveVerdict.BEST: say_in("move", "best"),
    MoveVerdict.GOOD: say_in("move", "good"),
    MoveVerdict.SLIP: say_in("move", "slip"),
    MoveVerdict.BLUNDER: say_in("move", "blunder"),
}
"""What the verdicts are called."""
SIGNS: Mapping[MoveVerdict, str] = {
    MoveVerdict.BEST: "✓",
    MoveVerdict.GOOD: "≈",
    MoveVerdict.SLIP: "?",
    MoveVerdict.BLUNDER: "??",
}
"""A verdict at a glance, without colour."""


def known_until(coaching: Coaching, turn: int) -> Coaching:
    """What somebody may read of it who has been as far as a turn. Better moves come without a way on before the end was seen:
    it would show cards that lie ahead."""
    if turn >= coaching.turns:
        return coaching
    seen = tuple(msgspec.structs.replace(one, line=()) for one in coaching.judgements if one.turn <= turn)
    return Coaching(seen, turn)


def in_words(judgement: Judgement) -> Message:
    """A verdict with the points that were to be expected after the move, and what it cost."""
    values: dict[str, Message] = {"verdict": VERDICTS[judgement.verdict], "points": tenths(judgement.value)}
    if judgement.verdict is MoveVerdict.BEST:
        return say("Verdict: {verdict}; {points} points to be expected.", **values)
    return say("Verdict: {verdict}; {points} points to be expected, {loss} lost.", loss=tenths(judgement.loss), **values)


def about_judgement(judgement: Judgement, names: Sequence[str], reader: int | None = None) -> tuple[Message, ...]:
    """What a move was worth, and what would have been better."""
    return tuple(with_names(said, names, reader) for said in _about(judgement))


def _about(judgement: Judgement) -> Iterator[Message]:
    if judgement.best == judgement.played or judgement.verdict is MoveVerdict.BEST:
        yield say("Worth {value} points; nothing better was found.", value=tenths(judgement.value))
    else:
        yield say("Worth {value} points; the best found is worth {best}: {move}.", value=tenths(judgement.value),
                  best=tenths(judgement.best_value), move=move_words(read_action(judgement.best)))  # fmt: skip
    if judgement.verdict.is_flag and judgement.best_perfect - judgement.perfect >= TELLING:
        yield say(
            "Chance of a perfect game: {percent}% instead of {best}%.",
            percent=round(100 * judgement.perfect),
            best=round(100 * judgement.best_perfect),
        )
    if judgement.doubtful:
        yield say("What the others did hardly fits our agreements here, so this is uncertain.")


def about_tried(judgement: Judgement, tried: Judgement, names: Sequence[str], reader: int | None = None) -> tuple[Message, ...]:
    """How a move that was `tried` compares with the best one found and with the one that was played."""
    return tuple(with_names(said, names, reader) for said in _about_tried(judgement, tried))


def _about_tried(judgement: Judgement, tried: Judgement) -> tuple[Message, ...]:
    value, best = tenths(judgement.best_value - tried.loss), tenths(judgement.best_value)
    move, played = (move_words(read_action(text)) for text in (judgement.best, judgement.played))
    worth = say("Worth {value} points; the best found is worth {best}: {move}.", value=value, best=best, move=move)
    if tried.played in (judgement.best, tried.best):
        worth = say("Worth {value} points; nothing better was found.", value=value)
    if tried.played == judgement.played:
        return say("This is what was played."), worth
    return worth, say("The move played: {move}, worth {value}.", move=played, value=tenths(judgement.value))


def flagged(coaching: Coaching, names: Sequence[str], reader: int | None = None) -> tuple[Finding, ...]:
    """The slips and blunders, each with its turn and what would have been better."""
    return tuple(
        Finding(one.turn, (_headline(one, names, reader), *about_judgement(one, names, reader)))
        for one in coaching.judgements
        if one.verdict.is_flag
    )


def _headline(judgement: Judgement, names: Sequence[str], reader: int | None) -> Message:
    verdict = VERDICTS[judgement.verdict]
    if judgement.seat == reader:
        return say("Turn {turn}, your move: {verdict}.", turn=judgement.turn, verdict=verdict)
    return say("Turn {turn}, {player}: {verdict}.", turn=judgement.turn, player=names[judgement.seat], verdict=verdict)
