"""A server and a browser for each worker; a fresh person whenever a test asks for one.

Both are let go before other tests begin: while a browser is steered, no other event loop can run in its thread.
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
    """The server of this worker; it must have nothing to complain about."""
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
    """Makes people, for whom nothing moves unless a test wants it (waiting for motion takes time), and between whose pages and
    the network no worker stands unless a test wants one (it would hide requests). When the test is over, no page may have
    complained, nor asked for anything elsewhere."""
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
    """Somebody with a phone."""
    return people(PHONE)


@pytest.fixture
def desktop(people: People) -> Player:
    """Somebody at a desk."""
    return people(DESKTOP)
