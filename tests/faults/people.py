"""Simulated players with live pages, who move as soon as a page asks them to, notice when the server is gone, and reconnect."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.faults.board import BoardPage, OwnHand, read_board
from tests.faults.wire import HERE, LostError, Response, Wire

OK, TAKEN, TOO_OFTEN, FAILED, UNAVAILABLE = 200, 409, 429, 500, 503
DOUBLE_CLICK_EVERY = 7
"""Every Nth move is posted twice at once, as by a double click."""
KINDS = ("clue", "discard", "play")
"""The kinds of moves in order of preference, so that games last: three random plays would end one."""
STUCK_AFTER = 90.0
"""Seconds without progress after which a table counts as stuck."""
RETRY_DELAY = 0.1
"""Seconds before a retry."""


@dataclass
class Ledger:
    """What all players together were shown and confirmed, and which of their requests got no response."""

    confirmed: dict[tuple[str, int], list[str]] = field(default_factory=lambda: defaultdict(list))
    """The confirmed moves, by table and turn."""
    unanswered: dict[tuple[str, int], list[str]] = field(default_factory=lambda: defaultdict(list))
    """The moves without a response, by table and turn."""
    hands: dict[tuple[str, int], set[tuple[str, OwnHand]]] = field(default_factory=lambda: defaultdict(set))
    """The hands that players were shown, by table and turn."""
    statuses: Counter[int] = field(default_factory=Counter)
    codes: list[str] = field(default_factory=list)
    boards: int = 0
    lost: int = 0

    @property
    def moves(self) -> int:
        """The number of confirmed moves."""
        return sum(map(len, self.confirmed.values()))

    def __str__(self) -> str:
        responses = ", ".join(f"{times} x {status}" for status, times in sorted(self.statuses.items()))
        return (
            f"{self.moves} moves confirmed at {len(self.codes)} tables, {self.boards} boards, "
            f"{self.lost} responses lost ({responses})"
        )


class Player:
    """A player at a table with an open page."""

    def __init__(self, name: str, wire: Wire, ledger: Ledger, notice: Callable[[], None]) -> None:
        self.name, self.wire, self._ledger, self._notice = name, wire, ledger, notice
        self.board: BoardPage | None = None
        self.code = ""

    async def request(self, method: str, path: str, **fields: object) -> Response:
        """Send a request, count its status, and record the board in the response."""
        try:
            response = await self.wire.request(method, path, fields)
        except LostError:
            self._ledger.lost += 1
            raise
        self._ledger.statuses[response.status] += 1
        if response.status == OK and f"/t/{self.code}" in path:
            self._record(response.body)
        return response

    async def watch(self) -> None:
        """Keep the page's stream open, and reopen it when it is lost."""
        while True:
            async for message in self.wire.listen(f"/t/{self.code}/stream"):
                self._record(message)
            await asyncio.sleep(RETRY_DELAY)

    def _record(self, text: str) -> None:
        board = read_board(text)
        if board is None:
            return
        self._ledger.boards += 1
        if board.own:
            self._ledger.hands[self.code, board.turn].add((self.name, board.own))
        if self.board is None or board.turn >= self.board.turn:
            self.board = board
            self._notice()


