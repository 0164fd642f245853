"""A bot's name at the table opens its page, without leaving the game."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.player import PHONE, People

NARROW = (320, 640)


def test_the_page_of_a_bot_opens_beside_the_game(people: People) -> None:
    player = people(PHONE)
    path = player.play_now(3)
    player.wait_for_turn()
    with player.context.expect_page() as opened:
        player.press(player.page.locator(".hand.other .bot-link").first)
    page = opened.value
    expect(page.locator(".scene").first).to_be_visible()
    assert page.url == f"{player.address}/teammates/convention"
    assert player.page.url == f"{player.address}{path}"
    expect(player.page.locator("#sheet.open")).to_have_count(0)


def test_the_pictures_fit_a_small_phone(people: People) -> None:
    player = people(NARROW)
    player.visit("/teammates/convention")
    assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    cut = """() => [...document.querySelectorAll(".scene .card")].filter((card) => {
      const [box, hand] = [card.getBoundingClientRect(), card.closest(".hand").getBoundingClientRect()];
      return box.right > hand.right || box.bottom > hand.bottom || box.width < 30;
    }).length"""
    assert player.page.evaluate(cut) == 0, "every card lies in its hand"
