"""The pages around the table fit a phone's width in every language."""

from __future__ import annotations

import pytest

from tamaya.i18n import LANGUAGES
from tests.browser.player import PHONE, People


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_a_phone(people: People, language: str) -> None:
    player = people(PHONE, language)
    wide = []
    for path in ("/", "/new", "/rules?variant=all-or-nothing", "/teammates", "/teammates/convention", "/me"):
        player.visit(path)
        if player.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path)
    player.open_table(bots=0)
    if player.page.evaluate("document.getElementById('live').scrollWidth > innerWidth"):
        wide.append("lobby")
    assert wide == []
