"""Packages of other authors, as pip would install them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

import pytest

from tamaya.bots import foreign

GOOD = '''"""Bots of another author."""

from tamaya.bots import SimpleBot


class GoodBot(SimpleBot):
    """Plays like a beginner.

    And says no more than its first line.
    """

    def explain(self):
        return "As I was taught."
'''

MARKING = "import pathlib\nwith pathlib.Path(__file__ + '.mark').open('a') as file:\n    file.write('x')\n"
"""What leaves a mark each time it is imported."""


def install(folder: Path, name: str, source: str, bots: Mapping[str, str] | None = None) -> None:
    """Put a module into a folder and, with bots, make them known by entry points."""
    (folder / f"{name}.py").write_text(dedent(source), "utf-8")
    if bots is not None:
        about = folder / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
        lines = [f"{bot} = {place}" for bot, place in bots.items()]
        (about / "entry_points.txt").write_text("\n".join([f"[{foreign.GROUP}]", *lines, ""]), "utf-8")


@contextmanager
def site(folder: Path) -> Iterator[Path]:
    """A folder whose packages can be imported for a while, by processes started meanwhile too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        foreign.installed.cache_clear()
        try:
            yield folder
        finally:
            foreign.installed.cache_clear()
            for name, module in list(sys.modules.items()):
                if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
                    del sys.modules[name]
