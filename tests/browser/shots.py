"""``python -m tests.browser.shots FOLDER``: pictures of the main pages at phone and desktop size, to look at."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.launch import launch
from tests.browser.player import DESKTOP, LIVE, PHONE, Player
from tests.browser.server import Server
from tests.browser.strategy import Board, careful

SIZES = {"phone": PHONE, "desktop": DESKTOP}
MIDDLE = 12
"""The turn from which a game has something to show."""
GUIDED = 3
"""How many steps of the guided deal are shown."""


def in_the_middle(board: Board) -> bool:
    """Whether a game has come far enough and a clue can be given."""
    return board.turn >= MIDDLE and any(choice.touches for choice in board.legal)


Picture = Callable[[str], None]
"""Takes a named picture of the page."""


def take(player: Player, picture: Picture) -> None:
    """Go through the main pages and take a picture of each."""
    player.visit()
    picture("home")
    guided_deal(player, picture)
    player.call_oneself("Ana")
    around(player, picture)
    table(player, picture)
    other_tables(player, picture)
    path = player.play_now(3)
    player.hurry(path, careful, until=lambda board: False)
    player.see(".result")
    picture("result")
    player.press("[data-picture-of]")
    player.page.wait_for_selector("[data-picture=save]:enabled")
    picture("result-picture")
    player.page.keyboard.press("Escape")
    show(player, picture)
    player.visit("/offline")
    picture("offline")
    player.visit()
    picture("home-later")
    player.visit("/games")
    picture("my-games")


def guided_deal(player: Player, picture: Picture) -> None:
    """The first steps of the deal that teaches the game."""
    player.press("button[formaction='/learn']")
    path = player.arrive()
    for step in range(1, GUIDED + 1):
        player.page.wait_for_selector(".my-turn .hinted", timeout=LIVE)
        picture(f"lesson-{step}")
        player.press(player.page.locator(".hand.other.hinted .pick, .hand.own .card.hinted button").first)
        picture(f"lesson-{step}-chosen")
        right = player.page.locator("#sheet .chip.hinted input").first.get_attribute("value") or ""
        turn = player.board.turn
        assert player.post(f"{path}/move", move=right, turn=str(turn)) == 200
        player.wait_after(turn)


def around(player: Player, picture: Picture) -> None:
    """The pages around the table."""
    for path, name in (
        ("/new", "new-table"),
        ("/bring", "bring"),
        ("/rules?edition=french&players=4&variant=announced-plays", "rules"),
        ("/teammates", "teammates"),
        ("/teammates/convention", "how-it-thinks"),
        ("/teammates/hat", "how-another-thinks"),
        ("/offline", "offline"),
        ("/me", "devices"),
    ):
        player.visit(path)
        picture(name)
    player.visit("/new")
    player.press(".more > summary")
    picture("new-table-more")
    player.open_table(players=4, bots=1, edition="french")
    picture("lobby")


def table(player: Player, picture: Picture) -> None:
    """A game in the middle, and what opens there."""
    path = player.play_now(3)
    player.hurry(path, careful, until=in_the_middle)
    picture("table")
    clues = [choice for choice in player.board.legal if choice.touches]
    player.choose(max(clues, key=lambda choice: len(choice.touches)).move)
    picture("table-clue")
    player.choose("play 2")
    picture("table-card")
    player.press("#sheet [data-possibilities]")
    player.see("#sheet-dialog")
    picture("possibilities")
    player.page.keyboard.press("Escape")
    player.page.keyboard.press("Escape")
    player.page.keyboard.press("?")
    picture("help")
    player.page.keyboard.press("Escape")
    if player.touch:
        player.press(".tabs [data-panel=log]")
        picture("log")
    player.visit(f"{path}/rules")
    picture("rules-of-the-table")


def other_tables(player: Player, picture: Picture) -> None:
    """Fewer and more players, and a sixth colour."""
    for players, variants, name in (
        (2, (), "two-players"),
        (5, (), "five-players"),
        (5, ("multicolour-ten", "announced-plays"), "six-colours"),
    ):
        path = player.open_table(players=players, variants=variants, starter="1")
        player.start()
        player.hurry(path, careful, until=in_the_middle)
        picture(name)
        player.choose("play 1")
        picture(f"{name}-card")


def show(player: Player, picture: Picture) -> None:
    """The show at the end of a game, seen again; like every other picture, without motion."""
    player.page.emulate_media(reduced_motion="no-preference")
    player.press("[data-show]")
    player.see("#show")
    player.page.wait_for_timeout(2000)  # rockets have to rise first
    picture("show")
    player.page.emulate_media(reduced_motion="reduce")


@contextmanager
def visitor(browser: Browser, server: Server, size: tuple[int, int], theme: str) -> Iterator[Player]:
    """A person with this screen size who prefers dark or light; without motion, so that nothing covers anything else."""
    touch = size == PHONE
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="light" if theme == "light" else "dark",
        reduced_motion="reduce",
        has_touch=touch,
        is_mobile=touch,
        locale="en",
    )
    yield Player(context, server.address, touch)
    context.close()


def main(folder: Path) -> None:
    """Take every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server, browser = Server(Path(data)), launch(playwright)
        try:
            for theme in ("dark", "light"):
                for device, size in SIZES.items():
                    with visitor(browser, server, size, theme) as player:

                        def picture(name: str, player: Player = player, mark: str = f"{device}-{theme}") -> None:
                            whole = "at-table" not in (player.page.locator("body").get_attribute("class") or "")
                            player.page.screenshot(path=folder / f"{name}-{mark}.png", full_page=whole, animations="disabled")

                        take(player, picture)
        finally:
            browser.close()
            server.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
