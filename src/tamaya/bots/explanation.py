"""A bot's own words in a form that can be kept and shown to anybody, whoever wrote the bot."""

from __future__ import annotations

from string import Formatter

from tamaya.rules import Message
from tamaya.rules.message import quote

LONGEST_EXPLANATION = 300
DEEPEST = 4
"""How many messages may be inside each other: a colour in a card in a sentence among others."""


def explanation(answer: object) -> Message | None:
    """What a bot answered when asked why: a message as it is if every reader's language can say it, a text without what
    would steer a terminal, both within bounds; nothing for nothing. Anything else is a mistake of the bot."""
    if answer is None:
        return None
    if isinstance(answer, Message):
        told = str(answer)
        if len(told) <= LONGEST_EXPLANATION and is_sound(answer):
            return answer
        return _quoted(told)
    if isinstance(answer, str):
        return _quoted(answer)
    raise TypeError(f"explain() answered {type(answer).__name__}, which is neither a text nor a Message")


def _quoted(text: str) -> Message | None:
    words = plain_words(text, LONGEST_EXPLANATION)
    return quote(words) if words else None


def plain_words(text: str, longest: int) -> str:
    """A text in one line, without control characters and no longer than that."""
    begin = " ".join(text[: 4 * longest].split())
    words = "".join(char for char in begin if char.isprintable())
    return words if len(words) <= longest else words[: longest - 1].rstrip() + "…"


def is_sound(message: Message, depth: int = DEEPEST) -> bool:
    """Whether a message is plain data whose text asks for nothing but the values it brings."""
    texts = (message.text, message.plural, message.context)
    if type(message) is not Message or not message.text or {*map(type, texts)} != {str} or type(message.count) is not int:
        return False
    if len(message.values) > LONGEST_EXPLANATION or not depth:
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
