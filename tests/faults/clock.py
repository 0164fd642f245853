"""Run Tamaya with a clock that is ahead by the seconds in the file named by ``FAULTS_CLOCK``, which tests change. Child
processes run this module first, so that they have the same clock."""

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
