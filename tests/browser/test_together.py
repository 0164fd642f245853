"""Shared replays in browsers: one leads, the others' pages follow, and any viewer may look around alone and come back."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tamaya.record import native
from tests.browser.looks import barriers, misfits
from tests.browser.player import DESKTOP, LIVE, PHONE, People, Player
from tests.browser.server import Server
from tests.support.games import a_record

GONE = (r"net::ERR_", r"Failed to fetch", r"network error")


def bring(player: Player) -> None:
    """Paste a game into the form, by keys alone."""
    player.visit("/bring")
    page = player.page
    page.locator("textarea").focus()
    page.keyboard.insert_text(native.write(a_record()))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_ready(page)


def expect_ready(page: Page) -> None:
    """Wait until a replay listens to keys; it then offers autoplay."""
    expect(page.locator("#controls [data-play]")).to_be_visible(timeout=LIVE)


def expect_at(page: Page, turn: int, eyes: str = "hands") -> None:
    """Wait until a page shows a moment."""
    controls = page.locator("#controls")
    expect(controls).to_have_attribute("data-turn", str(turn), timeout=LIVE)
    expect(controls).to_have_attribute("data-eyes", eyes, timeout=LIVE)


def expect_led(page: Page, words: str) -> None:
    """Wait until a page says who leads."""
    expect(page.locator("#circle summary")).to_contain_text(words, timeout=LIVE)


def two_together(people: People) -> tuple[Player, Player]:
    """Ana at a desk, who leads by keys, and Bo with a phone, who was given the link."""
    ana, bo = people(DESKTOP), people(PHONE)
    for player, name in ((ana, "Ana"), (bo, "Bo")):
        player.call_oneself(name)
    bring(ana)
    ana.page.keyboard.press("ArrowRight")
    expect_at(ana.page, 1)
    for button in (".tabs [data-panel=game]", ".look-together button"):
        ana.page.locator(button).focus()
        ana.page.keyboard.press("Enter")
    expect_led(ana.page, "You lead")
    bo.visit(ana.page.locator("#together-link").input_value())
    expect_led(bo.page, "Ana leads")
    expect_at(bo.page, 1)
    for player in (ana, bo):
        expect_ready(player.page)
    return ana, bo


def test_followers_see_what_the_leader_shows_and_may_look_around_alone(people: People) -> None:
    ana, bo = two_together(people)
    keys = ana.page.keyboard
    for turn in (2, 3, 4):
        keys.press("ArrowRight")
        expect_at(ana.page, turn)
    expect_at(bo.page, 4)
    keys.press("e")
    expect_at(bo.page, 4, "1")
    again = bo.page.locator("[data-follow]")
    expect(again).to_be_hidden()
    bo.press("[data-step=previous]")
    expect_at(bo.page, 3, "1")
    expect(again).to_be_visible()
    keys.press("ArrowRight")
    expect_at(ana.page, 5, "1")
    expect_at(bo.page, 3, "1")
    assert misfits(bo.page) == []
    bo.press(again)
    expect_at(bo.page, 5, "1")
    expect(again).to_be_hidden()
    keys.press("v")
    expect(bo.page.locator("#controls .trying")).to_be_visible(timeout=LIVE)


def test_the_lead_is_handed_over_taken_and_given_up_by_keys(people: People) -> None:
    ana, bo = two_together(people)
    expect(ana.page.locator(".circle-sheet")).to_contain_text("Bo", timeout=LIVE)
    ana.page.locator("#circle summary").focus()
    ana.page.keyboard.press("Enter")
    assert barriers(ana.page, DESKTOP) == []
    ana.page.locator("[data-ask=give] button").focus()
    ana.page.keyboard.press("Enter")
    expect_led(ana.page, "Bo leads")
    expect_led(bo.page, "You lead")
    bo.press("[data-step=next]")
    expect_at(ana.page, 2)
    bo.page.close()
    expect_led(ana.page, "Nobody leads")
    ana.page.locator("[data-ask=lead] button").focus()
    ana.page.keyboard.press("Enter")
    expect_led(ana.page, "You lead")


def test_after_a_restart_of_the_server_the_leader_still_leads(own_server: Server, own_people: People) -> None:
    ana, bo = two_together(own_people)
    for player in (ana, bo):
        player.allowed = (*GONE, "status of 409")  # a step before the page has taken the lead again is refused
    own_server.kill()
    for player in (ana, bo):
        expect(player.page.locator("#offline")).to_be_visible(timeout=LIVE)
    own_server.start()
    expect_led(bo.page, "Ana leads")
    expect(bo.page.locator("#offline")).to_be_hidden(timeout=LIVE)
    expect(ana.page.locator("#circle summary")).to_contain_text("+1", timeout=LIVE)
    ana.page.keyboard.press("ArrowRight")
    expect_at(bo.page, 2)
