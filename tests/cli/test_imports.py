"""The imports of each command: quick commands do not import what only others need."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from tamaya.cli import COMMANDS
from tamaya.cli import tamaya as command_line
from tests.programs import run_python


def packages_after(code: str) -> set[str]:
    """The packages outside the standard library that some code imports in a fresh Python."""
    script = f"import sys\nbefore = set(sys.modules)\n{code}\nprint()\nprint(*set(sys.modules) - before)"
    done = run_python("-c", script, check=True)
    imported = {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}
    return {name for name in imported if not name.startswith("_sysconfigdata_")} - set(sys.stdlib_module_names) - {"tamaya"}


def packages_used_by(*arguments: str) -> set[str]:
    """The packages that a command imports."""
    return packages_after(
        f"from tamaya.cli import tamaya\ntamaya({list(arguments)!r}, prog_name='tamaya', standalone_mode=False)"
    )


def test_the_package_itself_imports_the_standard_library_alone() -> None:
    assert packages_after("import tamaya, tamaya.engine, tamaya.rules") == set()


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_help_and_version_import_no_command(arguments: tuple[str, ...]) -> None:
    assert packages_used_by(*arguments) == {"click"}


@pytest.mark.parametrize("arguments", [("rules",), ("rules", "french", "--lang", "fr"), ("editions",)])
def test_rules_commands_import_only_the_catalogue(arguments: tuple[str, ...]) -> None:
    assert packages_used_by(*arguments) == {"click", "babel"}


def test_the_server_and_its_list_of_bots_need_no_compiler() -> None:
    """Only the search processes import it: it takes a second, and more memory than all the rest."""
    listed = "import tamaya.web.app, tamaya.bots\nassert 'search' in tamaya.bots.known_bots()"
    assert not {"numpy", "numba"} & packages_after(listed)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_exists_and_is_in_the_help(name: str) -> None:
    listed = CliRunner().invoke(command_line, ["--help"]).output
    assert f"  {name}" in listed
    assert COMMANDS[name] in listed, "the whole line, not its beginning"
    shown = CliRunner().invoke(command_line, [name, "--help"])
    assert (shown.exit_code, f"Usage: tamaya {name} " in shown.output) == (0, True)


def test_an_unknown_command_is_refused() -> None:
    result = CliRunner().invoke(command_line, ["leage"])
    assert (result.exit_code, "No such command 'leage'" in result.output) == (2, True)
