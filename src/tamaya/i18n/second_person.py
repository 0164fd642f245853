"""Reasons of bots as they are told to the player whom they speak of."""

from __future__ import annotations

from collections.abc import Mapping

from tamaya.rules import Message, say

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
}
"""The sentence that takes the place of another if this value of it is the reader."""
