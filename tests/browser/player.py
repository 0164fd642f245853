"""A person in front of a browser, who taps, clicks, types and reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import copy

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, expect

from tests.browser.strategy import READING, Board, careful

PHONE = (390, 844)
DESKTOP = (1366, 768)
LIVE = 15_000
"""Milliseconds to wait for the stream: far more than it takes, so that a busy machine fails nothing."""

BLOCKED = "Service Worker registration blocked by Playwright"

Act = Callable[[str], None]
Strategy = Callable[[Board], str]


class Player:
    """A person with a browser of their own; `allowed` lists the complaints of the page that a test provokes."""

    def __init__(self, context: BrowserContext, address: str, touch: bool = False, language: str = "en") -> None:
        self.context, self.address, self.touch, self.language = context, address, touch, language
        self.page = context.new_page()
        self.allowed: tuple[str, ...] = ()
        self.complaints: list[str] = []
        context.on("request", lambda request: self._check_address(request.url))
        context.on("weberror", lambda error: self.complaints.append(f"uncaught {error.error}"))
        context.on("console", self._hear)

    def _hear(self, line: ConsoleMessage) -> None:
        if line.type in ("error", "warning") and line.text != BLOCKED:
            self.complaints.append(line.text)

    def _check_address(self, url: str) -> None:
        if not url.startswith((f"{self.address}/", "data:", "blob:", "about:")):
            self.complaints.append(f"a request to {url}")

    @property
    def troubles(self) -> list[str]:
        """The page's complaints that no test provoked."""
        return [line for line in self.complaints if not any(re.search(pattern, line) for pattern in self.allowed)]

    # Pages.

    def visit(self, path: str = "/") -> None:
        """Go to an address of the server."""
        self.page.goto(path if path.startswith("http") else f"{self.address}{path}")

    def another_tab(self) -> Player:
        """A second page of the same person."""
        twin = copy(self)
        twin.page = self.context.new_page()
        return twin

    def press(self, target: str | Locator) -> None:
        """Tap or click, as the device has it."""
        spot = self.page.locator(target) if isinstance(target, str) else target
        if self.touch:
            spot.tap()
        else:
            spot.click()

    def call_oneself(self, name: str) -> None:
        """Set a name on the home page."""
        self.visit()
        self.page.locator("input[name=name]").fill(name)
        with self.page.expect_navigation():
            self.press(self.page.locator("form", has=self.page.locator("input[name=name]")).locator("button"))

    def play_now(self, players: int = 3) -> str:
        """A game with bots by the button on the home page; the table's path."""
        return self.follow("/play", players=str(players))

    def open_table(
        self,
        *,
        edition: str = "standard",
        variants: Sequence[str] = (),
        players: int = 2,
        bots: int | None = None,
        **choices: str,
    ) -> str:
        """The path of a new table from the form; `choices` are further answers by name. By default, bots take the other seats
        and the game begins at once, with this player."""
        answers = {**self._answers(edition, players, bots), "variant": " ".join(variants), "starter": "1", **choices}
        return self.follow("/new", **answers)

    def answer_questions(
        self, *, edition: str, variants: Sequence[str], players: int, bots: int | None = None, **choices: str
    ) -> str:
        """The same on the page, one answer after the other."""
        self.visit("/new")
        for name, value in self._answers(edition, players, bots).items():
            self.page.locator(f".new-table [name={name}][value='{value}']").check()
        self.press(".more > summary")
        for variant in variants:
            self.page.locator(f"[name=variant][value={variant}]").check()
        for name, value in {"starter": "1", **choices}.items():
            self.page.locator(f".more [name={name}][value='{value}']").check()
        self.press(".new-table .decide button")
        return self.arrive()

    def _answers(self, edition: str, players: int, bots: int | None) -> dict[str, str]:
        who = "bots" if bots is None else "some" if bots else "friends"
        return {"edition": edition, "players": str(players), "who": who} | ({"bots": str(bots)} if bots else {})

    def follow(self, path: str, **form: str) -> str:
        """Send a form without its page, and follow the redirect."""
        headers = {"origin": self.address, "accept-language": self.language}
        answer = self.context.request.post(f"{self.address}{path}", form=dict(form), headers=headers, max_redirects=0)
        assert answer.status == 303, answer.text()
        self.visit(answer.headers["location"])
        return self.arrive()

    def bring(self, text: str) -> str:
        """Import a game; the path of its replay."""
        headers = {"origin": self.address, "accept-language": self.language}
        answer = self.context.request.post(f"{self.address}/bring", form={"text": text}, headers=headers, max_redirects=0)
        assert answer.status == 303, answer.text()
        return answer.headers["location"]

    def arrive(self) -> str:
        """Wait until a table's page is live; its path."""
        self.page.wait_for_url(re.compile(r"/t/\w+$"))
        self.page.wait_for_load_state()
        return self.page.url.removeprefix(self.address)

    def sit_down(self, link: str, name: str) -> None:
        """Follow an invitation and take a seat."""
        self.visit(link)
        self.arrive()
        self.page.locator("#name").fill(name)
        self.press(self.page.locator("form", has=self.page.locator("#name")).locator("button"))
        expect(self.page.locator("#name")).to_have_count(0)

    def start(self) -> None:
        """Begin the game as the host of a full table, unless it has begun already."""
        self.page.wait_for_selector("#start, .board", timeout=LIVE)
        self.page.evaluate("document.getElementById('start')?.requestSubmit()")
        expect(self.page.locator(".board")).to_be_visible(timeout=LIVE)

    # Reading.

    @property
    def board(self) -> Board:
        """The table as the page shows it now."""
        return Board.read(self.page.evaluate(READING))

    @property
    def own_cards(self) -> list[str]:
        """The numbers of the player's own cards, from left to right."""
        cards = self.page.locator(".hand.own .card").all()
        return [card.get_attribute("data-number") or "" for card in cards]

    def see(self, selector: str) -> None:
        """Wait until something is on the page."""
        expect(self.page.locator(selector).first).to_be_visible(timeout=LIVE)

    def wait_for_turn(self) -> Board:
        """Wait until it is the player's turn or the game is over."""
        self.page.wait_for_selector("#table:is(.my-turn, .ended)", timeout=LIVE)
        return self.board

    def wait_after(self, turn: int) -> None:
        """Wait until a turn is over."""
        self.page.wait_for_selector(f".board:not([data-turn='{turn}'])", timeout=LIVE)

    # Moves.

    def choose(self, move: str) -> None:
        """Tap a teammate or a card, then the chip of the move."""
        kind, place = move.split()[:2]
        mark = f"clue-{int(place) - 1}" if kind == "clue" else ""
        about = f"[data-about='{mark}']" if mark else f".hand.own .card[data-slot='{int(place) - 1}'] button"
        if self.page.locator(about).get_attribute("aria-expanded") != "true":
            self.press(about)
        self.press(self.chip(move))

    def chip(self, move: str) -> Locator:
        """The chip of a move."""
        return self.page.locator(f"#sheet .chip:has(input[name=move][value='{move}'])")

    def act(self, move: str) -> None:
        """Tap, choose, confirm, and see it happen."""
        turn = self.board.turn
        self.choose(move)
        self.press("#sheet .confirm")
        self.wait_after(turn)

    def act_by_keys(self, move: str) -> None:
        """The same without touching the mouse."""
        turn, keys = self.board.turn, self.page.keyboard
        kind, place = move.split()[:2]
        if kind == "clue":
            pick = self.page.locator(f"[data-about='clue-{int(place) - 1}']")
            while pick.get_attribute("aria-expanded") != "true":
                keys.press("c")
        else:
            keys.press(place)
        keys.press(self.chip(move).locator("input").get_attribute("data-key") or "")
        keys.press("Enter")
        self.wait_after(turn)

    def play_to_the_end(self, strategy: Strategy = careful, act: Act | None = None) -> None:
        """Take every turn until the game is over."""
        while not (board := self.wait_for_turn()).ended:
            (act or self.act)(strategy(board))
        self.see(".result")

    def post(self, path: str, **form: str) -> int:
        """Send a change without the page, as the same person; the status."""
        headers = {"origin": self.address, "hx-request": "true"}
        return self.context.request.post(f"{self.address}{path}", form=dict(form), headers=headers).status

    def hurry(self, path: str, strategy: Strategy, *, until: Callable[[Board], bool]) -> None:
        """Take turns without the page's controls until the table stands as wanted."""
        while not (board := self.wait_for_turn()).ended and not until(board):
            assert self.post(f"{path}/move", move=strategy(board), turn=str(board.turn)) == 200
            self.wait_after(board.turn)


People = Callable[..., Player]
"""Makes a new person on each call."""


def two_at_a_table(people: People) -> tuple[Player, Player, str]:
    """Two people in a game that the first begins."""
    host, guest = people(DESKTOP), people(PHONE)
    path = host.open_table(players=2, bots=0)
    guest.sit_down(path, "Béa")
    host.start()
    guest.see(".board")
    return host, guest, path


def tab_to(player: Player, selector: str) -> None:
    """Press Tab until the focus is there."""
    spot = player.page.locator(selector).first
    for _ in range(60):
        player.page.keyboard.press("Tab")
        if spot.evaluate("node => node === document.activeElement"):
            return
    raise AssertionError(f"the tab key does not reach {selector}")
