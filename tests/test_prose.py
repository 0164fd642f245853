"""The word check of ``./dev lint``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import prose

WORD = "some" + "body"
SOURCE = f'''"""What {WORD} did."""

LABEL = say("{WORD.capitalize()} has left.")  # {WORD} else
'''
TEST = f'''def test_{WORD}_leaves():
    assert {WORD}, "{WORD} stays"
'''


@pytest.fixture(autouse=True)
def root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    (tmp_path / "tests").mkdir()
    return tmp_path


def places(path: Path, text: str) -> list[str]:
    """The line numbers of the findings in a file with this text."""
    path.write_text(text)
    return [line.split(":")[1] for line in prose.findings(path)]


def test_docstrings_and_comments_are_checked_but_messages_are_not(root: Path) -> None:
    assert places(root / "source.py", SOURCE) == ["1", "3"]


def test_names_and_assertions_of_tests_are_checked(root: Path) -> None:
    assert places(root / "tests" / "test_it.py", TEST) == ["1", "2", "2"]


def test_every_line_of_a_page_is_checked(root: Path) -> None:
    assert places(root / "page.md", f"The player.\n\n{WORD.upper()} else.\n") == ["3"]


def test_more_places_than_allowed_fail(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    page = root / "page.md"
    page.write_text(f"{WORD}\n" * prose.ALLOWED)
    monkeypatch.setattr("sys.argv", ["prose", str(page)])
    prose.main()
    page.write_text(f"{WORD}\n" * (prose.ALLOWED + 1))
    with pytest.raises(SystemExit):
        prose.main()
    assert f"page.md:{prose.ALLOWED + 1}: “{WORD}”" in capsys.readouterr().out
