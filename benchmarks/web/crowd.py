"""The simulated players: tables full of them, each with a live page, each moving when the page says that it is their turn."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field

from benchmarks.web.wire import RESPONSE_TIMEOUT, LivePage, Wire, WireResponse

DOUBLE_POST_EVERY = 10
"""Every this many moves, one is posted twice at once, as by a double click."""
OK, CONFLICT = 200, 409
PREFERRED_KINDS = ("clue", "discard", "play")
"""Kinds of moves in order of preference, so that games last: three random plays would end one."""


@dataclass
class CrowdTally:
    """Counts over all tables."""

    waits: list[float] = field(default_factory=list)
    """Seconds from a move to each of the screens that show it."""
    moves: int = 0
    late: int = 0
    repeats: int = 0
    lost: int = 0
    doubled: int = 0
    failed: int = 0
    drawings: int = 0
    bytes: int = 0
    accepted: Counter[str] = field(default_factory=Counter)
    """The number of moves that the server has confirmed, by table."""

    def leave(self, page: LivePage) -> None:
        """Add a page's counts, and close it."""
        self.lost += page.skipped
        self.drawings += page.drawings
        self.bytes += page.bytes
        page.close()


class BrokenError(Exception):
    """The server failed in a way that ends a table."""


class TableGroup:
    """The players of one table, who start a rematch when a game ends."""

    def __init__(self, wire: Wire, cookies: list[str], tally: CrowdTally, chance: random.Random) -> None:
        self._wire, self._cookies, self._tally, self._chance = wire, cookies, tally, chance
        self._code = ""
        self._pages: list[LivePage] = []
        self._awaited = -1
        self._seen: asyncio.Future[None] | None = None

    async def sit_down(self) -> None:
        """Open a table, sit down and start."""
        answer = await self._post("/new", 0, players=str(len(self._cookies)))
        self._code = _code_of_table(answer)
        for place in range(1, len(self._cookies)):
            await self._post(f"/t/{self._code}/sit", place, seat=str(place))
        await self._post(f"/t/{self._code}/start", 0, first="0")

    async def _post(self, path: str, place: int, **fields: str) -> WireResponse:
        answer = await self._send(path, place, **fields)
        if answer.status != OK:
            raise BrokenError(f"POST {path} was answered with {answer.status}")
        return answer

    async def _send(self, path: str, place: int, **fields: str) -> WireResponse:
        """Post with a player's cookie and store the cookie of the response, as browsers do: it identifies their session."""
        answer = await self._wire.post(path, self._cookies[place], **fields)
        if cookie := answer.header("set-cookie").partition(";")[0].partition("=")[2]:
            self._cookies[place] = cookie
        return answer

    async def open_pages(self) -> None:
        """Open every player's page and wait until each shows the board."""
        path = f"/t/{self._code}/stream"
        self._awaited = 0
        self._seen = asyncio.get_running_loop().create_future()
        self._pages = [await self._wire.watch(path, cookie, self._note_drawing) for cookie in self._cookies]
        self._note_drawing(self._pages[0])
        await asyncio.wait_for(self._seen, 6 * RESPONSE_TIMEOUT)

    def _note_drawing(self, _: LivePage) -> None:
        complete = len(self._pages) == len(self._cookies) and all(page.turn >= self._awaited for page in self._pages)
        if complete and self._seen and not self._seen.done():
            self._seen.set_result(None)

    @property
    def drawings(self) -> int:
        """The number of updates that the pages have received."""
        return sum(page.drawings for page in self._pages)

    @property
    def connections(self) -> list[tuple[int, int]]:
        """The ports at both ends of the pages' connections, the server's first, by which a connection's process is found."""
        return [page.ports for page in self._pages]

    async def play(self, begin: float, end: float, every: float) -> None:
        """Move every `every` seconds, as far as the screens keep up."""
        due = begin + self._chance.random() * every
        try:
            while due < end:
                await asyncio.sleep(due - time.perf_counter())
                await self._move()
                due += every
                self._tally.late += time.perf_counter() > due
                due = max(due, time.perf_counter())
        except (BrokenError, OSError, TimeoutError):
            self._tally.failed += 1

    async def _move(self) -> None:
        place = next((place for place, page in enumerate(self._pages) if page.active), None)
        if place is None:
            await self._rematch()
            return
        tally, turn, code = self._tally, self._pages[place].turn, self._code
        tally.moves += 1
        repeated = tally.moves % DOUBLE_POST_EVERY == 0
        move = self._choose(self._pages[place].moves())
        self._awaited, self._seen = turn + 1, asyncio.get_running_loop().create_future()
        begin = time.perf_counter()
        posts = [
            asyncio.ensure_future(self._send(f"/t/{code}/move", place, move=move, turn=str(turn))) for _ in range(1 + repeated)
        ]
        await asyncio.wait([self._seen], timeout=RESPONSE_TIMEOUT)
        answers = await asyncio.gather(*posts)
        self._count(turn, begin, [answer.status for answer in answers])

    def _count(self, turn: int, begin: float, statuses: list[int]) -> None:
        tally, accepted = self._tally, statuses.count(OK)
        tally.repeats += len(statuses) - 1
        tally.accepted[self._code] += accepted
        tally.doubled += max(accepted - 1, 0)
        tally.failed += sum(status not in (OK, CONFLICT) for status in statuses) + (not accepted)
        shown = [page.shown - begin for page in self._pages if page.turn > turn]
        tally.waits += shown
        tally.lost += len(self._pages) - len(shown)
        if len(shown) < len(self._pages):
            raise BrokenError("a drawing is lost")

    def _choose(self, moves: list[str]) -> str:
        for kind in PREFERRED_KINDS:
            if fitting := [move for move in moves if move.startswith(kind)]:
                return self._chance.choice(fitting)
        raise BrokenError("a page offers no move")

    async def _rematch(self) -> None:
        answer = await self._post(f"/t/{self._code}/rematch", 0)
        self.leave()
        self._code = _code_of_table(answer)
        await self._post(f"/t/{self._code}/start", 0)
        await self.open_pages()

    def leave(self) -> None:
        """Close every page."""
        for page in self._pages:
            self._tally.leave(page)
        self._pages = []


def _code_of_table(answer: WireResponse) -> str:
    code = answer.header("hx-redirect").rpartition("/")[2]
    if not code:
        raise BrokenError("the response redirects to no table")
    return code
