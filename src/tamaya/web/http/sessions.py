"""Active sessions: looked up once per visitor, and every few seconds for recent visitors and open pages."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamaya.rules import TamayaError, UnavailableError
from tamaya.table import Session, SessionClaim, SessionStore, SignedOutError, hash_secret
from tamaya.web.http.client import device_of
from tamaya.web.http.cookies import CookieSigner, Profile
from tamaya.web.http.security import is_https

if TYPE_CHECKING:
    from tamaya.web.services import Services

logger = logging.getLogger(__name__)
REFRESH_INTERVAL = 5.0
"""The seconds until a session that another process ended is refused here."""
STALE_AFTER = 3 * REFRESH_INTERVAL
"""The seconds without a refresh after which every request asks the database."""
PUBLIC_PATHS = ("/static/", "/healthz", "/readyz", "/health", "/metrics")
"""Path prefixes that are served without looking up the visitor."""
ACTIVITY_INTERVAL = 600.0
"""The seconds between updates of when sessions were last active."""


@dataclass
class RequestSession:
    """The visitor and session of a request.

    `profile` is None if a new visitor has no cookie or the session `has_ended`. `secret` is that of the session, `is_plain`
    tells whether the cookie is named `COOKIE`, and `started` is a session to save before the response is sent.
    """

    profile: Profile | None = None
    secret: str = ""
    is_plain: bool = False
    has_ended: bool = False
    is_new: bool = False
    started: Session | None = None

    @property
    def claim(self) -> SessionClaim | None:
        """The claim that the database must not have revoked."""
        return claim_of(self.profile, self.secret) if self.profile else None


@lru_cache(maxsize=10_000)  # the same in every request of a visitor
def claim_of(profile: Profile, secret: str) -> SessionClaim:
    """The claim of a visitor and the secret of their session, if any."""
    return SessionClaim(profile.id, hash_secret(secret) if secret else "")


class SessionRegistry:
    """The active sessions known to this process."""

    def __init__(
        self,
        store: SessionStore,
        cookies: CookieSigner,
        now: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.now = store, now
        self._cookies, self._timer = cookies, timer
        self._active: set[SessionClaim] = set()
        self._recent: set[SessionClaim] = set()
        self._open_pages: Counter[SessionClaim] = Counter()
        self._unsaved: set[str] = set()
        self._revocations = 0
        self._refreshed = self._saved = timer()

    async def identify(self, request: Request) -> RequestSession:
        """The visitor of a request."""
        signed = self._cookies.read(request, is_https(request, _services(request).options.address))
        if signed is None:
            return RequestSession(is_new=True)
        visitor = RequestSession(signed.profile, signed.session, signed.is_plain)
        return visitor if await self._is_active(claim_of(signed.profile, signed.session)) else RequestSession(has_ended=True)

    async def _is_active(self, claim: SessionClaim) -> bool:
        is_fresh = claim in self._active and self._timer() < self._refreshed + STALE_AFTER
        if not is_fresh and await self._revoked({claim}):
            return False
        self._active.add(claim)
        self._recent.add(claim)
        if claim.session:
            self._unsaved.add(claim.session)
        return True

    async def _revoked(self, claims: set[SessionClaim]) -> set[SessionClaim]:
        """The revoked ones among these claims; asks again if a session ended during the query."""
        while True:
            before = self._revocations
            refused = await self.store.revoked(claims)
            if before == self._revocations:
                return refused

    def is_active(self, claim: SessionClaim | None) -> bool:
        """Whether the claim of an open page is still active; None always is."""
        return claim is None or claim in self._active

    @contextmanager
    def page_open(self, claim: SessionClaim | None) -> Iterator[None]:
        """Keep refreshing a claim while its page is open."""
        if claim is None:
            yield
            return
        self._open_pages[claim] += 1
        try:
            yield
        finally:
            self._open_pages[claim] -= 1
            if not self._open_pages[claim]:
                del self._open_pages[claim]

    def new(self, person: str, request: Request) -> tuple[str, Session]:
        """The secret of a new session for the requesting browser, and the session, which is not saved yet."""
        secret, now = secrets.token_urlsafe(16), self.now()
        return secret, Session(hash_secret(secret), person, now, now, device_of(request.headers.get("user-agent", "")))

    async def begin(self, visitor: RequestSession) -> None:
        """Save the session that the visitor started, if any."""
        session, visitor.started = visitor.started, None
        if session:
            await self.store.begin(session)

    def strip_session(self, header: bytes, value: bytes) -> tuple[bytes, bytes]:
        """A response header, without the session if it sets the cookie."""
        cookie = header == b"set-cookie"
        return header, self._cookies.strip_session(value.decode("latin-1")).encode("latin-1") if cookie else value

    async def end(self, by: SessionClaim, session: str) -> None:
        """End a session of the visitor."""
        with self._forget_if_signed_out(by):
            if await self.store.end(by, session):
                self._forget(lambda claim: claim == (by.person, session))

    async def end_others(self, by: SessionClaim) -> None:
        """End all sessions and links of the visitor except their current session."""
        with self._forget_if_signed_out(by):
            await self.store.end_others(by, self.now())
        self._forget(lambda claim: claim.person == by.person and (claim != by or not by.session))

    async def save_login_link(self, by: SessionClaim, token: str, profile: Profile) -> None:
        """Save a link that signs in as the visitor."""
        with self._forget_if_signed_out(by):
            await self.store.save_login_link(by, hash_secret(token), msgspec.json.encode(profile).decode(), self.now())

    @contextmanager
    def _forget_if_signed_out(self, by: SessionClaim) -> Iterator[None]:
        """Forget a claim if the database says that it has been signed out."""
        try:
            yield
        except SignedOutError:
            self._forget(lambda claim: claim == by)
            raise

    def _forget(self, is_over: Callable[[SessionClaim], bool]) -> None:
        self._revocations += 1
        for claims in (self._active, self._recent):
            claims -= {claim for claim in claims if is_over(claim)}

    async def refresh(self) -> None:
        """Look up the claims of recent visitors and open pages; forget all others until their next request."""
        before, self._recent = self._recent, set()
        asked = before | set(self._open_pages)
        try:
            refused = await self._revoked(asked)
        except Exception:
            self._recent |= before
            raise
        self._active = (asked | self._recent) - refused
        self._refreshed = self._timer()

    async def save_activity(self) -> None:
        """Save which sessions were active since the last call."""
        noted, self._unsaved, self._saved = self._unsaved, set(), self._timer()
        if noted:
            await self.store.see(noted, self.now())

    async def close(self) -> None:
        """Save session activity for the last time."""
        try:
            await self.save_activity()
        except Exception:
            logger.exception("session activity was not saved")

    async def run(self) -> None:
        """Refresh claims and save session activity periodically, until cancelled."""
        while True:
            await asyncio.sleep(REFRESH_INTERVAL)
            try:
                await self.refresh()
                if self._timer() >= self._saved + ACTIVITY_INTERVAL:
                    await self.save_activity()
            except Exception:
                logger.exception("session refresh failed")


class SessionMiddleware:
    """ASGI middleware that identifies the visitor, and saves a new session before the response is sent.

    `refuse` builds the response if the database is unavailable.
    """

    def __init__(self, app: ASGIApp, refuse: Callable[[Request, TamayaError], Awaitable[Response]]) -> None:
        self._app, self._refuse = app, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"].startswith(PUBLIC_PATHS):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        sessions = _services(request).sessions
        try:
            visitor = request.state.visitor = await sessions.identify(request)
        except UnavailableError as error:
            refusal = await self._refuse(request, error)
            await refusal(scope, receive, send)
            return

        async def save_then_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                try:
                    await sessions.begin(visitor)
                except UnavailableError:  # the request succeeded, but the cookie must not name an unsaved session
                    message["headers"] = [sessions.strip_session(*header) for header in message["headers"]]
            await send(message)

        await self._app(scope, receive, save_then_send)


def session_of(request: Request) -> RequestSession:
    """The visitor and session of a request, empty if it failed before they were identified."""
    session: RequestSession = getattr(request.state, "visitor", RequestSession())
    return session


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services
