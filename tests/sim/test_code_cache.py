"""What compiling takes, how often it is done, and what happens where parts or folders are missing."""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import tamaya
from tamaya import Rules
from tamaya.sim import Batch
from tamaya.sim.threads import Array
from tamaya.sim.speeds import Compiled, speed
from tests.programs import rest_of, run_python, start_python

pytestmark = pytest.mark.compiler

MAKE = """
import sys
import numpy as np
from tamaya import read_rules
from tamaya.sim import Batch
from tamaya.sim.loops import loops
from tamaya.sim.speeds import speed
for words in sys.argv[1:]:
    batch = Batch(read_rules(words), 3, seed=1, speed="interpreted")
    made, states, masks = loops(batch.rules, "compiled"), batch.save().states, np.zeros_like(batch.legal)
    made.mark_legal(states, masks, 0, 3)
    assert masks.tobytes() == batch.legal.tobytes()
    assert made.find_illegal(states, masks, masks.argmin(axis=1), 0, 3) == 0
for making in speed("compiled").makings:
    print(making.loop, making.key.replace(" ", "_"), making.seconds, making.from_disk)
"""


class Made(NamedTuple):
    """A loop that another process made ready."""

    loop: str
    key: str
    seconds: float
    from_disk: bool


def run(script: str, *arguments: str, **variables: str) -> str:
    return run_python("-W", "error", "-c", script, *arguments, check=True, variables=variables).stdout


def make(folder: Path, *words: str, before: str = "") -> list[Made]:
    """What a process of its own makes ready for these rules, with a folder to keep it in. Python keeps no bytecode: it would
    take a file that changed twice in a second for the same."""
    lines = run(before + MAKE, *words, NUMBA_CACHE_DIR=str(folder), PYTHONDONTWRITEBYTECODE="1").splitlines()
    return [Made(loop, key, float(took), disk == "True") for loop, key, took, disk in map(str.split, lines)]


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


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
    """A copy of it."""
    return Path(shutil.copytree(compiled, tmp_path / "kept"))


def test_a_loop_is_compiled_once_for_each_rules_found_on_disk_afterwards_and_both_are_reported(tmp_path: Path) -> None:
    first = make(tmp_path, SMALL)
    assert [made.loop for made in first] == LOOPS
    assert not any(made.from_disk for made in first)
    kept = files(tmp_path)
    second = make(tmp_path, OTHER, SMALL)
    assert [made.from_disk for made in second] == [False, False, True, True]
    assert [(made.loop, made.key) for made in second[2:]] == [(made.loop, made.key) for made in first]
    assert all(made.seconds > 0 for made in [*first, *second])
    assert kept.items() <= files(tmp_path).items(), "what others made is left alone"


CHANGES = {
    "engine/kernel/legal.py": ("mask[action] = 0", "mask[action] = 0 * action", False),
    "engine/kernel/moves.py": ("state[CLUES] += 1", "state[CLUES] += 2", True),  # dealing and marking do not call it
    "engine/layout.py": ("RUNNING = 0\n", "RUNNING = 0  # said\n\n# of games that go on\n", True),
    "sim/loops.py": ('"""Loops over', '"""A new word.\n\nLoops over', True),
    "bots/simple.py": ("CLEAR, VAGUE = 10, 3", "CLEAR, VAGUE = 9, 2", True),
}
"""Edits of a copy of the package, and whether a loop that marks what is legal is found on disk all the same."""


def test_only_a_change_of_what_a_loop_runs_compiles_it_anew(tmp_path: Path) -> None:
    root = shutil.copytree(
        Path(tamaya.__file__).parent, tmp_path / "code" / "tamaya", ignore=shutil.ignore_patterns("__pycache__")
    )
    first = f"import sys\nsys.path.insert(0, {str(root.parent)!r})\n"
    assert not any(made.from_disk for made in make(tmp_path / "kept", SMALL, before=first))
    for name, (before, after, found) in CHANGES.items():
        text = (root / name).read_text("utf-8")
        assert before in text
        (root / name).write_text(text.replace(before, after), "utf-8")
        assert [made.from_disk for made in make(tmp_path / "kept", SMALL, before=first)] == [found, True], name
        (root / name).write_text(text, "utf-8")


def test_programs_that_compile_at_the_same_time_do_not_get_each_others_loops(tmp_path: Path) -> None:
    """Each looks for a free place on disk before the other has taken one; each then writes its loop."""
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
import numpy as np
from tamaya.sim.speeds import speed
def saying(answer):
    @speed("compiled").call
    def number(times):
        total = 0
        for _ in range(times):
            total += answer
        return total
    def loop(out, times):
        out[0] = number(times)
    return speed("compiled").loop(loop, str(answer))
for word in sys.argv[1:]:
    out = np.zeros(1, np.int64)
    saying(int(word))(out, 3)
    print(out[0], speed("compiled").makings[-1].from_disk)
"""


def test_loops_that_different_programs_compiled_call_their_own_functions(tmp_path: Path) -> None:
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


def test_programs_that_need_the_same_loop_compile_it_once(tmp_path: Path) -> None:
    script = "import sys, numpy as np\n" + HOLDING + """
from tamaya.sim.speeds import speed
def loop(out):
    out[0] = 5
