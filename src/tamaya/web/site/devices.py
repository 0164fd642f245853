"""The devices on which a visitor is signed in: links to add one, and ending sessions."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tamaya.rules import MalformedError, say
from tamaya.table import SignedOutError, hash_secret
from tamaya.web.context import RequestContext
from tamaya.web.http.client import device_of
from tamaya.web.http.cookies import Profile
from tamaya.web.http.rate_limits import RateLimiter
from tamaya.web.http.sessions import claim_of

SESSION_ID = re.compile("[0-9a-f]{64}")
"""The hash of a session's secret."""


async def my_devices(request: Request) -> Response:
    """The person's sessions, and the link to another device."""
    return await _page(RequestContext(request))


async def redirect_to_devices(request: Request) -> Response:
    """Redirect from the address of the form, which phones request when they restore a page."""
    return RequestContext(request).redirect("/me")


async def _page(ctx: RequestContext, link: str = "", picture: str = "") -> Response:
    own = hash_secret(ctx.session.secret) if ctx.session.secret else ""
    sessions = await ctx.services.sessions.store.sessions_of(ctx.profile.id)
    return ctx.page(
        "devices.html",
        device=device_of(ctx.request.headers.get("user-agent", "")),
        others=[session for session in sessions if session.id != own],
        known=not ctx.is_new,
        link=link,
        picture=picture,
    )


async def make_link(request: Request) -> Response:
    """Make a personal link, which is shown once, works once, and lasts a day."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    ctx.check_limit(RateLimiter.SESSIONS)
    token = secrets.token_urlsafe(16)
    link = f"{ctx.address}/me/{token}"
    drawn = await ctx.services.qr_codes.draw(link, lambda: ctx.check_limit(RateLimiter.QR_CODES))
    await ctx.services.sessions.save_login_link(claim_of(ctx.profile, ctx.session.secret), token, ctx.profile)
    return await _page(ctx, link, Markup(drawn[drawn.index(b"<svg") :].decode()))


async def use_link(request: Request) -> Response:
    """Sign this device in by a personal link, after confirmation: the link may be another person's."""
    ctx = RequestContext(request)
    if request.method == "POST":
        ctx.require_same_origin()
    sessions, link = ctx.services.sessions, hash_secret(request.path_params["token"])
    text = await sessions.store.get_login_link(link, sessions.now())
    if text is None:
        raise _link_error()
    person = msgspec.json.decode(text, type=Profile)
    same = person.id == ctx.profile.id
    if request.method != "POST":
        return ctx.page("use_link.html", other=person, same=same)
    if same:
        return ctx.redirect("/")
    ctx.check_limit(RateLimiter.SESSIONS)
    secret, session = sessions.new(person.id, request)
    if not await sessions.store.redeem_login_link(link, session):
        raise _link_error()
    await _end_own_session(ctx)
    ctx.session.secret = secret
    ctx.update_profile(person)
    return ctx.redirect("/")


async def _end_own_session(ctx: RequestContext) -> None:
    """End the session that this device had before."""
    own = ctx.session.claim
    if own and own.session:
        with suppress(SignedOutError):
            await ctx.services.sessions.end(own, own.session)


def _link_error() -> MalformedError:
    words = say("This personal link does not work: each works once, within a day. Make a new one on your other device, "
                "under “Your devices”.")  # fmt: skip
    return MalformedError("bad_link", words)


async def end_session(request: Request) -> Response:
    """End one session of the person, or all but the current one."""
    ctx = RequestContext(request)
    ctx.require_same_origin()
    fields = await ctx.form()
    sessions = ctx.services.sessions
    if "others" not in fields:
        if SESSION_ID.fullmatch(session := fields.get("session", "")):
            await sessions.end(claim_of(ctx.profile, ctx.session.secret), session)
        return ctx.redirect("/me")
    if not ctx.session.secret:
        ctx.check_limit(RateLimiter.SESSIONS)
        ctx.begin_session()
        await sessions.begin(ctx.session)
    await sessions.end_others(claim_of(ctx.profile, ctx.session.secret))
    return ctx.redirect("/me")
