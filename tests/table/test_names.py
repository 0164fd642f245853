"""Names at a table look different, and none looks like the table's own words."""

from __future__ import annotations

import unicodedata
from functools import partial
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya import TamayaError
from tamaya.bots import BOT_NAMES, offered_bots
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.rules import say
from tamaya.table import Decision, Table, commands
from tamaya.table.names import _LOOKS, INVISIBLE, available_name, is_reserved, look_alike, visible
from tests.support.fakes import ANN, BOB, CID, a_table, decided, full_table, plain_settings, sits

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
WRITTEN = st.text(LETTERS + "0123456789 -'.éçøłßабгджзикмнрсюяАБВДЖабαβγδεηΗΝρωΩ李小明日本カタ", min_size=1, max_size=20)
HIDDEN = "\u034f\u115f\u1160\u17b4\u180b\u2800\u3164\ufe0f\uffa0\U000e0100"
MARKS = "\u0300\u0301\u0308\u0327\u0335\u0338\u20d2"
BLANKS = " \u00a0\u2003\u2009\u202f\u3000"
NAMES = {
    *("Ann", "Anna", "Anne", "Hanna", "Bob", "Rob", "Bert", "Berta", "Cid", "Dan", "Dana", "Eve", "Eva", "Ian", "Jan", "Joan"),
    *("Jean", "Lea", "Leo", "Lena", "Max", "Mia", "Nia", "Nina", "Noa", "Oli", "Pia", "Tim", "Tom", "Uma", "Vic", "Zoe"),
    *("Иван", "Анна", "Борис", "Ольга", "Вера", "Νίκος", "Άννα", "Μαρία", "小明", "小美", "李", "林", "王", "花子"),
    *("たろう", "はな", "ばな", "राम", "रमा"),
}


def refusal(table: Table, decide: Decision) -> str:
    """The code of a refusal."""
    with pytest.raises(TamayaError) as problem:
        table.after(decide(table))
    return problem.value.code


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "aNN"),
        ("Ann", "Аnn"),  # Cyrillic А
        ("Ann", "Ann."),
        ("Ann", "Ａｎｎ"),
        ("Ann", "𝓐𝓷𝓷"),
        ("Ann", "ᴀɴɴ"),
        ("Ann", "Ánn"),
        ("Ann", "A\u0338nn"),
        ("Ann Lee", "AnnLee"),
        ("Ann Lee", "Ann\u3000Lee"),
        ("Ann Lee", "Ann-Lee"),
        ("Bob", "B0b"),
        ("BOB", "ВОВ"),  # all Cyrillic
        ("Bill", "BiIl"),
        ("Bill", "Bi1l"),
        ("Bill", "Bi|l"),
        ("Max", "Мах"),  # all Cyrillic
        ("Hanna", "Ηanna"),  # Greek Η
        ("Ηanna", "ηanna"),
        ("Nora", "Νora"),  # Greek Ν
        ("Arno", "Amo"),
        ("Soren", "Søren"),
        ("Otto", "Οττο"),
        ("王口", "王ロ"),
        ("Zoe", "Zoë"),
    ],
)
def test_names_that_look_alike_are_the_same(one: str, other: str) -> None:
    assert look_alike(one, other)
    table = a_table(settings=plain_settings(3))
    table = decided(table, sits(BOB, one)) if not look_alike(one, "Ann") else table
    assert refusal(table, sits(CID, other)) == "name_taken"


def test_common_names_are_different() -> None:
    assert [(one, other) for one, other in combinations(sorted(NAMES), 2) if look_alike(one, other)] == []
    assert not any(map(is_reserved, (*NAMES, *BOT_NAMES, "Guest", "Guest 2")))


@given(WRITTEN, st.data())
def test_swapping_letters_for_lookalikes_makes_no_new_name(name: str, data: st.DataObject) -> None:
    likenesses = {letter: letter + others for letter, others in _LOOKS.items()}
    small = name.casefold()
    swapped = "".join(data.draw(st.sampled_from(likenesses[char])) if char in likenesses else char for char in small)
    assert look_alike(name, swapped)


