"""The printed editions and their variants, by name.

`EDITIONS` holds one preset for each booklet, and ``standard``, the game of researchers; `VARIANTS` holds the changes that
booklets offer. Variants that do not contradict each other can be combined with any edition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tamaya.rules.errors import RulesError
from tamaya.rules.message import Message, folded, quote, say
from tamaya.rules.ruleset import ALLOWED, LastMistake, Multicolour, Rules, read_setting, unknown_setting_error

_LOST = say("A clue must touch a card; the last mistake loses the game.")
_ANYONE = say("Anyone may start.")
_MOST_COLOURFUL = say("The player in the most colourful clothes starts.")
_MARKED = say("Each mistake is marked with a mistake token.")
_TO_THE_BOX = say("Each mistake puts a mistake token into the lid of the box.")


@dataclass(frozen=True)
class Variant:
    """A change of the rules that booklets offer: its letter in our rulebook, its settings, a title and a summary."""

    name: str
    letter: str
    settings: Mapping[str, Any]
    title: Message
    summary: Message


@dataclass(frozen=True)
class Edition:
    """A printed edition: its settings, its booklet's titles of variants, who starts, and what a mistake does to the tokens.

    A title is ours where the booklet has none.
    """

    name: str
    box: str
    language: str
    title: Message
    summary: Message
    settings: Mapping[str, Any] = field(default_factory=dict)
    booklet: Mapping[str, str] = field(default_factory=dict)
    starter: Message = _ANYONE
    mistake: Message = _MARKED

    def title_of(self, variant: Variant) -> Message:
        """The booklet's title of a variant, or ours if it has none."""
        title = self.booklet.get(variant.name, variant.name)
        return variant.title if title == variant.name else quote(title)

    def rules(self, players: int = 2, variants: Iterable[str] = (), **settings: Any) -> Rules:
        """The rules of this edition with these variants; ``settings`` override both."""
        chosen = [find_variant(name, self) for name in variants]
        for name in settings:
            if name not in ALLOWED:
                raise unknown_setting_error(name)
        return Rules(players=players, **{**self.settings, **_combined(chosen), **settings})


VARIANTS: Mapping[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant(
            "multicolour-ten",
            "A",
            {"multicolour": Multicolour.TEN},
            say("Multicolour, ten cards"),
            say("A sixth, multicolour firework with ten cards; clues can name it."),
        ),
        Variant(
            "multicolour-five",
            "B",
            {"multicolour": Multicolour.FIVE},
            say("Multicolour, five cards"),
            say("A sixth, multicolour firework with one card of each value."),
        ),
        Variant(
            "multicolour-unnamed",
            "C",
            {"multicolour_named": False},
            say("Multicolour that no clue can name"),
            say("Multicolour cards match every colour clue and cannot be named; ten cards unless five are chosen."),
        ),
        Variant("two-mistakes", "D", {"mistakes": 2}, say("Two mistakes"), say("The second mistake already ends the game.")),
        Variant("one-mistake", "D", {"mistakes": 1}, say("One mistake"), say("The first mistake already ends the game.")),
        Variant(
            "nine-clue-tokens",
            "D",
            {"clue_tokens": 9},
            say("Nine clue tokens"),
            say("The spare clue token joins in: nine in all."),
        ),
        Variant(
            "all-or-nothing",
            "E",
            {"all_or_nothing": True, "last_mistake": LastMistake.LOST},
            say("All or nothing"),
            say("Play goes on without a deck until every firework is complete or the team has lost."),
        ),
        Variant(
            "announced-plays",
            "F",
            {"announced_plays": True},
            say("Announced plays"),
            say("A play may be announced by colour: right, a clue token comes back; wrong, it is a mistake."),
        ),
    )
}

