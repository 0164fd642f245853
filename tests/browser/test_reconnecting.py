"""A page whose server goes away reconnects by itself, and nothing that was confirmed is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.player import DESKTOP, LIVE, PHONE, People, Player
from tests.browser.server import Server
from tests.browser.strategy import careful

GONE = (r"net::ERR_", r"Failed to fetch", r"network error")


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_after_a_restart_or_a_crash_pages_are_live_again_without_a_reload(
    own_server: Server, own_people: People, end: str
) -> None:
    host, guest = own_people(DESKTOP), own_people(PHONE)
    for player in (host, guest):
        player.allowed = GONE
    path = host.open_table(players=3, bots=1, starter="1")
    guest.sit_down(path, "Béa")
    host.start()
    guest.see(".board")
    for player in (host, guest):
        player.page.evaluate("window.sameDocument = true")
    for player in (host, guest):
        player.act(careful(player.wait_for_turn()))
    host.wait_for_turn()
    confirmed = {player: log(player) for player in (host, guest)}
    getattr(own_server, end)()
    for player in (host, guest):
        expect(player.page.locator("#offline")).to_be_visible(timeout=LIVE)
    own_server.start()
    for player in (host, guest):
        expect(player.page.locator("#offline")).to_be_hidden(timeout=LIVE)
    for player in (host, guest):
        player.act(careful(player.wait_for_turn()))
    host.wait_for_turn()
    for player in (host, guest):
        assert log(player)[-len(confirmed[player]) :] == confirmed[player]
        assert player.page.evaluate("window.sameDocument") is True


def log(player: Player) -> list[str]:
    """The log in words, newest first."""
    return [" ".join(line.split()) for line in player.page.locator(".log li").all_text_contents()]


def test_a_move_made_while_the_server_is_away_is_not_shown_as_made(own_server: Server, own_people: People) -> None:
    player = own_people(PHONE)
    player.allowed = GONE
    player.play_now(2)
    board = player.wait_for_turn()
    own_server.kill()
    player.choose(careful(board))
    player.press("#sheet .confirm")
    player.see("#toast")
    assert player.board.turn == board.turn
    own_server.start()
    expect(player.page.locator("#offline")).to_be_hidden(timeout=LIVE)
    player.act(careful(player.wait_for_turn()))
