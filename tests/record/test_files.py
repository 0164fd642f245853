"""No input of any size is parsed or held beyond the size of a game."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tamaya.record import MAX_RECORD_LENGTH, Entry, files, from_json, from_text, hanab_live, native, read_file, read_games
from tamaya.record.hanab_live import MAX_LINK_LENGTH
from tamaya.rules import RecordError, RulesError, read_move, read_rules
from tests.support.games import a_record

HUGE = 10_000_000
RECORD, BRIEF = a_record(), a_record(stop_at=1)
LINK, LINE, FILE = hanab_live.write_link(RECORD), json.dumps(native.to_json(RECORD)), native.write(RECORD)
TOO_LONG = f"at most {MAX_RECORD_LENGTH} characters"


def grown(text: str, filling: str) -> str:
    """A text with a very long filling in the middle."""
    half = len(text) // 2
    return text[:half] + filling * (HUGE // len(filling)) + text[half:]


GROWN = {
    "a link": grown(LINK, "a"),
    "a link of hyphens": grown(LINK, "-"),
    "a line of JSON": grown(LINE, " "),
    "moves in a line": LINE.replace('"moves": [', '"moves": [' + '"play 1", ' * (HUGE // 10)),
    "moves of a file": FILE.replace('"moves": [', '"moves": [\n' + '  "play 1",\n' * (HUGE // 12)),
    "Hanab Live's actions": '{"players": [], "deck": [], "actions": [' + '{"type": 0},' * (HUGE // 12) + "{}]}",
    "lists in lists": '{"format": ' + "[" * HUGE,
    "objects in objects": '{"game": ' * (HUGE // 9),
    "a number": '{"format": ' + "9" * HUGE + "}",
    "words": "x" * HUGE,
    "commas": "," * HUGE,
    "blanks": " " * HUGE + LINK,
}


class Parsed:
    """Watches the parsers: the longest text that one was given, and the number of calls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.longest = self.times = 0
        for module, name in (
            (files, "parse_json"),
            (files, "before_damage"),
            (hanab_live, "read_link"),
            (hanab_live, "refuse_a_number"),
        ):
            self._watch(monkeypatch, module, name)

    def _watch(self, monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> None:
        reads = getattr(module, name)

        def watched(text: str) -> object:
            self.longest, self.times = max(self.longest, len(text)), self.times + 1
            return reads(text)

        monkeypatch.setattr(module, name, watched)


class Poured(io.TextIOBase):
    """A standard input that never ends and counts the characters read from it."""

    def __init__(self, texts: Iterator[str]) -> None:
        self.texts, self.waiting, self.taken = texts, "", 0

    def read(self, size: int | None = None) -> str:
        assert size, "reading must be limited"
        while len(self.waiting) < size and (more := next(self.texts, "")):
            self.waiting += more
        return self._take(size)

    def readline(self, size: int | None = None) -> str:  # type: ignore[override]
        assert size, "reading must be limited"
        while "\n" not in self.waiting and len(self.waiting) < size and (more := next(self.texts, "")):
            self.waiting += more
        return self._take(min(size, self.waiting.find("\n") + 1 or size))

    def _take(self, size: int) -> str:
        taken, self.waiting = self.waiting[:size], self.waiting[size:]
        self.taken += len(taken)
        return taken


def poured(monkeypatch: pytest.MonkeyPatch, texts: Iterator[str]) -> Poured:
    source = Poured(texts)
    monkeypatch.setattr(sys, "stdin", source)
    return source


def codes(entries: Iterator[Entry]) -> list[str | None]:
    return [entry.error.code if entry.error else None for entry in entries]


@pytest.mark.parametrize("what", GROWN)
@pytest.mark.parametrize("way", ["a file", "the standard input", "a text"])
def test_ten_megabytes_are_refused_without_parsing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, way: str
) -> None:
    parsed, text = Parsed(monkeypatch), GROWN[what]
    if way == "a text":
        entries = list(read_games(text, "text"))
    elif way == "a file":
        (tmp_path / "game").write_text(text)
        entries = list(read_file(tmp_path / "game"))
    else:
        poured(monkeypatch, iter([text]))
        entries = list(read_file(Path("-")))
    assert len(entries) == 1
    assert entries[0].error is not None
    assert entries[0].error.code in ("too_long", "empty_file")
    assert what == "blanks" or TOO_LONG in str(entries[0].error)
    assert parsed.longest <= MAX_RECORD_LENGTH
    assert parsed.times <= 4, "the first two lines, to see whether there is a game in each"
    with pytest.raises(RecordError, match=TOO_LONG):
        from_text(text)


def test_an_endless_line_is_read_no_further_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_SKIPPED_PIECES", 3)
    endless = poured(monkeypatch, iter(lambda: "x" * 10_000, ""))
    assert codes(read_file(Path("-"))) == ["too_long"]
    assert endless.taken <= 6 * (MAX_RECORD_LENGTH + 1)


