"""Sentences that describe events and moves; the reader is addressed as “you”."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tamaya.engine import Arranged, Clued, Discarded, Event, Played, View
from tamaya.i18n.player_names import player_at
from tamaya.rules import Action, Clue, Colour, Discard, Message, Rules, say, say_in, say_n
from tamaya.rules.message import Value


class Sentence(NamedTuple):
    """The sentence for an event, to the player who acts and to others."""

    you: Message
    others: Message


class ClueSentence(NamedTuple):
    """The sentence for a clue, to the giver, to the receiver and to others."""

    you: Message
    told: Message
    others: Message


CLUE = ClueSentence(
    say_n("You tell {target} “{hint}”: card {slots}.", "You tell {target} “{hint}”: cards {slots}.", 1),
    say_n("{player} tells you “{hint}”: your card {slots}.", "{player} tells you “{hint}”: your cards {slots}.", 1),
    say_n("{player} tells {target} “{hint}”: card {slots}.", "{player} tells {target} “{hint}”: cards {slots}.", 1),
)
EMPTY_CLUE = ClueSentence(
    say("You tell {target} “{hint}”: no card."),
    say("{player} tells you “{hint}”: no card."),
    say("{player} tells {target} “{hint}”: no card."),
)
DISCARD = Sentence(
    say("You discard {card} (card {slot})."),
    say("{player} discards {card} (card {slot})."),
)
PLAY = Sentence(
    say("You play {card} (card {slot})."),
    say("{player} plays {card} (card {slot})."),
)
LAST_PLAY = Sentence(
    say("You play {card} (card {slot}) and complete the firework!"),
    say("{player} plays {card} (card {slot}) and completes the firework!"),
)
ANNOUNCED_PLAY = Sentence(
    say("You announce the colour and play {card} (card {slot})."),
    say("{player} announces the colour and plays {card} (card {slot})."),
)
MISTAKE = Sentence(
    say("You play {card} (card {slot}): mistake {mistakes} of {allowed}."),
    say("{player} plays {card} (card {slot}): mistake {mistakes} of {allowed}."),
)
ANNOUNCED_MISTAKE = Sentence(
    say("You announce {colour} and play {card} (card {slot}): mistake {mistakes} of {allowed}."),
    say("{player} announces {colour} and plays {card} (card {slot}): mistake {mistakes} of {allowed}."),
)
ARRANGEMENT = Sentence(say("You rearrange your hand."), say("{player} rearranges the hand."))


def tell(event: Event, names: Sequence[str], rules: Rules, reader: int | None = None) -> tuple[Message, ...]:
    """The sentences that describe an event; `names` are the players' names by seat, `reader` is the reader's seat."""
    player, own = names[event.seat], event.seat == reader
    match event:
        case Clued():
            return (_clue(event, names, reader),)
        case Discarded():
            discard = _in_person(DISCARD, own, player=player, card=event.card.word, slot=event.slot + 1)
            return (discard, *_empty_deck(event, rules))
        case Played():
            return (_play(event, player, own, rules), *_tokens(event), *_empty_deck(event, rules))
        case Arranged():
            return (_in_person(ARRANGEMENT, own, player=player),)


def concerns(event: Event, seat: int | None) -> bool:
    """Whether the player at a seat reads other sentences about an event than the others."""
    return seat is not None and (event.seat == seat or (isinstance(event, Clued) and event.target == seat))


def _in_person(sentence: Sentence, own: bool, **values: Value) -> Message:
    return replace(sentence.you if own else sentence.others, values=values)


def _clue(event: Clued, names: Sequence[str], reader: int | None) -> Message:
    persons = CLUE if event.slots else EMPTY_CLUE
    message = persons.you if event.seat == reader else persons.told if event.target == reader else persons.others
    values: dict[str, Value] = {
        "player": names[event.seat],
        "target": names[event.target],
        "hint": event.hint.word if isinstance(event.hint, Colour) else str(event.hint),
        "slots": tuple(str(slot + 1) for slot in event.slots),
    }
    return replace(message, count=len(event.slots), values=values)


def _play(event: Played, player: str, own: bool, rules: Rules) -> Message:
    values: dict[str, Value] = {"player": player, "card": event.card.word, "slot": event.slot + 1}
    if not event.placed:
        values |= {"mistakes": event.mistakes, "allowed": rules.mistakes}
        if event.announced:
            return _in_person(ANNOUNCED_MISTAKE, own, colour=event.announced.word, **values)
        return _in_person(MISTAKE, own, **values)
    if event.card.value == 5:
        return _in_person(LAST_PLAY, own, **values)
    return _in_person(ANNOUNCED_PLAY if event.announced else PLAY, own, **values)


def _tokens(event: Played) -> tuple[Message, ...]:
    if not event.gained:
        return ()
    return (say_n("{n} clue token comes back.", "{n} clue tokens come back.", event.gained),)


def _empty_deck(event: Played | Discarded, rules: Rules) -> tuple[Message, ...]:
    if event.drew != rules.deck_size - 1:
        return ()
    if not rules.has_last_round:
        return (say("The deck is empty; play goes on with the cards in hand."),)
    return (say("The deck is empty: everyone has one more turn."),)


def propose(action: Action, view: View) -> Message:
    """A sentence for an action of the viewer; teammates are named by seat."""
    if isinstance(action, Clue):
        cards = (seen.card for seen in view.hands[action.seat])
        touches = [slot for slot, card in enumerate(cards) if card and view.rules.matches(action.hint, card)]
        return propose_clue(player_at(action.seat), action.hint, touches)
    slot = action.slot + 1
    if isinstance(action, Discard):
        return say("Discard your card {slot}.", slot=slot)
    if action.announced:
        return say("Announce {colour} and play your card {slot}.", colour=action.announced.word, slot=slot)
    return say("Play your card {slot}.", slot=slot)


def propose_clue(player: Message | str, hint: Colour | int, touches: Sequence[int]) -> Message:
    """A sentence for a clue that touches these slots."""
    if not touches:
        return say("Tell {player} “{hint}”: no card.", player=player, hint=_hint(hint))
    return say_n(
        "Tell {player} “{hint}”: card {slots}.",
        "Tell {player} “{hint}”: cards {slots}.",
        len(touches),
        player=player,
        hint=_hint(hint),
        slots=tuple(str(slot + 1) for slot in touches),
    )


def move_words(action: Action) -> Message:
    """A move as part of a sentence: tell player 2 “red”, play card 2. It names no card."""
    if isinstance(action, Clue):
        return say_in("a move", "tell {player} “{hint}”", player=player_at(action.seat), hint=_hint(action.hint))
    slot = action.slot + 1
    if isinstance(action, Discard):
        return say_in("a move", "discard card {slot}", slot=slot)
    if action.announced:
        return say_in("a move", "announce {colour} and play card {slot}", colour=action.announced.word, slot=slot)
    return say_in("a move", "play card {slot}", slot=slot)


def _hint(hint: Colour | int) -> Message | str:
    return hint.word if isinstance(hint, Colour) else str(hint)
