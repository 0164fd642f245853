"""Fingers and mice: dragging, long presses, double clicks, two tabs."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.player import People, Player, two_at_a_table
from tests.browser.strategy import careful

TOO_LATE = (r"status of 409",)


def middle(player: Player, place: int) -> tuple[float, float]:
    """The middle of one of the player's own cards on the screen."""
    box = player.page.locator(".hand.own .card").nth(place).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_card_dragged_over_others_stays_where_it_was_dropped(desktop: Player) -> None:
    desktop.play_now()
    desktop.wait_for_turn()
    before, mouse = desktop.own_cards, desktop.page.mouse
    (x, y), (far, _) = middle(desktop, 0), middle(desktop, 2)
    mouse.move(x, y)
    mouse.down()
    mouse.move(far + 10, y, steps=12)
    mouse.up()
    wanted = [before[1], before[2], before[0], *before[3:]]
    expect(desktop.page.locator(".hand.own .card").nth(2)).to_have_attribute("data-number", before[0])
    expect(desktop.page.locator(".card.dragged")).to_have_count(0)
    expect(desktop.page.locator(".chosen")).to_have_count(0)
    desktop.page.reload()
    assert desktop.own_cards == wanted


def test_a_card_dragged_back_to_its_place_changes_nothing(desktop: Player) -> None:
    desktop.play_now()
    desktop.wait_for_turn()
    before, mouse = desktop.own_cards, desktop.page.mouse
    x, y = middle(desktop, 0)
    far, _ = middle(desktop, 1)
    mouse.move(x, y)
    mouse.down()
    mouse.move(far + 10, y, steps=8)
    mouse.move(x, y, steps=8)
    mouse.up()
    assert desktop.own_cards == before
    desktop.page.reload()
    assert desktop.own_cards == before


def test_a_long_press_on_a_card_shows_what_it_can_be_and_chooses_nothing(desktop: Player) -> None:
    desktop.play_now()
    desktop.wait_for_turn()
    desktop.page.mouse.move(*middle(desktop, 1))
    desktop.page.mouse.down()
    expect(desktop.page.locator("#sheet-dialog")).to_be_visible()
    desktop.page.mouse.up()
    expect(desktop.page.locator("#sheet-dialog")).to_be_visible()
    desktop.page.keyboard.press("Escape")
    expect(desktop.page.locator("#sheet-dialog")).to_be_hidden()
    expect(desktop.page.locator(".chosen")).to_have_count(0)


def test_a_double_click_on_confirm_is_one_move(people: People) -> None:
    host, guest, _ = two_at_a_table(people)
    host.allowed = TOO_LATE
    host.choose(careful(host.wait_for_turn()))
    host.page.locator("#sheet .confirm").dblclick()
    assert guest.wait_for_turn().turn == 1
    guest.act(careful(guest.board))
    assert host.wait_for_turn().turn == 2
    expect(host.page.locator(".log li")).to_have_count(2)


def test_two_tabs_of_one_person_make_one_move(people: People) -> None:
    host, guest, path = two_at_a_table(people)
    host.allowed = TOO_LATE
    twin = host.another_tab()
    twin.visit(path)
    for tab in (host, twin):
        tab.choose("play 1")
    for tab in (host, twin):
        tab.page.evaluate("document.querySelector('#sheet .confirm').click()")
    for tab in (host, twin):
        tab.wait_after(0)
        assert tab.board.turn == 1
    assert guest.wait_for_turn().turn == 1


def test_a_choice_highlights_the_cards_it_would_touch(phone: Player) -> None:
    phone.play_now(2)
    board = phone.wait_for_turn()
    clue = next(choice for choice in board.legal if choice.touches)
    phone.choose(clue.move)
    expect(phone.page.locator(".hand.other .card.rises")).to_have_count(len(clue.touches))
    phone.press("#sheet [data-cancel]")
    expect(phone.page.locator(".card.rises")).to_have_count(0)
