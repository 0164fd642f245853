"""The shape of the house: what is public, who may look at secrets, how long a file may be."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import tamaya

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def test_the_public_names_are_these_and_all_there() -> None:
    assert all(hasattr(tamaya, name) for name in tamaya.__all__)
    public = {name for name in vars(tamaya) if not name.startswith("_")}
    rooms = {path.name for path in (ROOT / "src/tamaya").iterdir() if path.is_dir()}
    assert public - rooms == set(tamaya.__all__)


def test_only_records_reveal_a_deck_and_only_the_referee_sees_all_hands() -> None:
    callers = {
        (str(path.relative_to(ROOT / "src/tamaya")), node.attr)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("reveal_deck", "_state", "_kernel")
    }
    assert {path for path, name in callers if name == "reveal_deck"} == {"record/record.py"}
    assert {path for path, name in callers if name != "reveal_deck"} == {"engine/game.py"}


def test_no_file_is_longer_than_400_lines() -> None:
    long = {str(path): len(path.read_text("utf-8").splitlines()) for path in [*SOURCES, *(ROOT / "tests").rglob("*.py")]}
    assert {path for path, lines in long.items() if lines > 400} == set()


def test_locks_name_versions_and_hashes_and_no_address() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text()
        assert not re.search(r"https?:|file:|--index|--find-links", text)
        requirements = re.split(r"\n(?=\S)", text.strip())
        assert all(re.match(r"[\w.-]+==\S+", line) and "--hash=sha256:" in line for line in requirements)


def test_serving_needs_neither_a_compiler_nor_a_browser() -> None:
    names = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    assert not {"numpy", "numba", "playwright", "pytest"} & set(names)


def test_rules_and_engine_import_without_any_other_package() -> None:
    code = "import tamaya, tamaya.engine, sys; print(sorted({'babel', 'click', 'rich', 'numpy'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_readmes_commands_work() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    commands = [line.split("#")[0].split() for line in text.splitlines() if line.startswith("./dev tamaya ")]
    assert commands
    for command in commands:
        if command[2] != "play" and not any(part.endswith((".json", ".jsonl")) for part in command):
            done = subprocess.run([sys.executable, "-m", "tamaya", *command[2:]], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
