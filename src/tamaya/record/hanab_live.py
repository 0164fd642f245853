"""Hanab Live's formats, JSON and link, for the variants that both sites have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, NamedTuple

from tamaya.engine import Game
from tamaya.engine.refusals import game_over_error
from tamaya.record.record import Record, Replay, Stop, replay
from tamaya.record.validation import integer, mapping, names, sequence
from tamaya.rules import (
    Action,
    Arrange,
    Card,
    Clue,
    Colour,
    Discard,
    Move,
    Multicolour,
    Play,
    RecordError,
    Rules,
    read_number,
    say,
)
from tamaya.rules.ruleset import default_hand_size

PLAY, DISCARD, COLOUR_CLUE, VALUE_CLUE, END, END_BY_VOTE = range(6)
TERMINATED, TIMEOUT = 4, 3  # Hanab Live's numbers for how a game was stopped


class HanabLiveVariant(NamedTuple):
    """One of Hanab Live's variants: its name, its number, and our settings for it."""

    name: str
    number: int
    colours: int = 5
    multicolour: Multicolour = Multicolour.NONE
    multicolour_named: bool = True


VARIANTS = (
    HanabLiveVariant("No Variant", 0),
    HanabLiveVariant("6 Suits", 1, 5, Multicolour.TEN),
    HanabLiveVariant("Black (6 Suits)", 2, 5, Multicolour.FIVE),
    HanabLiveVariant("Rainbow (6 Suits)", 3, 5, Multicolour.TEN, False),
    HanabLiveVariant("Dark Rainbow (6 Suits)", 11, 5, Multicolour.FIVE, False),
    HanabLiveVariant("4 Suits", 15, 4),
    HanabLiveVariant("3 Suits", 18, 3),
    HanabLiveVariant("Black (5 Suits)", 21, 4, Multicolour.FIVE),
    HanabLiveVariant("Rainbow (5 Suits)", 16, 4, Multicolour.TEN, False),
    HanabLiveVariant("Rainbow (4 Suits)", 17, 3, Multicolour.TEN, False),
    HanabLiveVariant("Rainbow (3 Suits)", 19, 2, Multicolour.TEN, False),
    HanabLiveVariant("Dark Rainbow (5 Suits)", 23, 4, Multicolour.FIVE, False),
)

# Options that do not affect the legal moves.
HARMLESS = {"variant", "timed", "timeBase", "timePerTurn", "speedrun", "tableName", "maxPlayers", "numPlayers"}
KNOWN = {"emptyClues", "allOrNothing", "oneExtraCard", "oneLessCard"}


def suits(rules: Rules) -> tuple[Colour, ...]:
    """Our colours in the order of Hanab Live's suits, where the full set has blue before its purple, our white."""
    if rules.colours == 5:
        return (Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE, Colour.WHITE, *rules.suits[5:])
    return rules.suits


def clue_colours(rules: Rules) -> tuple[Colour, ...]:
    """The colours that clues can name, in the order of Hanab Live's suits."""
    return tuple(colour for colour in suits(rules) if colour in rules.named_colours)


def rules_of(variant: HanabLiveVariant, players: int, options: dict[str, Any]) -> Rules:
    """Our rules for a variant with Hanab Live's options."""
    return Rules(
        players=players,
        hand_size=default_hand_size(players) + bool(options.get("oneExtraCard")) - bool(options.get("oneLessCard")),
        colours=variant.colours,
        multicolour=variant.multicolour,
        multicolour_named=variant.multicolour_named,
        empty_clues=bool(options.get("emptyClues")),
        all_or_nothing=bool(options.get("allOrNothing")),
    )


def variant_of(rules: Rules) -> HanabLiveVariant:
    """Hanab Live's variant with these fireworks; refused if it cannot express the rest of the rules."""
    for name, usual in (("clue_tokens", 8), ("mistakes", 3), ("announced_plays", False)):
        if getattr(rules, name) != usual:
            raise _inexpressible_error(name)
    if abs(rules.hand_size - default_hand_size(rules.players)) > 1:
        raise _inexpressible_error("hand_size")
    for variant in VARIANTS:
        if variant[2:] == (rules.colours, rules.multicolour, rules.multicolour_named):
            return variant
    raise _inexpressible_error("colours")


