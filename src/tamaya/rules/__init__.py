"""The rules as data: editions, variants, actions, outcomes, and the errors of whoever breaks them."""

from tamaya.rules.actions import (
    Action,
    Arrange,
    Clue,
    Discard,
    Move,
    Numbering,
    Play,
    action_of,
    number_of,
    numbering,
    read_action,
    read_move,
)
from tamaya.rules.cards import VALUES, Card, Colour, read_card, read_colour
from tamaya.rules.editions import EDITIONS, VARIANTS, Edition, Variant, find_edition, find_variant, read_rules
from tamaya.rules.errors import (
    IllegalError,
    MalformedError,
    MissingPartError,
    RecordError,
    RulesError,
    TamayaError,
    UnavailableError,
)
from tamaya.rules.message import Message, say, say_in, say_n
from tamaya.rules.numbers import read_number
from tamaya.rules.outcome import Ending, Outcome, is_scored, rating
from tamaya.rules.ruleset import LastMistake, Multicolour, Rules

__all__ = [
    "EDITIONS",
    "VALUES",
    "VARIANTS",
    "Action",
    "Arrange",
    "Card",
    "Clue",
    "Colour",
    "Discard",
    "Edition",
    "Ending",
    "IllegalError",
    "LastMistake",
    "MalformedError",
    "Message",
    "MissingPartError",
    "Move",
    "Multicolour",
    "Numbering",
    "Outcome",
    "Play",
    "RecordError",
    "Rules",
    "RulesError",
    "TamayaError",
    "UnavailableError",
    "Variant",
    "action_of",
    "find_edition",
    "find_variant",
    "is_scored",
    "number_of",
    "numbering",
    "rating",
    "read_action",
    "read_card",
    "read_colour",
    "read_move",
    "read_number",
    "read_rules",
    "say",
    "say_in",
    "say_n",
]
