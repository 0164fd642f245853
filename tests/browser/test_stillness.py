"""Nothing jumps: sheets and updates have room of their own, so that hands never move."""

from __future__ import annotations

import pytest

from tests.browser.looks import places
from tests.browser.player import PHONE, People
from tests.browser.strategy import careful

SMALLEST_PHONE = (320, 568)
DESK = (1440, 900)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_neither_a_sheet_nor_an_update_moves_a_hand(people: People, players: int) -> None:
    player = people(DESK)
    path = player.play_now(players)
    for size in (PHONE, SMALLEST_PHONE, DESK):
        player.hurry(path, careful, until=lambda board: board.turn > 8 and any(choice.touches for choice in board.legal))
        player.page.set_viewport_size({"width": size[0], "height": size[1]})
        player.page.keyboard.press("Escape")
        still, board = places(player.page), player.board
        clue = next(choice.move for choice in board.legal if choice.touches)
        for move in (clue, "play 1", "discard 2"):
            player.choose(move)
            assert places(player.page) == still, f"{move} at {size}"
        player.act(careful(board))
        assert not player.wait_for_turn().ended
        assert places(player.page) == still, f"news at {size}"
