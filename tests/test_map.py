"""``./dev map``: a module is found by the noun of its subject."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs import ROOT, run_python
from tools.map import lines, modules


def test_every_module_of_the_package_is_on_the_map_with_a_summary() -> None:
    package = ROOT / "src" / "tamaya"
    found = dict(modules(package))
    assert len(found) == len(list(package.rglob("*.py")))
    assert [name for name, summary in found.items() if not summary] == []


def test_packages_come_before_their_modules_and_summaries_are_aligned(tmp_path: Path) -> None:
    for name, text in (
        ("__init__.py", '"""All."""'),
        ("b.py", '"""The bees.\n\nMore."""'),
        ("a/__init__.py", ""),
        ("a/long_name.py", '"""The ants."""'),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert lines(tmp_path) == [
        "./              All.",
        "a/",
        "a/long_name.py  The ants.",
        "b.py            The bees.",
    ]
    assert lines(tmp_path, "BEES") == ["b.py            The bees."]


@pytest.mark.parametrize(
    ("word", "module"),
    [
        ("clue token", "engine/kernel/turn.py"),
        ("session", "storage/sessions.py"),
        ("session", "web/http/sessions.py"),
        ("statistic", "league/statistics.py"),
    ],
)
def test_a_noun_finds_its_module(word: str, module: str) -> None:
    assert module in [line.split()[0] for line in lines(ROOT / "src" / "tamaya", word)]


def test_the_command_prints_the_lines_with_a_word() -> None:
    done = run_python("dev", "map", "shuffle", check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["engine/kernel/deal.py"]


def test_a_word_that_is_on_no_line_is_an_error() -> None:
    assert run_python("dev", "map", "zeppelin").returncode == 1
