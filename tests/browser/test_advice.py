"""Advice by touch and by keys: three steps within the sheet, and nothing else moves."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.looks import barriers, misfits, places
from tests.browser.player import PHONE, People

DESK = (1440, 900)


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_advice_gives_idea_move_and_reason_and_nothing_jumps(people: People, size: tuple[int, int]) -> None:
    player = people(size)
    player.open_table(players=2)
    player.wait_for_turn()
    page, still = player.page, places(player.page)
    sentence, confirm = page.locator("#sentence"), page.locator("#sheet .confirm")
    usual = sentence.inner_text()
    player.press("#advise")
    expect(sentence).not_to_have_text(usual)
    idea = sentence.inner_text()
    expect(confirm).to_be_disabled()
    assert places(page) == still
    player.press("#advise")
    expect(confirm).to_be_enabled()
    expect(sentence).not_to_have_text(idea)
    assert places(page) == still
    assert not barriers(page, size)
    player.press("#advise-why")
    expect(page.locator("#advised")).to_be_visible()
    assert places(page) == still
    assert not misfits(page)
    page.keyboard.press("Escape")
    expect(sentence).to_have_text(idea)
    for _ in range(2):
        page.keyboard.press("s")
        expect(confirm).to_be_enabled()
    expect(page.locator("#advised")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".board")).not_to_have_attribute("data-turn", "0")
    player.wait_for_turn()
    expect(page.locator("#advise")).to_have_text("Advice")
