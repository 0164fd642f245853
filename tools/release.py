"""Release a version: ``./dev release VERSION`` (``--dry-run`` prints the steps).

The working tree must be clean and on main, and CHANGELOG.md must have entries for the version or under “Unreleased”. The steps
set the version and the date, run all tests, build wheel and sdist, commit, and tag; pushing is left to the maintainer.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

PROJECT, CHANGES = Path("pyproject.toml"), Path("CHANGELOG.md")
VERSION = re.compile(r"^version = \"(.+)\"$", re.MULTILINE)
UNRELEASED = "Unreleased"


def git(*arguments: str) -> str:
    """The output of a git command; an error ends the release."""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"git {' '.join(arguments)} failed:\n{done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip()


def section(changes: str, name: str) -> re.Match[str] | None:
    """The section of a change log with this heading, with or without brackets and a date: the heading, and the entries."""
    heading = rf"(?P<heading>^## \[?{re.escape(name)}\]?(?: - \S+)?$)"
    return re.search(rf"{heading}(?P<entries>.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)


def dated(changes: str, version: str, day: date) -> str:
    """The change log with the unreleased entries under the version and the date; unchanged if it has the version already."""
    found, unreleased = section(changes, version), section(changes, UNRELEASED)
    if found and found["entries"].strip():
        return changes
    if found or not unreleased or not unreleased["entries"].strip():
        sys.exit(f"{CHANGES} has no entries for {version}; write them under “## {UNRELEASED}”.")
    heading = unreleased["heading"]
    new = f"{heading}\n\n{heading.replace(UNRELEASED, version)} - {day.isoformat()}"
    return changes[: unreleased.start("heading")] + new + changes[unreleased.end("heading") :]


def check(version: str) -> None:
    """Refuse a malformed or existing version, another branch, and uncommitted changes."""
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        sys.exit(f"“{version}” is not a version; write one such as 1.2.0 or 1.2.0rc1.")
    if git("tag", "--list", f"v{version}"):
        sys.exit(f"There is a tag v{version} already.")
    if (branch := git("rev-parse", "--abbrev-ref", "HEAD")) != "main":
        sys.exit(f"Releases are made on main; this is {branch}.")
    if changed := git("status", "--porcelain"):
        sys.exit(f"Commit or stash these changes first:\n{changed}")


def run(command: str) -> None:
    """Run a command of ``dev``; if it fails, undo the changes to the files and end the release."""
    if subprocess.run([sys.executable, "dev", command], check=False).returncode != 0:
        git("checkout", "--", str(PROJECT), str(CHANGES))
        sys.exit(f"./dev {command} failed; {PROJECT} and {CHANGES} are as before, and nothing was committed.")


def steps(version: str) -> list[tuple[str, Callable[[], object]]]:
    """The steps of a release with their descriptions; the files are checked before the first one."""
    project, changes = PROJECT.read_text("utf-8"), dated(CHANGES.read_text("utf-8"), version, date.today())
    if not VERSION.search(project):
        sys.exit(f"{PROJECT} has no version.")
    numbered = VERSION.sub(f'version = "{version}"', project, count=1)
    return [
        (f"set the version in {PROJECT}", lambda: PROJECT.write_text(numbered, "utf-8")),
        (f"date the section of {version} in {CHANGES}", lambda: CHANGES.write_text(changes, "utf-8")),
        ("run ./dev test", lambda: run("test")),
        ("run ./dev package", lambda: run("package")),
        (f"commit “Release {version}”", lambda: git("commit", "--all", "--allow-empty", "--message", f"Release {version}")),
        (f"tag v{version}", lambda: git("tag", "--annotate", f"v{version}", "--message", f"Tamaya {version}")),
    ]


def main() -> None:
    """Check that the version can be released, and release it."""
    parser = argparse.ArgumentParser(prog="./dev release", description="Release a version of Tamaya.")
    parser.add_argument("version", metavar="VERSION")
    parser.add_argument("--dry-run", action="store_true", help="print the steps without taking them")
    options = parser.parse_args()
    check(options.version)
    for description, take in steps(options.version):
        print(f"{'would ' if options.dry_run else ''}{description}", flush=True)
        if not options.dry_run:
            take()
    if not options.dry_run:
        print(f"Push it with: git push origin main v{options.version}")


if __name__ == "__main__":
    main()
