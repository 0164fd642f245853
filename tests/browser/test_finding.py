"""``./dev`` fetches the browser for these tests, or says in words why it cannot."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from tests.dev_script import dev_script


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script as a module, on a machine with an empty path."""
    module = dev_script()
    monkeypatch.delenv("TAMAYA_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(module, "call", lambda *command, **_: called(*command))
    monkeypatch.setattr(module, "python", lambda *command, **_: called("python", *command))
    return module


calls: list[str] = []
packaged: set[str] = set()


@pytest.fixture(autouse=True)
def _forget_calls() -> None:
    calls.clear()
    packaged.clear()
    packaged.update(("chromium", "chromium-headless-shell"))


def called(*command: str) -> int:
    """Record a command instead of running it; apt-get installs the packages that exist."""
    calls.append(" ".join(command))
    if "install" in command and command[0] == "apt-get":
        if command[-1] not in packaged:
            return 100
        program(command[-1])
    return 1 if command[0] == "python" else 0


def program(name: str) -> str:
    """Put a program of that name on the path."""
    path = Path(os.environ["PATH"]) / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_a_browser_named_by_the_caller_is_used(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    program("chromium")
    monkeypatch.setenv("TAMAYA_CHROMIUM", program("my-browser"))
    assert dev.find_browser() == shutil.which("my-browser")
    monkeypatch.setenv("TAMAYA_CHROMIUM", "")
    assert dev.find_browser() == ""
    monkeypatch.setenv("TAMAYA_CHROMIUM", "no-browser")
    with pytest.raises(SystemExit, match="no-browser"):
        dev.find_browser()


@pytest.mark.parametrize("name", ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"])
def test_a_browser_on_the_path_is_used_and_nothing_fetched(dev: ModuleType, name: str) -> None:
    path = program(name)
    assert dev.find_browser() == path
    assert calls == []


def test_root_gets_debians_package(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    program("apt-get")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert dev.find_browser() == shutil.which("chromium-headless-shell")
    assert [call.split()[2] for call in calls] == ["update", "install"]


def test_without_a_packaged_headless_shell_the_whole_browser_is_fetched(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    packaged.remove("chromium-headless-shell")
    program("apt-get")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert dev.find_browser() == shutil.which("chromium")


def test_other_users_get_playwrights_own_and_failures_are_told_in_words(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("apt-get")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit, match="none could be fetched"):
        dev.find_browser()
    assert calls == ["python -m playwright install chromium"]
    monkeypatch.setattr(dev, "python", lambda *command: 0)
    assert dev.find_browser() == ""
