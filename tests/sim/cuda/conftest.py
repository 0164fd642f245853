"""Detect a GPU by asking the driver."""

from __future__ import annotations

import ctypes


def has_device() -> bool:
    """Whether the driver is installed and knows at least one device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
