"""The coach's sentences: how a game went, the moves that cost points, such as a lost 5, and what was better.

They describe moves by slots and hints, so that they name no card. `reader` is the seat of the reader, if they have one."""

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

MIN_PERFECT_GAIN = 0.05
"""The gain in the chance of a perfect game that is worth a sentence."""

VERDICTS: Mapping[MoveGrade, Message] = {
    MoveGrade.BEST: say_in("move", "best"),
    MoveGrade.GOOD: say_in("move", "good"),
    MoveGrade.SLIP: say_in("move", "slip"),
    MoveGrade.BLUNDER: say_in("move", "blunder"),
}
SIGNS: Mapping[MoveGrade, str] = {
    MoveGrade.BEST: "✓",
    MoveGrade.GOOD: "≈",
    MoveGrade.SLIP: "?",
    MoveGrade.BLUNDER: "??",
}
"""A sign for each grade, readable without colour."""


def known_until(coaching: GameAnalysis, turn: int) -> GameAnalysis:
    """What a reader who has seen the game up to a turn may read. Until they have seen the end, better moves have no line, which
    would show cards drawn later."""
    if turn >= coaching.turns:
        return coaching
    seen = tuple(msgspec.structs.replace(one, line=()) for one in coaching.judgements if one.turn <= turn)
    return GameAnalysis(seen, turn)


def verdict_sentence(judgement: MoveAnalysis) -> Message:
    """The grade of a move, the expected points after it, and the points it lost."""
    values: dict[str, Message] = {"verdict": VERDICTS[judgement.verdict], "points": tenths(judgement.value)}
    if judgement.verdict is MoveGrade.BEST:
        return say("Verdict: {verdict}; {points} points to be expected.", **values)
    return say("Verdict: {verdict}; {points} points to be expected, {loss} lost.", loss=tenths(judgement.loss), **values)


def about_judgement(judgement: MoveAnalysis, names: Sequence[str], reader: int | None = None) -> tuple[Message, ...]:
    """Sentences about the worth of a move, and a better one."""
    return tuple(with_names(said, names, reader) for said in _about(judgement))


def _about(judgement: MoveAnalysis) -> Iterator[Message]:
    if judgement.best == judgement.played or judgement.verdict is MoveGrade.BEST:
        yield say("Worth {value} points; nothing better was found.", value=tenths(judgement.value))
    else:
        yield say("Worth {value} points; the best found is worth {best}: {move}.", value=tenths(judgement.value),
                  best=tenths(judgement.best_value), move=move_words(read_action(judgement.best)))  # fmt: skip
    if judgement.verdict.is_flag and judgement.best_perfect - judgement.perfect >= MIN_PERFECT_GAIN:
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
    """Sentences that compare a `tried` move with the best one found and the one played."""
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
    """The slips and blunders, each with its turn and a better move."""
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
"""The name of the bot that plays by the agreements."""
CACHE_SIZE = 512
"""Moves whose sentences are cached: a replay needs them at every step."""


@dataclass(frozen=True)
class CostlyMove:
    """A slip or a blunder in words: its cost, the better move, by slot or clue as its player could have named it, and what the
    agreements say. `line` is the better move and a likely continuation, as far as the actual cards allowed it."""

    turn: int
    cost: Message
    better: Message
    agreements: Message | None
    line: tuple[Event, ...]


def overview(record: Record, coaching: GameAnalysis, reader: int | None = None) -> tuple[Message, ...]:
    """A summary of the game: the expected score, the effect of decisions and of cards, and how well each player chose. Empty
    until every move is analysed."""
    if not coaching.finished or not coaching.judgements:
        return ()
    players = (_of_player(coaching, seat) for seat in range(record.rules.players) if coaching.of(seat))
    return (*luck_and_losses(coaching), *(with_names(said, record.names, reader) for said in players), *caution(record))


def costly_move(record: Record, judgement: MoveAnalysis, reader: int | None = None) -> CostlyMove:
    """A move that lost points, in words."""
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


@lru_cache(maxsize=CACHE_SIZE)
def agreements(record: Record, judgement: MoveAnalysis, reader: int | None = None) -> Message | None:
    """What the bot that plays by the agreements would have done with the same view, and why."""
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


def luck_and_losses(coaching: GameAnalysis) -> Iterator[Message]:
    """The expected score of a fully analysed game, and the effect of decisions and of cards."""
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
    """A caution, unless all players play by the agreements."""
    if any(bot != AGREEMENTS for bot in record.bots):
        yield say(
            "The coach assumes that everybody plays on by the agreements of the {bot}."
            " Where you have others, a move that it calls a slip may have been right.",
            bot=COMPANION,
        )


def _event(record: Record, judgement: MoveAnalysis, action: str) -> Event:
    return play_again(record).game.at(judgement.turn - 1).act(read_action(action))


@lru_cache(maxsize=CACHE_SIZE)
def better_line(record: Record, judgement: MoveAnalysis) -> tuple[Event, ...]:
    """The events of the better line, as far as the actual cards allowed it."""
    game, events = play_again(record).game.at(judgement.turn - 1), list[Event]()
    for action in judgement.line or (judgement.best,):
        try:
            events.append(game.act(read_action(action)))
        except IllegalError:
            break
    return tuple(events)
