"""Requests to the application without a network, to measure the server's own time."""

from __future__ import annotations

from typing import Any

from starlette.applications import Starlette


class UnexpectedResponseError(Exception):
    """A response with the wrong status, or a game that changed on the way."""


async def request(
    site: Starlette, method: str, address: str, body: bytes = b"", status: int = 200, cookie: str = ""
) -> tuple[dict[str, str], str]:
    """Send a request to the application and return the response's headers and text."""
    path, _, query = address.partition("?")
    said = {"host": "localhost", "origin": "http://localhost", "content-type": "application/x-www-form-urlencoded"}
    said |= {"hx-request": "true"} if query else {}
    said |= {"cookie": cookie} if cookie else {}
    sent: list[Any] = []
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in said.items()],
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        sent.append(message)

    await site(scope, receive, send)
    status, text = sent[0]["status"], b"".join(message.get("body", b"") for message in sent).decode()
    if status != status:
        raise UnexpectedResponseError(f"{address} is answered with {status}: {text[:200]}")
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}, text
