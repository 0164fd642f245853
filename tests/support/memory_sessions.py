"""A session store without a database, in plain Python, which the others are compared with."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from tamaya.table import Session, SessionClaim, SignedOutError
from tamaya.table.sessions import (
    LINK_LIFETIME,
    MAX_CLOCK_SKEW,
    MAX_LISTED,
    MAX_SWEPT_SHARE,
    SEEN_RESOLUTION,
    SESSION_LIFETIME,
)


@dataclass
class LoginLink:
    """A stored login link."""

    person: str
    text: str
    made: float

    def is_valid(self, now: float) -> bool:
        return now - LINK_LIFETIME <= self.made <= now + MAX_CLOCK_SKEW


@dataclass
class MemorySessionStore:
    """Stores sessions and login links for as long as the process lives."""

    sessions: dict[str, Session] = field(default_factory=dict)
    links: dict[str, LoginLink] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)

    async def begin(self, session: Session) -> None:
        if session.person not in self.closed:
            self.sessions.setdefault(session.id, session)

    async def sessions_of(self, person: str) -> list[Session]:
        own = [session for session in self.sessions.values() if session.person == person]
        return sorted(own, key=lambda session: (-session.seen, session.id))[:MAX_LISTED]

    async def revoked(self, claims: Collection[SessionClaim]) -> set[SessionClaim]:
        return {claim for claim in claims if not self._is_active(claim)}

    async def see(self, ids: Collection[str], now: float) -> None:
        for session in [self.sessions[one] for one in ids if one in self.sessions]:
            if abs(session.seen - now) > SEEN_RESOLUTION:
                self.sessions[session.id] = replace(session, seen=now)

    async def end(self, by: SessionClaim, session: str) -> bool:
        self._check(by)
        self._delete_links(by.person)
        if session not in self.sessions or self.sessions[session].person != by.person:
            return False
        del self.sessions[session]
        return True

    async def end_others(self, by: SessionClaim, now: float) -> None:
        self._check(by)
        self._delete_links(by.person)
        for session in [*self.sessions.values()]:
            if session.person == by.person and session.id != by.session:
                del self.sessions[session.id]
        self.closed.add(by.person)

    async def save_login_link(self, by: SessionClaim, link: str, text: str, now: float) -> None:
        self._check(by)
        self._delete_links(by.person)
        self.links[link] = LoginLink(by.person, text, now)

    async def get_login_link(self, link: str, now: float) -> str | None:
        found = self.links.get(link)
        return found.text if found and found.is_valid(now) else None

    async def redeem_login_link(self, link: str, session: Session) -> bool:
        found = self.links.get(link)
        if not found or found.person != session.person or not found.is_valid(session.made):
            return session.id in self.sessions
        del self.links[link]
        self.sessions[session.id] = session
        return True

    async def sweep(self, now: float) -> int:
        self.links = {secret: link for secret, link in self.links.items() if link.is_valid(now)}
        if not self.sessions:
            return 0
        today = min(now, max(session.seen for session in self.sessions.values()))
        unused = [session for session in self.sessions.values() if session.seen < today - SESSION_LIFETIME]
        ended = sorted(unused, key=lambda session: session.seen)[: max(1, int(len(self.sessions) * MAX_SWEPT_SHARE))]
        for session in ended:
            del self.sessions[session.id]
        return len(ended)

    def _is_active(self, claim: SessionClaim) -> bool:
        if not claim.session:
            return claim.person not in self.closed
        return claim.session in self.sessions and self.sessions[claim.session].person == claim.person

    def _check(self, by: SessionClaim) -> None:
        if not self._is_active(by):
            raise SignedOutError

    def _delete_links(self, person: str) -> None:
        self.links = {secret: link for secret, link in self.links.items() if link.person != person}
