"""Tamaya with a clock that tests set while it runs: so many seconds ahead as the file named by ``FAULTS_CLOCK`` says. The
processes that it starts run this module first, so that they have the same clock."""

from __future__ import annotations

import os
import time
from pathlib import Path

AHEAD = "FAULTS_CLOCK"
_right = time.time


def _wrong() -> float:
    return _right() + float(Path(os.environ[AHEAD]).read_text() or 0)


if AHEAD in os.environ:
    time.time = _wrong

if __name__ == "__main__":
    from tamaya.cli import main

    main()
