"""The map of the package, one line a module: ``./dev map``, or ``./dev map session`` for the lines with a word."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "tamaya"
MAX_WIDTH = 40
"""The width of the column of paths; the few longer ones stick out."""


def modules(package: Path) -> Iterator[tuple[str, str]]:
    """The path of each module and the first line of its docstring, a package (``review/``) before its modules."""
    places = {path.relative_to(package).with_suffix(""): path for path in package.rglob("*.py")}
    for place in sorted(places, key=lambda place: [part for part in place.parts if part != "__init__"]):
        name = f"{place.parent.as_posix()}/" if place.name == "__init__" else f"{place.as_posix()}.py"
        docstring = ast.get_docstring(ast.parse(places[place].read_text("utf-8"))) or ""
        yield name, docstring.partition("\n")[0]


def lines(package: Path, word: str = "") -> list[str]:
    """The lines of the map, aligned; with a word, those that contain it in any case."""
    rows = list(modules(package))
    width = min(max(len(name) for name, _ in rows), MAX_WIDTH)
    return [line for line in (f"{name:{width}}  {text}".rstrip() for name, text in rows) if word.casefold() in line.casefold()]


def main() -> None:
    """Print the map; fail if no line has the word."""
    found = lines(PACKAGE, " ".join(sys.argv[1:]))
    print("\n".join(found))
    if not found:
        sys.exit(f"No module of the map mentions “{' '.join(sys.argv[1:])}”.")


if __name__ == "__main__":
    main()
