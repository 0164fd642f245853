"""Rules of the code base: public names, access to hidden information, imports, file sizes, vendored files."""

import ast
import hashlib
import re
import shlex
import sys

import pytest

import tamaya
from tests.programs import ROOT, run_python

SOURCES = sorted((ROOT / "src").rglob("*.py"))


def test_the_package_exports_exactly_its_public_names() -> None:
    assert all(hasattr(tamaya, name) for name in tamaya.__all__)
    public = {name for name in vars(tamaya) if not name.startswith("_")}
    rooms = {path.name for path in (ROOT / "src/tamaya").iterdir() if path.is_dir()}
    assert public - rooms == set(tamaya.__all__)


def users_of(*names: str) -> set[str]:
    """The files of the package that use an attribute of one of these names."""
    return {
        str(path.relative_to(ROOT / "src/tamaya"))
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in names
    }


@pytest.mark.slow
def test_only_records_and_trusted_spectators_use_hidden_information() -> None:
    assert users_of("reveal_deck") == {"record/record.py"}
    assert users_of("reveal_hands") == {"engine/game.py", "record/record.py", "table/table.py", "table/visibility.py"}
    assert users_of("_state", "_kernel") == {"engine/game.py"}
    assert users_of("from_state") == {"sim/batch.py", "sim/cuda/batch.py"}
    assert users_of("legal_numbers") == set()


def test_rules_and_engine_import_the_standard_library_alone() -> None:
    for path in SOURCES:
        if path.relative_to(ROOT / "src/tamaya").parts[0] in ("rules", "engine"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                tops = {module.partition(".")[0] for module in modules}
                assert tops <= {"tamaya", *sys.stdlib_module_names}, path


def test_training_alone_imports_pytorch() -> None:
    importing = re.compile(r"^\s*(from|import) torch\b", re.MULTILINE)
    found = {path.relative_to(ROOT / "src/tamaya").parts[0] for path in SOURCES if importing.search(path.read_text("utf-8"))}
    assert found == {"training"}


def test_no_two_public_classes_have_the_same_name() -> None:
    homes: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT / "src/tamaya")))
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_no_file_is_longer_than_400_lines() -> None:
    others = [path for room in ("tests", "benchmarks", "tools") for path in (ROOT / room).rglob("*.py")]
    long = {str(path): len(path.read_text("utf-8").splitlines()) for path in [*SOURCES, *others]}
    assert {path for path, lines in long.items() if lines > 400} == set()


def test_helpers_live_in_helper_modules() -> None:
    borrowing = re.compile(r"^\s*(from|import) tests\.(\w+\.)*test_", re.MULTILINE)
    assert [path.name for path in (ROOT / "tests").rglob("*.py") if borrowing.search(path.read_text("utf-8"))] == []


def test_only_the_module_that_limits_its_waits_starts_programs() -> None:
    importing = re.compile(r"^\s*(import|from) subprocess\b", re.MULTILINE)
    assert [path.name for path in (ROOT / "tests").rglob("*.py") if importing.search(path.read_text("utf-8"))] == [
        "programs.py"
    ]


def test_locks_name_versions_and_hashes_and_no_address() -> None:
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-training.lock"):
        text = (ROOT / name).read_text()
        assert not re.search(r"https?:|file:|--index|--find-links", text)
        requirements = re.split(r"\n(?=\S)", text.strip())
        assert all(re.match(r"[\w.-]+==\S+", line) and "--hash=sha256:" in line for line in requirements)


def test_the_servers_lock_includes_the_compiler_but_no_test_packages() -> None:
    names = set(re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    assert {"numpy", "numba", "llvmlite"} <= names
    assert not {"playwright", "pytest", "numba-cuda", "ray"} & names


@pytest.mark.slow
def test_the_readmes_commands_work() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    commands = [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("./dev ")]
    assert ["run"] in commands
    tried = [command[1:] for command in commands if command[0] == "tamaya" and command[1] != "serve"]
    assert len(tried) >= 3
    for arguments in tried:
        done = run_python("-m", "tamaya", *arguments, typed="q\n")
        assert done.returncode == 0, done.stderr


VENDORED = {
    "htmx-4.0.0.min.js": "e484d9171a9db30a39c8f16e3d709d4137f3211c659f8e6125816635033d593f",
    "hx-sse-4.0.0.min.js": "8a834680c4000a9034d79228872372a92e140c810a075cb6d4a76690dfc13085",
    "LICENSE-htmx.txt": "d3d2456f76414f2456104660ebd65aff1c04cd7966b942bdabd63f3cdb316a38",
    "fraunces-5.3.0-latin-700-normal.woff2": "c38570d224b830056e69484bb9e768e1d3fa7ba4755c8891a3c6d366194d2ff3",
    "fraunces-5.3.0-latin-ext-700-normal.woff2": "162b7b2654ef849ce146e1297bdd5694b971f730cd5f1749a954f24109ca11c4",
    "LICENSE-fraunces.txt": "cd3384cafac6f2bddc3955273958a2e029f97027c8037ac539ef5744a77b579e",
}


def test_vendored_files_are_unchanged() -> None:
    folder = ROOT / "src/tamaya/web/static/vendor"
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()} == VENDORED


def test_templates_hold_no_script_no_style_and_no_foreign_address() -> None:
    templates = sorted((ROOT / "src/tamaya/web/templates").rglob("*.html"))
    assert len(templates) >= 10
    for path in templates:
        text = path.read_text("utf-8")
        for forbidden in (
            r"<script(?![^>]*\ssrc=)",
            r"<style",
            r"\sstyle\s*=",
            r"[\s\"']on[a-z]+\s*=",
            r"https?:",
            r"=[\"']//",
        ):
            assert not re.search(forbidden, text, re.IGNORECASE), (path.name, forbidden)
        assert not re.search(r"javascript:|\|\s*safe|autoescape", text), path.name


def test_static_files_request_no_foreign_address_and_evaluate_no_text() -> None:
    files = (ROOT / "src/tamaya/web/static").rglob("*.*")
    own = [path for path in files if path.suffix in (".js", ".css", ".svg") and path.parent.name != "vendor"]
    assert len(own) >= 30
    for path in own:
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|[\"'(]//|@import|\beval\(|new Function|document\.write", text), path.name


@pytest.mark.parametrize(("name", "most", "begins"), [("table.png", 200_000, b"\x89PNG"), ("table.webp", 400_000, b"RIFF")])
def test_the_readmes_pictures_are_small(name: str, most: int, begins: bytes) -> None:
    assert f"docs/{name}" in (ROOT / "README.md").read_text("utf-8").partition("## ")[0]
    picture = (ROOT / "docs" / name).read_bytes()
    assert picture.startswith(begins)
    assert len(picture) < most
