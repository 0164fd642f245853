"""What a database complains about, in words. Nothing that it was to keep is quoted, because events hold decks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from tamaya.rules import MalformedError, say

DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def said_by_database(problem: BaseException) -> str:
    """The first line of what a database says; of PostgreSQL it names host, port, user and database, and no password."""
    return (str(getattr(problem, "orig", None) or problem).splitlines() or [""])[0][:300]


def is_damage(problem: BaseException) -> bool:
    """Whether a SQLite file cannot be read because of what is in it."""
    return (getattr(_cause(problem), "sqlite_errorcode", 0) & 0xFF) in DAMAGE


@contextmanager
def in_words() -> Iterator[None]:
    """Refuse in words what fails in a database or on a disk."""
    try:
        yield
    except (OSError, sqlite3.Error, SQLAlchemyError) as problem:
        if is_damage(problem):
            message = say("This is not a database, or it is damaged.")
            raise MalformedError("damaged_database", message) from None
        if isinstance(problem, OSError):
            reason = f"{problem.filename or ''}: {problem.strerror or problem}".removeprefix(": ")
            raise MalformedError("bad_file", say("A file cannot be used: {problem}", problem=reason)) from None
        reason = said_by_database(problem)
        if isinstance(problem, SQLAlchemyError) and not isinstance(_cause(problem), sqlite3.Error):
            message = say("The PostgreSQL database cannot be used: {problem}", problem=reason)
            raise MalformedError("bad_database", message) from None
        raise MalformedError("bad_file", say("A file cannot be used: {problem}", problem=reason)) from None


def _cause(problem: BaseException) -> BaseException:
    return problem.orig if isinstance(problem, DBAPIError) and problem.orig else problem
