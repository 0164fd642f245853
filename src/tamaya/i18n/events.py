"""Events in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from tamaya.engine import Arranged, Clued, Discarded, Event, Played
from tamaya.rules import Colour, Message, Rules, say, say_n
from tamaya.rules.message import Value


def tell(event: Event, names: Sequence[str], rules: Rules) -> tuple[Message, ...]:
    """The sentences that describe an event; `names` are the players' names in the order of their seats."""
    player = names[event.seat]
    match event:
        case Clued():
            return (_clue(event, player, names[event.target]),)
        case Discarded():
            discard = say("{player} discards {card} (slot {slot}).", player=player, card=event.card.word, slot=event.slot + 1)
            return (discard, *_empty_deck(event, rules))
        case Played():
            return (_play(event, player, rules), *_tokens(event), *_empty_deck(event, rules))
        case Arranged():
            return (say("{player} rearranges the hand.", player=player),)


def _clue(event: Clued, player: str, target: str) -> Message:
    hint = event.hint.word if isinstance(event.hint, Colour) else str(event.hint)
    if not event.slots:
        return say("{player} tells {target} “{hint}”: no card.", player=player, target=target, hint=hint)
    return say_n(
        "{player} tells {target} “{hint}”: {n} card (slot {slots}).",
        "{player} tells {target} “{hint}”: {n} cards (slots {slots}).",
        len(event.slots),
        player=player,
        target=target,
        hint=hint,
        slots=tuple(str(slot + 1) for slot in event.slots),
    )


def _play(event: Played, player: str, rules: Rules) -> Message:
    values: dict[str, Value] = {"player": player, "card": event.card.word, "slot": event.slot + 1}
    if not event.placed:
        mistake: dict[str, Value] = {"mistakes": event.mistakes, "allowed": rules.mistakes}
        if event.announced:
            colour = event.announced.word
            return say(
                "{player} announces {colour} and plays {card} (slot {slot}): mistake {mistakes} of {allowed}.",
                colour=colour,
                **values,
                **mistake,
            )
        return say("{player} plays {card} (slot {slot}): mistake {mistakes} of {allowed}.", **values, **mistake)
    if event.card.value == 5:
        return say("{player} plays {card} (slot {slot}) and completes the firework!", **values)
    if event.announced:
        return say("{player} announces the colour and plays {card} (slot {slot}).", **values)
    return say("{player} plays {card} (slot {slot}).", **values)


def _tokens(event: Played) -> tuple[Message, ...]:
    if not event.gained:
        return ()
    return (say_n("{n} clue token comes back.", "{n} clue tokens come back.", event.gained),)


def _empty_deck(event: Played | Discarded, rules: Rules) -> tuple[Message, ...]:
    if event.drew != rules.deck_size - 1:
        return ()
    if rules.all_or_nothing:
        return (say("The deck is empty; play goes on with the cards in hand."),)
    return (say("The deck is empty: everyone has one more turn."),)
