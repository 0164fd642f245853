"""Games to learn from: what bots play, written as records, one a line, in the order of the games' numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tamaya.league.files import told_in_words
from tamaya.league.play import ChunkResult, record_chunk
from tamaya.league.run import Chunk, Run
from tamaya.league.standing import Standing, Watcher
from tamaya.league.workers import Done, Runner
from tamaya.rules import IllegalError, say


def write_games(
    run: Run,
    runner: Runner,
    path: Path,
    watch: Watcher = lambda games: None,
    work: Callable[[Chunk], ChunkResult] = record_chunk,
) -> Standing:
    """Play a run and write its games to a new file, which is there only once they are all in it."""
    standing = Standing.before(run)
    with _new_file(path) as write, closing(runner.run(work, run.chunks())) as results:
        for done in _in_order(results):
            write(done.played.records)
            standing += done.played
            watch(len(done.chunk.numbers))
    return standing


def _in_order(results: Iterable[Done]) -> Iterator[Done]:
    """The results by their places: early ones wait. Runners see to it that few do."""
    early: dict[int, Done] = {}
    place = 0
    for done in results:
        early[done.place] = done
        while place in early:
            yield early.pop(place)
            place += 1


@contextmanager
def _new_file(path: Path) -> Iterator[Callable[[str], None]]:
    """A file that is written beside its place and put there in the end; whatever goes wrong leaves nothing behind."""
    part = path.with_name(f"{path.name}.part") if path.name else path
    with told_in_words(path):
        _refuse_to_replace(path, part)
        file = part.open("x", encoding="utf-8")

    def write(text: str) -> None:
        with told_in_words(path):
            file.write(text)

    try:
        yield write
        with told_in_words(path):
            file.flush()
            os.fsync(file.fileno())
            file.close()
            part.replace(path)
    except BaseException:
        with suppress(OSError):
            file.close()
        with suppress(OSError):
            part.unlink()
        raise


def _refuse_to_replace(path: Path, part: Path) -> None:
    if path.exists():
        raise IllegalError("file_exists", say("There is a file {name} already; choose another name.", name=str(path)))
    if part.exists():
        message = say("{name} is left over from a run that was cut off, or another run writes it; "
                      "remove it, or choose another name.", name=str(part))  # fmt: skip
        raise IllegalError("part_exists", message)