EDITIONS: Mapping[str, Edition] = {
    edition.name: edition
    for edition in (
        Edition(
            "standard",
            "",
            "en",
            say("Standard rules"),
            say("What researchers play: a clue must touch a card; the last mistake leaves 0 points."),
            {},
            {name: name for name in VARIANTS},
        ),
        Edition(
            "spanish",
            "Abacus 2012",
            "es",
            say("Spanish edition"),
            say("Clues may touch no card; the last mistake leaves 0 points."),
            {"empty_clues": True},
            {
                "multicolour-ten": "Farbrausch",
                "multicolour-five": "Farbrausch con 5 cartas",
                "multicolour-unnamed": "Farbrausch (2ª variante)",
                "two-mistakes": "2 fichas de tormenta",
                "one-mistake": "1 ficha de tormenta",
                "nine-clue-tokens": "ficha de reserva",
            },
            say("The oldest player starts."),
            say("Each mistake turns a mistake token over."),
        ),
        Edition(
            "french",
            "Cocktail Games 2015",
            "fr",
            say("French edition"),
            say("Clues may touch no card; the last mistake loses the game."),
            {"empty_clues": True, "last_mistake": LastMistake.LOST},
            {
                "multicolour-five": "Avalanche de couleurs",
                "all-or-nothing": "Bouquet final",
                "announced-plays": "Chorégraphie minutée",
            },
            mistake=_TO_THE_BOX,
        ),
        Edition(
            "chinese",
            "R&R Games / Kids Power 2013",
            "zh_TW",
            say("Chinese edition"),
            _LOST,
            {"last_mistake": LastMistake.LOST},
            {
                "multicolour-ten": "變體1",
                "multicolour-five": "變體2",
                "multicolour-unnamed": "變體3",
                "all-or-nothing": "變體4",
            },
            _MOST_COLOURFUL,
            say("Each mistake takes a mistake token off the pile."),
        ),
        Edition(
            "italian",
            "Cocktail Games",
            "it",
            say("Italian edition"),
            _LOST,
            {"last_mistake": LastMistake.LOST},
            {"all-or-nothing": "Versione per esperti"},
            _MOST_COLOURFUL,
            _TO_THE_BOX,
        ),
        Edition(
            "romanian",
            "",
            "ro",
            say("Romanian edition"),
            _LOST,
            {"last_mistake": LastMistake.LOST},
            {"all-or-nothing": "Totul sau nimic"},
            mistake=say("Each mistake takes a mistake token out of the lid of the box."),
        ),
    )
}


MAX_RULES_LENGTH = 1000
"""The characters of rules in words: five times the length of rules with every setting."""


def find_edition(name: str) -> Edition:
    """The edition of that name or language."""
    found = _edition_named(name)
    if found is None:
        raise RulesError(
            "unknown_edition",
            say("There is no edition “{name}”; the editions are {known}.", name=name[:40], known=tuple(EDITIONS)),
        )
    return found


def _edition_named(name: str) -> Edition | None:
    wanted = folded(name)
    return next((one for one in EDITIONS.values() if wanted in (one.name, folded(one.language))), None)


def find_variant(name: str, edition: Edition = EDITIONS["standard"]) -> Variant:
    """The variant of that name, letter of our rulebook, or title in the edition's booklet."""
    wanted = folded(name)
    found = [
        variant
        for variant in VARIANTS.values()
        if wanted in (variant.name, variant.letter.lower(), folded(edition.booklet.get(variant.name, "")))
    ]
    if len(found) != 1:
        raise RulesError(
            "unknown_variant",
            say(
                "“{name}” does not name one variant; the variants are {known}.",
                name=name[:40],
                known=tuple(variant.name for variant in found or VARIANTS.values()),
            ),
        )
    return found[0]


def read_rules(text: str) -> Rules:
    """Parse rules: an edition (or its language), variants and ``setting=value`` in any order.

    An example is ``french players=4 all-or-nothing``; ``str()`` of any rules is such a text.
    """
    if len(text) > MAX_RULES_LENGTH:
        raise RulesError("too_long", say("Rules in words have at most {most} characters.", most=MAX_RULES_LENGTH))
    editions, variants = [], []
    settings: dict[str, Any] = {}
    typed: dict[str, str] = {}
    for word in text.split():
        name, is_setting, value = word.partition("=")
        edition = _edition_named(word)
        if is_setting:
            chosen = read_setting(name, value)
            if settings.setdefault(name, chosen) != chosen:
                raise _contradiction_error(typed[name], word)
            typed[name] = word
        elif edition:
            editions.append(edition)
        else:
            variants.append(word)
    for other in editions:
        if other is not editions[0]:
            raise _contradiction_error(editions[0].name, other.name)
    return (editions or [EDITIONS["standard"]])[0].rules(variants=variants, **settings)


def _contradiction_error(one: str | Message, other: str | Message) -> RulesError:
    one, other = (words if isinstance(words, Message) else words[:40] for words in (one, other))
    message = say("{one} and {other} contradict each other; choose one of them.", one=one, other=other)
    return RulesError("contradictory_rules", message)


def _combined(variants: list[Variant]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    source: dict[str, Variant] = {}
    for variant in variants:
        for name, value in variant.settings.items():
            if settings.setdefault(name, value) != value:
                raise _contradiction_error(source[name].title, variant.title)
            source[name] = variant
    if "multicolour_named" in settings:
        settings.setdefault("multicolour", Multicolour.TEN)
    return settings
