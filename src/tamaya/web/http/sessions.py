"""Which sessions hold: asked of the database for each visitor once, and for all who are still here every few seconds."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamaya.rules import TamayaError, UnavailableError
from tamaya.storage import Session, SessionClaim, SessionStore, SignedOutError, hash_secret
from tamaya.web.http.client import device_of
from tamaya.web.http.cookies import CookieSigner, Profile
from tamaya.web.http.security import is_https

if TYPE_CHECKING:
    from tamaya.web.services import Services

logger = logging.getLogger(__name__)
REFRESH_INTERVAL = 5.0
"""Seconds after which a session that another process has ended is refused here."""
STALE_AFTER = 3 * REFRESH_INTERVAL
"""Seconds without an answer from the database after which nobody is believed without asking it."""
PUBLIC_PATHS = ("/static/", "/healthz", "/readyz", "/health", "/metrics")
"""Where it does not matter who asks, so that no database is asked either."""
ACTIVITY_INTERVAL = 600.0
"""Seconds between notes of who was here."""


@dataclass
class RequestSession:
    """Who sends a request, as far as the cookie says and the sessions confirm.

    There is no `person` if a `newcomer` has no cookie, or if its session has `ended`. `secret` is that of the session, and
    `plain` says that the cookie has the name that other hosts can set. `begins` is a session to be kept before the answer goes.
    """

    profile: Profile | None = None
    secret: str = ""
    is_plain: bool = False
    has_ended: bool = False
    is_new: bool = False
    started: Session | None = None

    @property
    def claim(self) -> SessionClaim | None:
        """What has to hold for the visitor to be who they are."""
        return claim_of(self.profile, self.secret) if self.profile else None


def claim_of(person: Profile, secret: str) -> SessionClaim:
    """The ticket of a person and the secret of their session, if they have one."""
    return SessionClaim(person.id, hash_secret(secret) if secret else "")


class SessionRegistry:
    """The sessions of those who are here, as this process knows them."""

    def __init__(
        self,
        store: SessionStore,
        people: CookieSigner,
        now: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.now = store, now
        self._cookies, self._timer = people, timer
        self._active: set[SessionClaim] = set()
        self._recent: set[SessionClaim] = set()
        self._open_pages: Counter[SessionClaim] = Counter()
        self._unsaved: set[str] = set()
        self._revocations = 0
        self._refreshed = self._saved = timer()

    async def identify(self, request: Request) -> RequestSession:
        """Who sends this request."""
        signed = self._cookies.read(request, is_https(request, _services(request).options.address))
        if signed is None:
            return RequestSession(is_new=True)
        visitor = RequestSession(signed.profile, signed.session, signed.is_plain)
        return visitor if await self._is_active(claim_of(signed.profile, signed.session)) else RequestSession(has_ended=True)

    async def _is_active(self, claim: SessionClaim) -> bool:
        believed = claim in self._active and self._timer() < self._refreshed + STALE_AFTER
        if not believed and await self._revoked({claim}):
            return False
        self._active.add(claim)
        self._recent.add(claim)
        if claim.session:
            self._unsaved.add(claim.session)
        return True

    async def _revoked(self, tickets: set[SessionClaim]) -> set[SessionClaim]:
        """Those that do not hold. If something is ended meanwhile, the answer may be older than that: ask again."""
        while True:
            before = self._revocations
            refused = await self.store.revoked(tickets)
            if before == self._revocations:
                return refused

    def is_active(self, claim: SessionClaim | None) -> bool:
        """Whether somebody who holds a page open is still who they were, or was nobody."""
        return claim is None or claim in self._active

    @contextmanager
    def page_open(self, claim: SessionClaim | None) -> Iterator[None]:
        """Keep asking for somebody while their page is open."""
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
        """A session for the browser that asks, not yet kept, and its secret."""
        secret, now = secrets.token_urlsafe(16), self.now()
        return secret, Session(hash_secret(secret), person, now, now, device_of(request.headers.get("user-agent", "")))

    async def begin(self, visitor: RequestSession) -> None:
        """Keep the session that a visitor begins, if they do."""
        begins, visitor.started = visitor.started, None
        if begins:
            await self.store.begin(begins)

    def strip_session(self, header: bytes, value: bytes) -> tuple[bytes, bytes]:
        """A header of an answer; a cookie without the session that it names."""
        cookie = header == b"set-cookie"
        return header, self._cookies.strip_session(value.decode("latin-1")).encode("latin-1") if cookie else value

    async def end(self, by: SessionClaim, session: str) -> None:
        """End a session of the person who asks."""
        with self._forget_if_signed_out(by):
            if await self.store.end(by, session):
                self._forget(lambda ticket: ticket == (by.person, session))

    async def end_others(self, by: SessionClaim) -> None:
        """End everything by which somebody acts for the person who asks, but for what they ask by."""
        with self._forget_if_signed_out(by):
            await self.store.end_others(by, self.now())
        self._forget(lambda ticket: ticket.person == by.person and (ticket != by or not by.session))

    async def save_login_link(self, by: SessionClaim, token: str, person: Profile) -> None:
        """Let a link lead to the person who asks."""
        with self._forget_if_signed_out(by):
            await self.store.save_login_link(by, hash_secret(token), msgspec.json.encode(person).decode(), self.now())

    @contextmanager
    def _forget_if_signed_out(self, by: SessionClaim) -> Iterator[None]:
        """Believe somebody no longer who turns out to be signed out."""
        try:
            yield
        except SignedOutError:
            self._forget(lambda ticket: ticket == by)
            raise

    def _forget(self, is_over: Callable[[SessionClaim], bool]) -> None:
        self._revocations += 1
        for tickets in (self._active, self._recent):
            tickets -= {ticket for ticket in tickets if is_over(ticket)}

    async def refresh(self) -> None:
        """Ask for everybody who is here or was a moment ago; all others are asked for when they come back."""
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
        """Keep who was here since this was last kept."""
        noted, self._unsaved, self._saved = self._unsaved, set(), self._timer()
        if noted:
            await self.store.see(noted, self.now())

    async def close(self) -> None:
        """Keep who was here; nobody is looked up any more."""
        try:
            await self.save_activity()
        except Exception:
            logger.exception("who was here could not be kept")

    async def run(self) -> None:
        """Look everybody up again and again, and note from time to time who was here."""
        while True:
            await asyncio.sleep(REFRESH_INTERVAL)
            try:
                await self.refresh()
                if self._timer() >= self._saved + ACTIVITY_INTERVAL:
                    await self.save_activity()
            except Exception:
                logger.exception("sessions could not be looked up")


class SessionMiddleware:
    """ASGI middleware: finds out who asks before anything else does, and keeps a session that an answer begins before the
    browser hears of it. `refuse` answers where that cannot be found out."""

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
        except UnavailableError as problem:
            refusal = await self._refuse(request, problem)
            await refusal(scope, receive, send)
            return

        async def keeping_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                try:
                    await sessions.begin(visitor)
                except UnavailableError:  # what was asked is done: only the cookie would name a session that is not kept
                    message["headers"] = [sessions.strip_session(*header) for header in message["headers"]]
            await send(message)

        await self._app(scope, receive, keeping_send)


def session_of(request: Request) -> RequestSession:
    """Who sends a request; nobody is known where it failed before that was found out."""
    found: RequestSession = getattr(request.state, "visitor", RequestSession())
    return found


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services
