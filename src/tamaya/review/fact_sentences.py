"""Sentences about a game's facts: its result, its mistakes, and cards that were lost, such as the last 5.

They use only the facts given, so that sentences about the first turns reveal nothing of later ones. `reader` is the seat of the
reader, if they have one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from tamaya.i18n.player_names import player_at, with_names
from tamaya.review.facts import DiscardFact, DropReason, GameFacts, Loss, MaximumDrop, PlayFact
from tamaya.rules import Message, say, say_n


@dataclass(frozen=True, slots=True)
class FactSentence:
    """One or more sentences about a turn of a game, or about the whole game if `turn` is None."""

    turn: int | None
    words: tuple[Message, ...]


def summary(facts: GameFacts, reader: int | None = None) -> tuple[FactSentence, ...]:
    """Sentences about the game as a whole: its result, plays, clues and discards."""
    found = (_result(facts), _plays(facts), _clues(facts), _discards(facts))
    return tuple(FactSentence(None, _named(words, facts, reader)) for words in found if words)


def slips(facts: GameFacts, reader: int | None = None) -> tuple[FactSentence, ...]:
    """Sentences about the turns that went wrong: mistakes, lost cards, too few turns for the points still possible."""
    found = [_mistake(play) for play in facts.mistakes] + [_fall(facts, fall) for fall in _reported_drops(facts)]
    turns = sorted({finding.turn for finding in found if finding.turn is not None})
    words = {turn: [said for one in found if one.turn == turn for said in one.words] for turn in turns}
    return tuple(FactSentence(turn, _named(words[turn], facts, reader)) for turn in turns)


def about_pace(facts: GameFacts, turn: int) -> tuple[Message, ...]:
    """How many discards could be afforded after a turn, if that is known."""
    now = facts.turns[turn]
    return () if now.pace is None else (_pace(now.pace, now.maximum),)


def about_move(facts: GameFacts, turn: int, reader: int | None = None) -> tuple[Message, ...]:
    """What could be known of a move: by its player, or by the player who got the clue."""
    plays = [_chance_to_fit(play) for play in facts.plays if play.turn == turn]
    discards = [_risk(discard) for discard in facts.discards if discard.turn == turn]
    stale = [_nothing_new(player_at(clue.target)) for clue in facts.clues if clue.turn == turn and not clue.new]
    return _named((*plays, *discards, *stale), facts, reader)


def _named(words: Iterable[Message], facts: GameFacts, reader: int | None) -> tuple[Message, ...]:
    """The sentences with the names of the players, and “you” for the reader."""
    return tuple(with_names(message, facts.names, reader) for message in words)


def percent(chance: Fraction) -> int:
    """A chance in percent, 0 or 100 only if it is exactly that."""
    rounded = round(100 * chance)
    return rounded if chance in (0, 1) else min(max(rounded, 1), 99)


def _result(facts: GameFacts) -> tuple[Message, ...]:
    last = facts.last
    if facts.outcome is not None:
        ended = say_n(
            "The game ended after {n} turn; the fireworks came to {points} of {maximum} points.",
            "The game ended after {n} turns; the fireworks came to {points} of {maximum} points.",
            last.turn,
            points=last.points,
            maximum=facts.rules.maximum,
        )
        return ended, facts.outcome.ending.word
    return (
        say_n(
            "After {n} turn there are {points} points, and at most {maximum} are still possible.",
            "After {n} turns there are {points} points, and at most {maximum} are still possible.",
            last.turn,
            points=last.points,
            maximum=last.maximum,
        ),
    )


def _plays(facts: GameFacts) -> tuple[Message, ...]:
    if not facts.plays:
        return ()
    known = sum(play.known for play in facts.placed)
    words = [
        say(
            "Cards placed: {placed}, certain by what the player knew: {known}; by trust or luck: {luck}. Mistakes: {mistakes}.",
            placed=len(facts.placed),
            known=known,
            luck=len(facts.placed) - known,
            mistakes=len(facts.mistakes),
        )
    ]
    boldest = min(facts.placed, key=lambda play: play.chance, default=None)
    if boldest and not boldest.known:
        words.append(
            say(
                "The boldest play was {card} by {player} in turn {turn}, with a chance of {percent}%.",
                card=boldest.card.word,
                player=player_at(boldest.seat),
                turn=boldest.turn,
                percent=percent(boldest.chance),
            )
        )
    return tuple(words)


def _clues(facts: GameFacts) -> tuple[Message, ...]:
    if not facts.clues:
        return ()
    words = [say("Clues given: {clues}, for {placed} cards placed.", clues=len(facts.clues), placed=len(facts.placed))]
    stale = [clue for clue in facts.clues if not clue.new]
    if stale:
        turns = tuple(str(clue.turn) for clue in stale)
        words.append(
            say_n(
                "{n} clue told nothing new, in turn {turns}.",
                "{n} clues told nothing new, in turns {turns}.",
                len(stale),
                turns=turns,
            )
        )
    empty = sum(not clue.touched for clue in facts.clues)
    if empty:
        words.append(say_n("{n} clue was empty.", "{n} clues were empty.", empty))
    return tuple(words)


def _discards(facts: GameFacts) -> tuple[Message, ...]:
    if not facts.discards:
        return ()
    safe = sum(discard.chance == 0 for discard in facts.discards)
    words = say(
        "Cards discarded: {discards}, of which certain to cost nothing: {safe}.", discards=len(facts.discards), safe=safe
    )
    return (words,)


def _pace(pace: int, maximum: int) -> Message:
    if pace < 0:
        return say("Pace {pace}: too few turns are left for all {maximum} points.", pace=pace, maximum=maximum)
    if pace == 0:
        return say("Pace 0: with one more discard, {maximum} points would be out of reach.", maximum=maximum)
    return say_n(
        "Pace {n}: {n} more card can be discarded with {maximum} points still in reach.",
        "Pace {n}: {n} more cards can be discarded with {maximum} points still in reach.",
        pace,
        maximum=maximum,
    )


def _chance_to_fit(play: PlayFact) -> Message:
    player = player_at(play.seat)
    if play.chance == 1:
        return say("{player} could be certain that the card would fit.", player=player)
    if play.chance == 0:
        return say("{player} could be certain that the card would not fit.", player=player)
    return say(
        "Going by what {player} knew, the chance that it would fit was {percent}%.", player=player, percent=percent(play.chance)
    )


def _risk(fact: DiscardFact | Loss) -> Message:
    player = player_at(fact.seat)
    if fact.chance == 0:
        return say("{player} could be certain that this would cost no points.", player=player)
    if fact.chance == 1:
        return say("{player} could be certain that this would cost points.", player=player)
    return say(
        "By what {player} knew, the chance that this would cost points was {percent}%.",
        player=player,
        percent=percent(fact.chance),
    )


def _nothing_new(player: Message) -> Message:
    return say("The clue ruled out nothing that {player} could not rule out before.", player=player)


def _mistake(play: PlayFact) -> FactSentence:
    event = say(
        "Turn {turn}: {player} played {card}, a mistake.", turn=play.turn, player=player_at(play.seat), card=play.card.word
    )
    return FactSentence(play.turn, (event, _chance_to_fit(play)))


def _reported_drops(facts: GameFacts) -> list[MaximumDrop]:
    """The drops of the maximum; of those for lack of turns only the first, which causes the others."""
    late = [fall for fall in facts.falls if fall.reason is DropReason.FEW_TURNS]
    return [fall for fall in facts.falls if fall not in late[1:]]


def _fall(facts: GameFacts, fall: MaximumDrop) -> FactSentence:
    best = say("The best still possible fell from {before} to {after}.", before=fall.before, after=fall.after)
    loss = next((loss for loss in facts.losses if loss.turn == fall.turn), None)
    if fall.reason is DropReason.LOST_CARD and loss:
        return FactSentence(fall.turn, (*_lost(loss), best))
    if fall.reason is DropReason.MISTAKES:
        return FactSentence(fall.turn, (say("That was one mistake too many: the game was over."), best))
    return FactSentence(fall.turn, (say("Turn {turn}: too few turns were left for all points.", turn=fall.turn), best))


def _lost(loss: Loss) -> Iterator[Message]:
    player, card = player_at(loss.seat), loss.card.word
    if loss.played:
        yield say("No other {card} was left.", card=card)
    else:
        yield say("Turn {turn}: {player} discarded {card}, the last that was left.", turn=loss.turn, player=player, card=card)
        yield _risk(loss)
    if loss.could_warn:
        names = tuple(player_at(seat) for seat in loss.could_warn)
        yield say("These had a turn and a clue token to warn: {names}.", names=names)
