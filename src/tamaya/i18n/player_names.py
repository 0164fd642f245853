"""Put players' names into the sentences of bots, which know only seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tamaya.rules import Message, say, say_in
from tamaya.rules.message import Value, quote


def player_at(seat: int) -> Message:
    """A player without a known name; `with_names` fills it in."""
    return say("player {seat}", seat=seat + 1)


def with_names(message: Message, names: Sequence[str], reader: int | None = None) -> Message:
    """The sentence with a name wherever it has a player's seat; the reader is addressed as “you” where possible."""
    said = _to_reader(message, reader)
    return replace(said, values={key: _named(value, names, reader) for key, value in message.values.items()})


def _to_reader(message: Message, reader: int | None) -> Message:
    if reader is None:
        return message
    you = player_at(reader)
    found = (TO_READER.get((message.text, key)) for key, value in message.values.items() if value == you)
    return next(filter(None, found), message)


def _named(value: Value, names: Sequence[str], reader: int | None) -> Value:
    if isinstance(value, tuple):
        return tuple(_named(part, names, reader) for part in value)  # type: ignore[return-value]
    if not isinstance(value, Message):
        return value
    known = (quote(name) for seat, name in enumerate(names) if name and value == player_at(seat))
    return next(known, None) or with_names(value, names, reader)


TO_READER: Mapping[tuple[str, str], Message] = {
    (
        "I play card {slot}: the clue on {focus} of {player} makes sense only if this clued card is {card} (a prompt).",
        "player",
    ): say("I play card {slot}: the clue on your {focus} makes sense only if this clued card is {card} (a prompt)."),
    (
        "I play card {slot} unclued: the clue on {focus} of {player} makes sense only if I hold {card} there (a finesse).",
        "player",
    ): say("I play card {slot} unclued: the clue on your {focus} makes sense only if I hold {card} there (a finesse)."),
    ("I save {card} of {player}: it is the last copy, and was next to be discarded.", "player"): say(
        "I save your {card}: it is the last copy, and was next to be discarded."
    ),
    ("I save {card} of {player}: it was next to be discarded.", "player"): say(
        "I save your {card}: it was next to be discarded."
    ),
    ("I point {player} to {card}: it can be played.", "player"): say("I point you to {card}: it can be played."),
    ("I point {player} to {card}: it will be needed later.", "player"): say("I point you to {card}: it will be needed later."),
    ("I point {player} to {card}, so that {other} plays {connection} before it.", "player"): say(
        "I point you to {card}, so that {other} plays {connection} before it."
    ),
    ("I point {player} to {card}, so that {other} plays {connection} before it.", "other"): say(
        "I point {player} to {card}, so that you play {connection} before it."
    ),
    ("I tell {player} more about cards that were clued before.", "player"): say(
        "I tell you more about cards that were clued before."
    ),
    ("tell {player} “{hint}”", "player"): say_in("a move", "tell you “{hint}”"),
    ("It means: {player} plays card {slot}, as if it were {wanted}. But it is {card}.", "player"): say(
        "It means: you play your card {slot}, as if it were {wanted}. But it is {card}."
    ),
    (
        "It means: {player} first plays card {slot}, which must be {wanted}, so that {card} fits (a prompt).",
        "player",
    ): say("It means: you first play your card {slot}, which must be {wanted}, so that {card} fits (a prompt)."),
    (
        "It means: {player} first plays card {slot}, which must be {wanted}, so that {card} fits (a finesse).",
        "player",
    ): say("It means: you first play your card {slot}, which must be {wanted}, so that {card} fits (a finesse)."),
    ("The clue on {focus} of {player} made sense only if it was {wanted} (a prompt).", "player"): say(
        "The clue on your {focus} made sense only if it was {wanted} (a prompt)."
    ),
    ("The clue on {focus} of {player} made sense only if it was {wanted} (a finesse).", "player"): say(
        "The clue on your {focus} made sense only if it was {wanted} (a finesse)."
    ),
    ("A clue on a card of {player} may have called for it.", "player"): say(
        "A clue on a card of yours may have called for it."
    ),
    ("{player} could be certain that the card would fit.", "player"): say("You could be certain that the card would fit."),
    ("{player} could be certain that the card would not fit.", "player"): say(
        "You could be certain that the card would not fit."
    ),
    ("{player} could be certain that this would cost no points.", "player"): say(
        "You could be certain that this would cost no points."
    ),
    ("{player} could be certain that this would cost points.", "player"): say(
        "You could be certain that this would cost points."
    ),
    ("Going by what {player} knew, the chance that it would fit was {percent}%.", "player"): say(
        "Going by what you knew, the chance that it would fit was {percent}%."
    ),
    ("By what {player} knew, the chance that this would cost points was {percent}%.", "player"): say(
        "By what you knew, the chance that this would cost points was {percent}%."
    ),
    ("The clue ruled out nothing that {player} could not rule out before.", "player"): say(
        "The clue ruled out nothing that you could not rule out before."
    ),
    ("Turn {turn}: {player} played {card}, a mistake.", "player"): say("Turn {turn}: you played {card}, a mistake."),
    ("Turn {turn}: {player} discarded {card}, the last that was left.", "player"): say(
        "Turn {turn}: you discarded {card}, the last that was left."
    ),
    ("The boldest play was {card} by {player} in turn {turn}, with a chance of {percent}%.", "player"): say(
        "The boldest play was your {card} in turn {turn}, with a chance of {percent}%."
    ),
    ("After the move of {player} in turn {lost} it could not be won any more.", "player"): say(
        "After your move in turn {lost} it could not be won any more."
    ),
}
"""The sentence that replaces another if this value of it is the reader."""
