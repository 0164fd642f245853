"""The pages around the table fit every width in every language: a phone's, the narrowest, and a screen magnified twice."""

from __future__ import annotations

import pytest

from tamaya import Rules
from tamaya.i18n import LANGUAGES
from tamaya.record import native
from tests.browser.player import DESKTOP, PHONE, People
from tests.record.games import a_record

NARROWEST = (320, 640)
MAGNIFIED = (DESKTOP[0] // 2, DESKTOP[1] // 2)
"""A desktop's window at 200 %."""
GAME = a_record(Rules(players=4))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_its_window(people: People, language: str) -> None:
    player = people(PHONE, language)
    wide = []

    def look(name: str, what: str = "document.documentElement") -> None:
        for width, height in (PHONE, NARROWEST, MAGNIFIED):
            player.page.set_viewport_size({"width": width, "height": height})
            if player.page.evaluate(f"{what}.scrollWidth > innerWidth"):
                wide.append(f"{name} at {width}")

    paths = ("/", "/new", "/bring", "/games", "/rules?variant=all-or-nothing", "/teammates", "/teammates/convention", "/me")
    for path in paths:
        player.visit(path)
        look(path)
    player.open_table(bots=0)
    look("lobby", "document.getElementById('live')")
    player.play_now()
    player.wait_for_turn()
    look("table", "document.getElementById('live')")
    replay = player.bring(native.write(GAME))
    for query in ("turn=20&eyes=1", "turn=end", "turn=12&try=yes"):
        player.visit(f"{replay}?{query}")
        player.see("#controls")
        look(f"replay, {query}", "document.getElementById('live')")
    assert wide == []