@pytest.mark.parametrize("line", [hanab_live.write_link(BRIEF), json.dumps(native.to_json(BRIEF))], ids=["links", "records"])
def test_files_of_any_number_of_games_are_read_one_after_the_other(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    endless = poured(monkeypatch, iter(lambda: line + "\n", ""))
    entries = read_file(Path("-"))
    for wanted in (1, 4000):
        found = list(islice(entries, wanted))
        assert codes(iter(found)) == [None] * wanted
    assert found[-1].id == "-:4001"
    assert endless.taken <= 4001 * (len(line) + 1) + 2 * MAX_RECORD_LENGTH, "nothing is read long before it is needed"


@pytest.mark.parametrize("place", [0, 1, 2, 400])
def test_games_beside_one_that_is_too_long_are_read(tmp_path: Path, place: int) -> None:
    lines = [json.dumps(native.to_json(BRIEF))] * 400
    lines.insert(place, LINE.replace('"moves": [', '"moves": [' + '"play 1", ' * 60_000))
    (tmp_path / "games").write_text("\n\n".join(lines) + "\n")
    entries = list(read_file(tmp_path / "games"))
    assert [entry.id for entry in entries] == [f"games:{number}" for number in range(1, 402)]
    assert codes(iter(entries)) == [*[None] * place, "too_long", *[None] * (400 - place)]


@pytest.mark.parametrize("length", [MAX_RECORD_LENGTH - 1, MAX_RECORD_LENGTH, MAX_RECORD_LENGTH + 1])
def test_a_record_of_the_maximum_length_is_read(tmp_path: Path, length: int) -> None:
    text = FILE + " " * (length - len(FILE))
    (tmp_path / "game").write_text(text)
    for entry in (*read_file(tmp_path / "game"), *read_games(text, "game")):
        assert (entry.error is None) == (length <= MAX_RECORD_LENGTH)
    games = LINE + "\n" + LINE + " " * (length - len(LINE)) + "\n" + LINE
    assert codes(read_games(games, "games")) == [None, None if length <= MAX_RECORD_LENGTH else "too_long", None]


def test_links_have_a_length_limit_of_their_own() -> None:
    cards, actions, variant = LINK.split(",")
    longest = ",".join([cards, actions + "-" * (MAX_LINK_LENGTH - len(LINK)), variant])
    assert from_text(longest).record == from_text(LINK).record
    with pytest.raises(RecordError, match=f"A link has at most {MAX_LINK_LENGTH} characters"):
        from_text(longest.replace("-,", "--,"))


DEEP = ["[" * 100_000, '{"a":' * 40_000, '{"game":' * 30_000, '{"format": "tamaya", "moves": ' + "[" * 90_000]


@pytest.mark.parametrize("deep", DEEP)
def test_nested_lists_of_any_depth_are_refused_with_a_message(deep: str) -> None:
    entry = next(read_games(deep, "deep"))
    assert entry.error is not None
    assert entry.error.code in ("malformed_json", "unknown_format")


def test_moves_and_rules_have_length_limits_too() -> None:
    for move in ("play 1" + " " * 200, "arrange 1:" + " 1" * 200, "x" * HUGE):
        with pytest.raises(ValueError, match="not an action"):
            read_move(move)
    with pytest.raises(RulesError, match="at most 1000 characters"):
        read_rules("players=2 " * 1000)


HALF = native.to_json(a_record(stop_at=2)) | {"moves": ["play 1", "\ud800"]}


@pytest.mark.parametrize(
    "data",
    [HALF, HALF | {"moves": [], "players": ["Ann", "\udfff"]}, {"notes": [["\ud83c"]]} | hanab_live.to_json(a_record())],
    ids=["move", "name", "hanab-live"],
)
def test_half_a_character_is_refused_anywhere(data: dict[str, Any]) -> None:
    text = json.dumps(data)
    for reads in (partial(from_json, data), partial(from_text, text), partial(from_text, text[:-2])):
        with pytest.raises(RecordError, match="only half a character") as refusal:
            reads()
        refusal.value.message.values["half"].encode()  # type: ignore[union-attr]
    (entry,) = read_games(json.dumps({"id": "g1", "expected": {"points": "\ud800"}, "game": data}), "text")
    assert (entry.replay, entry.error and entry.error.code) == (None, "half_character")


def test_a_text_with_half_a_character_is_refused_before_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\xff,b,c"), "utf-8", errors="surrogateescape"))
    (entry,) = read_file(Path("-"))
    assert entry.error
    assert entry.error.code == "half_character"
    with pytest.raises(RecordError, match="dcff"):
        from_text("a\udcff,b,c")


def test_both_halves_of_a_character_are_accepted() -> None:
    text = json.dumps(native.to_json(a_record(stop_at=1, names=("Ann", "B🎆b", "Cid"))))
    assert "\\ud83c\\udf86" in text
    assert from_text(text).record.names == ("Ann", "B🎆b", "Cid")
