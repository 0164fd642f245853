"""Views and events as plain values that any language can read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from tamaya.engine.events import Event
from tamaya.rules import Card, Clue, Discard, Play, Rules


def plain(value: Any) -> Any:
    """The value as dictionaries, lists, strings and numbers: cards and actions in their short text form, events with
    their kind as ``"event"``."""
    match value:
        case Rules():
            return plain(value.to_json())
        case Card() | Clue() | Play() | Discard():
            return str(value)
        case Enum():
            return plain(value.name.lower() if isinstance(value, int) else value.value)
        case Mapping():
            return {str(plain(key)): plain(item) for key, item in value.items()}
        case tuple() | list():
            return [plain(item) for item in value]
        case _ if is_dataclass(value):
            kind = {"event": type(value).__name__.lower()} if isinstance(value, Event) else {}
            return kind | {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value