@given(WRITTEN, st.lists(st.tuples(st.integers(0, 20), st.sampled_from(HIDDEN + MARKS + BLANKS)), max_size=5))
def test_inserting_invisible_or_small_signs_makes_no_new_name(name: str, slipped: list[tuple[int, str]]) -> None:
    other = name
    for place, char in slipped:
        other = other[:place] + char + other[place:]
    assert look_alike(name, other) or not visible(name)


@given(st.text(max_size=40))
def test_likeness_ignores_encoding_and_case(name: str) -> None:
    shown = bool(visible(name))
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert look_alike(name, unicodedata.normalize(form, name)) or not shown
    assert look_alike(name, name.casefold()) or not shown


@given(WRITTEN, WRITTEN)
def test_likeness_is_symmetric(one: str, other: str) -> None:
    assert look_alike(one, other) is look_alike(other, one)


@given(st.text(max_size=60))
def test_an_accepted_name_keeps_its_visible_characters(typed: str) -> None:
    try:
        name = commands.checked_name(typed)
    except TamayaError:
        return
    assert 0 < len(name) <= 40
    assert not INVISIBLE.search(name)
    assert {unicodedata.category(char) for char in name}.isdisjoint({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
    assert name == " ".join(name.split(" "))
    assert commands.checked_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["\u3164", "\u2800\u2800", "\u115f\ufe0f", "\u0301", "a\u202eb", "a\u200bb", "a\u2066b", "\u00ada", "a\ufeff", "a\u200d"],
)
def test_invisible_names_and_text_direction_signs_are_refused(name: str) -> None:
    assert refusal(a_table(), sits(BOB, name)) == "bad_name"
    assert refusal(full_table(), lambda now: commands.rename(now, BOB, name)) == "bad_name"


def test_invisible_characters_are_removed_from_names() -> None:
    assert commands.checked_name("Bob\u3164 \ufe0f") == "Bob"
    assert commands.checked_name("❤\ufe0f Ann") == "❤ Ann"


def test_names_of_bots_are_reserved_in_every_language() -> None:
    titles = [(speak, entry.title) for speak in map(catalogue, LANGUAGES) for entry in offered_bots().values() if entry.title]
    said = {speak(title) for speak, title in titles}
    assert {"Companion", "Dice", "Compañero", "Mathématicien", "Principiante", "Începător", "夥伴"} <= said
    marks = {speak(say("bot · {name}", name=title)) for speak, title in titles}
    spoofs = {name.translate(str.maketrans("oiea", "оіеа")) for name in said}
    for name in (*said, *marks, *spoofs, *(f" {title.upper()}. " for title in said)):
        assert refusal(a_table(), sits(BOB, name)) == "own_word"
        assert refusal(full_table(), partial(commands.rename, person=BOB, name=name)) == "own_word"


@pytest.mark.parametrize("name", ["Tamaya", "TАMAYА", "you", "You", "toi", "你", "host", "桌主", "Bot", "機器人"])
def test_words_of_the_table_are_reserved(name: str) -> None:
    assert refusal(a_table(), sits(BOB, name)) == "own_word"


@given(st.lists(st.sampled_from([*BOT_NAMES, "KIKU", "Вotаn", "Yаnagi", "Kaɡiya", "Senrin.", "Kamur0"]), max_size=4))
def test_bots_get_names_that_no_player_has(names: list[str]) -> None:
    table = a_table(settings=plain_settings(5))
    for number, name in enumerate(names[:3]):
        try:
            table = decided(table, sits(f"p-{number}", name))
        except TamayaError:
            continue
    while any(seat.free for seat in table.seats):
        free = next(place for place, seat in enumerate(table.seats) if seat.free)
        table = decided(table, partial(commands.seat_bot, person=ANN, seat=free, bot="simple"))
    assert not any(look_alike(one, other) for one, other in combinations(table.names, 2))


@given(WRITTEN.map(visible).filter(bool), st.lists(WRITTEN, max_size=4))
def test_an_available_name_is_always_found_and_accepted(name: str, taken: list[str]) -> None:
    for others in (taken, [name, f"{name[:38]} 2", f"{name[:38]} 3", name.upper()]):
        found = available_name(name, others)
        assert commands.checked_name(found) == found
        assert not any(look_alike(found, other) for other in others)


def test_a_player_may_change_the_spelling_of_their_name() -> None:
    table = decided(full_table(), lambda now: commands.rename(now, BOB, "B0B"))
    assert table.names[1] == "B0B"
