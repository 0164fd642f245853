"""The files in ``deploy`` fit the program: commands and files exist, and ports are closed."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

import click
import pytest

from tamaya.cli import tamaya as command_line
from tests.deploy.units import DEPLOY, command_in, copied, instructions, let_through, read_unit
from tests.programs import ROOT, run_python
from tests.support.servers import RealServer

UNITS = ["tamaya.service", "tamaya-backup.service"]


def understood(words: list[str]) -> click.Context:
    """The command line accepts these arguments; nothing runs."""
    group = click.Context(command_line)
    command = command_line.get_command(group, words[0])
    assert command, f"there is no tamaya {words[0]}"
    return command.make_context(words[0], words[1:], parent=group)


def test_the_unit_listens_locally_for_a_proxy() -> None:
    words = shlex.split(read_unit("tamaya.service")["ExecStart"][0])
    assert words[0] == "/opt/tamaya/bin/tamaya"
    assert understood(words[1:]).params["host"] == "127.0.0.1"


@pytest.mark.parametrize("name", UNITS)
def test_the_units_are_unprivileged_and_write_only_to_their_folders(name: str) -> None:
    unit = read_unit(name)
    yes = ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome", "RestrictSUIDSGID")
    assert {directive: unit.get(directive) for directive in yes} == {directive: ["yes"] for directive in yes}
    assert unit["ProtectSystem"] == ["strict"]
    assert unit["CapabilityBoundingSet"] == [""]
    assert unit["UMask"] == ["0077"]
    assert "ReadWritePaths" not in unit
    assert unit["User"] == read_unit("tamaya.service")["User"], "other users cannot read the tables"


def test_the_unit_stores_data_in_folders_made_by_systemd() -> None:
    unit = read_unit("tamaya.service")
    variables = dict(pair.split("=", 1) for pair in unit["Environment"][0].split())
    assert variables["TAMAYA_DATA"] == f"/var/lib/{unit['StateDirectory'][0]}"
    assert variables["NUMBA_CACHE_DIR"] == f"/var/cache/{unit['CacheDirectory'][0]}"
    assert "MemoryDenyWriteExecute" not in unit, "compiled code could not run"


@pytest.mark.slow
def test_the_unit_restarts_after_a_crash_but_not_after_a_wrong_setting(tmp_path: Path) -> None:
    unit = read_unit("tamaya.service")
    assert (unit["Restart"], unit["RestartPreventExitStatus"]) == (["on-failure"], ["2"])
    (tmp_path / "tables.sqlite").write_text("not a database" * 100)
    done = run_python("-m", "tamaya", "serve", "--port", "0", "--data", str(tmp_path), "--no-open")
    assert done.returncode == 2, done.stderr


def test_a_timer_makes_backups_where_their_unit_can_write() -> None:
    unit = read_unit("tamaya-backup.service")
    words = shlex.split(unit["ExecStart"][0])
    assert words[words.index("--to") + 1].removeprefix("/var/lib/") in unit["StateDirectory"][0].split()
    assert read_unit("tamaya-backup.timer")["Persistent"] == ["true"]


def test_the_example_has_only_existing_settings() -> None:
    from tamaya.web.options import ServerOptions

    names = re.findall(r"^#?TAMAYA_(\w+)=", (DEPLOY / "tamaya.env").read_text("utf-8"), re.MULTILINE)
    assert {name.lower() for name in names} <= set(ServerOptions.__struct_fields__)


def test_all_files_of_the_image_exist_and_are_not_ignored() -> None:
    assert copied()
    assert [source for source in copied() if not (ROOT / source).exists()] == []
    assert sorted(let_through(ROOT / ".dockerignore")) == sorted(copied())


def test_the_image_has_a_public_base_and_does_not_run_as_root() -> None:
    steps = list(instructions())
    bases = {rest.split()[0] for name, rest in steps if name == "FROM"}
    assert all(re.fullmatch(r"python:3\.\d+-slim", base) for base in bases)
    names = [name for name, _ in steps]
    assert dict(steps)["USER"] == "tamaya"
    assert names.index("USER") < names.index("CMD")
    assert "--require-hashes" in next(rest for name, rest in steps if "requirements.lock" in rest and name == "RUN")


@pytest.mark.slow
def test_the_copied_files_are_enough_to_build_the_package(tmp_path: Path) -> None:
    for source in copied():
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, tmp_path / source, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, tmp_path / source)
    run_python("-m", "hatchling", "build", "-t", "wheel", folder=tmp_path, check=True)
    assert len(list((tmp_path / "dist").glob("tamaya-*.whl"))) == 1


@pytest.mark.slow
def test_the_container_serves_and_checks_readiness(tmp_path: Path) -> None:
    steps = dict(instructions())
    serve = command_in(steps["CMD"])
    assert serve[0] == "tamaya"
    listening = understood(serve[1:]).params
    assert (listening["host"], str(listening["port"])) == ("0.0.0.0", steps["EXPOSE"])
    check = command_in(steps["HEALTHCHECK"])
    assert check[0] == "python"
    with RealServer(tmp_path) as server:
        words = [word.replace(f":{steps['EXPOSE']}/", f":{server.port}/") for word in check[1:]]
        assert run_python(*words, program=sys.executable).returncode == 0
        (tmp_path / "tables.sqlite").rename(tmp_path / "away.sqlite")
        while server.ask("GET", "/readyz")[0] == 200:
            pass  # the response is cached for a second
        assert run_python(*words, program=sys.executable).returncode != 0


def test_proxies_reach_the_unit_and_hide_its_metrics() -> None:
    for name in ("nginx.conf", "Caddyfile"):
        text = (DEPLOY / name).read_text("utf-8")
        assert "127.0.0.1:8000" in text
        assert "/metrics" in text
