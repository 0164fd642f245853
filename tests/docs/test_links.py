"""Links, anchors, paths and commands in the documents lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamaya.cli import COMMANDS
from tests.dev_script import dev_script

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BASES = (ROOT, ROOT / "src", ROOT / "src/tamaya", ROOT / "src/tamaya/web", ROOT / "src/tamaya/engine")
"""Where a path in backticks may begin."""
FOLDERS = ("src", "tests", "docs", "deploy", "benchmarks", "tools", "tamaya")
SUFFIXES = (".py", ".html", ".js", ".css", ".md", ".po", ".toml", ".lock")
EXAMPLES = re.compile(r"(^|/)(test_)?(my\w+|mine|league|out)\.\w+$|/x/")
"""Files that the reader creates."""
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    return FENCE.sub("", text)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path, text: str) -> Iterator[str]:
    """Relative links and pictures of a page that lead nowhere."""
    targets = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", prose(text))
    for target in (markdown or html for markdown, html in targets):
        if re.match(r"https?:", target):
            continue
        place, _, anchor = target.partition("#")
        path = page.parent / place
        if not path.exists() or (anchor and anchor not in anchors(path.read_text("utf-8") if place else text)):
            yield target


def is_path(word: str) -> bool:
    """Whether a word in backticks names a file or folder of the repository."""
    if not re.fullmatch(r"[\w.*-][\w./*-]*", word) or EXAMPLES.search(word):
        return False
    return word.endswith((*SUFFIXES, "/")) or ("/" in word and word.split("/")[0] in FOLDERS)


def exists(path: str) -> bool:
    """Whether a path exists; capitals stand for any name (`CODE.po`), and a name alone may be anywhere."""
    pattern = path.rstrip("/") if (ROOT / path).exists() else re.sub(r"[A-Z]{3,}", "*", path).rstrip("/")
    if any(next(base.glob(pattern), None) for base in BASES):
        return True
    return "/" not in path and any(next((ROOT / folder).rglob(pattern), None) for folder in ("src", "tests"))


def broken_paths(text: str) -> Iterator[str]:
    """Paths in backticks that do not exist."""
    for word in re.findall(r"`([^`\n]+)`", prose(text)):
        if is_path(word) and not exists(word):
            yield word


def code(text: str) -> Iterator[str]:
    """Shell blocks and words in backticks."""
    yield from (block for language, block in FENCE.findall(text) if language == "sh")
    yield from re.findall(r"`([^`]+)`", prose(text))


def unknown_commands(text: str) -> Iterator[str]:
    """Commands of `./dev` and `tamaya` that do not exist."""
    known = {"./dev": set(dev_script().COMMANDS), "tamaya": set(COMMANDS)}
    for part in code(text):
        for program, command in re.findall(r"(?:^|\s)(?:\S*/)?(\./dev|tamaya) ([a-z]+)(?![\w./-]*=)", part, re.MULTILINE):
            if command not in known[program]:
                yield f"{program} {command}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_path_and_command_of_a_page_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    assert list(broken_links(page, text)) == []
    assert list(broken_paths(text)) == []
    assert list(unknown_commands(text)) == []


def test_broken_links_paths_and_commands_are_found() -> None:
    text = "# A page\n[a](gone.md) [b](#a-page) [c](#b) `src/gone.py` `tamaya fly` `tamaya play`\n```sh\n./dev fly\n```\n"
    assert list(broken_links(ROOT / "page.md", text)) == ["gone.md", "#b"]
    assert list(broken_paths(text)) == ["src/gone.py"]
    assert list(unknown_commands(text)) == ["./dev fly", "tamaya fly"]


def test_every_page_can_be_reached_from_the_readme() -> None:
    found, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in found or page.suffix != ".md":
            continue
        found.add(page)
        waiting += [page.parent / target for target in re.findall(r"\]\(([^)#\s:]+)", page.read_text("utf-8"))]
    assert set(PAGES) <= found
