"""Sessions and login links in a SQL database."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from tamaya.storage.errors import retry_reads
from tamaya.storage.schema import closings, links, sessions
from tamaya.storage.write_queue import WriteQueue
from tamaya.table.sessions import (
    LINK_LIFETIME,
    MAX_CLOCK_SKEW,
    MAX_LISTED,
    MAX_SWEPT_SHARE,
    SEEN_RESOLUTION,
    SESSION_LIFETIME,
    Session,
    SessionClaim,
    SignedOutError,
)
from tamaya.table.telemetry import Metrics

CHUNK_SIZE = 500
"""How many values one statement takes."""

T = TypeVar("T")


class SqlSessionStore:
    """Stores sessions and login links beside the tables; implements `SessionStore`."""

    def __init__(self, reading: AsyncEngine, writer: WriteQueue, meter: Metrics, reads: set[asyncio.Future[Any]]) -> None:
        self._reading, self._writer, self.meter, self.reads = reading, writer, meter, reads

    async def begin(self, session: Session) -> None:
        """Store a session for a cookie without one, unless the person has revoked such cookies."""

        def write(connection: Connection) -> None:
            _lock_person(connection, session.person)
            closed = connection.scalar(_CLOSED.where(closings.c.person == session.person)) is not None
            if not closed and not _exists(connection, session):
                connection.execute(insert(sessions), asdict(session))

        await self._writer.do(write)

    async def sessions_of(self, person: str) -> list[Session]:
        """The sessions of a person, the last used first; at most `MAX_LISTED`."""
        own = select(sessions).where(sessions.c.person == person).order_by(sessions.c.seen.desc(), sessions.c.id)
        return [Session(**row._mapping) for row in await self._read(own.limit(MAX_LISTED))]

    async def revoked(self, claims: Collection[SessionClaim]) -> set[SessionClaim]:
        """Those claims that are not valid."""
        ids = {claim.session for claim in claims if claim.session}
        persons = {claim.person for claim in claims if not claim.session}
        active = {
            SessionClaim(*row) for some in _chunks(ids) for row in await self._read(_ACTIVE.where(sessions.c.id.in_(some)))
        }
        closed = {
            row.person for some in _chunks(persons) for row in await self._read(_CLOSED.where(closings.c.person.in_(some)))
        }
        return {claim for claim in claims if (claim not in active if claim.session else claim.person in closed)}

    async def see(self, ids: Collection[str], now: float) -> None:
        """Save when these sessions were last used, unless the stored time is within `SEEN_RESOLUTION`."""
        outdated = or_(sessions.c.seen < now - SEEN_RESOLUTION, sessions.c.seen > now + SEEN_RESOLUTION)

        def write(connection: Connection) -> None:
            for some in _chunks(ids):
                connection.execute(update(sessions).where(sessions.c.id.in_(some), outdated).values(seen=now))

        await self._writer.do(write)

    async def end(self, by: SessionClaim, session: str) -> bool:
        """End a session of the caller and delete their login links. Whether the session existed."""

        def write(connection: Connection) -> bool:
            _check(connection, by)
            own = delete(sessions).where(sessions.c.person == by.person, sessions.c.id == session)
            ended = connection.execute(own).rowcount > 0
            connection.execute(delete(links).where(links.c.person == by.person))
            return ended

        return await self._writer.do(write)

    async def end_others(self, by: SessionClaim, now: float) -> None:
        """End all sessions of the caller but this one, delete their login links, and revoke their cookies without a session."""

        def write(connection: Connection) -> None:
            _check(connection, by)
            connection.execute(delete(sessions).where(sessions.c.person == by.person, sessions.c.id != by.session))
            connection.execute(delete(links).where(links.c.person == by.person))
            if connection.scalar(_CLOSED.where(closings.c.person == by.person)) is None:
                connection.execute(insert(closings), {"person": by.person, "made": now})

        await self._writer.do(write)

    async def save_login_link(self, by: SessionClaim, link: str, text: str, now: float) -> None:
        """Store a login link with the profile it leads to, in place of the caller's earlier one."""

        def write(connection: Connection) -> None:
            _check(connection, by)
            connection.execute(delete(links).where(links.c.person == by.person))
            connection.execute(insert(links), {"id": link, "person": by.person, "text": text, "made": now})

        await self._writer.do(write)

    async def get_login_link(self, link: str, now: float) -> str | None:
        """The profile that a login link leads to, if it is valid."""
        found = await self._read(select(links.c.text).where(links.c.id == link, _is_valid(now)))
        return found[0][0] if found else None

    async def redeem_login_link(self, link: str, session: Session) -> bool:
        """Begin a session by a login link, which is then used up; whether it was valid."""
        valid = (links.c.id == link, links.c.person == session.person, _is_valid(session.made))

        def write(connection: Connection) -> bool:
            _lock_person(connection, session.person)
            used = connection.execute(delete(links).where(*valid)).rowcount == 1
            if used:
                connection.execute(insert(sessions), asdict(session))
            return used or _exists(connection, session)

        return await self._writer.do(write)

    async def sweep(self, now: float) -> int:
        """Delete expired login links and end sessions unused for long; returns the number of sessions ended."""

        def write(connection: Connection) -> int:
            connection.execute(delete(links).where(~_is_valid(now)))
            newest, count = connection.execute(select(func.max(sessions.c.seen), func.count()).select_from(sessions)).one()
            if not count:
                return 0
            unused = select(sessions.c.id).where(sessions.c.seen < min(now, newest) - SESSION_LIFETIME)
            some = list(connection.scalars(unused.order_by(sessions.c.seen).limit(max(1, int(count * MAX_SWEPT_SHARE)))))
            for ids in _chunks(some):
                connection.execute(delete(sessions).where(sessions.c.id.in_(ids)))
            return len(some)

        return await self._writer.do(write)

    @retry_reads
    async def _read(self, wanted: Select[Any]) -> list[Row[Any]]:
        async with self._reading.connect() as connection:
            return list(await connection.execute(wanted))


_ACTIVE = select(sessions.c.person, sessions.c.id)
_CLOSED = select(closings.c.person)


def _exists(connection: Connection, session: Session) -> bool:
    """Whether an earlier attempt has stored the session, by a commit that was never confirmed."""
    return connection.scalar(select(sessions.c.id).where(sessions.c.id == session.id)) is not None


def _lock_person(connection: Connection, person: str) -> None:
    """Serialise changes to a person's sessions until the transaction ends; SQLite has only one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(person, 0))))


def _check(connection: Connection, by: SessionClaim) -> None:
    """Lock the caller's sessions, and refuse a caller whose claim is not valid.

    Other processes cache claims for a while. Without this check, a stolen session that has ended could still make a login link
    or end the session of its owner.
    """
    _lock_person(connection, by.person)
    if by.session:
        valid = connection.scalar(_ACTIVE.where(sessions.c.person == by.person, sessions.c.id == by.session)) is not None
    else:
        valid = connection.scalar(_CLOSED.where(closings.c.person == by.person)) is None
    if not valid:
        raise SignedOutError


def _is_valid(now: float) -> ColumnElement[bool]:
    return links.c.made.between(now - LINK_LIFETIME, now + MAX_CLOCK_SKEW)


def _chunks(items: Collection[T]) -> Iterator[list[T]]:
    left = iter(items)
    while some := list(islice(left, CHUNK_SIZE)):
        yield some