def options_of(rules: Rules) -> dict[str, Any]:
    """The options of a game that differ from Hanab Live's defaults."""
    extra = rules.hand_size - default_hand_size(rules.players)
    wanted = {
        "emptyClues": rules.empty_clues,
        "allOrNothing": rules.all_or_nothing,
        "oneExtraCard": extra == 1,
        "oneLessCard": extra == -1,
    }
    return {name: True for name, on in wanted.items() if on}


def _inexpressible_error(setting: str) -> RecordError:
    return RecordError("not_expressible", say("Hanab Live has no game with this {setting}.", setting=setting))


def from_json(data: object) -> Replay:
    """Replay a game from Hanab Live's JSON, up to the first invalid move."""
    fields = mapping(data, "game")
    variant, options = _variant_and_options(fields)  # first, because other variants differ in the other fields
    players = names(fields.get("players"))
    rules = rules_of(variant, len(players), options)
    order = suits(rules)
    deck = []
    for card in sequence(fields.get("deck"), "deck"):
        face = mapping(card, "deck")
        suit = integer(face.get("suitIndex"), "suitIndex", 0, len(order) - 1)
        deck.append(Card(order[suit], integer(face.get("rank"), "rank", 1, 5)))
    return replay(Record(rules, tuple(deck), players), sequence(fields.get("actions"), "actions"), read_step)


def _variant_and_options(fields: Mapping[str, Any]) -> tuple[HanabLiveVariant, dict[str, Any]]:
    options = dict(mapping(fields.get("options", {}), "options"))
    name = options.get("variant", fields.get("variant", "No Variant"))  # some files have it beside the deck
    for variant in VARIANTS:
        if variant.name == name:
            break
    else:
        known = tuple(variant.name for variant in VARIANTS)
        raise RecordError(
            "unknown_variant",
            say("Hanab Live's variant “{name}” is not played here; {known} are.", name=str(name)[:40], known=known),
        )
    for option, value in options.items():
        if value and option not in HARMLESS | KNOWN:
            raise RecordError("unknown_option", say("Hanab Live's option “{name}” is not played here.", name=option[:40]))
    if fields.get("characters"):
        raise RecordError("unknown_option", say("Hanab Live's option “{name}” is not played here.", name="characters"))
    return variant, options


def read_step(step: object, game: Game) -> Move | Stop:
    """One of Hanab Live's actions as a move of ours; `step` may be the error of an unreadable one, which is raised."""
    if isinstance(step, RecordError):
        raise step
    fields = mapping(step, "actions")
    kind = integer(fields.get("type"), "type", PLAY, END_BY_VOTE)
    if kind >= END:
        return Stop.TIMEOUT if kind == END and fields.get("value") == TIMEOUT else Stop.TERMINATED
    if game.to_move is None:
        raise game_over_error()
    target = integer(fields.get("target"), "target", 0, 99)
    if kind in (PLAY, DISCARD):
        hand = game.hand_numbers(game.to_move)
        if target not in hand:
            message = say("The player whose turn it is does not hold card {number} of the deck.", number=target + 1)
            raise RecordError("no_such_card", message)
        return Play(hand.index(target)) if kind == PLAY else Discard(hand.index(target))
    if kind == VALUE_CLUE:
        return Clue(target, integer(fields.get("value"), "value", 1, 5))
    colours = clue_colours(game.rules)
    return Clue(target, colours[integer(fields.get("value"), "value", 0, len(colours) - 1)])


def to_json(record: Record) -> dict[str, Any]:
    """The record in Hanab Live's format, which cannot express rearranged hands or what the last mistake costs."""
    variant, options = variant_of(record.rules), options_of(record.rules)
    order = suits(record.rules)
    return {
        "players": list(record.names),
        "deck": [{"suitIndex": order.index(card.colour), "rank": card.value} for card in record.deck],
        "options": {"variant": variant.name, **options},
        "actions": list(_actions(record)),
    }


