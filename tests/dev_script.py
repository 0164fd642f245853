"""The script ``dev`` as a module."""

from __future__ import annotations

import importlib.machinery
import importlib.util
from pathlib import Path
from types import ModuleType

DEV = Path(__file__).parents[1] / "dev"


def dev_script() -> ModuleType:
    """A fresh import, which a test can patch."""
    loader = importlib.machinery.SourceFileLoader("dev_script", str(DEV))
    spec = importlib.util.spec_from_loader("dev_script", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
