"""Who is asking: a signed cookie instead of an account."""

from __future__ import annotations

import secrets
from functools import lru_cache, partial

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import Response

from tamaya.i18n import pick_language

COOKIE = "tamaya"
AGE = 400 * 24 * 3600
LARGEST_COOKIE = 1024
THEMES = ("auto", "dark", "light")
COACHING = ("auto", "on", "off")
NOT_YET = -1
FIRST_GAMES = 5
"""How many games somebody has to finish before they are no newcomer any more."""


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
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
    def coached(self) -> bool:
        """Whether the coach speaks to them: in their first games, unless they want it otherwise."""
        return self.first_games > 0 if self.coach == "auto" else self.coach == "on"

    def having_finished(self, games: int) -> Person:
        """The same person, who is known to have finished so many games or more."""
        return msgspec.structs.replace(self, games=max(self.games, min(games, FIRST_GAMES)))


NOBODY = Person("")
"""Somebody of whom only the request is known."""


class People:
    """Reads and writes the cookies, and the links that carry somebody to another device."""

    def __init__(self, key: str) -> None:
        self._cookies = URLSafeSerializer(key, salt="cookie")
        self._known = lru_cache(maxsize=10_000)(partial(self._read, self._cookies))
        self._links = URLSafeSerializer(key, salt="personal link")

    def person_of(self, request: Request) -> Person | None:
        """The person who sent a request, if it carries a cookie of ours."""
        cookie = request.cookies.get(COOKIE, "")
        return self._known(cookie) if len(cookie) <= LARGEST_COOKIE else None

    def newcomer(self) -> Person:
        """Somebody who has never been here."""
        return Person(secrets.token_urlsafe(16), since=NOT_YET)

    def remember(self, response: Response, person: Person, secure: bool) -> None:
        """Let the browser remember the person; where pages are served by https, the cookie is sent by https only."""
        response.set_cookie(COOKIE, self.cookie(person), AGE, path="/", httponly=True, samesite="lax", secure=secure)

    def cookie(self, person: Person) -> str:
        """The value of the cookie. What would make it too large is forgotten: how a table was opened."""
        cookie = str(self._cookies.dumps(msgspec.to_builtins(person)))
        return cookie if len(cookie) <= LARGEST_COOKIE else self.cookie(msgspec.structs.replace(person, opened=""))

    def link(self, person: Person) -> str:
        """The secret part of a personal link."""
        return str(self._links.dumps(msgspec.to_builtins(person)))

    def person_of_link(self, token: str) -> Person | None:
        """The person whom a personal link belongs to."""
        return self._read(self._links, token)

    def _read(self, signer: URLSafeSerializer, text: str) -> Person | None:
        try:
            return msgspec.convert(signer.loads(text), Person)
        except (BadSignature, msgspec.ValidationError):
            return None


def language_of(person: Person, request: Request) -> str:
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
