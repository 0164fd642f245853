"""Tamaya as an app of the device: what it is called and looks like there, and what it shows without a connection.

The worker keeps static files and one page of ours, the same for everybody: nothing of a table, nothing of a person.
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
    """The language that the address asks for, else one of the browser's. The cookie is not looked at."""
    asked = request.query_params.get("language", "")[:10]
    return pick_language([asked]) if asked else language_of(ANONYMOUS, request)


async def manifest(request: Request) -> Response:
    """What a device has to know to install the app."""
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
    """The page that is shown without a connection. It carries no cookie and says nothing about anybody."""
    return HTMLResponse(_offline_page(_language(request)))


async def worker(request: Request) -> Response:
    """The script that stands between pages and network: its head says what it keeps, and changes whenever that changes."""
    return Response(_worker(_language(request)), media_type="text/javascript")


@cache
def _offline_page(language: str) -> str:
    return render("offline.html", language)


@cache
def _worker(language: str) -> str:
    page, kept = f"{OFFLINE_PATH}?language={language}", assets()
    version = hashlib.sha256("\n".join((*kept, _offline_page(language))).encode()).hexdigest()[:12]
    head = [("VERSION", version), ("PAGE", page), ("ASSETS", kept)]
    lines = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in head)
    return lines + (STATIC / "worker.js").read_text("utf-8")


@cache
def assets() -> tuple[str, ...]:
    """The addresses of all static files that pages load."""
    files = sorted(file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*.*") if file.suffix != ".txt")
    return tuple(asset(name) for name in files if name != "worker.js")
