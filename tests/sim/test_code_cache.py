"""The disk cache of compiled code: its keys, when code is compiled again, and the lack of a folder."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import tamaya
from tamaya import Rules
from tamaya.bots import find_policy
from tamaya.engine.instances import Fields, Instance, Options, Setting, call, inline, instance_of, per_rules
from tamaya.engine.kernel.hands import hand_count
from tamaya.engine.kernel.turn import apply
from tamaya.sim import loops
from tamaya.sim.games import TeamSetting
from tamaya.sim.speeds import Checked, Compiled, CompileRecord
from tests.programs import rest_of, run_python, start_python

pytestmark = pytest.mark.compiler


def fingerprint(function: object) -> str:
    """The key of a compiled function on disk."""
    from tamaya.sim.code_cache import Fingerprint  # which imports Numba

    return str(Fingerprint(function))


MAKE = """
import sys
import numpy as np
from tamaya import read_rules
from tamaya.engine.instances import Setting, instance_of
from tamaya.sim import Batch, loops
from tamaya.sim.batch import NO_MEMORIES
from tamaya.sim.speeds import speed
for words in sys.argv[1:]:
    batch = Batch(read_rules(words), 3, seed=1, speed="interpreted")
    saved, masks, own = batch.save(), np.zeros_like(batch.legal), instance_of(Setting(batch.rules), speed("compiled"))
    games = loops.GameRows(saved.states, saved.seeds, masks, NO_MEMORIES)
    own(loops.mark_legal)(games, 0, 3)
    assert masks.tobytes() == batch.legal.tobytes()
    assert own(loops.find_illegal)(games, masks.argmin(axis=1), 0, 3) == 0
for record in speed("compiled").records:
    print(record.loop, record.key.replace(" ", "_"), record.seconds, record.from_disk)
"""


def make(folder: Path, *words: str, before: str = "") -> list[CompileRecord]:
    """What a new process compiles for these rules, with a cache folder. Python writes no bytecode: it would miss the second
    change of a file within a second."""
    variables = {"NUMBA_CACHE_DIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    lines = run_python("-W", "error", "-c", before + MAKE, *words, check=True, variables=variables).stdout.splitlines()
    return [CompileRecord(loop, key, float(took), disk == "True") for loop, key, took, disk in map(str.split, lines)]


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


STANDARD = Rules()
SMALL, OTHER = "players=2 colours=1 hand_size=2", "players=3 colours=1 hand_size=2"
LOOPS = ["mark_legal", "find_illegal"]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the loops of both rules, to copy from."""
    folder = tmp_path_factory.mktemp("compiled")
    assert not any(made.from_disk for made in make(folder, SMALL, OTHER))
    return folder


