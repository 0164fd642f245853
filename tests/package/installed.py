"""The package as people get it: built from the checkout, installed into an empty environment, served from there."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

from tests.web.process import RealServer

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements.lock"
WAIT, INSTALLING = 60, 300
"""The seconds after which a step has failed; one that installs may have to fetch everything first."""


def run(*command: str | Path, typed: str = "", limit: float = WAIT, status: int = 0, folder: Path = ROOT) -> str:
    """What a program says to its end, which knows nothing of the environment that the tests run in."""
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**variables, "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"},
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=limit,
    )
    assert done.returncode == status, done.stdout
    return done.stdout


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the sdist that ``./dev package`` makes."""
    run(sys.executable, ROOT / "dev", "package", "--directory", folder, limit=INSTALLING)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


class Environment:
    """An empty environment away from the checkout."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False)
        self.folder = folder
        self.programs = folder / ("Scripts" if os.name == "nt" else "bin")

    def install(self, wheel: Path) -> None:
        """Install a wheel and what the lock says it needs: pip takes nothing else, and fails where that is not enough."""
        wanted = self.folder / "wanted.txt"
        wanted.write_text(f"tamaya @ {wheel.as_uri()} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n")
        pip = (sys.executable, "-m", "pip", "--python", self.folder, "--disable-pip-version-check", "--quiet", "install")
        run(*pip, "--no-compile", "--require-hashes", "--requirement", LOCK, "--requirement", wanted, limit=INSTALLING)

    def run(self, program: str, *arguments: str, typed: str = "", status: int = 0) -> str:
        """What an installed program says to its end."""
        return run(self.programs / program, *arguments, typed=typed, status=status, folder=self.folder)


class InstalledServer(RealServer):
    """The installed ``tamaya serve``, which knows nothing of the checkout."""

    def __init__(self, environment: Environment, data: Path) -> None:
        super().__init__(data, PYTHONPATH="")
        self._command[:3] = [str(environment.programs / "tamaya")]
