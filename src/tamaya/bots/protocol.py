"""The protocol of a bot: given what a player may see, it returns an action.

Only `act` is required. A bot that wants to hear of every event has `observe`; one that can give its reasons has `explain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter
from typing import Protocol, runtime_checkable

from tamaya.engine import Event, View
from tamaya.rules import Action, IllegalError, Message, say
from tamaya.rules.message import quote

MAX_EXPLANATION_LENGTH = 300
MAX_MESSAGE_DEPTH = 4
"""The deepest nesting of messages: a sentence may hold a card, which holds a colour."""


class Bot(Protocol):
    """A program that plays. A fresh bot is made for each seat of each game and kept until the game ends."""

    def act(self, view: View) -> Action:
        """One of the view's legal actions."""
        ...


@runtime_checkable
class ObservingBot(Bot, Protocol):
    """A bot that is told what happens."""

    def observe(self, event: Event) -> None:
        """Hear of an event, including its own actions and rearranged hands: each once, in order, before the next `act`."""
        ...


@runtime_checkable
class MeetingBot(Bot, Protocol):
    """A bot that wants to know its teammates."""

    def meet(self, seats: Sequence[str]) -> None:
        """Hear, before the first `act`, which bot plays at each seat; a person's seat is an empty string."""
        ...


@runtime_checkable
class ExplainingBot(Bot, Protocol):
    """A bot that gives its reasons."""

    def explain(self) -> Message | str | None:
        """The reason for the last action. Players read it after the game, so it may name any card that the bot sees."""
        ...


def illegal_choice(shown: str) -> IllegalError:
    """The error of a bot that chose something other than a legal action."""
    message = say("it chose {action}, which is none of its legal actions.", action=shown[:40])
    return IllegalError("illegal_choice", message)


# Bots' own words, made safe to store and to show.


def explanation(answer: object) -> Message | None:
    """A bot's explanation made safe: a message unchanged if it can be translated, a text without terminal control characters,
    both within limits; None for None. Anything else is the bot's mistake."""
    if answer is None:
        return None
    if isinstance(answer, Message):
        told = str(answer)
        if len(told) <= MAX_EXPLANATION_LENGTH and is_sound(answer):
            return answer
        return _quoted(told)
    if isinstance(answer, str):
        return _quoted(answer)
    raise TypeError(f"explain() answered {type(answer).__name__}, which is neither a text nor a Message")


def _quoted(text: str) -> Message | None:
    words = plain_words(text, MAX_EXPLANATION_LENGTH)
    return quote(words) if words else None


def plain_words(text: str, longest: int) -> str:
    """A text in one line, without control characters and no longer than `longest`."""
    begin = " ".join(text[: 4 * longest].split())
    words = "".join(char for char in begin if char.isprintable())
    return words if len(words) <= longest else words[: longest - 1].rstrip() + "…"


def is_sound(message: Message, depth: int = MAX_MESSAGE_DEPTH) -> bool:
    """Whether a message is plain data whose text refers only to the values that it brings."""
    texts = (message.text, message.plural, message.context)
    if type(message) is not Message or not message.text or {*map(type, texts)} != {str} or type(message.count) is not int:
        return False
    if len(message.values) > MAX_EXPLANATION_LENGTH or not depth:
        return False
    return all(_is_plain(value, depth) for value in message.values.values()) and all(
        name is None or (name in message.values and name.isidentifier() and not spec and not conversion)
        for text in texts[:2]
        for _, name, spec, conversion in Formatter().parse(text)
    )


def _is_plain(value: object, depth: int) -> bool:
    if isinstance(value, Message):
        return is_sound(value, depth - 1)
    if type(value) is tuple:
        return all(map(_is_word, value)) or all(isinstance(part, Message) and is_sound(part, depth - 1) for part in value)
    return type(value) is int or _is_word(value)


def _is_word(value: object) -> bool:
    return type(value) is str
