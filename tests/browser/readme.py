"""``python -m tests.browser.readme FOLDER``: the README's pictures, a still and a short animation."""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.launch import launch
from tests.browser.player import PHONE, Player
from tests.browser.server import Server
from tests.browser.shots import visitor
from tests.browser.strategy import Board, careful

STILL, MOVING = "table.png", "table.webp"
DESK = (1280, 800)
COLOURS = 256
LONGEST_GAME, WANTED = 60, 12
"""The points on the table from which it is worth a picture."""
FRAME, LAST_FRAME = 1300, 3000
"""Milliseconds for a frame of the animation."""
ROUNDS = 3
WIDTH = 320


def worth_a_picture(board: Board) -> bool:
    """Whether there are fireworks in the sky, and a clue to give."""
    lit = sum(board.heights.values())
    return board.turn >= LONGEST_GAME or (lit >= WANTED and any(choice.touches for choice in board.legal))


def at_the_table(player: Player) -> str:
    """Ana and two bots in the middle of a good game; returns its path."""
    player.call_oneself("Ana")
    path = player.play_now(3)
    player.hurry(path, careful, until=worth_a_picture)
    return path


def choose_a_clue(player: Player) -> None:
    """Choose the clue that touches most cards."""
    clues = [choice for choice in player.board.legal if choice.touches]
    player.choose(max(clues, key=lambda choice: len(choice.touches)).move)


def seen(player: Player) -> Image.Image:
    """A screenshot of the page."""
    return Image.open(io.BytesIO(player.page.screenshot(animations="disabled"))).convert("RGB")


def still(player: Player) -> Image.Image:
    """The table with a clue about to be given."""
    at_the_table(player)
    choose_a_clue(player)
    return seen(player).convert("P", palette=Image.Palette.ADAPTIVE, colors=COLOURS)


def moving(player: Player) -> list[Image.Image]:
    """Some turns on a phone: the player's own, chosen and confirmed, and those of the others."""
    at_the_table(player)
    frames = []
    for _ in range(ROUNDS):
        board = player.wait_for_turn()
        if board.ended:
            break
        frames.append(seen(player))
        player.choose(careful(board))
        frames.append(seen(player))
        player.press("#sheet .confirm")
        player.wait_after(board.turn)
    player.wait_for_turn()
    frames.append(seen(player))
    height = WIDTH * PHONE[1] // PHONE[0]
    return [frame.resize((WIDTH, height), Image.Resampling.LANCZOS) for frame in frames]


def main(folder: Path) -> None:
    """Take both."""
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server, browser = Server(Path(data)), launch(playwright)
        try:
            with visitor(browser, server, DESK, "dark") as player:
                still(player).save(folder / STILL, optimize=True)
            with visitor(browser, server, PHONE, "dark") as player:
                first, *others = moving(player)
                stands = [FRAME] * len(others) + [LAST_FRAME]
                first.save(folder / MOVING, save_all=True, append_images=others, duration=stands, loop=0, quality=80, method=6)
        finally:
            browser.close()
            server.close()
    for name in (STILL, MOVING):
        print(f"{folder / name}: {(folder / name).stat().st_size // 1000} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
