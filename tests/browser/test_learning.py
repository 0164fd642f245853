"""A newcomer is led through the first deal by highlights, and then plays on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tamaya.i18n import LANGUAGES
from tests.browser.looks import barriers, misfits
from tests.browser.player import LIVE, PHONE, People, Player
from tests.browser.strategy import careful

ASKED = 5
"""How often the first deal asks for a move."""
ON_THE_BOARD = ".hand.other.hinted .pick, .hand.own .card.hinted button"
IN_THE_SHEET = "#sheet fieldset:not([hidden]) .chip.hinted"


def begin(player: Player) -> str:
    """From the home page to the first deal."""
    player.visit()
    player.press("button[formaction='/learn']")
    return player.arrive()


def wait_to_be_asked(player: Player) -> None:
    player.page.wait_for_selector(".my-turn .hinted", timeout=LIVE)


def follow(player: Player) -> None:
    """Tap what is highlighted, then what is highlighted in the sheet, then confirm."""
    wait_to_be_asked(player)
    turn = player.board.turn
    player.press(player.page.locator(ON_THE_BOARD).first)
    player.press(player.page.locator(IN_THE_SHEET).first)
    player.press("#sheet .confirm")
    player.wait_after(turn)


@pytest.mark.parametrize("language", LANGUAGES)
def test_highlights_lead_through_the_first_deal(people: People, language: str) -> None:
    player = people(PHONE, language)
    begin(player)
    sentences, wide = set(), []
    for step in range(ASKED):
        wait_to_be_asked(player)
        sentences.add(player.page.locator("#lesson").inner_text())
        expect(player.page.locator(".lesson-head")).to_contain_text(str(step + 3))
        wide += misfits(player.page)
        player.press(".lesson summary")
        expect(player.page.locator(".lesson details p")).to_be_visible()
        wide += misfits(player.page)
        follow(player)
    assert len(sentences) == ASKED
    player.wait_for_turn()
    expect(player.page.locator("#lesson")).to_be_visible()
    expect(player.page.locator(".hinted")).to_have_count(0)
    assert wide == []


def test_the_first_deal_needs_no_mouse_and_goes_on_as_a_game(desktop: Player) -> None:
    desktop.visit()
    way_in = desktop.page.locator("button[formaction='/learn']")
    for _ in range(30):
        if way_in.evaluate("node => node === document.activeElement"):
            break
        desktop.page.keyboard.press("Tab")
    expect(way_in).to_be_focused()
    desktop.page.keyboard.press("Enter")
    path = desktop.arrive()
    for _ in range(ASKED):
        wait_to_be_asked(desktop)
        desktop.act_by_keys(desktop.page.locator("#sheet .chip.hinted input").first.get_attribute("value") or "")
        expect(desktop.page.locator("#lesson")).to_be_visible()
    desktop.hurry(path, careful, until=lambda board: False)
    desktop.see(".result")
    expect(desktop.page.locator("#lesson")).to_have_count(0)


def test_a_wrong_move_is_answered_before_it_is_made(phone: Player) -> None:
    begin(phone)
    wait_to_be_asked(phone)
    turn = phone.board.turn
    phone.choose("discard 1")
    expect(phone.page.locator("#sentence.objection")).to_contain_text("two 1s")
    expect(phone.page.locator("#sheet .confirm")).to_be_disabled()
    assert phone.board.turn == turn
    phone.choose("play 2")
    expect(phone.page.locator("#sheet .confirm")).to_be_enabled()


def test_the_first_deal_can_be_left_and_resumed(phone: Player) -> None:
    path = begin(phone)
    follow(phone)
    wait_to_be_asked(phone)
    words = phone.page.locator("#lesson").inner_text()
    phone.press(".lesson-head a")
    phone.page.wait_for_url(f"{phone.address}/")
    phone.press(f"a[href='{path}'] >> nth=0")
    phone.arrive()
    wait_to_be_asked(phone)
    assert phone.page.locator("#lesson").inner_text() == words


def test_axe_finds_nothing_in_the_first_deal(phone: Player) -> None:
    begin(phone)
    wait_to_be_asked(phone)
    assert barriers(phone.page, PHONE) == []
    phone.press(".lesson summary")
    phone.press(phone.page.locator(ON_THE_BOARD).first)
    phone.choose("discard 2")
    assert barriers(phone.page, PHONE) == []


def test_tips_are_shown_before_a_move_is_confirmed_and_can_be_switched_off(phone: Player) -> None:
    path = phone.play_now()
    phone.wait_for_turn()
    phone.choose("play 1")
    advice = phone.page.locator("#advice")
    expect(advice).to_have_text("You know nothing about this card.")
    assert misfits(phone.page) == []
    phone.press("#sheet [data-cancel]")
    expect(advice).to_be_empty()
    phone.press(".menu summary")
    phone.page.locator("[name=coach]").select_option("off")
    with phone.page.expect_navigation():
        phone.press(".menu form.stack button")
    assert phone.page.url.endswith(path)
    phone.choose("play 1")
    expect(advice).to_have_count(0)
