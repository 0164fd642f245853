"""The package as users get it: built from the checkout, installed into an empty environment, served from there."""

from __future__ import annotations

import hashlib
import os
import venv
from pathlib import Path

from tests.programs import ROOT, run_python
from tests.support.servers import RealServer

LOCK = ROOT / "requirements.lock"
INSTALLING = 240.0
"""The seconds for a step that may have to download packages, or set up the checkout."""
ALONE = {"PYTHONPATH": "", "VIRTUAL_ENV": "", "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"}
"""Variables that hide the environment of the tests from a program."""


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the sdist that ``./dev package`` makes."""
    run_python("dev", "package", "--directory", str(folder), check=True, limit=INSTALLING, variables=ALONE)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


class Environment:
    """An empty environment away from the checkout."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False)
        self.folder = folder

    def program(self, name: str) -> str:
        """The path of an installed program."""
        return str(self.folder / ("Scripts" if os.name == "nt" else "bin") / name)

    def install(self, wheel: Path) -> None:
        """Install a wheel and its locked requirements; pip takes nothing else, and fails if that is not enough."""
        wanted = self.folder / "wanted.txt"
        wanted.write_text(f"tamaya @ {wheel.as_uri()} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n")
        pip = ("-m", "pip", "--python", str(self.folder), "--disable-pip-version-check", "--quiet", "install", "--no-compile")
        locked = ("--require-hashes", "--requirement", str(LOCK), "--requirement", str(wanted))
        run_python(*pip, *locked, check=True, limit=INSTALLING, variables=ALONE)

    def run(self, name: str, *arguments: str, typed: str = "") -> str:
        """The output and errors of an installed program."""
        done = run_python(*arguments, program=self.program(name), typed=typed, folder=self.folder, variables=ALONE)
        return done.stdout + done.stderr


class InstalledServer(RealServer):
    """The installed ``tamaya serve``, independent of the checkout."""

    def __init__(self, environment: Environment, data: Path) -> None:
        self.program = (environment.program("tamaya"),)
        super().__init__(data, **ALONE)
