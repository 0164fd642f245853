"""Templates in six languages: in a template, `say`, `say_n` and `say_in` speak the reader's own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from babel.numbers import format_decimal
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from tamaya.i18n import LANGUAGES, LETTERS, Catalogue, catalogue
from tamaya.rules import VALUES, Message
from tamaya.web.sky import sprite

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a table is drawn: who they are, what they are called, their language, and where they reach the server."""

    person: str
    name: str
    language: str
    address: str


@cache
def asset(name: str) -> str:
    """The address of a static file; it changes with the file, so that browsers may keep it for good."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"


@cache
def environment(language: str) -> Environment:
    """The templates as a language reads them."""
    speak = catalogue(language)
    fixed = cache(lambda text: speak(Message(text)))
    room = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    room.filters |= {"speak": speak, "decimal": lambda value: format_decimal(value, locale=language)}
    room.globals |= {
        "say": lambda text, **values: speak(Message(text, values=values)) if values else fixed(text),
        "say_n": lambda one, many, n, **values: speak(Message(one, many, n, values={"n": n, **values})),
        "say_in": lambda context, text: speak(Message(text, context=context)),
        "speak": speak,
        "asset": asset,
        "language": language,
        "html_language": language.replace("_", "-"),
        "languages": LANGUAGES,
        "values": VALUES,
        "sprite": sprite,
        "letter": lambda colour: speak(LETTERS[colour]),
        "key": lambda colour: _typeable(speak(LETTERS[colour])) or colour.letter,
    }
    return room


def _typeable(letter: str) -> str:
    """A letter that is on everybody's keyboard, or nothing."""
    return letter if letter.isascii() else ""


@cache
def _template(name: str, language: str) -> Template:
    return environment(language).get_template(name)


def render(template: str, language: str, **context: Any) -> Markup:
    """A page or a part of one in a language."""
    return Markup(_template(template, language).render(context))


def sentence(speak: Catalogue, messages: tuple[Message, ...]) -> str:
    """Several sentences as one text."""
    return " ".join(map(speak, messages))