@pytest.fixture
def kept(compiled: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    return Path(shutil.copytree(compiled, tmp_path / "kept"))


def test_a_loop_is_compiled_once_per_rules_then_loaded_and_both_are_recorded(tmp_path: Path) -> None:
    first = make(tmp_path, SMALL)
    assert [made.loop for made in first] == LOOPS
    assert not any(made.from_disk for made in first)
    kept = files(tmp_path)
    second = make(tmp_path, OTHER, SMALL)
    assert [made.from_disk for made in second] == [False, False, True, True]
    assert [(made.loop, made.key) for made in second[2:]] == [(made.loop, made.key) for made in first]
    assert all(made.seconds > 0 for made in [*first, *second])
    assert kept.items() <= files(tmp_path).items(), "what others made is left alone"


CHANGES = [
    ("engine/kernel/turn.py", "mask[action] = 0", "mask[action] = 0 * action", False),
    ("engine/kernel/turn.py", 'OPTIONS = Options("inline")', 'OPTIONS = Options("call")', False),
    ("engine/kernel/turn.py", "state[CLUES] += 1", "state[CLUES] += 2", True),  # dealing and marking do not call it
    ("engine/layout.py", "RUNNING = 0\n", "RUNNING = 0  # said\n\n# of games that go on\n", True),
    ("engine/layout.py", "values=HEIGHT", "values=len(VALUES)", True),  # the same value
    ("sim/loops.py", '"""The loops that', '"""A new word.\n\nThe loops that', True),
    ("bots/simple.py", "CLEAR, VAGUE = 10, 3", "CLEAR, VAGUE = 9, 2", True),
]
"""Edits of a copy of the package, and whether the loop that marks legal actions is still found on disk."""


def test_only_changes_to_code_that_a_loop_runs_recompile_it(tmp_path: Path) -> None:
    root = shutil.copytree(
        Path(tamaya.__file__).parent, tmp_path / "code" / "tamaya", ignore=shutil.ignore_patterns("__pycache__")
    )
    first = f"import sys\nsys.path.insert(0, {str(root.parent)!r})\n"
    assert not any(made.from_disk for made in make(tmp_path / "kept", SMALL, before=first))
    for name, before, after, found in CHANGES:
        text = (root / name).read_text("utf-8")
        assert before in text
        (root / name).write_text(text.replace(before, after), "utf-8")
        assert [made.from_disk for made in make(tmp_path / "kept", SMALL, before=first)] == [found, True], (name, after)
        (root / name).write_text(text, "utf-8")


def key_of(policy: str, rules: Rules = STANDARD, at: type[Compiled] = Compiled) -> str:
    """The key of the loop that plays whole games of a policy, by the present code."""
    own = instance_of(TeamSetting(rules, (find_policy(policy),), (policy,)), at())
    played: Any = own(loops.play_team)
    return fingerprint(played._dispatcher)


@inline
def no_card(some: int) -> int:
    """Replaces a function that counts cards."""
    return 0


def test_a_key_depends_on_the_constants_and_functions_that_a_loop_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    """By their names, and as attributes of their modules: ``cards.count_cards``."""
    simple, hat = key_of("simple"), key_of("hat")
    assert (key_of("simple"), key_of("hat")) == (simple, hat)
    with monkeypatch.context() as patch:
        patch.setattr("tamaya.bots.simple.RESERVE", 3)
        assert key_of("simple") != simple
        assert key_of("hat") == hat
    with monkeypatch.context() as patch:
        patch.setattr("tamaya.bots.cards.count_cards", no_card)
        assert key_of("hat") != hat
    assert (key_of("simple"), key_of("hat")) == (simple, hat)


def test_a_key_depends_on_the_rules_and_the_options_of_the_loop() -> None:
    keys = {key_of("simple"), key_of("simple", Rules(players=3)), key_of("simple", at=Checked)}
    assert len(keys) == 3


def part_key(function: Callable[..., Any], setting: Setting) -> str:
    """The key of a function that loops call."""
    return fingerprint(Instance(setting, Compiled())(function))


seats: int = per_rules(lambda rules: rules.players)


@call
def next_seat(seat: int) -> int:
    return (seat + 1) % seats


def test_a_key_depends_on_the_rules_only_if_the_function_does() -> None:
    fewer_tokens, of_its_own = Rules(clue_tokens=7), TeamSetting(STANDARD, (), ("nobody",))
    assert part_key(apply, Setting(STANDARD)) == part_key(apply, of_its_own) != part_key(apply, Setting(fewer_tokens))
    assert part_key(next_seat, Setting(STANDARD)) == part_key(next_seat, Setting(fewer_tokens))
    assert part_key(next_seat, Setting(STANDARD)) != part_key(next_seat, Setting(Rules(players=3)))


def test_a_key_depends_on_the_options_of_a_function_and_of_its_callees(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = []
    for kind in ("inline", "call", "paste"):
        monkeypatch.setattr("tamaya.engine.kernel.hands.OPTIONS", Options(kind))
        keys += [part_key(hand_count, Setting(STANDARD)), part_key(apply, Setting(STANDARD))]
    assert len(set(keys)) == 6


def test_a_key_depends_on_the_order_of_a_records_fields() -> None:
    sizes = (("a", 2), ("b", 2))
    one, same, other = (fingerprint(Compiled().view(Fields(each))) for each in (sizes, sizes, sizes[::-1]))
    assert one == same != other


def test_processes_that_compile_at_the_same_time_do_not_mix_their_loops(tmp_path: Path) -> None:
    """Each looks for a free file before the other has taken one; each then writes its loop."""
    wait = """
import pathlib, sys, time
from numba.core.caching import IndexDataCacheFile
folder, me = pathlib.Path(sys.argv.pop(1)), sys.argv[1]
save_index, save_data = IndexDataCacheFile._save_index, IndexDataCacheFile._save_data
def together(step):
    (folder / f"{step} {me}").touch()
    while len(list(folder.glob(f"{step} *"))) < 2:
        time.sleep(0.01)
def index(self, overloads):
    together("looked " + self._index_name.partition("-")[0])
    save_index(self, overloads)
def data(self, name, data):
    together("wrote the index " + name.partition("-")[0])
    save_data(self, name, data)
IndexDataCacheFile._save_index, IndexDataCacheFile._save_data = index, data
"""
    kept, meeting = tmp_path / "kept", tmp_path / "meeting"
    meeting.mkdir()
    with ExitStack() as stack:
        both = [
            stack.enter_context(start_python("-c", wait + MAKE, str(meeting), words, variables={"NUMBA_CACHE_DIR": str(kept)}))
            for words in (SMALL, OTHER)
        ]
        assert [rest_of(program)[1] for program in both] == ["", ""]
    assert all(made.from_disk for made in make(kept, SMALL, OTHER))


CALLS = """
import sys
from dataclasses import dataclass
import numpy as np
from tamaya import Rules
from tamaya.engine.instances import Setting, call, instance_of, loop, per_setting
from tamaya.sim.speeds import speed

@dataclass(frozen=True)
class Saying(Setting):
    answer: int

answer = per_setting(lambda setting: setting.answer)

@call
def number(times):
    total = 0
    for _ in range(times):
        total += answer
    return total

@loop
def write(out, times):
    out[0] = number(times)

for word in sys.argv[1:]:
    out = np.zeros(1, np.int64)
    instance_of(Saying(Rules(), int(word)), speed("compiled"))(write)(out, 3)
    print(out[0], speed("compiled").records[-1].from_disk)
"""


def test_loops_compiled_by_different_processes_call_their_own_functions(tmp_path: Path) -> None:
    (tmp_path / "calls.py").write_text(CALLS)
    code, kept = "import runpy; runpy.run_path('calls.py')", {"NUMBA_CACHE_DIR": str(tmp_path)}

    def said(*answers: str) -> str:
        return run_python("-c", code, *answers, folder=tmp_path, check=True, variables=kept).stdout

    assert (said("1"), said("2")) == ("3 False\n", "6 False\n")
    assert said("1", "2") == "3 True\n6 True\n"


HOLDING = """
import pathlib, sys
from numba.core.dispatcher import Dispatcher
compiled = Dispatcher.compile
def compile(self, signature):
    with pathlib.Path(sys.argv[2]).open("a") as log:
        log.write("begin ")
        log.flush()
        done = compiled(self, signature)
        log.write("end ")
    return done
Dispatcher.compile = compile
"""


def test_processes_that_need_the_same_loop_compile_it_once(tmp_path: Path) -> None:
    script = "import sys, numpy as np\n" + HOLDING + """
from tamaya import Rules
from tamaya.engine.instances import Setting, instance_of, loop
from tamaya.sim.speeds import speed
@loop
def write(out):
    out[0] = 5
instance_of(Setting(Rules()), speed("compiled"))(write)(np.zeros(1, np.int64))
print(speed("compiled").records[0].from_disk)
"""  # fmt: skip
    (tmp_path / "same.py").write_text(script)
    command = (str(tmp_path / "same.py"), "", str(tmp_path / "log"))
    with ExitStack() as stack:
        both = [
            stack.enter_context(start_python(*command, variables={"NUMBA_CACHE_DIR": str(tmp_path / "kept")})) for _ in range(2)
        ]
        assert sorted(rest_of(program)[0] for program in both) == ["False\n", "True\n"]
    assert (tmp_path / "log").read_text() == "begin end begin end "


def test_files_of_another_loop_are_not_used(kept: Path) -> None:
    loops = sorted(path for path in kept.rglob("*mark_legal*.nbc"))
    one, other = (path.read_bytes() for path in loops)
    loops[0].write_bytes(other)
    loops[1].write_bytes(one)
    assert [made.from_disk for made in make(kept, SMALL, OTHER)] == [False, True, False, True]


@pytest.mark.parametrize(("kind", "damage"), [("nbi", b""), ("nbi", b"nonsense"), ("nbc", b"nonsense")])
def test_damaged_files_are_replaced_by_compiling_again(kept: Path, kind: str, damage: bytes) -> None:
    damaged = list(kept.rglob(f"*.{kind}"))
    assert len(damaged) == 2 * len(LOOPS)
    for path in damaged:
        path.write_bytes(damage)
    assert [(made.loop, made.from_disk) for made in make(kept, SMALL)] == [(loop, False) for loop in LOOPS]
    assert all(made.from_disk for made in make(kept, SMALL))


NO_FOLDER = """
from numba.core import caching
for locator in caching.CacheImpl._locator_classes:
    locator.from_function = classmethod(lambda *_: None)
"""
FULL_DISK = """
import errno
from numba.core.caching import IndexDataCacheFile
def full(*_):
    raise OSError(errno.ENOSPC, "no space left")
IndexDataCacheFile._save_data = full
"""


@pytest.mark.parametrize("before", [NO_FOLDER, FULL_DISK], ids=["no folder", "no room"])
def test_without_a_folder_or_disk_space_loops_are_still_compiled(tmp_path: Path, before: str) -> None:
    made = make(tmp_path, SMALL, before=before)
    assert [(loop.loop, loop.from_disk) for loop in made] == [(loop, False) for loop in LOOPS]
    assert not list(tmp_path.rglob("*.nbc"))


def test_a_read_only_folder_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert [made.loop for made in make(tmp_path / "file" / "folder", SMALL)] == LOOPS


def test_the_least_recently_used_functions_are_evicted(kept: Path) -> None:
    from tamaya.sim.code_cache import evict

    folder = next(path.parent for path in files(kept) if path.suffix == ".nbi")
    indexes = sorted(folder.glob("*.nbi"))

    def size(index: Path) -> int:
        return sum(file.stat().st_size for file in (index, *folder.glob(f"{index.stem}.*.nbc")))

    for file in folder.iterdir():
        os.utime(file, (1e9, 1e9))
    evict(folder, sum(map(size, indexes)))
    assert sorted(folder.glob("*.nbi")) == indexes, "there is room for all of them"
    assert all(made.from_disk for made in make(kept, OTHER))
    used = [index for index in indexes if index.stat().st_mtime > 1e9]
    assert 0 < len(used) < len(indexes)
    evict(folder, sum(map(size, used)))
    assert sorted(folder.glob("*.nbi")) == used
    assert [made.from_disk for made in make(kept, OTHER, SMALL)] == [True, True, False, False]


# Policies: one compiled by a process plays the same in the next one, which finds it on disk.

PROGRAM = """
import json, sys
from tamaya import read_rules
from tamaya.sim.team import team
from tamaya.sim.speeds import speed
scores = team(read_rules(sys.argv[2]), (sys.argv[1],)).play([sys.argv[1]] * 3, 0, 0, 50).scores.tolist()
print(json.dumps([scores, speed("compiled").records[0].from_disk]))
"""

RULES = {
    "convention": "players=3 last_mistake=points",  # as in tests/bots/convention/test_games.py, so that it is compiled once
    "simple": "players=3",
    "hat": "players=3",
    "cheat": "players=3",
}


def played(policy: str) -> tuple[list[int], bool]:
    """The scores in a new process, and whether it had nothing to compile."""
    scores, from_disk = json.loads(run_python("-c", PROGRAM, policy, RULES[policy], check=True, limit=240).stdout)
    return scores, from_disk


@pytest.mark.parametrize("policy", RULES)
def test_a_policy_is_found_on_disk_and_plays_the_same(policy: str) -> None:
    """Numba caches functions that call each other recursively, but cannot load them: calling those would crash the process."""
    compiled, _ = played(policy)
    found, from_disk = played(policy)
    assert from_disk
    assert found == compiled
