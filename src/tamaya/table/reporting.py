"""What is logged of a table, which must not let anybody in."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import MutableMapping
from typing import Any


def fingerprint(code: str) -> str:
    """What a log calls a table. Six digits tell tables apart and leave fifty million codes that it could be."""
    return hashlib.blake2b(code.encode(), digest_size=3).hexdigest()


class About(logging.LoggerAdapter[logging.Logger]):
    """Logs what concerns one table, under its fingerprint."""

    def __init__(self, logger: logging.Logger, code: str) -> None:
        super().__init__(logger, {"table": fingerprint(code)})

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        """Name the table in the sentence, and by itself for programs."""
        assert self.extra is not None
        return f"table {self.extra['table']}: {msg}", {**kwargs, "extra": self.extra}
