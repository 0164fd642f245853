"""The package declares what it imports, no more and no less."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
USED_BY_OTHERS = {
    "aiosqlite": "SQLAlchemy finds it by the address of the database",
    "numba-cuda": "Numba finds it as its target",
    "python-multipart": "Starlette reads forms with it",
    "greenlet": "SQLAlchemy runs its engine in one; its extra asyncio cannot be pinned by a lock that names no extras",
    "uvloop": "uvicorn takes it for its loop",
}


def declared() -> set[str]:
    """The packages that pyproject.toml names, including those of extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = project["dependencies"] + [one for extra in project["optional-dependencies"].values() for one in extra]
    return {re.split(r"[^\w.-]", one)[0] for one in wanted} - {"tamaya"}


@cache
def imported() -> set[str]:
    """The packages that the source imports, by distribution name."""
    found: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "require":
                found |= {str(part.value).partition(".")[0] for part in node.args[:1] if isinstance(part, ast.Constant)}
    known = packages_distributions()
    return {known.get(name, [name])[0].lower().replace("_", "-") for name in found - set(sys.stdlib_module_names) - {"tamaya"}}


@pytest.mark.slow
def test_every_import_is_declared() -> None:
    assert imported() - declared() == set()


def test_every_declared_package_is_used() -> None:
    assert declared() - imported() == set(USED_BY_OTHERS)