def _actions(record: Record) -> list[dict[str, int]]:
    game = Game(record.rules, deck=record.deck)
    actions = []
    for move in record.moves:
        if not isinstance(move, Arrange):
            actions.append(_action(move, game))
        game.move(move)
    if record.stopped:
        actions.append({"type": END, "target": 0, "value": TIMEOUT if record.stopped is Stop.TIMEOUT else TERMINATED})
    return actions


def _action(move: Action, game: Game) -> dict[str, int]:
    if isinstance(move, Clue):
        if not isinstance(move.hint, Colour):
            return {"type": VALUE_CLUE, "target": move.seat, "value": move.hint}
        return {"type": COLOUR_CLUE, "target": move.seat, "value": clue_colours(game.rules).index(move.hint)}
    assert game.to_move is not None
    number = game.hand_numbers(game.to_move)[move.slot]
    return {"type": PLAY if isinstance(move, Play) else DISCARD, "target": number, "value": 0}


ADDRESS = "https://hanab.live/shared-replay-json/"
EXPORT = "https://hanab.live/export/"
ALPHABET = ascii_lowercase + digits + ascii_uppercase
MAX_LINK_LENGTH = 10_000
"""The characters of a link with its address: a move takes two, and hyphens may separate them."""
NUMBERED = re.compile(r"\s*(?:(?:https?://)?(?:www\.)?hanab\.live/[a-z-]+/|#)?([0-9]{1,10})(?:[/?#].*)?\s*", re.DOTALL)
"""A game stored on Hanab Live, by its address there or by its number."""
SEED = re.compile(r"\w{1,100}", re.ASCII)
"""The fourth part that some tools add: the seed of the deal. It is ignored, as the cards are in the link."""


def write_link(record: Record) -> str:
    """The link of a record; refused if a link cannot express it."""
    rules = record.rules
    if options_of(rules):
        raise RecordError("not_expressible", say("A Hanab Live link cannot carry {options}.", options=tuple(options_of(rules))))
    data = to_json(record)
    cards = "".join(ALPHABET[card["suitIndex"] * 5 + card["rank"] - 1] for card in data["deck"])
    variant = variant_of(rules)
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
    """Refuse a mere game number and say how to get the game: nothing is fetched from other sites."""
    found = NUMBERED.fullmatch(text)
    if found:
        message = say(
            "This is only the number of a game at Hanab Live. Open {address} in your browser and bring what it shows.",
            address=EXPORT + found[1],
        )
        raise RecordError("only_a_number", message)


def read_link(text: str) -> Replay:
    """Replay the game of a link, or of the part after its last slash; what follows a ``#`` is a position and ignored."""
    if len(text) > MAX_LINK_LENGTH:
        raise RecordError("too_long", say("A link has at most {most} characters.", most=MAX_LINK_LENGTH))
    parts = text.strip().partition("#")[0].rpartition("/")[2].replace("-", "").split(",")
    if len(parts) == 4 and SEED.fullmatch(parts[3]):
        parts.pop()
    number = read_number(parts[-1], 5)
    if len(parts) != 3 or number is None:
        raise _damaged_link_error()
    table, actions, _ = parts
    for variant in VARIANTS:
        if variant.number == number:
            break
    else:
        raise RecordError("unknown_variant", say("Hanab Live's variant number {number} is not played here.", number=parts[2]))
    players, cards = _read_cards(table)
    return from_json(
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
        raise _damaged_link_error()
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
            return [*actions, damage]  # the moves before it are replayed
        actions.append({"type": least + kind, "target": target, "value": value - 1 if value else None})
    return actions


def _read_range(digits: str) -> tuple[int, int]:
    """Two digits as the start of a range and its length."""
    if len(digits) != 2 or not digits.isascii() or not digits.isdigit() or digits[1] < digits[0]:
        raise _damaged_link_error()
    return int(digits[0]), int(digits[1]) - int(digits[0]) + 1


def _index(char: str) -> int:
    place = ALPHABET.find(char) if char else -1
    if place < 0:
        raise _damaged_link_error()
    return place


def _damaged_link_error() -> RecordError:
    return RecordError(
        "malformed_link",
        say("This is no whole Hanab Live link: it ends in three parts with commas between (cards, moves, variant)."),
    )
