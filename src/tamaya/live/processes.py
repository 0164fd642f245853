"""Pools of processes for what takes long, which end with the server that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import connection


def new_pool(workers: int, niceness: int = 0) -> ProcessPoolExecutor:
    """A pool of so many processes; they give way to others by their `niceness`."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(niceness,))


def kill(pool: ProcessPoolExecutor) -> None:
    """End a pool at once, whatever it is doing."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False)
    for process in processes:
        process.kill()


def _start_worker(niceness: int) -> None:
    """End a worker when its server is gone, however that ended, and hide whatever is printed there: it may name cards, and
    would clutter the table in a terminal."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends its workers
    server = multiprocessing.parent_process()
    assert server is not None

    def watch() -> None:
        connection.wait([server.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for output in (1, 2):
        os.dup2(nowhere, output)
