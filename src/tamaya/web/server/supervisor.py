"""Several processes that serve the same tables at the same port, and one that looks after them and serves nothing itself.

They share one listening socket, which outlives each of them: whoever connects while one is being replaced waits a moment and is
served by another. PostgreSQL carries their news.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, MutableSequence
from dataclasses import dataclass, field
from multiprocessing import connection, sharedctypes
from multiprocessing.context import SpawnProcess
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from tamaya.web.app import create_app
from tamaya.web.ops.metrics import forget_worker, prepare_folder, worker_environment
from tamaya.web.options import ServerOptions
from tamaya.web.server import LoadShare
from tamaya.web.server.runner import run_server

logger = logging.getLogger(__name__)
STOPPING = 8.0
"""Seconds after which a process that was asked to stop is ended."""
STARTING = 60.0
"""Seconds after which one is ended that does not serve yet."""
SHORT_LIFE = 5.0
"""A process that lived for less is replaced only after a pause, so that what cannot run does not keep the machine busy."""
PAUSE = 1.0


@dataclass(eq=False)
class _Worker:
    """One process that serves: its place among the others, the pipe by which it says that it is ready, whose place it is to
    take, and when it must have stopped."""

    place: int
    process: SpawnProcess
    says: connection.Connection
    replaces: _Worker | None = None
    began: float = field(default_factory=time.monotonic)
    ready: bool = False
    silent: bool = False
    ends_by: float = 0.0


class Supervisor:
    """Keeps so many processes serving until it is told to stop. On SIGHUP it replaces them one after the other, each only when
    its successor serves."""

    def __init__(
        self,
        options: ServerOptions,
        listener: socket.socket,
        ready: Callable[[], None],
        serve: Callable[[ServerOptions, socket.socket, connection.Connection, LoadShare], None] | None = None,
    ) -> None:
        self._options, self._listener, self._tell_people, self._serve = options, listener, ready, serve or serve_as_one_of_many
        self._held: MutableSequence[int] = sharedctypes.RawArray("l", options.workers)
        self._workers: list[_Worker] = []
        self._old: list[_Worker] = []
        self._stopping = self._told = False

    def run(self) -> int:
        """Serve until Ctrl+C or SIGTERM; returns the exit status."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, self._replace_all)
        with TemporaryDirectory(prefix="tamaya-metrics-") as folder:
            self._metrics = Path(folder) / "counted"
            prepare_folder(self._metrics)
            os.environ.update(worker_environment(self._metrics))
            try:
                for place in range(self._options.workers):
                    self._start(place)
                while not self._stopping:
                    self._look_after_all()
            finally:
                self._end()
        return 0

    def _stop(self, *_: object) -> None:
        self._stopping = True

    def _replace_all(self, *_: object) -> None:
        being_replaced = [worker.replaces for worker in self._workers]
        self._old = [worker for worker in self._workers if not worker.ends_by and worker not in being_replaced]

    def _start(self, place: int, replaces: _Worker | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        says, saying = context.Pipe(duplex=False)
        options = msgspec.structs.replace(self._options, warm_up=self._options.warm_up and place == 0)
        args = (options, self._listener, saying, LoadShare(self._held, place))
        process = context.Process(target=self._serve, args=args, name=f"worker {place}")
        process.start()
        saying.close()
        self._workers.append(_Worker(place, process, says, replaces))

    def _look_after_all(self) -> None:
        """Wait until something happens to one of them, or for a moment, and see to each."""
        ends = [worker.process.sentinel for worker in self._workers]
        connection.wait(
            [*ends, *(worker.says for worker in self._workers if not (worker.ready or worker.silent))], timeout=PAUSE
        )
        for worker in list(self._workers):
            self._look_after(worker)
        while self._old and all(worker.ready for worker in self._workers):
            old = self._old.pop(0)
            if old in self._workers and not old.ends_by:
                self._start(old.place, replaces=old)

    def _look_after(self, worker: _Worker) -> None:
        now = time.monotonic()
        if not worker.ready and _has_said_so(worker):
            self._greet(worker)
        if not worker.process.is_alive():
            self._after_the_end_of(worker)
        elif (worker.ends_by and now > worker.ends_by) or (not worker.ready and now > worker.began + STARTING):
            worker.process.kill()

    def _greet(self, worker: _Worker) -> None:
        """Hear that a process serves; whoever it replaces may go."""
        worker.ready = True
        if worker.replaces:
            _ask_to_stop(worker.replaces)
            worker.replaces = None
        if not self._told and all(one.ready for one in self._workers):
            self._told = True
            self._tell_people()

    def _after_the_end_of(self, worker: _Worker) -> None:
        """Put another process in the place of one that has ended, unless it was to, or its successor is there already."""
        worker.process.join()
        worker.says.close()
        self._workers.remove(worker)
        forget_worker(self._metrics, worker.process.pid or 0)
        if self._stopping or worker.ends_by:
            return
        logger.error("server process %d ended (%s)", worker.place, worker.process.exitcode)
        successors = [one for one in self._workers if one.replaces is worker]
        if worker.replaces:
            logger.error("the process before it stays")
            self._old.clear()
        elif successors:
            successors[0].replaces = None
        else:
            if time.monotonic() - worker.began < SHORT_LIFE:
                time.sleep(PAUSE)
            self._start(worker.place)

    def _end(self) -> None:
        """Ask all to stop, and end whoever does not."""
        for worker in self._workers:
            _ask_to_stop(worker)
        for worker in self._workers:
            worker.process.join(max(0.0, worker.ends_by - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
            worker.process.join()


def _has_said_so(worker: _Worker) -> bool:
    """Whether a process has said that it is ready; one that ended before has said nothing."""
    if worker.silent:
        return False
    try:
        return worker.says.poll() and bool(worker.says.recv())
    except (EOFError, OSError):
        worker.silent = True
        return False


def _ask_to_stop(worker: _Worker) -> None:
    """Let a process end in good order; a second time would mean at once."""
    if not worker.ends_by:
        worker.ends_by = time.monotonic() + STOPPING
        worker.process.terminate()


def serve_as_one_of_many(
    options: ServerOptions, listener: socket.socket, says: connection.Connection, siblings: LoadShare
) -> None:
    """Serve as one of several processes, until told to stop or left alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the process that looks after this one and asks it to stop
    parent = multiprocessing.parent_process()
    assert parent is not None

    def stop_when_left_alone() -> None:
        connection.wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=stop_when_left_alone, daemon=True).start()
    run_server(
        create_app(options), listener, lambda: says.send("ready"), proxy=options.proxy, log=options.log, siblings=siblings
    )
