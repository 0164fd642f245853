"""A supervisor of several worker processes that serve the same tables at the same port.

Workers share one listening socket, so that connections made while a worker is being replaced wait for another. They notify each
other through PostgreSQL.
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
STOP_TIMEOUT = 8.0
"""The seconds until a worker that does not stop is killed."""
START_TIMEOUT = 60.0
"""The seconds until a worker that is not ready is killed."""
MIN_LIFETIME = 5.0
"""The seconds below which a worker is replaced only after `RESTART_DELAY`, so that crash loops do not keep the machine busy."""
RESTART_DELAY = 1.0


@dataclass(eq=False)
class _Worker:
    """A worker process: its index, the pipe on which it reports that it is ready, the worker it replaces, and the deadline of a
    requested stop."""

    index: int
    process: SpawnProcess
    ready_pipe: connection.Connection
    replaces: _Worker | None = None
    started: float = field(default_factory=time.monotonic)
    is_ready: bool = False
    is_pipe_closed: bool = False
    stop_deadline: float = 0.0


class Supervisor:
    """Keeps N workers running. On SIGHUP it replaces them one by one, stopping each when its successor is ready."""

    def __init__(
        self,
        options: ServerOptions,
        listener: socket.socket,
        on_ready: Callable[[], None],
        serve: Callable[[ServerOptions, socket.socket, connection.Connection, LoadShare], None] | None = None,
    ) -> None:
        self._options, self._listener, self._on_ready, self._serve = options, listener, on_ready, serve or serve_worker
        self._loads: MutableSequence[int] = sharedctypes.RawArray("l", options.workers)
        self._workers: list[_Worker] = []
        self._to_replace: list[_Worker] = []
        self._stopping = self._announced = False

    def run(self) -> int:
        """Run until Ctrl+C or SIGTERM; returns the exit status."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._request_stop)
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, self._replace_all)
        with TemporaryDirectory(prefix="tamaya-metrics-") as folder:
            self._metrics = Path(folder) / "counted"
            prepare_folder(self._metrics)
            os.environ.update(worker_environment(self._metrics))
            try:
                for index in range(self._options.workers):
                    self._start(index)
                while not self._stopping:
                    self._poll()
            finally:
                self._stop_all()
        return 0

    def _request_stop(self, *_: object) -> None:
        self._stopping = True

    def _replace_all(self, *_: object) -> None:
        being_replaced = [worker.replaces for worker in self._workers]
        self._to_replace = [worker for worker in self._workers if not worker.stop_deadline and worker not in being_replaced]

    def _start(self, index: int, replaces: _Worker | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        options = msgspec.structs.replace(self._options, warm_up=self._options.warm_up and index == 0)
        args = (options, self._listener, sender, LoadShare(self._loads, index))
        process = context.Process(target=self._serve, args=args, name=f"worker {index}")
        process.start()
        sender.close()
        self._workers.append(_Worker(index, process, receiver, replaces))

    def _poll(self) -> None:
        """Wait for an event of any worker or for a timeout, then check all workers."""
        ends = [worker.process.sentinel for worker in self._workers]
        connection.wait(
            [*ends, *(worker.ready_pipe for worker in self._workers if not (worker.is_ready or worker.is_pipe_closed))],
            timeout=RESTART_DELAY,
        )
        for worker in list(self._workers):
            self._check(worker)
        while self._to_replace and all(worker.is_ready for worker in self._workers):
            old = self._to_replace.pop(0)
            if old in self._workers and not old.stop_deadline:
                self._start(old.index, replaces=old)

    def _check(self, worker: _Worker) -> None:
        now = time.monotonic()
        if not worker.is_ready and _has_reported_ready(worker):
            self._mark_ready(worker)
        if not worker.process.is_alive():
            self._handle_exit(worker)
        elif (worker.stop_deadline and now > worker.stop_deadline) or (
            not worker.is_ready and now > worker.started + START_TIMEOUT
        ):
            worker.process.kill()

    def _mark_ready(self, worker: _Worker) -> None:
        """Mark a worker as ready, and stop the one that it replaces."""
        worker.is_ready = True
        if worker.replaces:
            _terminate(worker.replaces)
            worker.replaces = None
        if not self._announced and all(one.is_ready for one in self._workers):
            self._announced = True
            self._on_ready()

    def _handle_exit(self, worker: _Worker) -> None:
        """Replace a worker that has ended, unless it was asked to stop or has a successor."""
        worker.process.join()
        worker.ready_pipe.close()
        self._workers.remove(worker)
        forget_worker(self._metrics, worker.process.pid or 0)
        if self._stopping or worker.stop_deadline:
            return
        logger.error("worker %d exited (%s)", worker.index, worker.process.exitcode)
        successors = [one for one in self._workers if one.replaces is worker]
        if worker.replaces:
            logger.error("the worker that it was to replace keeps running")
            self._to_replace.clear()
        elif successors:
            successors[0].replaces = None
        else:
            if time.monotonic() - worker.started < MIN_LIFETIME:
                time.sleep(RESTART_DELAY)
            self._start(worker.index)

    def _stop_all(self) -> None:
        """Stop all workers, and kill those that exceed the deadline."""
        for worker in self._workers:
            _terminate(worker)
        for worker in self._workers:
            worker.process.join(max(0.0, worker.stop_deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
            worker.process.join()


def _has_reported_ready(worker: _Worker) -> bool:
    """Whether a worker has reported that it is ready."""
    if worker.is_pipe_closed:
        return False
    try:
        return worker.ready_pipe.poll() and bool(worker.ready_pipe.recv())
    except (EOFError, OSError):
        worker.is_pipe_closed = True
        return False


def _terminate(worker: _Worker) -> None:
    """Ask a worker to stop gracefully, once: a second signal would stop it at once."""
    if not worker.stop_deadline:
        worker.stop_deadline = time.monotonic() + STOP_TIMEOUT
        worker.process.terminate()


def serve_worker(
    options: ServerOptions, listener: socket.socket, ready_pipe: connection.Connection, siblings: LoadShare
) -> None:
    """Serve as one of several workers, until asked to stop or the supervisor has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor handles Ctrl+C and stops this process
    parent = multiprocessing.parent_process()
    assert parent is not None

    def stop_when_left_alone() -> None:
        connection.wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=stop_when_left_alone, daemon=True).start()
    run_server(
        create_app(options),
        listener,
        lambda: ready_pipe.send("ready"),
        proxy=options.proxy,
        log_format=options.log,
        siblings=siblings,
    )
