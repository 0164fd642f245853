"""``./dev`` sets up its environment, and replaces one that cannot be updated."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from tests.dev_script import dev_script
from tests.programs import run_python


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script with an environment of its own, into which nothing is installed."""
    module = dev_script()
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "BIN", tmp_path / ".venv" / "bin")
    monkeypatch.setattr(module, "call", lambda *command, **_: made(Path(command[-1])))
    monkeypatch.setattr(module, "python", lambda *_, **__: 0)
    return module


def made(venv: Path) -> int:
    """Create an environment as venv does: existing programs stay as they are."""
    (venv / "bin").mkdir(exist_ok=True)
    program = venv / "bin" / "python"
    if not program.exists():
        program.write_text(sys.version)
    return 0


def test_an_environment_of_another_python_is_replaced(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    dev.prepare(dev.SERVE)
    (dev.VENV / "lib").mkdir()
    (dev.VENV / "lib64").symlink_to("lib")
    monkeypatch.setattr(sys, "version", "3.99")
    dev.prepare(dev.SERVE)
    assert (dev.BIN / "python").read_text() == "3.99"
    assert not (dev.VENV / "lib").exists()


def test_an_incomplete_environment_is_kept(dev: ModuleType) -> None:
    dev.prepare(dev.SERVE)
    (dev.VENV / "lib").mkdir()
    dev.prepare(dev.DEVELOP)
    assert (dev.VENV / "lib").exists()
    assert dev.is_ready(dev.SERVE)


def test_reinstalled_packages_trigger_another_check_of_pytorch(dev: ModuleType) -> None:
    dev.prepare_training()
    assert dev.is_stamped(dev.TRAINING)
    dev.stamp_of(dev.DEVELOP).unlink()
    dev.prepare(dev.DEVELOP)
    assert not dev.is_stamped(dev.TRAINING)
    dev.prepare_training()
    assert dev.is_stamped(dev.TRAINING)


@pytest.mark.parametrize("mended", [True, False])
def test_a_pytorch_without_its_libraries_is_repaired(dev: ModuleType, monkeypatch: pytest.MonkeyPatch, mended: bool) -> None:
    installed = list[str]()

    def python(*arguments: object, **_: str) -> int:
        installed.extend(str(word) for word in arguments if str(word).startswith("torch=="))
        return int(arguments[-1] == "import torch" and not (installed and mended))

    monkeypatch.setattr(dev, "python", python)
    if mended:
        dev.prepare_training()
    else:
        with pytest.raises(SystemExit, match="cannot be imported"):
            dev.prepare_training()
    assert len(installed) == 1
    assert dev.is_stamped(dev.TRAINING) == mended


@pytest.mark.parametrize("elsewhere", [True, False])
def test_another_build_of_pytorch_is_installed_if_the_locked_one_is_missing(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, elsewhere: bool
) -> None:
    def python(*arguments: object, **_: str) -> int:
        by_lock, by_name = str(dev.TRAINING) in arguments, str(arguments[-1]).startswith("torch==")
        return int(by_lock or (by_name and not elsewhere))

    monkeypatch.setattr(dev, "python", python)
    if elsewhere:
        dev.prepare_training()
    else:
        with pytest.raises(SystemExit, match="could not be installed"):
            dev.prepare_training()
    assert dev.is_stamped(dev.TRAINING) == elsewhere


def test_the_developers_lock_has_every_extra_but_the_trainings(dev: ModuleType) -> None:
    extras = tomllib.loads((dev.ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {name for name, wanted in extras.items() if wanted} == {*dev.EXTRAS, "training"}
    assert "\ntorch==" not in dev.DEVELOP.read_text()


def test_a_real_environment_is_emptied_except_for_its_lock(dev: ModuleType) -> None:
    dev.VENV.mkdir()
    run_python("-m", "venv", "--without-pip", str(dev.VENV), check=True)
    (dev.VENV / "setup.lock").touch()
    dev.clear_out()
    assert {part.name for part in dev.VENV.iterdir()} == {"setup.lock", "maker.stamp"}
