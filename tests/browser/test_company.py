"""People around a table: leaving and coming back, watching, talking, languages, devices."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Dialog, expect

from tamaya.i18n import catalogue
from tamaya.table import REMARKS
from tests.browser.player import DESKTOP, LIVE, PHONE, People, Player, two_at_a_table
from tests.browser.strategy import careful

SCRIPT_NAME = "<script>alert(1)</script>\"'"
SCRIPT_TEXT = "\"'><img src=x onerror=alert(2)><script>alert(3)</script>"


def test_a_bot_takes_over_for_an_absent_player_and_gives_the_seat_back(people: People) -> None:
    host, guest, path = two_at_a_table(people)
    guest.visit("/rules")
    host.act(careful(host.wait_for_turn()))
    offer = host.page.locator(".hand.other form button")
    expect(offer).to_be_visible(timeout=LIVE)
    host.press(offer)
    assert host.wait_for_turn().turn == 2
    expect(host.page.locator(".hand.other h2 form")).to_have_count(0)
    guest.visit(path)
    guest.press(".hand.own h2 form button")
    host.act(careful(host.wait_for_turn()))
    assert guest.wait_for_turn().mine
    guest.act(careful(guest.board))
    assert host.wait_for_turn().turn == 4


def test_a_player_can_have_a_bot_play_for_them(people: People) -> None:
    host, guest, _ = two_at_a_table(people)
    host.press(".menu summary")
    host.press(".leave button")
    expect(host.page.locator(".menu-sheet")).to_be_hidden()
    assert guest.wait_for_turn().turn == 1
    host.press(".hand.own h2 form button")
    guest.act(careful(guest.board))
    assert host.wait_for_turn().turn == 2


@pytest.mark.parametrize("watching", ["table", "hands", "nobody"])
def test_spectators_see_what_the_table_allows(people: People, watching: str) -> None:
    host, spectator = people(DESKTOP), people(PHONE)
    path = host.open_table(players=3, watching=watching)
    host.start()
    spectator.allowed = (r"status of 403",) if watching == "nobody" else ()
    spectator.visit(path)
    if watching == "nobody":
        expect(spectator.page.locator("h1")).to_be_visible()
        expect(spectator.page.locator(".card")).to_have_count(0)
        return
    expect(spectator.page.locator(".sheet.watching")).to_be_visible()
    expect(spectator.page.locator("#sheet")).to_have_count(0)
    expect(spectator.page.locator(".card")).to_have_count(15)
    expect(spectator.page.locator(".card.face")).to_have_count(15 if watching == "hands" else 0)
    before = spectator.board.turn
    host.act(careful(host.wait_for_turn()))
    spectator.wait_after(before)


def test_names_and_chat_are_shown_as_they_were_typed_and_never_run(people: People) -> None:
    host, guest = people(DESKTOP), people(PHONE)
    dialogs: list[Dialog] = []
    for player in (host, guest):
        player.page.on("dialog", lambda dialog: dialogs.append(dialog))
    host.call_oneself(SCRIPT_NAME)
    path = host.open_table(players=2, bots=0, talk="free")
    guest.sit_down(path, "Béa")
    host.page.locator("#talk-input").fill(SCRIPT_TEXT)
    host.page.keyboard.press("Enter")
    expect(guest.page.locator(".talk-list li")).to_have_text(f"{SCRIPT_NAME} {SCRIPT_TEXT}", timeout=LIVE)
    expect(host.page.locator("#talk-input")).to_have_value("")
    host.start()
    guest.see(".board")
    expect(guest.page.locator(".hand.other h2")).to_contain_text(SCRIPT_NAME)
    guest.press(".tabs [data-panel=talk]")
    guest.page.locator("#talk-input").fill(SCRIPT_TEXT)
    guest.page.keyboard.press("Enter")
    expect(host.page.locator(".talk-list li").first).to_have_text(f"Béa {SCRIPT_TEXT}", timeout=LIVE)
    assert host.page.locator("#live :is(img, script)").count() == 0
    assert dialogs == []


def test_set_remarks_are_shown_in_each_readers_language(people: People) -> None:
    host, guest = people(DESKTOP, "it"), people(DESKTOP, "zh_TW")
    path = host.open_table(players=2, bots=0, talk="remarks")
    guest.sit_down(path, "Béa")
    host.start()
    guest.see(".board")
    host.page.locator("#talk-input").select_option("well-done")
    host.press(".talk-form button")
    for player, language in ((host, "it"), (guest, "zh_TW")):
        said = player.page.locator(".talk-list li")
        expect(said).to_contain_text(catalogue(language)(REMARKS["well-done"]), timeout=LIVE)


def test_at_a_strict_table_there_is_no_chat_while_the_game_goes_on(desktop: Player) -> None:
    desktop.open_table(players=2, talk="strict", starter="custom")
    expect(desktop.page.locator("#talk-input")).to_be_visible()
    desktop.press(".decide button >> nth=0")
    desktop.see(".board")
    expect(desktop.page.locator("#talk-input")).to_have_count(0)


def test_the_language_comes_from_the_browser_and_a_choice_is_remembered(people: People) -> None:
    player = people(DESKTOP, "fr")
    player.visit()
    expect(player.page.locator("html")).to_have_attribute("lang", "fr")
    form = player.page.locator(".columns form", has=player.page.locator("[name=language]"))
    form.locator("select").select_option("ro")
    player.press(form.locator("button"))
    expect(player.page.locator("html")).to_have_attribute("lang", "ro")
    twin = player.another_tab()
    twin.visit("/rules")
    expect(twin.page.locator("html")).to_have_attribute("lang", "ro")


def test_the_appearance_is_chosen_in_the_menu_and_remembered(desktop: Player) -> None:
    desktop.play_now()
    desktop.page.locator(".menu summary").click()
    desktop.page.locator(".menu [name=theme]").select_option("light")
    desktop.page.locator(".menu form[action='/preferences'] button").click()
    expect(desktop.page.locator("html")).to_have_attribute("data-theme", "light")
    desktop.see(".board")


def test_a_personal_link_moves_a_person_with_all_their_games_to_another_device(people: People) -> None:
    old, new = people(DESKTOP), people(PHONE)
    old.call_oneself("Ana")
    path = old.play_now(2)
    old.visit("/me")
    old.press("form[action='/me/link'] button")
    new.visit(old.page.locator("#link").input_value())
    new.press("main form button")
    expect(new.page.locator("input[name=name]")).to_have_value("Ana")
    new.press(f".tables a[href='{path}']")
    new.arrive()
    new.act(careful(new.wait_for_turn()))


def test_a_table_is_found_by_its_code_and_a_wrong_code_is_answered_in_words(people: People) -> None:
    host, guest = people(DESKTOP), people(PHONE, "es")
    path = host.open_table(players=2, bots=0)
    guest.visit()
    guest.page.locator("input[name=code]").fill(path.rpartition("/")[2].upper())
    guest.press("form[action='/join'] button")
    guest.arrive()
    guest.allowed = (r"status of 404",)
    guest.visit("/t/nowhere123")
    expect(guest.page.locator("html")).to_have_attribute("lang", "es")
    expect(guest.page.locator("h1")).to_have_text(re.compile(r"\w"))


def test_a_listed_table_is_found_on_the_home_page_and_an_unlisted_one_is_not(people: People) -> None:
    host, guest = people(DESKTOP), people(PHONE)
    listed = host.open_table(players=2, bots=0, listed="yes")
    hidden = host.open_table(players=2, bots=0, listed="no")
    guest.visit()
    expect(guest.page.locator(f".tables a[href='{listed}']")).to_be_visible()
    expect(guest.page.locator(f".tables a[href='{hidden}']")).to_have_count(0)
