"""The word check of ``./dev lint``: docstrings, comments, docs and tests name their actors.

The words below leave the actor unnamed: who is *somebody*, what does *so many* count? Write the player, the visitor, the
caller, N requests. Messages for users (`say(...)`) are not checked.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORDS = re.compile(r"\b(somebody|nobody|whoever|so many|came to|its like|their like)\b", re.IGNORECASE)
FOLDERS = ("src", "tests", "benchmarks", "tools", "docs", "deploy")
ALLOWED = 10
"""The number of places that need one of the words: a frozen value, a quotation, the help of a command."""


def python_prose(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of docstrings and comments; of tests, also names and the messages of assertions."""
    text = path.read_text("utf-8")
    docstrings = {
        node.value.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    of_tests = "tests" in path.relative_to(ROOT).parts
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        number = token.start[0]
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and number in docstrings):
            yield from enumerate(token.string.splitlines(), number)
        elif of_tests and token.type == tokenize.NAME and not token.string.isupper():  # members of enums keep theirs
            yield number, token.string.replace("_", " ")
        elif of_tests and token.type == tokenize.STRING and token.line.lstrip().startswith("assert"):
            yield number, token.string.rpartition(", ")[2]


def files(names: list[str]) -> Iterator[Path]:
    """The files under the named paths, or all files to check."""
    roots = [Path(name).resolve() for name in names] or [ROOT / name for name in (*FOLDERS, "dev")] + [*ROOT.glob("*.md")]
    for root in roots:
        found = [root] if root.is_file() else sorted(path for path in root.rglob("*") if path.suffix in (".py", ".md"))
        yield from (path for path in found if path != Path(__file__).resolve() and path.name != "CHANGELOG.md")


def findings(path: Path) -> Iterator[str]:
    """The places of a file that use one of the words."""
    lines = enumerate(path.read_text("utf-8").splitlines(), 1) if path.suffix == ".md" else python_prose(path)
    for number, line in lines:
        for word in WORDS.findall(line):
            yield f"{path.relative_to(ROOT)}:{number}: “{word.lower()}”: {line.strip()[:100]}"


def main() -> None:
    """Print every place, and fail if there are more than `ALLOWED`."""
    found = [line for path in files(sys.argv[1:]) for line in findings(path)]
    if found:
        print("\n".join(found))
    if len(found) > ALLOWED:
        sys.exit(f"{len(found)} places leave the actor unnamed (at most {ALLOWED}); write who or what is meant.")


if __name__ == "__main__":
    main()
