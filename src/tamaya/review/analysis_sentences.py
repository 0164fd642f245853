"""What the coach says of a move, in sentences, and as far as somebody has seen the game.

They call a move by slots and hints alone, so they name no card. `reader` is the seat of whoever reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from tamaya.bots import PolicyBot
from tamaya.bots.registry import find_fair_policy
from tamaya.engine import Event
from tamaya.i18n import move_words, player_at, tell, tenths, with_names
from tamaya.record import Record, play_again
from tamaya.review.analysis import AGREEMENTS, GameAnalysis, MoveAnalysis, MoveGrade
from tamaya.review.fact_sentences import FactSentence
from tamaya.rules import IllegalError, Message, read_action, say, say_in

TELLING = 0.05
"""A chance of a perfect game is worth a sentence where the better move has so much more of it."""

VERDICTS: Mapping[MoveGrade, Message] = {
    MoveGrade.BEST: say_in("move", "best"),
    MoveGrade.GOOD: say_in("move", "good"),
    MoveGrade.SLIP: say_in("move", "slip"),
    MoveGrade.BLUNDER: say_in("move", "blunder"),
}
"""What the verdicts are called."""
SIGNS: Mapping[MoveGrade, str] = {
    MoveGrade.BEST: "✓",
    MoveGrade.GOOD: "≈",
    MoveGrade.SLIP: "?",
    MoveGrade.BLUNDER: "??",
}
"""A verdict at a glance, without colour."""


def known_until(coaching: GameAnalysis, turn: int) -> GameAnalysis:
    """What somebody may read of it who has been as far as a turn. Better moves come without a way on before the end was seen:
    it would show cards that lie ahead."""
    if turn >= coaching.turns:
        return coaching
    seen = tuple(msgspec.structs.replace(one, line=()) for one in coaching.judgements if one.turn <= turn)
    return GameAnalysis(seen, turn)


def in_words(judgement: MoveAnalysis) -> Message:
    """A verdict with the points that were to be expected after the move, and what it cost."""
    values: dict[str, Message] = {"verdict": VERDICTS[judgement.verdict], "points": tenths(judgement.value)}
    if judgement.verdict is MoveGrade.BEST:
        return say("Verdict: {verdict}; {points} points to be expected.", **values)
    return say("Verdict: {verdict}; {points} points to be expected, {loss} lost.", loss=tenths(judgement.loss), **values)


def about_judgement(judgement: MoveAnalysis, names: Sequence[str], reader: int | None = None) -> tuple[Message, ...]:
    """What a move was worth, and what would have been better."""
    return tuple(with_names(said, names, reader) for said in _about(judgement))


def _about(judgement: MoveAnalysis) -> Iterator[Message]:
    if judgement.best == judgement.played or judgement.verdict is MoveGrade.BEST:
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


def about_tried(
    judgement: MoveAnalysis, tried: MoveAnalysis, names: Sequence[str], reader: int | None = None
) -> tuple[Message, ...]:
    """How a move that was `tried` compares with the best one found and with the one that was played."""
    return tuple(with_names(said, names, reader) for said in _about_tried(judgement, tried))


def _about_tried(judgement: MoveAnalysis, tried: MoveAnalysis) -> tuple[Message, ...]:
    value, best = tenths(judgement.best_value - tried.loss), tenths(judgement.best_value)
    move, played = (move_words(read_action(text)) for text in (judgement.best, judgement.played))
    worth = say("Worth {value} points; the best found is worth {best}: {move}.", value=value, best=best, move=move)
    if tried.played in (judgement.best, tried.best):
        worth = say("Worth {value} points; nothing better was found.", value=value)
    if tried.played == judgement.played:
        return say("This is what was played."), worth
    return worth, say("The move played: {move}, worth {value}.", move=played, value=tenths(judgement.value))


def flagged(coaching: GameAnalysis, names: Sequence[str], reader: int | None = None) -> tuple[FactSentence, ...]:
    """The slips and blunders, each with its turn and what would have been better."""
    return tuple(
        FactSentence(one.turn, (_headline(one, names, reader), *about_judgement(one, names, reader)))
        for one in coaching.judgements
        if one.verdict.is_flag
    )


def _headline(judgement: MoveAnalysis, names: Sequence[str], reader: int | None) -> Message:
    verdict = VERDICTS[judgement.verdict]
    if judgement.seat == reader:
        return say("Turn {turn}, your move: {verdict}.", turn=judgement.turn, verdict=verdict)
    return say("Turn {turn}, {player}: {verdict}.", turn=judgement.turn, player=names[judgement.seat], verdict=verdict)


COMPANION = say_in("bot", "Companion")
"""What people call the bot that plays by the agreements."""
KEPT = 512
"""Moves of which it is kept what there is to say: pages ask again at every step of a replay."""


@dataclass(frozen=True)
class CostlyMove:
    """What there is to say of a slip or a blunder: what it cost, what would have been better, and what the agreements say. The
    better move is called by slot or clue, as its player could have. `line` is that move and a likely way on, as far as it was
    possible with the cards as they lay."""

    turn: int
    cost: Message
    better: Message
    agreements: Message | None
    line: tuple[Event, ...]


def overview(record: Record, coaching: GameAnalysis, reader: int | None = None) -> tuple[Message, ...]:
    """How the game went: what was to be expected, what decisions and cards did to it, and how well each player chose. Nothing
    before every move is judged."""
    if not coaching.finished or not coaching.judgements:
        return ()
    players = (_of_player(coaching, seat) for seat in range(record.rules.players) if coaching.of(seat))
    return (*account(coaching), *(with_names(said, record.names, reader) for said in players), *caution(record))


def costly_move(record: Record, judgement: MoveAnalysis, reader: int | None = None) -> CostlyMove:
    """What there is to say of a move that cost points."""
    line, played = better_line(record, judgement), _event(record, judgement, judgement.played)
    cost = say(
        "Turn {turn}: {what} That cost about {loss} points.",
        turn=judgement.turn,
        what=tell(played, record.names, record.rules, reader)[0],
        loss=tenths(judgement.loss),
    )
    better = say("Better, by what could be known: {move}.", move=move_words(read_action(judgement.best)))
    better = with_names(better, record.names, reader)
    return CostlyMove(judgement.turn, cost, better, agreements(record, judgement, reader), line)


@lru_cache(maxsize=KEPT)
def agreements(record: Record, judgement: MoveAnalysis, reader: int | None = None) -> Message | None:
    """What the bot that plays by our agreements would have done with the same view, and why."""
    before = play_again(record).game.at(judgement.turn - 1)
    bot = PolicyBot(find_fair_policy(AGREEMENTS))
    bot.act(before.view(judgement.seat))
    why = bot.explain()
    if why is None:
        return None
    reason = with_names(why, record.names, reader)
    if judgement.agreed == judgement.best:
        return say("The {bot} would say for it: “{reason}”", bot=COMPANION, reason=reason)
    if judgement.agreed == judgement.played:
        return say("But the {bot} would have made the same move: “{reason}”", bot=COMPANION, reason=reason)
    move = with_names(move_words(read_action(judgement.agreed)), record.names, reader)
    return say("The {bot} would have done something else: {move}. “{reason}”", bot=COMPANION, move=move, reason=reason)


def account(coaching: GameAnalysis) -> Iterator[Message]:
    """What was to be expected of a game that is judged to its end, and what decisions and cards did to it."""
    expected, lost, luck = coaching.expected[0], coaching.points_lost(), coaching.luck_total()
    yield say("At the start, about {points} points were to be expected.", points=tenths(expected))
    if luck < 0:
        yield say("Decisions cost {lost} points, and the cards took {luck}.", lost=tenths(lost), luck=tenths(luck))
    else:
        yield say("Decisions cost {lost} points, and the cards gave {luck}.", lost=tenths(lost), luck=tenths(luck))


def _of_player(coaching: GameAnalysis, seat: int) -> Message:
    words = [judgement.verdict for judgement in coaching.of(seat)]
    return say(
        "{player}: accuracy {percent}%. Best moves: {best}, good ones: {good}, slips: {slips}, blunders: {blunders}.",
        player=player_at(seat),
        percent=coaching.accuracy(seat) or 0,
        best=words.count(MoveGrade.BEST),
        good=words.count(MoveGrade.GOOD),
        slips=words.count(MoveGrade.SLIP),
        blunders=words.count(MoveGrade.BLUNDER),
    )


def caution(record: Record) -> Iterator[Message]:
    """What is to be said where not everybody plays by our agreements."""
    if any(bot != AGREEMENTS for bot in record.bots):
        yield say(
            "The coach assumes that everybody plays on by the agreements of the {bot}."
            " Where you have others, a move that it calls a slip may have been right.",
            bot=COMPANION,
        )


def _event(record: Record, judgement: MoveAnalysis, action: str) -> Event:
    return play_again(record).game.at(judgement.turn - 1).act(read_action(action))


@lru_cache(maxsize=KEPT)
def better_line(record: Record, judgement: MoveAnalysis) -> tuple[Event, ...]:
    """What would have happened along a better line, as far as it was possible with the cards as they lay."""
    game, events = play_again(record).game.at(judgement.turn - 1), list[Event]()
    for action in judgement.line or (judgement.best,):
        try:
            events.append(game.act(read_action(action)))
        except IllegalError:
            break
    return tuple(events)
