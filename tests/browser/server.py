"""A server in a process of its own, which tests may stop, kill and start again."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from pathlib import Path

from tests.limits import within
from tests.programs import Program, line_of, start_python

SETTINGS = {"TAMAYA_BOT_PAUSE": "0", "TAMAYA_WARM_UP": "false", "TAMAYA_LIMITS": "false"}


class Server:
    """The real server on a port of its own; its error stream goes to a file."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder, self.port = folder, 0
        self._settings = {**SETTINGS, **settings}
        self._log = folder / "complaints.txt"
        self._process: Program
        self._running = ExitStack()
        self.start()

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://localhost:{self.port}"

    @property
    def complaints(self) -> str:
        """The error stream so far."""
        return self._log.read_text("utf-8")

    def start(self) -> None:
        """Serve; after a restart on the same port."""
        command = ("-m", "tests.browser.serve", "--port", str(self.port), "--no-open", "--data", str(self.folder / "data"))
        with self._log.open("a") as log:
            self._process = self._running.enter_context(start_python(*command, errors=log, variables=self._settings))
        first = line_of(self._process, "the server to say its address").split()
        assert first, f"the server did not start:\n{self.complaints}"
        self.port = int(first[-1].rstrip("/").rpartition(":")[2])

    def stop(self) -> None:
        """End it like Ctrl+C."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it like a power cut."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process.poll() is None:
            self._process.send_signal(how)
            with within(20, "the server to end"):
                self._process.wait()
        self._running.close()

    def close(self) -> None:
        """Stop, and leave nothing behind."""
        self.stop()
