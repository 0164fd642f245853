"""A game with friends begins: from the home page to the first move in a few taps, with a countdown before the deal."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.looks import barriers
from tests.browser.player import DESKTOP, LIVE, PHONE, People, Player


class Finger:
    """Counts its taps."""

    def __init__(self, player: Player) -> None:
        self.player, self.taps = player, 0

    def tap(self, target: str | Locator) -> None:
        self.player.press(target)
        self.taps += 1


SHARE_SHEET = "() => { window.shared = []; navigator.share = async (what) => { window.shared.push(what); }; }"


def test_a_table_for_friends_takes_the_host_five_taps_and_a_friend_two(people: People) -> None:
    host, friend = people(PHONE, "es"), people(PHONE, "es")
    host.call_oneself("Ana")
    friend.call_oneself("Mihai")
    finger, other = Finger(host), Finger(friend)
    host.visit()
    finger.tap("a[href='/new']")
    finger.tap(".answer:has([name=players][value='2'])")
    finger.tap(".new-table .decide button")
    path = host.arrive()
    host.page.evaluate(SHARE_SHEET)
    finger.tap("[data-share]")
    (shared,) = host.page.evaluate("window.shared")
    assert shared["url"] == f"{host.address}{path}"
    assert shared["text"].startswith("Ana te invita: Edición española, 2 jugadores")
    friend.visit(shared["url"])
    other.taps += 1
    other.tap(".decide .confirm")
    for player in (host, friend):
        player.see(".board")
    assert finger.taps <= 5
    assert other.taps <= 2
    first = host if host.board.mine else friend
    first.act("play 1")


def test_the_host_can_stop_the_countdown_before_the_deal_and_start_later(people: People) -> None:
    host = people(DESKTOP)
    host.page.clock.install()
    host.open_table(players=2, bots=0)
    host.press("#seat-1 form[action$='/bot'] button >> nth=0")
    left, hold = host.page.locator("[data-left]"), host.page.locator("[data-hold]")
    expect(left).to_have_text(re.compile("Starts in [123]"), timeout=LIVE)
    host.press(hold)
    expect(hold).to_be_hidden()
    host.page.clock.run_for(10_000)
    assert barriers(host.page, DESKTOP) == []
    expect(host.page.locator("#start")).to_be_visible()
    host.press("#start .confirm")
    host.see(".board")


def test_without_a_share_sheet_the_link_is_copied(desktop: Player) -> None:
    desktop.context.grant_permissions(["clipboard-read", "clipboard-write"])
    path = desktop.open_table(players=3, bots=0)
    desktop.page.evaluate("navigator.share = undefined")
    desktop.press("[data-share]")
    desktop.see("#toast")
    assert desktop.page.evaluate("navigator.clipboard.readText()") == f"{desktop.address}{path}"


def test_the_qr_code_is_drawn_on_request(phone: Player) -> None:
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url) if request.url.endswith("qr.svg") else None)
    phone.open_table(players=2, bots=0)
    assert asked == []
    phone.press(".code-fold summary")
    expect(phone.page.locator(".qr")).to_be_in_viewport(ratio=1)
    expect(phone.page.locator(".qr")).to_have_js_property("complete", True)
    assert len(asked) == 1


def test_a_name_is_changed_at_the_table_and_bots_take_free_seats_with_one_tap(phone: Player) -> None:
    phone.open_table(players=3, bots=0)
    phone.press(".rename summary")
    phone.page.locator("#rename").fill("Ana")
    phone.press(phone.page.locator("form", has=phone.page.locator("#rename")).locator("button"))
    expect(phone.page.locator("#seat-0 .who b")).to_have_text("Ana")
    phone.press("#seat-1 form[action$='/bot'] button >> nth=0")
    expect(phone.page.locator("#seat-1")).to_have_class("taken")
    expect(phone.page.locator("h1")).to_have_text("One seat to fill")


@pytest.mark.parametrize("size", [PHONE, DESKTOP, (320, 640)])
def test_the_button_is_always_in_reach_and_says_what_it_does(people: People, size: tuple[int, int]) -> None:
    player = people(size, "fr")
    player.visit("/new")
    sentence, button = player.page.locator(".will"), player.page.locator(".decide button")
    expect(button).to_be_in_viewport(ratio=1)
    expect(sentence).to_have_text("3 joueurs · Édition française · jusqu'à 25 points")
    opened = button.inner_text()
    player.page.locator("[name=players][value='2']").check()
    expect(player.page.locator("[name=who][value=some]")).to_be_hidden()
    player.page.locator("[name=who][value=bots]").check()
    player.press(".more > summary")
    player.page.locator("[name=variant][value='multicolour-five']").check()
    expect(sentence).to_have_text("2 joueurs · Édition française · jusqu'à 30 points")
    expect(player.page.locator("[data-chosen]")).to_have_text("Avalanche de couleurs")
    assert button.inner_text() != opened
    player.page.locator("[name=edition][value=spanish]").check()
    expect(player.page.locator("[data-chosen]")).to_have_text("Farbrausch con 5 cartas")
    expect(button).to_be_in_viewport(ratio=1)
    assert not player.page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_without_scripts_a_table_is_opened_and_filled(people: People) -> None:
    player = people(PHONE, java_script_enabled=False)
    player.visit("/new")
    player.press(".answer:has([name=players][value='2'])")
    player.press(".new-table .decide button")
    player.page.wait_for_url("**/t/*")
    player.press("#seat-1 form[action$='/bot'] button >> nth=0")
    player.press("#start .confirm")
    expect(player.page.locator(".board")).to_be_visible()
