"""The `SessionStore` port and its data: which browsers act for a person, and the login links that sign in another one.

Only the SHA-256 of a secret is stored, so that a copy of the database does not let its reader sign in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from tamaya.rules import IllegalError, say

DAY = 24 * 3600.0
SESSION_LIFETIME = 400 * DAY
"""How long an unused session is kept; browsers keep cookies no longer."""
LINK_LIFETIME = DAY
MAX_CLOCK_SKEW = 300.0
"""Seconds by which the clocks of servers may differ; a link from further ahead was made while a clock was wrong."""
SEEN_RESOLUTION = 3600.0
"""How precisely the last use of a session is stored, in seconds."""
MAX_SWEPT_SHARE = 0.05
"""How many of all sessions one sweep may end."""
MAX_LISTED = 50


def hash_secret(secret: str) -> str:
    """The SHA-256 of a secret, which is all that is stored of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Session:
    """One browser that acts for a person. `id` is the hash of its secret, `made` and `seen` are its first and last use, and
    `device` describes the browser."""

    id: str
    person: str
    made: float
    seen: float
    device: str = ""


class SessionClaim(NamedTuple):
    """The person and session named by a cookie. The session is empty before a visitor's first change, and in cookies older than
    sessions."""

    person: str
    session: str = ""


class SignedOutError(IllegalError):
    """The claim's session has ended."""

    def __init__(self) -> None:
        words = say("This device is no longer signed in. A personal link from another device of yours brings your games back; "
                    "if you play on here, you are somebody new.")  # fmt: skip
        super().__init__("signed_out", words)


class SessionStore(Protocol):
    """Stores sessions and login links. A session is valid as long as it is stored."""

    async def begin(self, session: Session) -> None:
        """Store a session for a cookie without one, unless the person has revoked such cookies."""
        ...

    async def sessions_of(self, person: str) -> list[Session]:
        """The sessions of a person, the last used first; at most `MAX_LISTED`."""
        ...

    async def revoked(self, claims: Collection[SessionClaim]) -> set[SessionClaim]:
        """Those claims that are not valid: the session has ended, or there is none and the person has ended all others."""
        ...

    async def see(self, ids: Collection[str], now: float) -> None:
        """Save when these sessions were last used, unless the stored time is within `SEEN_RESOLUTION`."""
        ...

    async def end(self, by: SessionClaim, session: str) -> bool:
        """End a session of the caller and delete their login links, which that session may have made. Whether it existed."""
        ...

    async def end_others(self, by: SessionClaim, now: float) -> None:
        """End all sessions of the caller but this one, delete their login links, and revoke their cookies without a session."""
        ...

    async def save_login_link(self, by: SessionClaim, link: str, text: str, now: float) -> None:
        """Store a login link with the profile it leads to, in place of the caller's earlier one."""
        ...

    async def get_login_link(self, link: str, now: float) -> str | None:
        """The profile that a login link leads to, if it is valid."""
        ...

    async def redeem_login_link(self, link: str, session: Session) -> bool:
        """Begin a session by a login link, which is then used up; whether it was valid."""
        ...

    async def sweep(self, now: float) -> int:
        """Delete expired login links and end sessions unused for long; returns the number of sessions ended.

        Time is that of the session used last, or `now` if that is earlier, and one sweep ends at most a small share: a clock
        that is wrong for a while signs out very few people.
        """
        ...
