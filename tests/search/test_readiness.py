"""Whether a search can begin at once is found out without compiling, and what is out of date does not count."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import tamaya
from tests.programs import run_python

pytestmark = [pytest.mark.compiler, pytest.mark.slow]

ASK = """
import sys
from pathlib import Path
from tamaya import Rules
from tamaya.search.readiness import is_ready, prepare
from tamaya.sim.speeds import speed
from tamaya.sim.team import team
rules = Rules(players=2, colours=1, hand_size=2)
answers = [is_ready(rules, ["faultless"]), len(speed("compiled").makings)]
for file in map(Path, sys.argv[2:]):
    file.unlink()
    team.cache_clear()
    answers.append(is_ready(rules, ["faultless"]))
if "prepare" in sys.argv:
    prepare(rules, ["faultless"])
    answers += [is_ready(rules, ["faultless"]), is_ready(Rules(players=3, colours=1, hand_size=2), ["faultless"])]
print(*answers)
"""


def ask(kept: Path, wish: str, *files: Path, before: str) -> str:
    """What another program answers: ready at first, loops made to find out, ready without some files, and, once prepared, for
    these rules and for others. Python keeps no bytecode: it would take a file that changed twice in a second for the same."""
    variables = {"NUMBA_CACHE_DIR": str(kept), "PYTHONDONTWRITEBYTECODE": "1"}
    program = ("-W", "error", "-c", before + ASK, wish, *map(str, files))
    return run_python(*program, check=True, variables=variables).stdout.strip()


def test_what_was_prepared_is_ready_in_the_next_program_until_it_changes(tmp_path: Path) -> None:
    code, kept = tmp_path / "code", tmp_path / "kept"
    root = shutil.copytree(Path(tamaya.__file__).parent, code / "tamaya", ignore=shutil.ignore_patterns("__pycache__"))
    ours = f"import sys\nsys.path.insert(0, {str(code)!r})\n"
    assert ask(kept, "prepare", before=ours) == "False 0 True False"
    rule = root / "engine/kernel/moves.py"
    text = rule.read_text("utf-8")
    assert "state[CLUES] += 1" in text
    rule.write_text(text.replace("state[CLUES] += 1", "state[CLUES] += 2"), "utf-8")
    assert ask(kept, "", before=ours) == "False 0", "files of an older source fool nobody"
    rule.write_text(text, "utf-8")
    (data,) = kept.rglob("*.nbc")
    assert ask(kept, "", data, before=ours) == "True 0 False", "an index alone is nothing to begin with"
