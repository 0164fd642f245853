"""The sessions of people, and the personal links that begin one on another device.

Of every secret only its SHA-256 is kept: whoever reads the database can be nobody by it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from tamaya.rules import IllegalError, say
from tamaya.storage.errors import retry_reads
from tamaya.storage.schema import closings, links, sessions
from tamaya.storage.write_queue import WriteQueue
from tamaya.table.telemetry import Metrics

DAY = 24 * 3600.0
KEPT_FOR = 400 * DAY
"""How long a session is kept that nobody uses; browsers keep cookies no longer."""
LINK_HOLDS = DAY
EARLY = 300.0
"""How many seconds clocks of several servers may differ; a link from further ahead was made while a clock was wrong."""
COARSE = 3600.0
"""How exactly it is kept when a session was last used, in seconds."""
SWEPT_SHARE = 0.05
"""The most that one sweep ends, as a share of all sessions."""
AT_ONCE = 500
MOST_LISTED = 50

T = TypeVar("T")


def hash_secret(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Session:
    """One browser that acts for a person: what is kept of its secret, since when and when last, and what browser it is."""

    id: str
    person: str
    made: float
    seen: float
    device: str = ""


class SessionClaim(NamedTuple):
    """What a cookie says: who somebody is, and by which session; by none if nothing worth keeping has happened yet, or if the
    cookie is older than sessions are."""

    person: str
    session: str = ""


class SignedOutError(IllegalError):
    """Somebody acts by a session that has ended."""

    def __init__(self) -> None:
        words = say("This device is no longer signed in. A personal link from another device of yours brings your games back; "
                    "if you play on here, you are somebody new.")  # fmt: skip
        super().__init__("signed_out", words)


class SessionStore:
    """Keeps sessions and links in the database of the tables. A session holds as long as it is there."""

    def __init__(self, reading: AsyncEngine, writer: WriteQueue, meter: Metrics, reads: set[asyncio.Future[Any]]) -> None:
        self._reading, self._writer, self.meter, self.reads = reading, writer, meter, reads

    async def begin(self, session: Session) -> None:
        """Begin a session for somebody whose cookie has none, unless such cookies of theirs are refused by now."""

        def write(connection: Connection) -> None:
            _one_at_a_time(connection, session.person)
            closed = connection.scalar(_CLOSED.where(closings.c.person == session.person)) is not None
            if not closed and not _is_there(connection, session):
                connection.execute(insert(sessions), asdict(session))

        await self._writer.do(write)

    async def sessions_of(self, person: str) -> list[Session]:
        """The sessions of a person, those that were used last first; at most `MOST_LISTED`."""
        own = select(sessions).where(sessions.c.person == person).order_by(sessions.c.seen.desc(), sessions.c.id)
        return [Session(**row._mapping) for row in await self._read(own.limit(MOST_LISTED))]

    async def revoked(self, tickets: Collection[SessionClaim]) -> set[SessionClaim]:
        """Those that do not hold: their session has ended, or they have none and their person has ended all others."""
        begun = {ticket.session for ticket in tickets if ticket.session}
        older = {ticket.person for ticket in tickets if not ticket.session}
        holding = {
            SessionClaim(*row) for some in _parts(begun) for row in await self._read(_HOLDING.where(sessions.c.id.in_(some)))
        }
        closed = {row.person for some in _parts(older) for row in await self._read(_CLOSED.where(closings.c.person.in_(some)))}
        return {one for one in tickets if (one not in holding if one.session else one.person in closed)}

    async def see(self, ids: Collection[str], now: float) -> None:
        """Note that these sessions have been used, unless that is known well enough."""
        unknown = or_(sessions.c.seen < now - COARSE, sessions.c.seen > now + COARSE)

        def write(connection: Connection) -> None:
            for some in _parts(ids):
                connection.execute(update(sessions).where(sessions.c.id.in_(some), unknown).values(seen=now))

        await self._writer.do(write)

    async def end(self, by: SessionClaim, session: str) -> bool:
        """End a session of the person who asks, and their links: whoever used it may have made one. Whether there was one."""

        def write(connection: Connection) -> bool:
            _check(connection, by)
            own = delete(sessions).where(sessions.c.person == by.person, sessions.c.id == session)
            ended = connection.execute(own).rowcount > 0
            connection.execute(delete(links).where(links.c.person == by.person))
            return ended

        return await self._writer.do(write)

    async def end_others(self, by: SessionClaim, now: float) -> None:
        """End all sessions of the person who asks but the one they ask by, and their links; from now on, their cookies without
        a session do not hold."""

        def write(connection: Connection) -> None:
            _check(connection, by)
            connection.execute(delete(sessions).where(sessions.c.person == by.person, sessions.c.id != by.session))
            connection.execute(delete(links).where(links.c.person == by.person))
            if connection.scalar(_CLOSED.where(closings.c.person == by.person)) is None:
                connection.execute(insert(closings), {"person": by.person, "made": now})

        await self._writer.do(write)

    async def save_login_link(self, by: SessionClaim, link: str, text: str, now: float) -> None:
        """Keep a link that leads to what `text` says of the person who asks, in place of the one they had."""

        def write(connection: Connection) -> None:
            _check(connection, by)
            connection.execute(delete(links).where(links.c.person == by.person))
            connection.execute(insert(links), {"id": link, "person": by.person, "text": text, "made": now})

        await self._writer.do(write)

    async def get_login_link(self, link: str, now: float) -> str | None:
        """What a link leads to, if it holds."""
        found = await self._read(select(links.c.text).where(links.c.id == link, _holds(now)))
        return found[0][0] if found else None

    async def redeem_login_link(self, link: str, session: Session) -> bool:
        """Begin a session by a link, which holds no longer; whether it did."""
        held = (links.c.id == link, links.c.person == session.person, _holds(session.made))

        def write(connection: Connection) -> bool:
            _one_at_a_time(connection, session.person)
            used = connection.execute(delete(links).where(*held)).rowcount == 1
            if used:
                connection.execute(insert(sessions), asdict(session))
            return used or _is_there(connection, session)

        return await self._writer.do(write)

    async def sweep(self, now: float) -> int:
        """End sessions that nobody has used for long and forget links that no longer hold; returns how many sessions ended.

        Time is that of the session used last, or `now` if that is earlier, and one sweep ends a small share at most: a clock
        that is wrong for a while leaves nearly everybody where they are.
        """

        def write(connection: Connection) -> int:
            connection.execute(delete(links).where(~_holds(now)))
            newest, count = connection.execute(select(func.max(sessions.c.seen), func.count()).select_from(sessions)).one()
            if not count:
                return 0
            unused = select(sessions.c.id).where(sessions.c.seen < min(now, newest) - KEPT_FOR)
            some = list(connection.scalars(unused.order_by(sessions.c.seen).limit(max(1, int(count * SWEPT_SHARE)))))
            for ids in _parts(some):
                connection.execute(delete(sessions).where(sessions.c.id.in_(ids)))
            return len(some)

        return await self._writer.do(write)

    @retry_reads
    async def _read(self, wanted: Select[Any]) -> list[Row[Any]]:
        async with self._reading.connect() as connection:
            return list(await connection.execute(wanted))


_HOLDING = select(sessions.c.person, sessions.c.id)
_CLOSED = select(closings.c.person)


def _is_there(connection: Connection, session: Session) -> bool:
    """Whether a session has begun already: by a commit that was never confirmed, after which the same is tried again."""
    return connection.scalar(select(sessions.c.id).where(sessions.c.id == session.id)) is not None


def _one_at_a_time(connection: Connection, person: str) -> None:
    """Let what begins and what ends sessions of a person wait for each other; SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(person, 0))))


def _check(connection: Connection, by: SessionClaim) -> None:
    """Refuse somebody whose ticket does not hold, and let nobody end it until this is done: other processes believe one for a
    while that has ended, and whoever copied it could come back by a link, or end the session of its owner."""
    _one_at_a_time(connection, by.person)
    if by.session:
        holds = connection.scalar(_HOLDING.where(sessions.c.person == by.person, sessions.c.id == by.session)) is not None
    else:
        holds = connection.scalar(_CLOSED.where(closings.c.person == by.person)) is None
    if not holds:
        raise SignedOutError


def _holds(now: float) -> ColumnElement[bool]:
    return links.c.made.between(now - LINK_HOLDS, now + EARLY)


def _parts(items: Collection[T]) -> Iterator[list[T]]:
    """The items in parts that one statement can take."""
    left = iter(items)
    while some := list(islice(left, AT_ONCE)):
        yield some
