"""Messages: sentences that are translated when they are shown.

The packages below ``i18n`` cannot translate, yet every error and every rule has to reach people in their own language. They
use `Message`s: the English text, which is also the key of the catalogues, and its values. ``str()`` of a message is English,
as tracebacks need it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Union

_SURROGATE = re.compile(r"[\ud800-\udfff]")
Value = Union[str, int, "Message", "tuple[Message, ...]", "tuple[str, ...]"]


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence or term: its text, the count that selects the plural, and its values."""

    text: str
    plural: str = ""
    count: int = 1
    context: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.text, self.count, self.context, *self.values.values()))

    def __str__(self) -> str:
        template = self.plural if self.plural and self.count != 1 else self.text
        return template.format(**{name: _english(value) for name, value in self.values.items()})


def _english(value: Value) -> str:
    return ", ".join(map(_english, value)) if isinstance(value, tuple) else printable(str(value))


def printable(text: str) -> str:
    """The text without characters that could control a terminal or fake a line of output."""
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)


def half_character(text: str) -> Message | None:
    """The error message for a text with a lone surrogate, which no file or database can store; None for any other text."""
    found = None if text.isascii() else _SURROGATE.search(text)
    if found is None:
        return None
    return say(
        "“{half}” is only half a character; write the other half beside it, as in “{whole}”, or leave it out.",
        half=f"\\u{ord(found[0]):04x}",
        whole="\\ud83c\\udf86",
    )


def folded(text: str) -> str:
    """The text without accents, case, brackets and word breaks, to find a name however it is typed."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(char))
    return "-".join(re.sub(r"[-_()\s]+", " ", bare).split())


def say(text: str, /, **values: Value) -> Message:
    """A sentence with the values of its placeholders."""
    return Message(text, values=values)


def say_n(singular: str, plural: str, n: int, /, **values: Value) -> Message:
    """A sentence that depends on a number, ``{n}`` in its text."""
    return Message(singular, plural, n, values={"n": n, **values})


def say_in(context: str, text: str, /, **values: Value) -> Message:
    """A term whose translation depends on its use (``context``)."""
    return Message(text, context=context, values=values)


def quote(text: str, /) -> Message:
    """A player's own words, which are the same in every language."""
    return Message("{words}", values={"words": text})
