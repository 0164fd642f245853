"""Messages as a table keeps them, so that each reader gets them in their own language."""

from __future__ import annotations

from typing import Any

import msgspec

from tamaya.rules import Message


class Words(msgspec.Struct, frozen=True, omit_defaults=True):
    """A `Message` as plain data."""

    text: str
    plural: str = ""
    count: int = 1
    context: str = ""
    values: dict[str, str | int | Words | tuple[str | Words, ...]] = {}

    @classmethod
    def of(cls, message: Message) -> Words:
        """The words of a message."""
        values: dict[str, str | int | Words | tuple[str | Words, ...]] = {}
        for name, value in message.values.items():
            if isinstance(value, Message):
                values[name] = cls.of(value)
            elif isinstance(value, tuple):
                values[name] = tuple(cls.of(part) if isinstance(part, Message) else part for part in value)
            else:
                values[name] = value
        return cls(message.text, message.plural, message.count, message.context, values)

    @property
    def message(self) -> Message:
        """The message, to be said."""
        values: dict[str, Any] = {}
        for name, value in self.values.items():
            if isinstance(value, Words):
                values[name] = value.message
            elif isinstance(value, tuple):
                values[name] = tuple(part.message if isinstance(part, Words) else part for part in value)
            else:
                values[name] = value
        return Message(self.text, self.plural, self.count, self.context, values)
