"""Files that cannot be written or read, told in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tamaya.rules import IllegalError, TamayaError, say


@contextmanager
def told_in_words(path: Path) -> Iterator[None]:
    """Let what goes wrong with a file end in a message that names it."""
    try:
        yield
    except TamayaError:
        raise
    except (OSError, ValueError) as problem:
        reason = (getattr(problem, "strerror", None) or str(problem)).rstrip(".")
        message = say("{name} cannot be written: {reason}.", name=str(path), reason=reason)
        raise IllegalError("cannot_write", message) from None
