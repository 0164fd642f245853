"""Every message in every language."""

import ast
import re
from functools import cache
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from tamaya import MalformedError
from tamaya.i18n import LANGUAGES, LETTERS, catalogue, pick_language
from tamaya.i18n.catalogue import FOLDER
from tamaya.i18n.extract import KEYWORDS, SOURCE, template, updated
from tamaya.rules import Colour, say, say_n


@cache
def said() -> Catalog:
    """Every message in the source, extracted once for all tests."""
    return template()


@cache
def messages(language: str) -> Catalog:
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def texts(value: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [value or ""] if value is None or isinstance(value, str) else list(value)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_the_six_languages_are_there() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.po")) == sorted(LANGUAGES) == ["en", "es", "fr", "it", "ro", "zh_TW"]


@pytest.mark.slow
def test_every_message_in_the_source_is_found() -> None:
    """A message in an f-string, or one that is concatenated, would never reach the catalogues."""
    known = {texts(message.id)[0] for message in said() if message.id}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
                text = node.args[1 if node.func.id == "say_in" else 0]
                assert isinstance(text, ast.Constant), f"{path}:{node.lineno}"
                assert text.value in known, f"{path}:{node.lineno}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_lacks_a_translation(language: str) -> None:
    spoken = {(message.context, message.id): message for message in messages(language) if message.id}
    needed = {(message.context, message.id) for message in said() if message.id}
    assert set(spoken) == needed, "run ./dev words and translate what is new"
    missing = [message.id for message in spoken.values() if message.fuzzy or not all(texts(message.string))]
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_up_to_date(language: str) -> None:
    assert updated(language, said()) == (FOLDER / f"{language}.po").read_bytes()


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_same_placeholders(language: str) -> None:
    catalog = messages(language)
    for message in catalog:
        if message.id:
            check_values(message, catalog.num_plurals)


def check_values(message: Message, plurals: int) -> None:
    sources, forms = texts(message.id), texts(message.string)
    assert len(forms) == (plurals if message.pluralizable else 1)
    for place, form in enumerate(forms):
        optional = {"n"} if message.pluralizable and place == 0 and plurals > 1 else set()
        wanted = placeholders(sources[-1])
        assert wanted - optional <= placeholders(form) <= wanted, message.id


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_translations_are_not_left_in_english(language: str) -> None:
    same = {message.id for message in messages(language) if message.id and message.string == message.id}
    assert {text for text in same if len(text if isinstance(text, str) else text[0]) > 20} == set()


@pytest.mark.parametrize(
    ("language", "number", "form"),
    [
        ("ro", 1, "1 carte"),
        ("ro", 2, "2 cărți"),
        ("ro", 0, "0 cărți"),
        ("ro", 19, "19 cărți"),
        ("ro", 20, "20 de cărți"),
        ("ro", 35, "35 de cărți"),
        ("ro", 100, "100 de cărți"),
        ("ro", 101, "101 cărți"),
        ("fr", 0, "0 carte"),
        ("fr", 1, "1 carte"),
        ("fr", 2, "2 cartes"),
        ("es", 1, "1 carta"),
        ("es", 0, "0 cartas"),
        ("it", 1, "1 carta"),
        ("it", 5, "5 carte"),
        ("zh_TW", 1, "1 張牌"),
        ("zh_TW", 7, "7 張牌"),
        ("en", 1, "1 card"),
        ("en", 0, "0 cards"),
    ],
)
def test_plurals_are_right(language: str, number: int, form: str) -> None:
    assert catalogue(language)(say_n("{n} card", "{n} cards", number)).replace("\u202f", " ").replace("\xa0", " ") == form


# Where each term of the rulebook's section 5 must appear: in the message that names the thing.
TERMS = {
    "Every firework is complete!": ("fuegos artificiales", "feux d'artifice", "fuochi d'artificio", "suitele", "煙火"),
    "Give a clue": ("pista", "information", "informazione", "informație", "線索"),
    "No clue token is available; discard or play a card.": (
        "ficha de pista",
        "jeton bleu",
        "gettoni blu",
        "jeton albastru",
        "藍色標記",
    ),
    "Each mistake is marked with a mistake token.": (
        "ficha de tormenta",
        "jeton rouge",
        "gettone rosso",
        "jeton roșu",
        "黑色標記",
    ),
    "Discard a card": ("descartar", "défausser", "scarta", "decartezi", "棄牌"),
    "Play a card": ("jugar", "jouer", "gioca", "joci", "出牌"),
    "Deck": ("mazo", "pioche", "mazzo", "teanc de joc", "牌庫"),
    "the newest card of a hand": ("mano", "main", "mano", "mână", "手牌"),
    "Discard pile": ("pila de descartes", "défausse", "scarti", "teanc de decartare", "棄牌區"),
    "red": ("rojo", "rouge", "rosso", "roșu", "紅"),
    "yellow": ("amarillo", "jaune", "giallo", "galben", "黃"),
    "green": ("verde", "vert", "verde", "verde", "綠"),
    "blue": ("azul", "bleu", "blu", "albastru", "藍"),
    "white": ("blanco", "blanc", "bianco", "alb", "白"),
    "multicolour": ("multicolor", "multicolore", "multicolore", "multicolor", "彩色"),
}


@pytest.mark.parametrize(("language", "place"), [("es", 0), ("fr", 1), ("it", 2), ("ro", 3), ("zh_TW", 4)])
def test_the_terms_are_those_of_the_booklets(language: str, place: int) -> None:
    spoken = {texts(message.id)[0]: texts(message.string)[0].lower() for message in messages(language) if message.id}
    for text, terms in TERMS.items():
        assert terms[place] in spoken[text], text


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_are_inserted_unchanged(language: str) -> None:
    speak = catalogue(language)
    spoken = speak(say("There is no bot “{name}”; the bots are {known}.", name="{0} {n} %s", known=("a", "b")))
    assert "{0} {n} %s" in spoken
    assert re.search("a[,、] ?b", spoken)


@pytest.mark.parametrize(
    ("wish", "language"),
    [
        ("fr", "fr"),
        ("fr_CA.UTF-8", "fr"),
        ("zh-TW", "zh_TW"),
        ("zh_Hant", "zh_TW"),
        ("ES", "es"),
        ("de", "en"),
        ("C", "en"),
        ("", "en"),
    ],
)
def test_languages_are_found_in_any_common_form(wish: str, language: str) -> None:
    assert pick_language([wish]) == language


def test_the_first_supported_language_wins() -> None:
    assert pick_language(["de-DE", "it-IT", "fr"]) == "it"


def test_an_unsupported_language_is_refused_by_name() -> None:
    with pytest.raises(MalformedError, match="zh_TW"):
        catalogue("klingon")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_colour_has_a_unique_name_and_letter(language: str) -> None:
    speak = catalogue(language)
    assert len({speak(colour.word) for colour in Colour}) == 6
    letters = [speak(LETTERS[colour]) for colour in Colour]
    assert len(set(letters)) == 6
    assert all(len(letter) == 1 for letter in letters)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_of_the_table_is_the_letter_of_a_colour(language: str) -> None:
    """A key that selects a colour once a teammate is chosen must not mean something else before."""
    script = (SOURCE / "web" / "static" / "table" / "board.js").read_text("utf-8")
    commands = set(re.findall(r"^  ([A-Z]): ", script, re.MULTILINE)) | {"P", "D"}
    assert len(commands) >= 7
    speak = catalogue(language)
    letters = {speak(LETTERS[colour]) for colour in Colour} | {colour.letter for colour in Colour}
    assert not commands & letters


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_kind_of_apostrophe(language: str) -> None:
    assert "’" not in (FOLDER / f"{language}.po").read_text("utf-8")
