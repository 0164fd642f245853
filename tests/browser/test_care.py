"""What a page takes care of: no older state over a newer one, no unintended choice confirmed, no focus lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.browser.looks import misfits
from tests.browser.player import DESKTOP, People, Player
from tests.browser.strategy import careful


def test_a_late_answer_does_not_replace_a_newer_board(desktop: Player) -> None:
    desktop.play_now(2)
    board = desktop.wait_for_turn()
    held: list[Route] = []
    desktop.page.route("**/move", lambda route: held.append(route))
    clue = next(choice.move for choice in board.legal if choice.move.startswith("clue"))
    desktop.choose(clue)
    desktop.press("#sheet .confirm")
    while not held:
        desktop.page.wait_for_timeout(10)
    answer = held[0].fetch()
    desktop.page.wait_for_selector(f".board[data-turn='{board.turn + 2}']")
    held[0].fulfill(response=answer)
    expect(desktop.page.locator("#sheet .confirm")).to_be_disabled()
    assert desktop.board.turn == board.turn + 2


def test_enter_on_another_card_opens_that_card_and_confirms_nothing(desktop: Player) -> None:
    desktop.play_now(2)
    board = desktop.wait_for_turn()
    keys = desktop.page.keyboard
    keys.press("1")
    keys.press("p")
    expect(desktop.page.locator("#sheet .confirm")).to_be_enabled()
    desktop.page.locator(".hand.own .card").nth(3).locator("button").focus()
    keys.press("Enter")
    expect(desktop.page.locator(".hand.own .card").nth(3).locator("button")).to_have_attribute("aria-expanded", "true")
    assert desktop.board.turn == board.turn


def test_after_a_decision_by_keyboard_the_focus_is_at_the_sentence(desktop: Player) -> None:
    desktop.play_now(2)
    board = desktop.wait_for_turn()
    clue = next(choice.move for choice in board.legal if choice.move.startswith("clue"))
    desktop.choose(clue)
    desktop.page.locator("#sheet .confirm").focus()
    desktop.page.keyboard.press("Enter")
    desktop.wait_after(board.turn)
    expect(desktop.page.locator("#sentence")).to_be_focused()


def test_opening_a_card_by_keyboard_leads_on_to_what_can_be_done_with_it(desktop: Player) -> None:
    desktop.play_now(2)
    desktop.wait_for_turn()
    desktop.page.locator(".hand.own .card").first.locator("button").focus()
    desktop.page.keyboard.press("Enter")
    expect(desktop.page.locator("#sheet fieldset:not([hidden]) input").first).to_be_focused()


def test_a_choice_follows_its_card_when_the_hand_is_sorted_in_another_tab(desktop: Player) -> None:
    path = desktop.play_now(2)
    board = desktop.wait_for_turn()
    desktop.choose("play 1")
    cards = desktop.own_cards
    assert desktop.post(f"{path}/arrange", hand=" ".join(reversed(cards))) == 200
    expect(desktop.page.locator(f"#set-card-{cards[0]} input:checked")).to_have_value("play 5")
    desktop.press("#sheet .confirm")
    desktop.wait_after(board.turn)
    expect(desktop.page.locator(f"#card-{cards[0]}")).to_have_count(0)


def test_shortcuts_can_be_turned_off(desktop: Player) -> None:
    desktop.play_now(2)
    desktop.press(".menu summary")
    desktop.page.locator(".menu [name=keys]").select_option("off")
    desktop.press(".menu form[action='/preferences'] button")
    desktop.wait_for_turn()
    desktop.page.keyboard.press("1")
    desktop.page.keyboard.press("?")
    expect(desktop.page.locator("#help")).to_be_hidden()
    expect(desktop.page.locator(".card.chosen")).to_have_count(0)


@pytest.mark.parametrize("size", [(844, 390), (667, 375), (1024, 600), (1366, 625)])
@pytest.mark.parametrize("players", [3, 5])
def test_low_windows_and_phones_held_sideways_show_the_whole_table(people: People, size: tuple[int, int], players: int) -> None:
    player = people(DESKTOP)
    player.play_now(players)
    player.wait_for_turn()
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    assert misfits(player.page) == []


@pytest.mark.parametrize("language", ["en", "fr", "ro"])
def test_with_a_long_log_the_decision_still_fits(people: People, language: str) -> None:
    player = people(DESKTOP, language)
    path = player.open_table(players=5, variants=("multicolour-ten", "announced-plays"), starter="1")
    player.start()
    player.hurry(path, careful, until=lambda board: board.turn > 14 and any(choice.touches for choice in board.legal))
    clue = next(choice.move for choice in player.board.legal if choice.touches)
    found = []
    for size in ((1366, 768), (1280, 720), (1024, 768), (1920, 1080)):
        player.page.set_viewport_size({"width": size[0], "height": size[1]})
        for move in (clue, "play 1"):
            player.choose(move)
            found += [f"{size} {move}: {line}" for line in misfits(player.page)]
    assert found == []


def test_the_menu_can_be_reached_to_its_end_on_a_phone_held_sideways(people: People) -> None:
    player = people((844, 390))
    player.play_now(2)
    player.press(".menu summary")
    player.page.locator(".menu-sheet a").last.scroll_into_view_if_needed()
    expect(player.page.locator(".menu-sheet a").last).to_be_in_viewport()


def test_a_refusal_stays_long_enough_to_be_read(desktop: Player) -> None:
    desktop.play_now(2)
    desktop.wait_for_turn()
    desktop.allowed = (r"status of 409",)
    desktop.page.evaluate("htmx.ajax('POST', location.pathname + '/arrange', {values: {hand: '1 2'}, target: '#live'})")
    expect(desktop.page.locator("#toast")).to_be_visible()
    desktop.page.wait_for_timeout(1_000)
    expect(desktop.page.locator("#toast")).to_be_visible()


def test_a_chosen_card_stays_chosen_when_it_is_moved(desktop: Player) -> None:
    desktop.play_now(2)
    desktop.wait_for_turn()
    desktop.choose("play 1")
    card = desktop.own_cards[0]
    desktop.press("[data-arrange=right]")
    expect(desktop.page.locator(f"#card-{card}")).to_have_attribute("data-slot", "1")
    expect(desktop.page.locator(f"#set-card-{card} input:checked")).to_have_value("play 2")
    expect(desktop.page.locator("#sheet .confirm")).to_be_enabled()


def test_all_moves_since_the_players_last_turn_are_told(people: People) -> None:
    player = people((390, 844))
    player.play_now(4)
    board = player.wait_for_turn()
    player.act(next(choice.move for choice in board.legal if choice.move.startswith("clue")))
    player.wait_for_turn()
    expect(player.page.locator(".recent li")).to_have_count(3)
