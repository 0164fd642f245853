"""The path of a move: between a player's request and the new boards, few enough modules work to be read in one go."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from starlette.applications import Starlette

import tamaya
from tests.support.client import member, serving, start_game
from tests.support.fakes import run

SOURCE = Path(tamaya.__file__).parent
MAX_MODULES = 50


class ModuleRecorder:
    """Records the modules of ``tamaya`` in which a function runs, in this thread and in those started meanwhile."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._recording = False

    @property
    def modules(self) -> list[str]:
        files = (Path(name) for name in self._files)
        return sorted(str(file.relative_to(SOURCE)) for file in files if file.suffix == ".py" and file.is_relative_to(SOURCE))

    @contextmanager
    def installed(self) -> Iterator[None]:
        before, in_threads = sys.getprofile(), threading.getprofile()
        sys.setprofile(self._record)
        threading.setprofile(self._record)
        try:
            yield
        finally:
            sys.setprofile(before)
            threading.setprofile(in_threads)

    @contextmanager
    def recording(self) -> Iterator[None]:
        self._recording = True
        try:
            yield
        finally:
            self._recording = False

    def _record(self, frame: FrameType, happening: str, argument: Any) -> None:
        if self._recording and happening == "call":
            self._files.add(frame.f_code.co_filename)


def test_a_move_reaches_three_pages_through_at_most_fifty_modules(tmp_path: Path) -> None:
    recorder = ModuleRecorder()

    async def play() -> None:
        async with serving(tmp_path) as app:
            await _discard_at_a_running_table(app, recorder)

    with recorder.installed():
        run(play())
    assert {"web/table/pages.py", "engine/game.py", "storage/write_queue.py", "web/table/board.py"} <= {*recorder.modules}
    assert len(recorder.modules) <= MAX_MODULES, recorder.modules


async def _discard_at_a_running_table(app: Starlette, recorder: ModuleRecorder) -> None:
    """Play three moves that warm the caches, then record a discard until every stream has sent the new board."""
    ann, bob, cid = players = [member(app, name) for name in ("Ann", "Bob", "Cid")]
    for player in players:
        assert (await player.post("/preferences", {"coach": "off"})).status == 303
    code = await start_game(ann, bob, cid)
    streams = [player.stream(f"/t/{code}/stream") for player in players]
    for turn, (player, move) in enumerate([(ann, "clue 2 1"), (bob, "discard 1"), (cid, "clue 1 1")]):
        assert (await player.act(code, "move", move=move, turn=turn)).status == 200
        await asyncio.gather(*(stream.until(f'data-turn="{turn + 1}"'.encode()) for stream in streams))
    with recorder.recording():
        assert (await ann.act(code, "move", move="discard 1", turn=3)).status == 200
        await asyncio.gather(*(stream.until(b'data-turn="4"') for stream in streams))
    for stream in streams:
        await stream.close()
