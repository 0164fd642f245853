"""Notes and take-backs by touch and by keys; nothing jumps, and no input is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.looks import barriers, misfits, places
from tests.browser.player import DESKTOP, PHONE, People, Player

SMALLEST_PHONE = (320, 568)
DESK = (1440, 900)


def clue(player: Player) -> str:
    """A clue that can be given now."""
    return next(choice.move for choice in player.wait_for_turn().legal if choice.touches)


def three(people: People) -> tuple[Player, Player]:
    """Two people and a bot at a table with take-backs; the first person is to move."""
    host, guest = people(DESKTOP), people(PHONE)
    path = host.open_table(players=3, bots=1, take_backs="yes", talk="free")
    guest.sit_down(path, "Béa")
    host.start()
    guest.see(".board")
    host.wait_for_turn()
    return host, guest


def test_a_note_is_written_by_keys_without_losing_the_choice(people: People) -> None:
    player = people(DESK)
    player.open_table(players=2)
    player.wait_for_turn()
    keys, still = player.page.keyboard, places(player.page)
    keys.press("2")
    keys.press("p")
    keys.press("o")
    expect(player.page.locator("#sheet-body .note-field input").nth(1)).to_be_focused()
    keys.type("this is the 5")
    keys.press("Enter")
    expect(player.page.locator("#saved")).to_have_text("Saved.")
    keys.press("Escape")
    expect(player.page.locator(".hand.own .card").nth(1).locator(".note-mark")).to_be_visible()
    expect(player.page.locator("#noted")).to_have_text("✎ this is the 5")
    expect(player.page.locator("#sheet .confirm")).to_be_enabled()
    assert places(player.page) == still
    keys.press("Escape")
    keys.press("o")
    expect(player.page.locator("#turn-note")).to_be_focused()
    keys.type("hard to say")
    keys.press("Enter")
    expect(player.page.locator("#saved")).to_have_text("Saved.")
    assert places(player.page) == still


def test_a_half_written_note_survives_an_update(people: People) -> None:
    host, guest = three(people)
    host.page.locator("#turn-note").fill("half a thou")
    guest.post(f"{guest.page.url.removeprefix(guest.address)}/say", text="hello")
    expect(host.page.locator(".talk-list")).to_contain_text("hello")
    host.page.keyboard.type("ght")
    expect(host.page.locator("#turn-note")).to_have_value("half a thought")


def test_the_next_turn_has_a_note_field_of_its_own(people: People) -> None:
    player = people(DESK)
    player.open_table(players=2, take_backs="yes")
    player.wait_for_turn()
    field = player.page.locator("#turn-note")
    field.fill("before the first turn")
    field.press("Enter")
    expect(player.page.locator("#saved")).to_have_text("Saved.")
    field.press("Escape")
    player.act(clue(player))
    expect(field).to_have_value("")
    expect(player.page.locator(".log .noted")).to_have_text("✎ Note: before the first turn")
    player.wait_for_turn()
    player.page.keyboard.press("u")
    expect(player.page.locator(".board")).to_have_attribute("data-line", "1")
    expect(player.page.locator("#sentence")).to_be_focused()
    expect(field).to_have_value("before the first turn")


@pytest.mark.parametrize("size", [PHONE, SMALLEST_PHONE, DESK])
def test_players_take_back_by_consent_and_nothing_jumps(people: People, size: tuple[int, int]) -> None:
    host, guest = three(people)
    for player in (host, guest):
        player.page.set_viewport_size({"width": size[0], "height": size[1]})
    still = places(host.page), places(guest.page)
    host.act(clue(host))
    assert misfits(host.page) == []
    host.press(".take-back")
    expect(guest.page.locator("#question")).to_be_visible()
    assert (places(host.page), places(guest.page)) == still
    box = guest.page.locator("#question button").first.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    guest.press("#question .confirm")
    expect(host.page.locator("#question")).to_have_count(0)
    assert host.wait_for_turn().turn == 0
    assert (places(host.page), places(guest.page)) == still
    expect(host.page.locator(".last")).to_contain_text("You took back")


def test_a_choice_made_on_a_position_taken_back_is_dropped(people: People) -> None:
    host, guest = three(people)
    path = host.page.url.removeprefix(host.address)
    first = clue(host)
    host.act(first)
    guest.press(".hand.own .card button >> nth=0")
    host.press(".take-back")
    guest.see("#question")
    assert guest.post(f"{path}/answer", question="1", agrees="yes") == 200
    host.wait_for_turn()
    host.act(clue(host))
    expect(guest.page.locator(".board")).to_have_attribute("data-line", "1")
    expect(guest.page.locator("#sheet")).not_to_have_class("sheet open")


def test_axe_finds_nothing_about_notes_and_take_back_requests(people: People) -> None:
    host, guest = three(people)
    guest.post(f"{guest.page.url.removeprefix(guest.address)}/note", card="0", text="perhaps")
    host.act(clue(host))
    host.press(".take-back")
    guest.see("#question")
    guest.see(".note-mark")
    assert barriers(guest.page, PHONE) == []
    guest.page.keyboard.press("i")
    guest.see("#sheet-body .note-field")
    assert barriers(guest.page, PHONE) == []