class Group:
    """The players of one table, who go on with a rematch when a game ends."""

    def __init__(self, number: int, players: int, port: int, ledger: Ledger, seed: int, pause: float, source: str) -> None:
        self._ledger, self._chance, self._pause = ledger, random.Random(f"{seed} {number}"), pause
        self._news = asyncio.Event()
        names = (f"P{number}-{place}" for place in range(players))
        self._players = [Player(name, Wire(port, source), ledger, self._news.set) for name in names]
        self._pages: list[asyncio.Task[None]] = []
        self._code = ""
        self.moves = 0

    async def sit_down(self) -> None:
        """Create a table, sit down and start, before any fault."""
        host, *others = self._players
        for player in self._players:
            await player.wire.get_cookie()
        response = await host.request("POST", "/new", players=len(self._players), edition="standard", memory="ruled-out")
        self._go_to(_code_of_table(response))
        await self._must(host, "rename", name=host.name)
        for place, player in enumerate(others, 1):
            await self._must(player, "sit", seat=place, name=player.name)
        await self._must(host, "start", first=0)
        self._open_pages()

    async def _must(self, player: Player, command: str, **fields: object) -> None:
        response = await player.request("POST", f"/t/{self._code}/{command}", **fields)
        assert response.status == OK, f"{command} was refused with {response.status}: {response.body[:300]}"

    def _go_to(self, code: str) -> None:
        self._code = code
        self._ledger.codes.append(code)
        for player in self._players:
            player.code, player.board = code, None

    def _open_pages(self) -> None:
        self._pages = [asyncio.create_task(player.watch()) for player in self._players]

    async def leave(self) -> None:
        """Close every page."""
        for page in self._pages:
            page.cancel()
        await asyncio.gather(*self._pages, return_exceptions=True)
        self._pages = []

    async def play(self) -> None:
        """Move forever, as fast as the pages show it or, with a pause, as people do."""
        while True:
            try:
                async with asyncio.timeout(STUCK_AFTER):
                    await self._go_on()
            except TimeoutError:
                raise AssertionError(f"table {self._code} has been stuck for {STUCK_AFTER:g} s at {self._shown()}") from None

    def _shown(self) -> str:
        return ", ".join(f"turn {player.board.turn}" if player.board else "nothing" for player in self._players)

    async def _go_on(self) -> None:
        """Wait until the table's turn has advanced, by whichever request."""
        while True:
            self._news.clear()
            boards = [player.board for player in self._players]
            if any(board and board.ended for board in boards):
                await self._rematch()
                return
            newest = max((board.turn for board in boards if board), default=-1)
            asked = (player for player in self._players if player.board and player.board.active)
            player = next((player for player in asked if player.board and player.board.turn == newest), None)
            if player is None:
                await self._news.wait()
            elif player.board and await self._move(player, player.board):
                return

    async def _move(self, player: Player, board: BoardPage) -> bool:
        """Try to move; whether the move was confirmed and is on every page."""
        await asyncio.sleep(self._pause)
        move, twice = self._choose(board.moves), self._chance.randrange(DOUBLE_CLICK_EVERY) == 0
        posts = [self._post(player, board.turn, move) for _ in range(1 + twice)]
        statuses = await asyncio.gather(*posts)
        if OK in statuses:
            self.moves += 1
            await self._wait_for_pages(board.turn + 1)
            return True
        await asyncio.sleep(10 * RETRY_DELAY if TOO_OFTEN in statuses else RETRY_DELAY)
        await self._reload(player)
        return False

    def _choose(self, moves: tuple[str, ...]) -> str:
        for kind in KINDS:
            if fitting := [move for move in moves if move.startswith(kind)]:
                return self._chance.choice(fitting)
        raise AssertionError(f"the page of table {self._code} offers no move")

    async def _post(self, player: Player, turn: int, move: str) -> int:
        ledger, key = self._ledger, (self._code, turn)
        ledger.unanswered[key].append(move)
        try:
            status = (await player.request("POST", f"/t/{self._code}/move", move=move, turn=turn, line=0)).status
        except LostError:
            return 0
        if status < FAILED:
            ledger.unanswered[key].remove(move)
        if status == OK:
            ledger.confirmed[key].append(move)
        return status

    async def _reload(self, player: Player) -> None:
        try:
            await player.request("GET", f"/t/{self._code}")
        except LostError:
            await asyncio.sleep(RETRY_DELAY)

    async def _wait_for_pages(self, turn: int) -> None:
        """Wait until every page shows a turn, without a request for it."""
        while not all(player.board and player.board.turn >= turn for player in self._players):
            self._news.clear()
            await self._news.wait()

    async def _rematch(self) -> None:
        """Go on with a rematch; lost requests are repeated, which must lead to the same table."""
        host = self._players[0]
        response = await self._retry(host, f"/t/{self._code}/rematch")
        await self.leave()
        self._go_to(_code_of_table(response))
        await self._retry(host, f"/t/{self._code}/start")
        self._open_pages()

    async def _retry(self, player: Player, path: str) -> Response:
        """Repeat a request until it has a response; a repeated one may report that it was done already."""
        while True:
            try:
                response = await player.request("POST", path)
                if response.status in (OK, TAKEN):
                    return response
            except LostError:
                pass
            await asyncio.sleep(RETRY_DELAY)


class Crowd:
    """All tables and their ledger."""

    def __init__(self, ledger: Ledger, groups: list[Group]) -> None:
        self.ledger, self._groups = ledger, groups
        self._playing: list[asyncio.Task[None]] = []

    async def sit_down(self) -> None:
        """Sit down at every table and start to play."""
        for group in self._groups:
            await group.sit_down()
        self._playing = [asyncio.create_task(group.play()) for group in self._groups]

    async def play_on(self, moves: int = 1) -> None:
        """Wait until every table has advanced by this many moves."""
        goals = [group.moves + moves for group in self._groups]
        while any(group.moves < goal for group, goal in zip(self._groups, goals, strict=True)):
            await self.check()
            await asyncio.sleep(0.02)

    async def play_for(self, seconds: float) -> None:
        """Play for some seconds, whatever the result."""
        await asyncio.wait(self._playing, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        await self.check()

    async def check(self) -> None:
        """Fail if a table is stuck."""
        for task in self._playing:
            if task.done():
                await task

    async def leave(self) -> None:
        """Stop at once, and close every page."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        for group in self._groups:
            await group.leave()


@asynccontextmanager
async def crowd(port: int, tables: int, seed: int, *, pause: float = 0.0, apart: bool = False) -> AsyncIterator[Crowd]:
    """Tables of two to five people, who play at full speed until the end of the block; with `apart`, each table has its own
    network address."""
    ledger = Ledger()
    sources = [f"127.0.1.{number + 1}" if apart else HERE for number in range(tables)]
    groups = [Group(number, 2 + number % 4, port, ledger, seed, pause, source) for number, source in enumerate(sources)]
    people = Crowd(ledger, groups)
    await people.sit_down()
    try:
        yield people
    finally:
        await people.leave()


def _code_of_table(response: Response) -> str:
    """The table in a redirect."""
    code = response.header("hx-redirect").rpartition("/")[2]
    assert code, f"no redirect to a table: {response.status} {response.body[:300]}"
    return code
