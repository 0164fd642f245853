"""``./dev release``, in a temporary repository whose ``dev`` only notes its commands."""

from __future__ import annotations

import os
import re
from datetime import date
from pathlib import Path

import pytest

from tests.programs import ROOT, Done, run_python

CHANGES = "# Changes\n\n## Unreleased\n\n- Something new.\n\n## 0.1.0\n\n- Everything.\n"
DEV = """
import pathlib, sys, tomllib
version = tomllib.loads(pathlib.Path("pyproject.toml").read_text())["project"]["version"]
with pathlib.Path("dist/noted").open("a") as noted:
    print(*sys.argv[1:], version, file=noted)
sys.exit(pathlib.Path("dist/fail").exists())
"""
VARIABLES = {
    "PYTHONPATH": str(ROOT),
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "a@b.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


class Repository:
    """A repository with the files that a release needs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "dist").mkdir()
        for name, text in (
            ("CHANGELOG.md", CHANGES),
            ("pyproject.toml", '[project]\nname = "tamaya"\nversion = "0.1.0"\n'),
            ("dev", DEV),
            (".gitignore", "dist/\n"),
        ):
            (folder / name).write_text(text)
        self.git("init", "--quiet", "--initial-branch", "main")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "Begin")

    def git(self, *arguments: str) -> str:
        """The output of a git command."""
        return run_python(*arguments, program="git", folder=self.folder, variables=VARIABLES, check=True).stdout.strip()

    def release(self, *arguments: str) -> Done:
        """Run the release tool."""
        return run_python("-m", "tools.release", *arguments, folder=self.folder, variables=VARIABLES)

    def read(self, name: str) -> str:
        """The text of a file."""
        return (self.folder / name).read_text("utf-8")

    @property
    def is_unchanged(self) -> bool:
        """Whether there is no second commit, no tag and no changed file."""
        return (self.git("rev-list", "--count", "HEAD"), self.git("tag"), self.git("status", "--porcelain")) == ("1", "", "")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_a_release_is_tested_built_committed_and_tagged(repository: Repository) -> None:
    done = repository.release("0.2.0")
    assert done.returncode == 0, done.stderr
    assert repository.read("dist/noted") == "test 0.2.0\npackage 0.2.0\n"
    assert repository.git("log", "-1", "--format=%s", "v0.2.0") == "Release 0.2.0"
    assert repository.git("status", "--porcelain") == ""
    heading = f"## Unreleased\n\n## 0.2.0 - {date.today().isoformat()}\n\n- Something new."
    assert repository.read("CHANGELOG.md") == CHANGES.replace("## Unreleased\n\n- Something new.", heading)
    assert "git push origin main v0.2.0" in done.stdout


def test_a_dry_run_prints_the_steps_and_changes_nothing(repository: Repository) -> None:
    done = repository.release("0.2.0", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 6
    assert all(line.startswith("would ") for line in done.stdout.splitlines())
    assert repository.is_unchanged
    assert not (repository.folder / "dist" / "noted").exists()


def test_failing_tests_end_the_release_and_restore_the_files(repository: Repository) -> None:
    (repository.folder / "dist" / "fail").touch()
    done = repository.release("0.2.0")
    assert done.returncode == 1
    assert "./dev test failed" in done.stderr
    assert repository.read("dist/noted") == "test 0.2.0\n"
    assert repository.is_unchanged


def test_a_section_written_before_is_kept(repository: Repository) -> None:
    written = CHANGES.replace("## Unreleased", "## [0.2.0] - 2031-05-06")
    (repository.folder / "CHANGELOG.md").write_text(written)
    repository.git("commit", "--quiet", "--all", "--message", "Date the changes")
    assert repository.release("0.2.0").returncode == 0
    assert repository.read("CHANGELOG.md") == written


@pytest.mark.parametrize("version", ["0.2", "v0.2.0", "next"])
def test_a_malformed_version_is_refused(repository: Repository, version: str) -> None:
    assert "is not a version" in repository.release(version).stderr
    assert repository.is_unchanged


def test_a_version_without_changes_is_refused(repository: Repository) -> None:
    (repository.folder / "CHANGELOG.md").write_text(CHANGES.replace("- Something new.\n", ""))
    repository.git("commit", "--quiet", "--all", "--message", "Forget the changes")
    assert "no entries for 0.2.0" in repository.release("0.2.0").stderr


def test_uncommitted_changes_are_refused(repository: Repository) -> None:
    (repository.folder / "new.py").touch()
    assert "Commit or stash these changes first:\n?? new.py" in repository.release("0.2.0").stderr


def test_another_branch_is_refused(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "-b", "topic")
    assert "made on main; this is topic" in repository.release("0.2.0").stderr


def test_an_existing_version_is_refused(repository: Repository) -> None:
    repository.git("tag", "v0.2.0")
    assert "a tag v0.2.0 already" in repository.release("0.2.0").stderr


@pytest.mark.parametrize(
    ("message", "accepted"),
    [
        ("x" * 72, True),
        ("x" * 73, False),
        ("“é”" * 24 + "\n\n" + "long " * 50, True),
        ("“é”" * 24 + "x\n", False),
        ("\nNo subject", False),
    ],
)
def test_commit_subjects_have_at_most_72_characters(message: str, accepted: bool) -> None:
    configuration = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    (pattern,) = re.findall(r"entry: '(.+)'", configuration)
    assert bool(re.match(pattern.encode(), message.encode())) == accepted
