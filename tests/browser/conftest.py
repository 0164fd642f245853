"""A server and a browser for each worker, and a fresh person whenever a test asks for one.

Both are closed before other tests begin: while Playwright runs, no other event loop can run in its thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.launch import launch
from tests.browser.player import DESKTOP, PHONE, People, Player
from tests.browser.server import Server


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of this worker; it must log no complaint."""
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.close()
    assert server.complaints == ""


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, to be stopped and killed."""
    server = Server(tmp_path)
    yield server
    server.close()


@pytest.fixture
def people(browser: Browser, server: Server) -> Iterator[People]:
    """Makes people; with reduced motion by default, which saves time, and without a service worker, which would hide requests.
    No page may have complained or requested anything elsewhere when the test ends."""
    yield from gathering(browser, server)


@pytest.fixture
def own_people(browser: Browser, own_server: Server) -> Iterator[People]:
    """Makes people at the test's own server."""
    yield from gathering(browser, own_server)


def gathering(browser: Browser, server: Server) -> Iterator[People]:
    present: list[Player] = []

    def make(size: tuple[int, int] = DESKTOP, language: str = "en", still: bool = True, **wishes: Any) -> Player:
        touch = size[0] < 900
        options = {"service_workers": "block", **wishes}
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language.replace("_", "-"),
            reduced_motion="reduce" if still else "no-preference",
            has_touch=touch,
            is_mobile=touch,
            **options,
        )
        context.set_default_timeout(20_000)
        present.append(Player(context, server.address, touch, language.replace("_", "-")))
        return present[-1]

    yield make
    troubles = [player.troubles for player in present]
    for player in present:
        player.context.close()
    assert troubles == [[] for _ in present]


@pytest.fixture
def phone(people: People) -> Player:
    """A person with a phone."""
    return people(PHONE)


@pytest.fixture
def desktop(people: People) -> Player:
    """A person at a desk."""
    return people(DESKTOP)
