"""The facts of a game in a browser: a tap on a slip leads to its moment, and the solver's line can be stepped through."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.looks import barriers
from tests.browser.player import DESKTOP, LIVE, PHONE, Player
from tests.browser.strategy import reckless


def look_back(player: Player, query: str) -> None:
    """Play a game to its end and open its facts."""
    path = player.play_now(2)
    player.hurry(path, reckless, until=lambda board: False)
    player.visit(f"{path}/replay?{query}")
    player.press(".tabs [data-panel=game]")


def test_slips_link_to_their_moment_and_the_winning_line_to_its_boards(desktop: Player) -> None:
    look_back(desktop, "turn=end&eyes=hands")
    page = desktop.page
    solved = page.locator(".facts-solver summary, .facts-solver:not([hx-get]) p")
    expect(solved.first).to_be_visible(timeout=2 * LIVE)
    assert barriers(page, DESKTOP) == []
    slip = page.locator(".facts-plot a").first
    turn = re.search(r"turn=(\d+)", slip.get_attribute("href") or "")
    assert turn
    slip.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#controls")).to_have_attribute("data-turn", turn[1], timeout=LIVE)
    assert "eyes=hands" in page.url
    if page.locator(".facts-solver summary").count():
        page.locator(".facts-solver summary").press("Enter")
        page.locator(".facts-solver ol a").first.press("Enter")
        expect(page.locator(".trying")).to_be_visible(timeout=LIVE)


def test_facts_can_be_read_on_a_phone(phone: Player) -> None:
    look_back(phone, "turn=end")
    page = phone.page
    plot = page.locator(".facts-plot")
    expect(plot).to_be_visible(timeout=LIVE)
    box = plot.bounding_box()
    assert box
    assert box["width"] >= 300
    assert box["x"] + box["width"] <= PHONE[0]
    for link in page.locator(".facts-slips a").all():
        found = link.bounding_box()
        assert found
        assert found["height"] >= 44
    page.locator(".facts-slips a").last.tap()
    expect(page.locator("#controls")).to_be_attached(timeout=LIVE)
