"""The devices on which a visitor is signed in, a link to another one, and an end to each."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tamaya.rules import MalformedError, say
from tamaya.storage import SignedOutError, hash_secret
from tamaya.web.context import Visit
from tamaya.web.http.client import device_of
from tamaya.web.http.cookies import Person
from tamaya.web.http.rate_limits import Limits
from tamaya.web.http.sessions import ticket_of

KEPT = re.compile("[0-9a-f]{64}")
"""What is kept of a session's secret."""


async def my_devices(request: Request) -> Response:
    """The sessions of the person, to end them, and the way to another device."""
    return await _page(Visit(request))


async def back(request: Request) -> Response:
    """The way back from the address of a form: a phone asks for it that shows a page again."""
    return Visit(request).redirect("/me")


async def _page(visit: Visit, link: str = "", picture: str = "") -> Response:
    own = hash_secret(visit.visitor.secret) if visit.visitor.secret else ""
    listed = await visit.house.sessions.store.sessions_of(visit.person.id)
    return visit.page(
        "devices.html",
        device=device_of(visit.request.headers.get("user-agent", "")),
        others=[session for session in listed if session.id != own],
        known=not visit.is_new,
        link=link,
        picture=picture,
    )


async def make_link(request: Request) -> Response:
    """Make a personal link: it is shown this once, and works once, for a day."""
    visit = Visit(request)
    visit.check_change()
    visit.check_limit(Limits.SESSIONS)
    token = secrets.token_urlsafe(16)
    link = f"{visit.address}/me/{token}"
    drawn = await visit.house.codes.draw(link, lambda: visit.check_limit(Limits.DRAWINGS))
    await visit.house.sessions.keep_link(ticket_of(visit.person, visit.visitor.secret), token, visit.person)
    return await _page(visit, link, Markup(drawn[drawn.index(b"<svg") :].decode()))


async def use_link(request: Request) -> Response:
    """Let this device act for the person of a personal link, after asking: the link may be somebody else's."""
    visit = Visit(request)
    if request.method == "POST":
        visit.check_change()
    sessions, link = visit.house.sessions, hash_secret(request.path_params["token"])
    text = await sessions.store.get_login_link(link, sessions.now())
    if text is None:
        raise _used_up()
    person = msgspec.json.decode(text, type=Person)
    same = person.id == visit.person.id
    if request.method != "POST":
        return visit.page("use_link.html", other=person, same=same)
    if same:
        return visit.redirect("/")
    visit.check_limit(Limits.SESSIONS)
    secret, session = sessions.new(person.id, request)
    if not await sessions.store.redeem_login_link(link, session):
        raise _used_up()
    await _leave(visit)
    visit.visitor.secret = secret
    visit.remember(person)
    return visit.redirect("/")


async def _leave(visit: Visit) -> None:
    """End the session of whoever one was on this device."""
    own = visit.visitor.ticket
    if own and own.session:
        with suppress(SignedOutError):
            await visit.house.sessions.end(own, own.session)


def _used_up() -> MalformedError:
    words = say("This personal link does not work: each works once, within a day. Make a new one on your other device, "
                "under “Your devices”.")  # fmt: skip
    return MalformedError("bad_link", words)


async def end(request: Request) -> Response:
    """End a session of one's own, or all but the one that asks."""
    visit = Visit(request)
    visit.check_change()
    fields = await visit.form()
    sessions = visit.house.sessions
    if "others" not in fields:
        if KEPT.fullmatch(session := fields.get("session", "")):
            await sessions.end(ticket_of(visit.person, visit.visitor.secret), session)
        return visit.redirect("/me")
    if not visit.visitor.secret:
        visit.check_limit(Limits.SESSIONS)
        visit.begin_session()
        await sessions.begin(visit.visitor)
    await sessions.end_others(ticket_of(visit.person, visit.visitor.secret))
    return visit.redirect("/me")