speed("compiled").loop(loop, "the same")(np.zeros(1, np.int64))
print(speed("compiled").makings[0].from_disk)
"""  # fmt: skip
    (tmp_path / "same.py").write_text(script)
    command = (str(tmp_path / "same.py"), "", str(tmp_path / "log"))
    with ExitStack() as stack:
        both = [
            stack.enter_context(start_python(*command, variables={"NUMBA_CACHE_DIR": str(tmp_path / "kept")})) for _ in range(2)
        ]
        assert sorted(rest_of(program)[0] for program in both) == ["False\n", "True\n"]
    assert (tmp_path / "log").read_text() == "begin end begin end "


def test_files_that_hold_another_loop_are_not_used(kept: Path) -> None:
    loops = sorted(path for path in kept.rglob("*mark_legal*.nbc"))
    one, other = (path.read_bytes() for path in loops)
    loops[0].write_bytes(other)
    loops[1].write_bytes(one)
    assert [made.from_disk for made in make(kept, SMALL, OTHER)] == [False, True, False, True]


@pytest.mark.parametrize(("kind", "damage"), [("nbi", b""), ("nbi", b"nonsense"), ("nbc", b"nonsense")])
def test_damaged_files_are_compiled_anew_and_replaced(kept: Path, kind: str, damage: bytes) -> None:
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
def test_without_a_place_to_keep_them_loops_are_compiled_all_the_same(tmp_path: Path, before: str) -> None:
    made = make(tmp_path, SMALL, before=before)
    assert [(loop.loop, loop.from_disk) for loop in made] == [(loop, False) for loop in LOOPS]
    assert not list(tmp_path.rglob("*.nbc"))


def test_threads_report_a_loop_once() -> None:
    compiled = speed("compiled")
    assert isinstance(compiled, Compiled)
    rules = Rules(colours=1, hand_size=3, clue_tokens=7)
    Batch(rules, 50, threads=4).close()
    assert [made.loop for made in compiled.makings if made.key == str(rules)] == ["deal_games"]


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert [made.loop for made in make(tmp_path / "file" / "folder", SMALL)] == LOOPS


def test_a_function_that_only_loops_call_refuses_to_be_called_by_python() -> None:
    """It has no code of its own: without a refusal the program would end."""

    @speed("compiled").call
    def doubled(number: int) -> int:
        return number * 2

    def loop(out: Array) -> None:
        out[0] = doubled(out[0])

    with pytest.raises(TypeError, match="not iterable"):
        doubled(4)
    numbers = np.array([4])
    speed("compiled").loop(loop, "doubled")(numbers)
    assert numbers.tolist() == [8]


# Parts.

WITHOUT = """
import sys
for name in sys.argv[1].split():
    sys.modules[name] = None
from tamaya.rules import MissingPartError
try:
    from tamaya.sim import Batch
    Batch(speed=sys.argv[2])
    print("made")
except MissingPartError as problem:
    print(problem.code, problem)
import tamaya.sim
print(tamaya.sim.seed_of(1, 0))
"""


@pytest.mark.parametrize(
    ("missing", "wanted", "said"),
    [
        ("numpy", "compiled", "numpy"),
        ("numpy", "interpreted", "numpy"),
        ("numba", "compiled", "numba"),
        ("numpy numba", "compiled", "numpy"),
    ],
)
def test_what_is_missing_is_named_with_the_command_that_brings_it(missing: str, wanted: str, said: str) -> None:
    first, seed = run(WITHOUT, missing, wanted).splitlines()
    assert first.startswith("missing_part ")
    assert f"package {said}" in first
    assert "pip install 'tamaya[sim]'" in first
    assert int(seed) > 0


def test_without_a_compiler_batches_are_interpreted() -> None:
    assert run(WITHOUT, "numba", "interpreted").splitlines()[0] == "made"


# Memory.

MILLION = """
import resource
from tamaya.sim import Batch
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
small = Batch(seed=1)
small.play(1)
before = peak()
batch = Batch(games=1_000_000, seed=1)
tally = batch.play(2)
most = peak() - before
saved = batch.save()
arrays = [saved.states, saved.seeds, batch.legal, batch.rewards, batch.endings, batch.scores, batch.illegal]
print(most, sum(array.nbytes for array in arrays), tally.moves)
"""


def test_a_million_games_of_two_players_fit_in_300_megabytes() -> None:
    peak, held, moves = map(int, run(MILLION).split())
    assert moves == 2_000_000
    assert held < 200_000_000
    assert peak < 300_000_000


def test_what_was_not_used_for_longest_makes_room_on_disk(kept: Path) -> None:
    from tamaya.sim.code_cache import make_room

    folder = next(path.parent for path in files(kept) if path.suffix == ".nbi")
    indexes = sorted(folder.glob("*.nbi"))

    def size(index: Path) -> int:
        return sum(file.stat().st_size for file in (index, *folder.glob(f"{index.stem}.*.nbc")))

    for file in folder.iterdir():
        os.utime(file, (1e9, 1e9))
    make_room(folder, sum(map(size, indexes)))
    assert sorted(folder.glob("*.nbi")) == indexes, "there is room for all of them"
    assert all(made.from_disk for made in make(kept, OTHER))
    used = [index for index in indexes if index.stat().st_mtime > 1e9]
    assert 0 < len(used) < len(indexes)
    make_room(folder, sum(map(size, used)))
    assert sorted(folder.glob("*.nbi")) == used
    assert [made.from_disk for made in make(kept, OTHER, SMALL)] == [True, True, False, False]
