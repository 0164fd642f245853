"""One person on several devices, and whoever has copied a cookie of theirs."""

from __future__ import annotations

from starlette.applications import Starlette

from tamaya.storage import kept_of
from tests.web.client import Browser, personal_link

ENDED = "This device is no longer signed in"


def copy_of(browser: Browser) -> Browser:
    """Somebody who has copied the cookie."""
    thief = Browser(browser.app, cookie=browser.cookie)
    thief.cookie_name = browser.cookie_name
    return thief


async def on_another_device(app: Starlette, browser: Browser) -> Browser:
    """The same person elsewhere, by a personal link."""
    phone = Browser(app)
    assert (await phone.post(f"/me/{await personal_link(app, browser)}")).status == 303
    assert phone.person == browser.person
    return phone


def session_of(browser: Browser) -> str:
    """What is kept of the session in somebody's cookie; nothing if it has none."""
    signed = browser.app.state.house.people._known(browser.cookie)
    return kept_of(signed[1]) if signed[1] else ""


async def rows(app: Starlette, person: str) -> int:
    return len(await app.state.house.sessions.store.sessions_of(person))
