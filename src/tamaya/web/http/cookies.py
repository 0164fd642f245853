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
"""Its name where pages are served by https: browsers take a cookie of such a name from this very host alone, and by https."""
COOKIE_MAX_AGE = 400 * 24 * 3600
MAX_COOKIE_SIZE = 1024
THEMES = ("auto", "dark", "light")
COACH_SETTINGS = ("auto", "on", "off")
NOT_RETURNED = -1
FIRST_GAMES = 5
"""How many games somebody has to finish before they are no newcomer any more."""


class Profile(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody with a browser: an identity that nobody can guess, their preferences, how they last opened a table, and how
    many games they have finished, as far as that matters."""

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
    """When they were first counted among the people of their address, in seconds; 0 for long ago."""

    @property
    def first_games(self) -> int:
        """How many of their first games are still ahead of them."""
        return max(0, FIRST_GAMES - self.games)

    @property
    def tips_enabled(self) -> bool:
        """Whether the coach speaks to them: in their first games, unless they want it otherwise."""
        return self.first_games > 0 if self.coach == "auto" else self.coach == "on"

    def with_finished_games(self, games: int) -> Profile:
        """The same person, who is known to have finished so many games or more."""
        return msgspec.structs.replace(self, games=max(self.games, min(games, FIRST_GAMES)))


ANONYMOUS = Profile("")
"""Somebody of whom only the request is known."""


@dataclass(frozen=True, slots=True)
class CookieContents:
    """What a cookie of ours says: a person, the secret of their session if they have one, and whether it has the name that
    all cookies had before sessions."""

    profile: Profile
    session: str = ""
    is_plain: bool = True


class CookieSigner:
    """Reads and writes the cookies."""

    def __init__(self, key: str) -> None:
        self._serializer = URLSafeSerializer(key, salt="cookie")
        self._load_cached = lru_cache(maxsize=10_000)(self._load)

    def read(self, request: Request, secure: bool) -> CookieContents | None:
        """What the cookie of a request says, if it carries one of ours. Any site of the same domain could have set another than
        the secure one: beside that no other counts, and where pages come by https, only one from before there was the other."""
        plain = SECURE_COOKIE not in request.cookies
        cookie = request.cookies.get(COOKIE if plain else SECURE_COOKIE, "")
        found = self._load_cached(cookie) if len(cookie) <= MAX_COOKIE_SIZE else None
        if found is None or (plain and secure and not _predates_sessions(*found)):
            return None
        return CookieContents(*found, plain)

    def new_profile(self) -> Profile:
        """Somebody who has never been here."""
        return Profile(secrets.token_urlsafe(16), since=NOT_RETURNED)

    def set_cookie(self, response: Response, person: Profile, secure: bool, session: str = "") -> None:
        """Let the browser remember the person; where pages are served by https, the cookie is sent by https only, and takes the
        place of one that was not."""
        name = SECURE_COOKIE if secure else COOKIE
        response.set_cookie(
            name, self.serialize(person, session), COOKIE_MAX_AGE, path="/", httponly=True, samesite="lax", secure=secure
        )
        if secure:
            response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax", secure=True)

    def serialize(self, person: Profile, session: str = "") -> str:
        """The value of the cookie. What would make it too large is forgotten: how a table was opened."""
        named = {"session": session} if session else {}
        cookie = str(self._serializer.dumps(msgspec.to_builtins(person) | named))
        return cookie if len(cookie) <= MAX_COOKIE_SIZE else self.serialize(msgspec.structs.replace(person, opened=""), session)

    def strip_session(self, header: str) -> str:
        """A header that lets the browser remember somebody, without naming a session."""
        name, _, rest = header.partition("=")
        cookie, end, more = rest.partition(";")
        found = self._load_cached(cookie)
        return f"{name}={self.serialize(found[0])}{end}{more}" if found else header

    def _load(self, cookie: str) -> tuple[Profile, str] | None:
        try:
            said = self._serializer.loads(cookie)
            return msgspec.convert(said, Profile), str(said.get("session", ""))
        except (BadSignature, msgspec.ValidationError):
            return None


def _predates_sessions(person: Profile, session: str) -> bool:
    """Whether a cookie is from before there were sessions and secure cookies."""
    return not session and person.since == 0


def language_of(person: Profile, request: Request) -> str:
    """The language to use: the one chosen, else the first of the browser's that Tamaya speaks."""
    if person.language:
        return pick_language([person.language])
    return pick_language(_accepted_languages(request.headers.get("accept-language", "")[:200]))


def _accepted_languages(header: str) -> list[str]:
    """The languages of an Accept-Language header, the preferred one first."""
    languages = []
    for place, part in enumerate(header.split(",")):
        language, _, quality = part.strip().partition(";q=")
        try:
            languages.append((-float(quality or 1), place, language))
        except ValueError:
            continue
    return [language for _, _, language in sorted(languages)]
