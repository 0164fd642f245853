"""What can still be read of a damaged JSON text."""

from __future__ import annotations

import json
import re
from typing import Any

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
LISTS, OBJECTS = ("moves", "actions"), ("game",)  # the parts that are entered, so that a part of them can be kept


def parse_json(text: str) -> object:
    """The values of a JSON text; whatever is wrong with it is a ``json.JSONDecodeError``."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError):
        raise json.JSONDecodeError("beyond all bounds", text, 0) from None


def before_damage(text: str) -> dict[str, Any]:
    """The fields of an object that come whole before the damage, and of its list of moves those before the damage."""
    fields: dict[str, Any] = {}
    _object(text, _after_space(text, 0), fields)
    return fields


def _object(text: str, at: int, fields: dict[str, Any]) -> int | None:
    """Read fields into `fields` from an opening brace on; returns the place behind the object, None if it is not whole."""
    at = _after_space(text, at + 1)
    try:
        while text[at] == '"':
            key, at = _DECODER.raw_decode(text, at)
            at = _after_space(text, at)
            if text[at] != ":":
                return None
            end = _value(text, _after_space(text, at + 1), key, fields)
            if end is None:
                return None
            at = _after_space(text, end)
            if text[at] != ",":
                break
            at = _after_space(text, at + 1)
        return at + 1 if text[at] == "}" else None
    except (ValueError, IndexError, RecursionError):
        return None


def _value(text: str, at: int, key: str, fields: dict[str, Any]) -> int | None:
    if key in OBJECTS and text[at] == "{":
        return _object(text, at, fields.setdefault(key, {}))
    if key in LISTS and text[at] == "[":
        return _list(text, at, fields.setdefault(key, []))
    fields[key], end = _DECODER.raw_decode(text, at)
    return end


def _list(text: str, at: int, items: list[Any]) -> int | None:
    at = _after_space(text, at + 1)
    while text[at] != "]":
        item, at = _DECODER.raw_decode(text, at)
        items.append(item)
        at = _after_space(text, at)
        if text[at] not in ",]":
            return None
        if text[at] == ",":
            at = _after_space(text, at + 1)
    return at + 1


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
