"""The built package is complete: the wheel, installed alone, plays and serves."""

from __future__ import annotations

import re
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.package.installed import Environment, InstalledServer, build
from tests.programs import ROOT
from tests.support.servers import RealServer

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build(tmp_path_factory.mktemp("dist"))


def files_under(*places: str) -> set[str]:
    """The files of the checkout in these folders or matching these patterns."""
    found = {path for place in places for path in [*ROOT.glob(place), *(ROOT / place).rglob("*")] if path.is_file()}
    return {str(path.relative_to(ROOT)) for path in found if "__pycache__" not in path.parts}


def test_the_wheel_contains_the_package_and_nothing_else(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == {name.removeprefix("src/") for name in files_under("src")}
    for needed in (
        "web/templates/table/board.html",
        "web/static/table/board.js",
        "i18n/po/ro.po",
        "storage/migrations/env.py",
        "py.typed",
    ):
        assert f"tamaya/{needed}" in held


def test_the_sdist_contains_everything_for_building_and_testing(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as sdist:
        held = {name.partition("/")[2] for name in sdist.getnames()}
    folders = ("src", "tests", "benchmarks", "tools", "docs", "deploy")
    needed = files_under(
        *folders, "dev", "*.md", "*.lock", "LICENSE", "pyproject.toml", ".dockerignore", ".pre-commit-config.yaml"
    )
    assert held - {"PKG-INFO", ".gitignore"} == needed


def test_the_installed_wheel_serves_and_plays(built: tuple[Path, Path], tmp_path: Path) -> None:
    """A single test, because creating an environment takes long."""
    environment = Environment(tmp_path / "environment")
    environment.install(built[0])
    with InstalledServer(environment, tmp_path / "data") as server:
        play_to_the_end(server)
    said = environment.run("tamaya", "play", "--seed", "7", "--name", "Ana", "--lang", "en", typed="play 1\nq\n")
    assert "You play" in said
    assert "search" in environment.run("tamaya", "bots"), "the bot that thinks ahead is there without another command"
    said = environment.run("python", "-c", "import tamaya.search, tamaya.sim; print(tamaya.sim.Batch.__name__)")
    assert said.split() == ["Batch"], "and so is what it needs"


def play_to_the_end(server: RealServer) -> None:
    """Two players play the first legal card until the table offers a rematch; all files of its page are served."""
    people = [server.ask("GET", "/")[1], server.ask("GET", "/")[1]]
    table = server.ask("POST", "/new", people[0], {"players": 2})[1]
    assert server.ask("POST", f"{table}/sit", people[1], {"name": "Bob"})[0] == 303
    assert server.ask("POST", f"{table}/start", people[0], {"first": 0})[0] == 303
    page, turn = server.ask("GET", table, people[0])[2], 0
    while moves := re.findall(r'name="move" value="(play [^"]+)"', page):
        assert server.ask("POST", f"{table}/move", people[turn % 2], {"move": moves[0], "turn": turn})[0] == 303
        turn += 1
        page = server.ask("GET", table, people[turn % 2])[2]
    assert f"{table}/rematch" in page
    assert turn >= 3, "three mistakes at least"
    needed = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
    assert needed
    assert {path: server.ask("GET", path)[0] for path in needed} == dict.fromkeys(needed, 200)
