"""Request limits, security headers and the check of the origin."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Sent

from tamaya.i18n import catalogue
from tamaya.rules import IllegalError, MalformedError, Message, read_number, say
from tamaya.web.http.cookies import ANONYMOUS, language_of

MAX_BODY_SIZE = 16 * 1024
MAX_UPLOAD_SIZE = 1024 * 1024
BODY_SIZE_LIMITS = {"/bring": MAX_UPLOAD_SIZE}
"""Paths with a limit other than `MAX_BODY_SIZE`."""
MAX_HOST_LENGTH = 259
"""A host name of 253 characters and a port."""
MAX_URL_LENGTH = 8000
"""The limit for path and query; those of a replay contain up to a hundred actions."""
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "worker-src 'self'",
        "manifest-src 'self'",
    )
)
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}
STRICT_TRANSPORT_SECURITY = "max-age=31536000"
PORT_SUFFIX = re.compile(r":\d+$")


class TooLargeError(MalformedError):
    """A request body exceeds its limit."""

    def __init__(self, most: int = MAX_BODY_SIZE) -> None:
        super().__init__("too_large", say("That is too much at once; the most is {most} bytes.", most=most))


class ForeignOriginError(IllegalError):
    """A page of another site requested a change."""

    def __init__(self) -> None:
        super().__init__("foreign_origin", say("Changes are accepted from this site's own pages only."))


class SecurityMiddleware:
    """ASGI middleware that limits request sizes, refuses requests embedded in other sites' pages, and sets security headers."""

    def __init__(self, app: ASGIApp, address: str = "") -> None:
        self._app, self._address = app, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Sent) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in safe_headers(scope, self._address).items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app_for(scope)(scope, _limit_body(scope, receive), send_with_headers)

    def _app_for(self, scope: Scope) -> ASGIApp:
        """The application, or one that refuses the request."""
        headers = Headers(scope=scope)
        if len(headers.get("host", "")) > MAX_HOST_LENGTH:
            return _refuse_host
        if len(scope["path"]) + len(scope["query_string"]) > MAX_URL_LENGTH:
            return _refuse_url
        return _refuse_embedding if _is_embedded(headers) else self._app


def safe_headers(scope: Scope, address: str) -> Mapping[str, str]:
    """The headers of every response.

    Over HTTPS they include Strict-Transport-Security, unless the URL names a port: browsers would then require HTTPS on all
    other ports of the host as well.
    """
    origin = _own_origin(Headers(scope=scope), scope["scheme"], address)
    always = origin.startswith("https:") and not PORT_SUFFIX.search(origin)
    return {
        **SECURITY_HEADERS,
        "cache-control": "no-store",
        **({"strict-transport-security": STRICT_TRANSPORT_SECURITY} if always else {}),
    }


def is_https(request: Request, address: str) -> bool:
    """Whether the browser uses HTTPS, perhaps through a proxy that does not say so."""
    return _own_origin(request.headers, request.scope["scheme"], address).startswith("https:")


async def _refuse_host(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse an overlong host name, which a page would repeat in every link."""
    message = say("No server has a name of more than {most} characters; check the address.", most=MAX_HOST_LENGTH)
    await _plain_response(message, 400, scope)(scope, receive, send)


async def _refuse_url(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse an overlong URL before it is parsed."""
    message = say("No address here has more than {most} characters; check the link.", most=MAX_URL_LENGTH)
    await _plain_response(message, 414, scope)(scope, receive, send)


async def _refuse_embedding(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a request from another site's page, without counting it against the visitor."""
    message = say("Other sites cannot show parts of this one in their pages; open its address instead.")
    await _plain_response(message, 403, scope)(scope, receive, send)


def _plain_response(message: Message, status: int, scope: Scope) -> PlainTextResponse:
    return PlainTextResponse(catalogue(language_of(ANONYMOUS, Request(scope)))(message), status)


def _is_embedded(headers: Headers) -> bool:
    """Whether a page of another site embeds or prefetches the URL rather than navigates to it."""
    if headers.get("sec-fetch-site") not in ("cross-site", "same-site"):
        return False
    visits = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return not visits or "prefetch" in headers.get("sec-purpose", "")


def _limit_body(scope: Scope, receive: Receive) -> Receive:
    read, most = 0, BODY_SIZE_LIMITS.get(scope["path"], MAX_BODY_SIZE)
    announced = read_number(Headers(scope=scope).get("content-length", ""), 20) or 0  # uvicorn refuses longer numbers

    async def bounded_receive() -> Sent:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if max(read, announced) <= most:
            return message
        if scope["method"] in ("GET", "HEAD"):  # the body is not read, and the response may have begun
            return {"type": "http.disconnect"}
        raise TooLargeError(most)

    return bounded_receive


def check_origin(headers: Headers, scheme: str, address: str) -> None:
    """Raise `ForeignOriginError` unless the request's origin is this server or `address`.

    The scheme has to match as well, since pages sent over HTTP can be tampered with.
    """
    origin = headers.get("origin")
    if origin is None:
        if headers.get("sec-fetch-site") != "same-origin":
            raise ForeignOriginError
    elif origin not in {_origin_of(address), _own_origin(headers, scheme, address)} - {""}:
        raise ForeignOriginError


def _own_origin(headers: Headers, scheme: str, address: str) -> str:
    """The origin of this server: its public `address` if the Host header matches, otherwise that of the request."""
    public, host = _origin_of(address), headers.get("host", "")
    by_name = _origin_of(f"{public.partition('://')[0]}://{host}")
    return public if by_name == public else _origin_of(f"{scheme}://{host}")


def _origin_of(address: str) -> str:
    """The origin of a URL as browsers write it: in lower case, without the default port."""
    scheme, _, place = address.lower().rstrip("/").partition("://")
    usual = {"http": ":80", "https": ":443"}.get(scheme, "")
    return f"{scheme}://{place.removesuffix(usual)}" if place else ""
