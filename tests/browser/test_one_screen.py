"""The table fits one screen, whatever the device: no scrolling, nothing covered, nothing too small to tap."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.looks import misfits
from tests.browser.player import DESKTOP, PHONE, People, Player
from tests.browser.strategy import Board, careful, reckless

SMALL_PHONE = (360, 640)
TABLET = (820, 1180)
SIZES = (PHONE, SMALL_PHONE, TABLET, DESKTOP)


def can_tell(board: Board) -> bool:
    """Whether a clue can be given."""
    return any(choice.touches for choice in board.legal)


def all_misfits(player: Player) -> list[str]:
    """What does not fit, at every size, with no sheet, with the sheet of a clue and with the sheet of a card."""
    board, found = player.wait_for_turn(), []
    clue = next(choice.move for choice in board.legal if choice.touches)
    for size in SIZES:
        player.page.set_viewport_size({"width": size[0], "height": size[1]})
        player.page.keyboard.press("Escape")
        player.page.keyboard.press("Escape")
        for move in ("", clue, "play 1"):
            if move:
                player.choose(move)
            found += [f"{size[0]}×{size[1]} {move or 'no sheet'}: {line}" for line in misfits(player.page)]
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_table_needs_no_scrolling_and_covers_nothing(people: People, players: int) -> None:
    player = people(DESKTOP)
    path = player.play_now(players)
    player.hurry(path, careful, until=lambda board: board.turn > 12 and can_tell(board))
    assert all_misfits(player) == []


@pytest.mark.parametrize("language", ["en", "fr", "zh_TW"])
def test_the_fullest_table_fits_too(people: People, language: str) -> None:
    player = people(DESKTOP, language)
    player.open_table(players=5, variants=("multicolour-ten", "announced-plays", "nine-clue-tokens"), starter="1")
    player.start()
    assert all_misfits(player) == []


@pytest.mark.parametrize("players", [2, 5])
def test_the_result_needs_no_scrolling_and_covers_nothing(people: People, players: int) -> None:
    player = people(DESKTOP)
    path = player.play_now(players)
    player.hurry(path, reckless, until=lambda board: False)
    player.see(".result")
    found = []
    for size in SIZES:
        player.page.set_viewport_size({"width": size[0], "height": size[1]})
        found += [f"{size[0]}×{size[1]}: {line}" for line in misfits(player.page)]
    assert found == []


def test_nothing_moves_with_reduced_motion(people: People) -> None:
    player = people(PHONE)
    player.play_now(2)
    moving = 0
    while not (board := player.wait_for_turn()).ended and board.turn < 20:
        player.choose(careful(board))
        moving += player.page.evaluate("document.getAnimations().length")
        player.press("#sheet .confirm")
        player.wait_after(board.turn)
        moving += player.page.evaluate("document.getAnimations().length")
    assert sum(player.board.heights.values()) > 0
    assert moving == 0


def test_a_firework_grows_on_every_open_page(people: People) -> None:
    player = people(PHONE, still=False)
    player.play_now(2)
    growing = player.page.locator(".firework:is(.grows, .blooms)")
    while not (board := player.wait_for_turn()).ended and not growing.count():
        player.act(careful(board))
    expect(growing).not_to_have_count(0)
