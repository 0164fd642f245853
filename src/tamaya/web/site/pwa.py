"""Tamaya as an installed app: its manifest, its service worker, and its offline page.

The worker caches static files and the offline page, the same for every visitor: nothing of a table or a person.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from tamaya.i18n import catalogue, pick_language
from tamaya.rules import say
from tamaya.web.http.cookies import ANONYMOUS, language_of
from tamaya.web.rendering.templates import STATIC, asset, render

BACKGROUND = "#070918"
OFFLINE_PATH = "/offline"


def _language(request: Request) -> str:
    """The language of the address, else of the browser; the cookie is ignored."""
    requested = request.query_params.get("language", "")[:10]
    return pick_language([requested]) if requested else language_of(ANONYMOUS, request)


async def manifest(request: Request) -> Response:
    """The web app manifest."""
    language = _language(request)
    speak = catalogue(language)
    icons = [("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable-512.png", 512, "maskable")]
    described = {
        "id": "/",
        "name": f"Tamaya – {speak(say('Hanabi tonight'))}",
        "short_name": "Tamaya",
        "description": speak(say("The cooperative game of fireworks: everybody sees your cards but you.")),
        "lang": language.replace("_", "-"),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": BACKGROUND,
        "theme_color": BACKGROUND,
        "categories": ["games"],
        "icons": [
            {"src": asset(f"icons/{name}"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for name, size, purpose in icons
        ],
        "shortcuts": [{"name": speak(say("New table")), "url": "/new"}, {"name": speak(say("Rules")), "url": "/rules"}],
    }
    return JSONResponse(described, media_type="application/manifest+json")


async def offline(request: Request) -> Response:
    """The page shown without a connection; it carries no cookie."""
    return HTMLResponse(_offline_page(_language(request)))


async def worker(request: Request) -> Response:
    """The service worker; its head lists what it caches, and changes when that changes."""
    return Response(_worker(_language(request)), media_type="text/javascript")


@cache
def _offline_page(language: str) -> str:
    return render("offline.html", language)


@cache
def _worker(language: str) -> str:
    page, cached_files = f"{OFFLINE_PATH}?language={language}", assets()
    version = hashlib.sha256("\n".join((*cached_files, _offline_page(language))).encode()).hexdigest()[:12]
    head = [("VERSION", version), ("PAGE", page), ("ASSETS", cached_files)]
    lines = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in head)
    return lines + (STATIC / "worker.js").read_text("utf-8")


@cache
def assets() -> tuple[str, ...]:
    """The addresses of all static files that pages load."""
    files = sorted(file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*.*") if file.suffix != ".txt")
    return tuple(asset(name) for name in files if name != "worker.js")
