"""Your turn while you look elsewhere; and the app on a device that loses its connection."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tamaya.i18n import catalogue
from tamaya.rules import say
from tests.browser.player import DESKTOP, LIVE, PHONE, People, two_at_a_table
from tests.browser.server import Server
from tests.browser.strategy import careful

WATCH_NOTIFICATIONS = """
window.notified = [];
ServiceWorkerRegistration.prototype.showNotification = async (title, options) => { window.notified.push([title, options]); };
Object.defineProperty(document, "hidden", { get: () => Boolean(window.away) });
"""
READY = "navigator.serviceWorker.ready.then((worker) => Boolean(worker.active))"
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) found.push(request.url.slice(location.origin.length));
  }
  return found;
}"""


def test_title_and_icon_say_whose_turn_it_is(people: People) -> None:
    host, guest, _ = two_at_a_table(people)
    icon = guest.page.locator("#icon")
    expect(icon).to_have_attribute("href", re.compile(r"icon\.svg"))
    host.act(careful(host.wait_for_turn()))
    guest.wait_for_turn()
    expect(icon).to_have_attribute("href", re.compile(r"icon-turn\.svg"))
    expect(guest.page).to_have_title(re.compile("^●"))
    expect(host.page.locator("#icon")).to_have_attribute("href", re.compile(r"icon\.svg"))


def test_a_notification_comes_on_request_and_names_no_card(people: People) -> None:
    host, guest = people(DESKTOP), people(DESKTOP, service_workers="allow", permissions=["notifications"])
    guest.page.add_init_script(WATCH_NOTIFICATIONS)
    host.call_oneself("Ana")
    path = host.open_table(players=2, bots=0)
    guest.sit_down(path, "Béa")
    assert guest.page.evaluate(READY)
    host.start()
    guest.see(".board")
    guest.page.evaluate("window.away = true")
    host.act(careful(host.wait_for_turn()))
    guest.wait_for_turn()
    assert guest.page.evaluate("notified") == [], "before the player asks for notifications"
    guest.press(".menu summary")
    guest.press("#notify")
    expect(guest.page.locator("#notify")).to_have_attribute("aria-pressed", "true")
    guest.press(".menu summary")
    guest.act(careful(guest.board))
    host.act(careful(host.wait_for_turn()))
    guest.page.wait_for_function("() => notified.length > 0", timeout=LIVE)
    (title, options), *more = guest.page.evaluate("notified")
    assert title == catalogue("en")(say("Your turn at {name}'s table", name="Ana"))
    assert set(options) == {"tag", "icon", "data"}
    assert options["data"] == {"address": path}
    assert more == []


def test_without_permission_the_menu_says_so(people: People) -> None:
    player = people(DESKTOP, service_workers="allow")
    player.page.add_init_script("Notification.requestPermission = async () => 'denied';")
    player.play_now(2)
    player.press(".menu summary")
    player.press("#notify")
    expect(player.page.locator("#notify-refused")).to_be_visible()
    expect(player.page.locator("#notify")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("language", ["en", "fr", "zh_TW"])
def test_the_offline_page_is_shown_without_a_connection_and_nothing_secret_was_cached(
    own_server: Server, own_people: People, language: str
) -> None:
    player = own_people(PHONE, language, service_workers="allow")
    path = player.play_now(2)
    player.wait_for_turn()
    assert player.page.evaluate(READY)
    player.visit(path)
    player.wait_for_turn()
    player.visit("/me")
    kept = player.page.evaluate(KEPT)
    assert f"/offline?language={language}" in kept
    assert all(address.startswith(("/static/", "/offline?")) for address in kept), kept
    own_server.stop()
    player.allowed = (r"ERR_CONNECTION_REFUSED", r"Failed to (load|fetch)")
    speak = catalogue(language)
    for address in (path, "/rules"):
        player.visit(address)
        expect(player.page.locator("h1")).to_have_text(speak(say("No connection")))
        assert player.page.url.endswith(address)
    player.visit(path)
    own_server.start()
    player.press("a.button")
    player.wait_for_turn()
