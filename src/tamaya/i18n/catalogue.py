"""Catalogues of messages in six languages: gettext ``.po`` files, loaded when a language is first used."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tamaya.i18n.player_names import with_names
from tamaya.rules import Colour, MalformedError, Message, say, say_in
from tamaya.rules.message import Value, printable

FOLDER = Path(__file__).parent / "po"
LANGUAGES = {"en": "English", "es": "español", "fr": "français", "it": "italiano", "ro": "română", "zh_TW": "繁體中文"}
"""The languages by code, each under its own name."""


class Catalogue:
    """Translates messages into one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        with (FOLDER / f"{language}.po").open("rb") as file:
            messages = read_po(file, locale=language)
        compiled = BytesIO()
        write_mo(compiled, messages)
        compiled.seek(0)
        self._translations = GNUTranslations(compiled)
        self._chinese = language == "zh_TW"
        self._comma = "、" if self._chinese else ", "
        self._lists = "en_GB" if language == "en" else language

    def __call__(self, message: Message) -> str:
        """The message in this language."""
        template, values = self._template(message), {name: self._value(value) for name, value in message.values.items()}
        return _fill_in(template, values) if self._chinese and values else template.format(**values)

    def join(self, words: Iterable[str]) -> str:
        """The words as a list, separated by commas."""
        return self._comma.join(words)

    def either(self, words: Iterable[str]) -> str:
        """The words as a choice: “red, yellow or blue”."""
        return format_list(list(words), style="or", locale=self._lists)

    def text(self, messages: Iterable[Message]) -> str:
        """The sentences as one text."""
        return self.paragraph(map(self, messages))

    def paragraph(self, sentences: Iterable[str]) -> str:
        """Join sentences that are already in this language."""
        return ("" if self._chinese else " ").join(sentences)

    def _template(self, message: Message) -> str:
        if message.plural:
            return self._translations.ngettext(message.text, message.plural, message.count)
        if message.context:
            return self._translations.pgettext(message.context, message.text)
        return self._translations.gettext(message.text)

    def _value(self, value: Value) -> str:
        if isinstance(value, Message):
            return self(value)
        if isinstance(value, tuple):
            return self.join(map(self._value, value))
        return isolated(printable(str(value)))


def _fill_in(template: str, values: Mapping[str, str]) -> str:
    """The template with its values. Chinese words take no spaces between them; other words keep theirs."""
    sentence = ""
    for words, name, _, _ in _parsed(template):
        for part in (words, values[name] if name is not None else ""):
            if sentence.endswith(" ") and _is_chinese(sentence[-2:-1]) and _is_chinese(part[:1]):
                sentence = sentence[:-1]
            opening = part[:1] == " " and _is_chinese(part[1:2]) and _is_chinese(sentence[-1:])
            sentence += part[1:] if opening else part
    return sentence


@lru_cache(maxsize=2_000)
def _parsed(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    return tuple(Formatter().parse(template))


def _is_chinese(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"


def isolated(text: str) -> str:
    """The text, isolated if it is written from right to left, so that it does not reorder the sentence around it."""
    if text.isascii() or not any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in text):
        return text
    return f"\u2068{text}\u2069"


@lru_cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language, named in any common form (``fr``, ``zh-TW``, ``ro_RO.UTF-8``)."""
    found = pick_language([language], default="")
    if not found:
        raise MalformedError(
            "unknown_language",
            say("There is no language “{name}” here; the languages are {known}.", name=language[:20], known=tuple(LANGUAGES)),
        )
    return Catalogue(found)


def pick_language(preferred: Iterable[str], default: str = "en") -> str:
    """The first supported language of these; every kind of Chinese selects the traditional script."""
    codes = {code.partition("_")[0]: code for code in LANGUAGES}
    for name in preferred:
        primary = re.split(r"[-_.@]", name.strip().lower())[0]
        if primary in codes:
            return codes[primary]
    return default


def reason_in_words(speak: Catalogue, message: Message | None, names: Sequence[str], reader: int | None = None) -> str:
    """A bot's reason in the reader's language, with the players' names; `reader` is the reader's seat.

    It stays in English if the bot's values do not fit the translation.
    """
    if message is None:
        return ""
    said = with_names(message, names, reader)
    try:
        return speak(said)
    except (LookupError, ValueError):
        return str(said)


LETTERS: Mapping[Colour, Message] = {
    Colour.RED: say_in("letter on a red card", "R"),
    Colour.YELLOW: say_in("letter on a yellow card", "Y"),
    Colour.GREEN: say_in("letter on a green card", "G"),
    Colour.WHITE: say_in("letter on a white card", "W"),
    Colour.BLUE: say_in("letter on a blue card", "B"),
    Colour.MULTICOLOUR: say_in("letter on a multicolour card", "M"),
}


def tenths(value: float) -> Message:
    """A number with one decimal, which some languages separate by a comma."""
    whole, parts = divmod(round(abs(value) * 10), 10)
    return say("{whole}.{tenths}", whole=whole, tenths=parts)
