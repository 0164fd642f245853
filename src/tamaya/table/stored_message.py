"""Messages as the log of a table keeps them, so that each reader gets them in their own language."""

from __future__ import annotations

from typing import Any

import msgspec

from tamaya.rules import Message


class StoredMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A `Message` as plain data."""

    text: str
    plural: str = ""
    count: int = 1
    context: str = ""
    values: dict[str, str | int | StoredMessage | tuple[str | StoredMessage, ...]] = {}

    @classmethod
    def of(cls, message: Message) -> StoredMessage:
        """The message as plain data."""
        values: dict[str, str | int | StoredMessage | tuple[str | StoredMessage, ...]] = {}
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
        """The message itself."""
        values: dict[str, Any] = {}
        for name, value in self.values.items():
            if isinstance(value, StoredMessage):
                values[name] = value.message
            elif isinstance(value, tuple):
                values[name] = tuple(part.message if isinstance(part, StoredMessage) else part for part in value)
            else:
                values[name] = value
        return Message(self.text, self.plural, self.count, self.context, values)
