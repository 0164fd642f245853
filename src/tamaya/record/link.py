"""Hanab Live's link form of a game: short enough for a chat, without names and options."""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from tamaya.record import hanablive
from tamaya.record.record import Record, Replay
from tamaya.rules import RecordError, read_number, say

ADDRESS = "https://hanab.live/shared-replay-json/"
EXPORT = "https://hanab.live/export/"
ALPHABET = ascii_lowercase + digits + ascii_uppercase
LONGEST_LINK = 10_000
"""How many characters a link has at most, with its address: a move takes two, and hyphens may be put between."""
NUMBERED = re.compile(r"\s*(?:(?:https?://)?(?:www\.)?hanab\.live/[a-z-]+/|#)?([0-9]{1,10})(?:[/?#].*)?\s*", re.DOTALL)
"""A game that Hanab Live keeps, by its address there or by its number."""
SEED = re.compile(r"\w{1,100}", re.ASCII)
"""The fourth part that some tools add: the seed of the deal. Hanab Live ignores it, as the cards are in the link."""


def write(record: Record) -> str:
    """The link of a record, if a link can hold everything that matters in it."""
    rules = record.rules
    if hanablive.options_of(rules):
        raise RecordError(
            "not_expressible", say("A Hanab Live link cannot carry {options}.", options=tuple(hanablive.options_of(rules)))
        )
    data = hanablive.to_json(record)
    cards = "".join(ALPHABET[card["suitIndex"] * 5 + card["rank"] - 1] for card in data["deck"])
    variant = hanablive.variant_of(rules)
    return f"{ADDRESS}{rules.players}15{cards},{_write_actions(data['actions'])},{variant.number}"


def _write_actions(actions: list[dict[str, int]]) -> str:
    if not actions:
        return "00"
    least, most = min(action["type"] for action in actions), max(action["type"] for action in actions)
    kinds = most - least + 1
    pairs = (
        ALPHABET[(0 if action["type"] in (0, 1) else action["value"] + 1) * kinds + action["type"] - least]
        + ALPHABET[action["target"]]
        for action in actions
    )
    return f"{least}{most}{''.join(pairs)}"


def refuse_a_number(text: str) -> None:
    """Say how to get at a game that is only named by its number, as nothing is fetched from other sites."""
    found = NUMBERED.fullmatch(text)
    if found:
        message = say(
            "This is only the number of a game at Hanab Live. Open {address} in your browser and bring what it shows.",
            address=EXPORT + found[1],
        )
        raise RecordError("only_a_number", message)


def read(text: str) -> Replay:
    """Replay the game of a link, or of the part after its last slash; behind a ``#`` comes where to look, not what."""
    if len(text) > LONGEST_LINK:
        raise RecordError("too_long", say("A link has at most {most} characters.", most=LONGEST_LINK))
    parts = text.strip().partition("#")[0].rpartition("/")[2].replace("-", "").split(",")
    if len(parts) == 4 and SEED.fullmatch(parts[3]):
        parts.pop()
    number = read_number(parts[-1], 5)
    if len(parts) != 3 or number is None:
        raise _damaged()
    table, actions, _ = parts
    for variant in hanablive.VARIANTS:
        if variant.number == number:
            break
    else:
        raise RecordError("unknown_variant", say("Hanab Live's variant number {number} is not played here.", number=parts[2]))
    players, cards = _read_cards(table)
    return hanablive.from_json(
        {
            "players": [f"{seat + 1}" for seat in range(players)],
            "deck": cards,
            "actions": _read_actions(actions),
            "options": {"variant": variant.name},
        }
    )


def _read_cards(text: str) -> tuple[int, list[dict[str, int]]]:
    least, ranks = _read_range(text[1:3])
    players = read_number(text[0])
    if players is None:
        raise _damaged()
    cards = [divmod(_index(char), ranks) for char in text[3:]]
    return players, [{"suitIndex": suit, "rank": least + rank} for suit, rank in cards]


def _read_actions(text: str) -> list[dict[str, Any] | RecordError]:
    if text == "00":
        return []
    least, kinds = _read_range(text[:2])
    actions: list[dict[str, Any] | RecordError] = []
    for at in range(2, len(text), 2):
        try:
            value, kind = divmod(_index(text[at]), kinds)
            target = _index(text[at + 1 : at + 2])
        except RecordError as damage:
            return [*actions, damage]  # what comes before it is played
        actions.append({"type": least + kind, "target": target, "value": value - 1 if value else None})
    return actions


def _read_range(digits: str) -> tuple[int, int]:
    """Two digits as the lowest of a range and how many it has."""
    if len(digits) != 2 or not digits.isascii() or not digits.isdigit() or digits[1] < digits[0]:
        raise _damaged()
    return int(digits[0]), int(digits[1]) - int(digits[0]) + 1


def _index(char: str) -> int:
    place = ALPHABET.find(char) if char else -1
    if place < 0:
        raise _damaged()
    return place


def _damaged() -> RecordError:
    return RecordError(
        "malformed_link",
        say("This is no whole Hanab Live link: it ends in three parts with commas between (cards, moves, variant)."),
    )
