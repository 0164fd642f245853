"""Parsing the files in ``deploy`` as systemd and container engines do."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.programs import ROOT

DEPLOY = ROOT / "deploy"


def read_unit(name: str) -> Mapping[str, list[str]]:
    """The directives of a unit, each with all its values."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / name).read_text("utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            directive, value = line.split("=", 1)
            found.setdefault(directive, []).append(value)
    return found


def instructions() -> Iterator[tuple[str, str]]:
    """The instructions of the container file, in order."""
    text = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, rest = line.partition(" ")
            yield name, rest.strip()


def copied() -> list[str]:
    """The files and folders of the checkout that are copied to the image."""
    rests = [shlex.split(rest) for name, rest in instructions() if name == "COPY" and not rest.startswith("--from")]
    return [source for rest in rests for source in rest[:-1]]


def command_in(text: str) -> list[str]:
    """The words of a command written as a list."""
    found = re.search(r"\[.*\]", text)
    assert found, text
    words: list[str] = json.loads(found[0])
    return words


def let_through(path: Path) -> list[str]:
    """The exceptions in an ignore file that begins by ignoring everything."""
    return [line[1:] for line in path.read_text("utf-8").splitlines() if line.startswith("!")]
