"""Accessible pages: axe finds nothing, in dark and light, on a phone and on a desktop."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.looks import barriers
from tests.browser.player import DESKTOP, People, Player, two_at_a_table
from tests.browser.strategy import careful, reckless


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/new", "/bring", "/rules?variant=multicolour-unnamed", "/teammates", "/teammates/convention", "/me"),
        *("/games", "/games/slips"),
        "/t/nowhere123",
    ],
)
def test_axe_finds_nothing_on_the_pages_around_the_table(desktop: Player, path: str) -> None:
    desktop.allowed = (r"status of 404",)
    desktop.visit(path)
    assert barriers(desktop.page, DESKTOP) == []
    desktop.page.locator(".menu summary").click()
    assert barriers(desktop.page, DESKTOP) == []


def test_axe_finds_nothing_on_the_page_that_signs_a_device_in(people: People) -> None:
    old, new = people(), people()
    old.visit("/me")
    old.press("form[action='/me/link'] button")
    new.visit(old.page.locator("#link").input_value())
    assert barriers(new.page, DESKTOP) == []


def test_axe_finds_nothing_on_a_table_that_waits_for_players(people: People) -> None:
    host, guest = people(), people()
    path = host.open_table(players=3, bots=1)
    guest.visit(path)
    assert barriers(host.page, DESKTOP) == []
    assert barriers(guest.page, DESKTOP) == []


def test_axe_finds_nothing_on_the_table_with_any_sheet_or_dialog(desktop: Player) -> None:
    path = desktop.open_table(variants=("multicolour-ten", "announced-plays"), players=5, starter="1")
    desktop.start()
    desktop.hurry(path, careful, until=lambda board: board.turn >= 15)
    board = desktop.wait_for_turn()
    clue = next(choice.move for choice in board.choices if choice.move.startswith("clue") and choice.refused)
    assert barriers(desktop.page, DESKTOP) == []
    desktop.choose(clue)
    assert barriers(desktop.page, DESKTOP) == []
    desktop.choose("play 1")
    assert barriers(desktop.page, DESKTOP) == []
    desktop.page.keyboard.press("Escape")
    desktop.page.keyboard.press("?")
    assert barriers(desktop.page, DESKTOP) == []
    desktop.page.keyboard.press("Escape")
    desktop.page.keyboard.press("i")
    expect(desktop.page.locator("#sheet-dialog")).to_be_visible()
    assert barriers(desktop.page, DESKTOP) == []


def test_axe_finds_nothing_during_another_players_turn_nor_on_the_opened_panels(people: People) -> None:
    host, guest, _ = two_at_a_table(people)
    size = (390, 844)
    assert barriers(guest.page, size) == []
    for panel in ("log", "discards", "talk"):
        guest.press(f".tabs [data-panel={panel}]")
        assert barriers(guest.page, size) == []
        guest.press(".close-panel")
    host.act("play 1")


def test_axe_finds_nothing_on_the_result(desktop: Player) -> None:
    path = desktop.play_now(4)
    desktop.hurry(path, reckless, until=lambda board: False)
    desktop.see(".result")
    assert barriers(desktop.page, DESKTOP) == []


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_in_an_appearance_chosen_against_the_devices(people: People, theme: str) -> None:
    player = people(DESKTOP, color_scheme="light" if theme == "dark" else "dark")
    player.play_now()
    assert player.post("/preferences", theme=theme) == 200
    player.page.reload()
    expect(player.page.locator("html")).to_have_attribute("data-theme", theme)
    assert barriers(player.page, DESKTOP) == []
