"""``tamaya replay``: saved games in a browser, on this machine only, without storing anything."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamaya.cli import tamaya as command_line
from tamaya.i18n import LANGUAGES, catalogue
from tamaya.record import from_text, hanab_live, native
from tamaya.rules import say
from tests.limits import WAIT
from tests.programs import line_of, rest_of, start_python
from tests.support.games import a_record

RECORD = a_record()


def replay(*arguments: str, typed: str = "", **environment: str) -> Result:
    return CliRunner(env={"LC_ALL": "en_GB.UTF-8", **environment}).invoke(command_line, ("replay", *arguments), input=typed)


def asked(port: str, path: str) -> tuple[int, str]:
    """A page of the server, and its status."""
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=WAIT)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("way", ["file", "standard input", "link"])
def test_every_game_of_a_file_is_shown_until_stopped(tmp_path: Path, way: str) -> None:
    lines = [json.dumps(native.to_json(RECORD)), json.dumps(hanab_live.to_json(RECORD))]
    (tmp_path / "games.jsonl").write_text("\n".join(lines))
    source = {"file": str(tmp_path / "games.jsonl"), "standard input": "-", "link": hanab_live.write_link(RECORD)}[way]
    seen = {"LC_ALL": "C", "PYTHONUNBUFFERED": "1", "TMPDIR": str(tmp_path)}
    with start_python("-m", "tamaya", "replay", source, "--no-open", variables=seen) as program:
        if way == "standard input":
            assert program.stdin is not None
            program.stdin.write("\n".join(lines))
            program.stdin.close()
            program.stdin = None
        for _ in range(1 if way == "link" else 2):
            line = line_of(program, "an address")
            found = re.search(r"http://localhost:(\d+)(/t/\w+)/replay", line)
            assert found, line
            status, page = asked(found[1], f"{found[2]}/replay")
            assert (status, "<main" in page) == (200, True)
            assert from_text(asked(found[1], f"{found[2]}/record/tamaya")[1]).record.moves == RECORD.moves
        assert "Ctrl+C" in line_of(program, "how to stop it")
        program.send_signal(signal.SIGINT)
        assert "Traceback" not in "".join(rest_of(program))
    assert program.returncode in (0, 1, -signal.SIGINT), "1 is what Ctrl+C means to a command line"
    assert [name for name in os.listdir(tmp_path) if name.startswith("tamaya-")] == [], "nothing is kept"


def test_a_browser_opens_the_first_game(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def look(url: str) -> None:
        opened.append(url)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("webbrowser.open", look)
    result = replay("-", "--open", typed=f"{hanab_live.write_link(RECORD)}\n{hanab_live.write_link(RECORD)}\n")
    assert "Traceback" not in result.output
    addresses = re.findall(r"http://localhost:\d+/t/\w+/replay", result.output)
    assert len(addresses) == 2
    assert opened == addresses[:1]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nowhere.json", "There is no file nowhere.json"),
        (".", "is a folder"),
        ("https://hanab.live/replay/123", "Open https://hanab.live/export/123"),
        ("https://example.org/x", "This is no whole Hanab Live link"),
        ("a,b,c", "This is no whole Hanab Live link"),
        ("-", "is empty"),
    ],
)
def test_unreadable_sources_are_refused_with_a_message(source: str, words: str) -> None:
    result = replay(source)
    assert (result.exit_code, words in result.output) == (2, True), result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_output_is_in_the_chosen_language(language: str) -> None:
    message = say("There is no file {name}.", name="nowhere.json")
    assert catalogue(language)(message) in replay("nowhere.json", "--lang", language).output


def test_a_damaged_game_is_shown_with_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbrowser.open", lambda url: signal.raise_signal(signal.SIGINT))
    result = replay("-", "--open", typed=native.write(RECORD)[:-60])
    assert "The file is damaged in line" in result.output
    assert "/replay" in result.output
