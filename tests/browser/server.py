"""A server in a process of its own, which tests may stop, kill and start again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTINGS = {"TAMAYA_BOT_PAUSE": "0", "TAMAYA_LIMITS": "false"}


class Server:
    """The real server on a port of its own; what it complains about is kept in a file."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder, self.port = folder, 0
        self._settings = {**SETTINGS, **settings}
        self._log = folder / "complaints.txt"
        self._process: subprocess.Popen[str]
        self.start()

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://localhost:{self.port}"

    @property
    def complaints(self) -> str:
        """Everything it wrote to its error stream so far."""
        return self._log.read_text("utf-8")

    def start(self) -> None:
        """Serve; the second time on the port of the first."""
        command = [sys.executable, "-m", "tests.browser.serve", "--port", str(self.port), "--no-open"]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--data", str(self.folder / "data")],
                cwd=ROOT,
                env={**os.environ, **self._settings},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        assert self._process.stdout is not None
        first = self._process.stdout.readline().split()
        assert first, f"the server did not start:\n{self.complaints}"
        self.port = int(first[-1].rstrip("/").rpartition(":")[2])

    def stop(self) -> None:
        """Let it end as Ctrl+C would."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(20)
        if self._process.stdout:
            self._process.stdout.close()

    def close(self) -> None:
        """Stop, and leave nothing behind."""
        self.stop()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
