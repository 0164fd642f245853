"""Everything at the table can be done without a mouse."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.player import Player, tab_to


def test_a_whole_game_and_its_rematch_need_no_mouse(desktop: Player) -> None:
    desktop.visit()
    tab_to(desktop, ".play-now .confirm")
    desktop.page.keyboard.press("Enter")
    path = desktop.arrive()
    desktop.play_to_the_end(act=desktop.act_by_keys)
    tab_to(desktop, ".result .confirm")
    desktop.page.keyboard.press("Enter")
    desktop.page.wait_for_url(lambda url: not url.endswith(path))
    desktop.see(".board:not(.ended)")


def test_a_clue_and_a_card_can_be_chosen_with_tab_space_and_enter_alone(desktop: Player) -> None:
    desktop.play_now(2)
    board = desktop.wait_for_turn()
    clue = next(choice.move for choice in board.legal if choice.move.startswith("clue"))
    tab_to(desktop, ".pick")
    desktop.page.keyboard.press("Enter")
    tab_to(desktop, "#sheet fieldset:not([hidden]) input")
    radio = desktop.chip(clue).locator("input")
    while not radio.is_checked():
        desktop.page.keyboard.press("ArrowRight")
    tab_to(desktop, "#sheet .confirm")
    desktop.page.keyboard.press("Enter")
    desktop.wait_after(board.turn)


def test_the_help_sheet_opens_with_a_question_mark_and_closes_with_escape(desktop: Player) -> None:
    desktop.play_now()
    help_sheet = desktop.page.locator("#help")
    desktop.page.keyboard.press("?")
    expect(help_sheet).to_be_visible()
    desktop.page.keyboard.press("Escape")
    expect(help_sheet).to_be_hidden()


def test_keys_move_a_card_turn_it_and_show_what_it_can_be(desktop: Player) -> None:
    desktop.play_now()
    desktop.wait_for_turn()
    keys, first = desktop.page.keyboard, desktop.own_cards
    keys.press("1")
    keys.press("Shift+ArrowRight")
    expect(desktop.page.locator(".hand.own .card").nth(1)).to_have_attribute("data-number", first[0])
    keys.press("Shift+ArrowLeft")
    expect(desktop.page.locator(".hand.own .card").nth(0)).to_have_attribute("data-number", first[0])
    keys.press("-")
    expect(desktop.page.locator(".hand.own .card.turned")).to_have_attribute("data-number", first[0])
    keys.press("i")
    expect(desktop.page.locator("#sheet-dialog")).to_be_visible()
    expect(desktop.page.locator("#sheet-dialog table")).to_have_count(len(first))
    keys.press("Escape")
    expect(desktop.page.locator("#sheet-dialog")).to_be_hidden()
    expect(desktop.page.locator(".hand.own .card.chosen")).to_have_count(1)
    keys.press("Escape")
    expect(desktop.page.locator(".chosen")).to_have_count(0)
    expect(desktop.page.locator("#sheet .confirm")).to_be_disabled()


def test_keys_show_what_a_chosen_teammate_can_know(desktop: Player) -> None:
    desktop.play_now()
    desktop.wait_for_turn()
    desktop.page.keyboard.press("c")
    name = desktop.page.locator(".hand.chosen .pick").inner_text().split()[0]
    desktop.page.keyboard.press("i")
    expect(desktop.page.locator("#sheet-dialog h2")).to_contain_text(name)


def test_keys_open_and_close_log_discard_pile_and_talk_on_a_small_screen(phone: Player) -> None:
    phone.play_now()
    phone.wait_for_turn()
    for key, panel in (("h", "log"), ("x", "discards")):
        phone.page.keyboard.press(key)
        expect(phone.page.locator(f"[data-panel-body={panel}]")).to_be_visible()
        phone.page.keyboard.press(key)
        expect(phone.page.locator(".side")).to_be_hidden()
    phone.page.keyboard.press("t")
    expect(phone.page.locator("#talk-input")).to_be_focused()
    phone.page.keyboard.press("Escape")
    expect(phone.page.locator(".side")).to_be_hidden()
