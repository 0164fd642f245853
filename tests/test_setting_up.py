"""``./dev`` makes the environment that it needs, and makes it anew where the old one cannot be mended."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.dev_script import dev_script
from tests.programs import run_python


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script with an environment of its own, into which it installs nothing."""
    module = dev_script()
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "BIN", tmp_path / ".venv" / "bin")
    monkeypatch.setattr(module, "call", lambda *command, **_: made(Path(command[-1])))
    monkeypatch.setattr(module, "python", lambda *_, **__: 0)
    return module


def made(venv: Path) -> int:
    """What making an environment does: programs that are there already stay as they are."""
    (venv / "bin").mkdir(exist_ok=True)
    program = venv / "bin" / "python"
    if not program.exists():
        program.write_text(sys.version)
    return 0


def test_an_environment_of_another_python_is_made_anew(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    dev.prepare(dev.SERVE)
    (dev.VENV / "lib").mkdir()
    (dev.VENV / "lib64").symlink_to("lib")
    monkeypatch.setattr(sys, "version", "3.99")
    dev.prepare(dev.SERVE)
    assert (dev.BIN / "python").read_text() == "3.99"
    assert not (dev.VENV / "lib").exists()


def test_one_that_only_lacks_something_is_kept(dev: ModuleType) -> None:
    dev.prepare(dev.SERVE)
    (dev.VENV / "lib").mkdir()
    dev.prepare(dev.DEVELOP)
    assert (dev.VENV / "lib").exists()
    assert dev.is_ready(dev.SERVE)


def test_a_real_environment_is_emptied_but_for_its_lock(dev: ModuleType) -> None:
    dev.VENV.mkdir()
    run_python("-m", "venv", "--without-pip", str(dev.VENV), check=True)
    (dev.VENV / "setup.lock").touch()
    dev.clear_out()
    assert {part.name for part in dev.VENV.iterdir()} == {"setup.lock", "maker.stamp"}
