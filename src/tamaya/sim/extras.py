"""Parts that not everybody has installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tamaya.rules import MissingPartError, say


def needed(package: str, extra: str) -> Any:
    """A package that an extra brings, or words on how to get it."""
    try:
        return import_module(package)
    except ImportError as problem:
        raise MissingPartError(
            "missing_part",
            say(
                "This needs the package {package}, which is not installed here. It comes with: {command}",
                package=package,
                command=f"pip install 'tamaya[{extra}]'",
            ),
        ) from problem
