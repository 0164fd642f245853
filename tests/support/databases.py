"""New databases with the newest schema, copied from one that was migrated once in each test process."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from sqlalchemy import create_engine

from tamaya.storage import upgrade
from tamaya.storage.migrate import upgrade_through
from tamaya.storage.postgres import checked_url
from tests.postgres import fresh_database


@cache
def _file() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="tamaya-schema-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    upgrade(folder / "tables.sqlite")
    return folder / "tables.sqlite"


def migrated_file(path: Path) -> Path:
    """A new SQLite file at a path, with the newest schema and nothing in it."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(_file(), path)
    return path


@cache
def _database() -> str:
    address = fresh_database()
    engine = create_engine(checked_url(address))
    upgrade_through(engine)
    engine.dispose()
    return address


def migrated_database() -> str:
    """The address of a new PostgreSQL database with the newest schema and nothing in it."""
    return fresh_database(like=_database())
