"""The signed cookie that holds a visitor's profile, instead of an account."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import lru_cache

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import Response

from tamaya.i18n import pick_language

COOKIE = "tamaya"
SECURE_COOKIE = "__Host-tamaya"
"""The cookie's name over HTTPS: browsers accept the ``__Host-`` prefix from this very host only, and over HTTPS only."""
COOKIE_MAX_AGE = 400 * 24 * 3600
MAX_COOKIE_SIZE = 1024
THEMES = ("auto", "dark", "light")
COACH_SETTINGS = ("auto", "on", "off")
NOT_RETURNED = -1
"""`Profile.since` of a visitor who has not come back with their cookie yet."""
FIRST_GAMES = 5
"""The number of games after which a player is no longer a beginner."""


class Profile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A visitor: an unguessable id, their preferences, the options of the last table they opened, and the number of games they
    have finished, up to `FIRST_GAMES`."""

    id: str
    name: str = ""
    language: str = ""
    theme: str = "auto"
    sound: bool = False
    keys: bool = True
    opened: str = ""
    coach: str = "auto"
    games: int = 0
    next_discard: bool = False
    since: int = 0
    """The time of their first return, in seconds; 0 for visitors from before this was recorded."""

    @property
    def first_games(self) -> int:
        """How many games they have yet to play as a beginner."""
        return max(0, FIRST_GAMES - self.games)

    @property
    def tips_enabled(self) -> bool:
        """Whether the coach gives them tips, by default in their first games."""
        return self.first_games > 0 if self.coach == "auto" else self.coach == "on"

    def with_finished_games(self, games: int) -> Profile:
        """The profile with at least this number of finished games."""
        return msgspec.structs.replace(self, games=max(self.games, min(games, FIRST_GAMES)))


ANONYMOUS = Profile("")
"""The profile of a request whose visitor is unknown."""


@dataclass(frozen=True, slots=True)
class CookieContents:
    """The contents of a signed cookie: a profile, the secret of its session if any, and whether the cookie is named `COOKIE`
    rather than `SECURE_COOKIE`."""

    profile: Profile
    session: str = ""
    is_plain: bool = True


class CookieSigner:
    """Reads and writes signed cookies."""

    def __init__(self, key: str) -> None:
        self._serializer = URLSafeSerializer(key, salt="cookie")
        self._load_cached = lru_cache(maxsize=10_000)(self._load)

    def read(self, request: Request, secure: bool) -> CookieContents | None:
        """The contents of a request's cookie, if it has a valid one.

        Sibling domains can set the plain cookie, so it is ignored next to the secure one, and over HTTPS it counts only if it
        predates secure cookies.
        """
        plain = SECURE_COOKIE not in request.cookies
        cookie = request.cookies.get(COOKIE if plain else SECURE_COOKIE, "")
        contents = self._load_cached(cookie) if len(cookie) <= MAX_COOKIE_SIZE else None
        if contents is None or (plain and secure and not _predates_sessions(*contents)):
            return None
        return CookieContents(*contents, plain)

    def new_profile(self) -> Profile:
        """A profile for a new visitor."""
        return Profile(secrets.token_urlsafe(16), since=NOT_RETURNED)

    def set_cookie(self, response: Response, profile: Profile, secure: bool, session: str = "") -> None:
        """Set the visitor's cookie; over HTTPS it replaces the plain one."""
        name = SECURE_COOKIE if secure else COOKIE
        response.set_cookie(
            name, self.serialize(profile, session), COOKIE_MAX_AGE, path="/", httponly=True, samesite="lax", secure=secure
        )
        if secure:
            response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax", secure=True)

    def serialize(self, profile: Profile, session: str = "") -> str:
        """The value of the cookie, without the options of the last table if it were too large."""
        named = {"session": session} if session else {}
        cookie = str(self._serializer.dumps(msgspec.to_builtins(profile) | named))
        return (
            cookie if len(cookie) <= MAX_COOKIE_SIZE else self.serialize(msgspec.structs.replace(profile, opened=""), session)
        )

    def strip_session(self, header: str) -> str:
        """A Set-Cookie header without the session."""
        name, _, rest = header.partition("=")
        cookie, end, more = rest.partition(";")
        contents = self._load_cached(cookie)
        return f"{name}={self.serialize(contents[0])}{end}{more}" if contents else header

    def _load(self, cookie: str) -> tuple[Profile, str] | None:
        try:
            data = self._serializer.loads(cookie)
            return msgspec.convert(data, Profile), str(data.get("session", ""))
        except (BadSignature, msgspec.ValidationError):
            return None


def _predates_sessions(profile: Profile, session: str) -> bool:
    """Whether a cookie is older than sessions and secure cookies."""
    return not session and profile.since == 0


def language_of(profile: Profile, request: Request) -> str:
    """The language of a visitor: the one they chose, or the first supported one that their browser accepts."""
    if profile.language:
        return pick_language([profile.language])
    return pick_language(_accepted_languages(request.headers.get("accept-language", "")[:200]))


def _accepted_languages(header: str) -> list[str]:
    """The languages of an Accept-Language header by preference."""
    languages = []
    for position, part in enumerate(header.split(",")):
        language, _, quality = part.strip().partition(";q=")
        try:
            languages.append((-float(quality or 1), position, language))
        except ValueError:
            continue
    return [language for _, _, language in sorted(languages)]
