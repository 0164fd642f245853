"""The pages around the table fit every width in every language: a phone, the narrowest, and double magnification."""

from __future__ import annotations

import pytest

from tamaya import Rules
from tamaya.i18n import LANGUAGES
from tamaya.record import native
from tests.browser.coached import coach
from tests.browser.player import DESKTOP, PHONE, People
from tests.browser.server import Server
from tests.support.games import a_record

NARROWEST = (320, 640)
MAGNIFIED = (DESKTOP[0] // 2, DESKTOP[1] // 2)
"""A desktop's window at 200 %."""
GAME = a_record(Rules(players=4))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_its_window(people: People, server: Server, language: str) -> None:
    player = people(PHONE, language)
    wide = []

    def look(name: str, what: str = "document.documentElement") -> None:
        for width, height in (PHONE, NARROWEST, MAGNIFIED):
            player.page.set_viewport_size({"width": width, "height": height})
            if player.page.evaluate(f"{what}.scrollWidth > innerWidth"):
                wide.append(f"{name} at {width}")

    around = ("/", "/new", "/bring", "/games", "/games/slips", "/rules?variant=all-or-nothing", "/me")
    for path in (*around, "/teammates", "/teammates/convention"):
        player.visit(path)
        look(path)
    player.open_table(bots=0)
    look("lobby", "document.getElementById('live')")
    player.play_now()
    player.wait_for_turn()
    look("table", "document.getElementById('live')")
    replay = player.bring(native.write(GAME))
    slip = coach(player, server, replay).costliest()[0]
    coached = f"turn={slip.turn}&seen=999", f"turn={slip.turn - 1}&seen=999&try=yourself&then={slip.best}"
    for query in ("turn=20&eyes=1", "turn=end", "turn=12&try=yes", *coached):
        player.visit(f"{replay}?{query}")
        player.see("#controls")
        look(f"replay, {query}", "document.getElementById('live')")
    assert wide == []
