"""Rate limits by visitor and by network address, and the limit of live streams."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import nlargest

from tamaya.rules import IllegalError, say

SETTLING_SECONDS = 600
"""How long a visitor with a new cookie counts as a stranger. Cookies are free, so strangers behind one address share a counter;
settling takes time, and `RateLimiter.RETURNING_VISITORS` limits how many cookies of an address do."""
MAX_SHARES = 5
"""The limit on the sum of all shares, as a multiple of an address's limit, since cookies can be collected."""
MAX_COUNTERS = 20_000
"""The number of counters per limit."""


class TooOftenError(IllegalError):
    """A visitor has exceeded a rate limit."""

    def __init__(self) -> None:
        super().__init__("too_often", say("That was too fast; wait a moment and try again."))


def is_settled(since: int, now: float) -> bool:
    """Whether a visitor who first returned at `since` no longer counts as a stranger, even if the clock was set back."""
    return since == 0 or (since > 0 and not 0 <= now - since < SETTLING_SECONDS)


@dataclass(frozen=True, slots=True)
class Client:
    """The client of a request, as limits count it.

    A visitor without a cookie has no `person`, only an `address`. Visitors whose cookie has settled, or who have a seat at the
    table in question, are counted apart from strangers behind the same address.
    """

    person: str
    address: str
    is_settled: bool = False
    is_seated: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the client is not a stranger."""
        return self.is_settled or self.is_seated

    @property
    def keys(self) -> tuple[str, str]:
        """The keys of the client's counters: their own, and that of similar clients behind the same address."""
        like = "settled" if self.is_settled else "seated" if self.is_seated else "strangers"
        return f"person {self.person}", f"{like} {self.address}"


@dataclass(frozen=True, eq=False)
class Limit:
    """A number of requests per `seconds` for one person and for one address.

    Strangers behind an address share its limit. Known clients share a limit of the same size, and beyond it have a `share`
    each, up to `MAX_SHARES` times the limit. Clients known only by their seat are counted apart from settled ones: everyone can
    take a seat at a table of their own. Limits are compared by identity.
    """

    person: int
    address: int
    seconds: int = 0
    strangers: int = 0
    """The limit for all strangers behind an address, if lower than `address`."""

    @property
    def share(self) -> int:
        """The minimum for each known client, however many others there are."""
        return max(1, self.person // 10)

    def allows(self, counts: Counter[str], client: Client, times: int) -> bool:
        """Whether the client may make N more requests."""
        name, group = client.keys
        own = times + (counts[name] if client.person else 0)
        together = times + counts[group]
        if not client.is_known:
            return own <= self.person and together <= (self.strangers or self.address)
        return own <= self.person and (
            together <= self.address or (own <= self.share and together <= MAX_SHARES * self.address)
        )

    def allows_visitor(self, counts: Counter[str], client: Client) -> bool:
        """Whether the client may make another request, regardless of others behind the same address."""
        return not client.person or counts[client.keys[0]] < self.person


class RateLimiter:
    """Counts requests in fixed windows, per process."""

    CHANGES = Limit(60, 600, 10)
    EXPENSIVE = Limit(30, 150, 10)
    """Pages that are expensive to render: the form for a new table, the possibilities of cards."""
    QR_CODES = Limit(20, 20, 10)
    """QR codes that are not in the cache."""
    NEW_TABLES = Limit(10, 30, 60)
    FIRST_TABLES = Limit(10, 100, 60)
    """New tables of visitors who opened none within the hour, so that visitors who open many do not block others."""
    OPENED_TABLE = Limit(1, 0, 3600)
    """Marks visitors who have opened a table."""
    SESSIONS = Limit(30, 30, 60)
    """New sessions and personal links."""
    IMPORTS = Limit(200, 200, 600)
    """Imported games."""
    REPLAY_STEPS = Limit(400, 4000, 10)
    """Turns of replays; dragging the slider requests many."""
    SEARCHES = Limit(6, 6, 60)
    """Games submitted to the solver or the coach."""
    TRIED_MOVES = Limit(20, 60, 60)
    """Alternative actions submitted to the coach."""
    UNKNOWN_CODES = Limit(60, 6000, 60)
    """Requests for tables that do not exist; far too few to guess a code."""
    EXPORTS = Limit(3, 30, 60)
    """Downloads of all games of a player."""
    RETURNING_VISITORS = Limit(60, 60, 3600)
    """New visitors whose cookies begin to settle on their return; beyond the limit they begin later."""
    STREAMS = Limit(20, 500, strangers=50)
    """Concurrent live pages."""

    def __init__(
        self, active: bool, clock: Callable[[], float] = time.monotonic, max_files: Callable[[], int] | None = None
    ) -> None:
        self.active, self._clock = active, clock
        self._max_files = max_files or open_file_limit
        self._windows: dict[Limit, tuple[float, Counter[str]]] = {}
        self._streams: Counter[str] = Counter()
        self._spectators = 0

    def check(self, limit: Limit, client: Client, times: int = 1) -> None:
        """Count N requests, or raise `TooOftenError` and count nothing."""
        self.check_only(limit, client, times)
        self._count(limit, client.keys if client.person else client.keys[1:], times)

    def _count(self, limit: Limit, names: Sequence[str], times: int = 1) -> None:
        counts = self._counts(limit)
        for name in names:
            if name not in counts and len(counts) >= MAX_COUNTERS:
                _forget_half(counts)
            counts[name] += times

    def check_only(self, limit: Limit, client: Client, times: int = 1) -> None:
        """Raise `TooOftenError` if N more requests would exceed the limit, without counting them."""
        if self.active and not limit.allows(self._counts(limit), client, times):
            raise TooOftenError

    def check_own(self, limit: Limit, client: Client) -> None:
        """The same for the client's own counter only, so that no client is refused because of others."""
        if self.active and not limit.allows_visitor(self._counts(limit), client):
            raise TooOftenError

    def check_new_table(self, client: Client) -> None:
        """Count a new table, or raise `TooOftenError`; a visitor's first table within the hour has a limit of its own."""
        own = client.keys[:1] if client.person else ()
        first = self.OPENED_TABLE.allows_visitor(self._counts(self.OPENED_TABLE), client) and bool(own)
        if first and self.try_acquire(self.FIRST_TABLES, client):
            self._count(self.NEW_TABLES, own)
        else:
            self.check(self.NEW_TABLES, client)
        self._count(self.OPENED_TABLE, own)

    def try_acquire(self, limit: Limit, client: Client, always: bool = False) -> bool:
        """Count a request and return True, or return False; `always` applies the limit even if limits are off."""
        if (self.active or always) and not limit.allows(self._counts(limit), client, 1):
            return False
        self._count(limit, client.keys if client.person else client.keys[1:])
        return True

    def check_stream(self, client: Client) -> None:
        """Raise `TooOftenError` if the client has too many live pages.

        Spectators may use half of the process's file descriptors, and one address a quarter, whatever seats and cookies it has.
        """
        files = self._max_files()
        crowded = not client.is_seated and self._spectators >= files // 2
        greedy = self._streams[f"all {client.address}"] >= files // 4
        if self.active and (crowded or greedy or not self.STREAMS.allows(self._streams, client, 1)):
            raise TooOftenError

    @contextmanager
    def stream(self, client: Client) -> Iterator[Callable[[Client], None]]:
        """Count a live page while it is open; the yielded function recounts a client who takes or leaves a seat."""
        self.check_stream(client)
        self._count_stream(client, 1)

        def recount(now: Client) -> None:
            nonlocal client
            if now == client:
                return
            self._count_stream(client, -1)
            try:
                self.check_stream(now)
                client = now
            finally:
                self._count_stream(client, 1)

        try:
            yield recount
        finally:
            self._count_stream(client, -1)

    def _count_stream(self, client: Client, pages: int) -> None:
        self._spectators += pages * (not client.is_seated)
        for name in (*(client.keys if client.person else client.keys[1:]), f"all {client.address}"):
            self._streams[name] += pages
            if self._streams[name] <= 0:
                del self._streams[name]

    def _counts(self, limit: Limit) -> Counter[str]:
        """The counters of the current window."""
        now = self._clock()
        start, counts = self._windows.get(limit, (0.0, Counter[str]()))
        if not start <= now < start + limit.seconds:
            start, counts = now, Counter()
        self._windows[limit] = start, counts
        return counts


def _forget_half(counts: Counter[str]) -> None:
    """Drop the lower half of the counters."""
    most = nlargest(MAX_COUNTERS // 2, counts.items(), key=lambda counted: counted[1])
    counts.clear()
    counts.update(dict(most))


def open_file_limit() -> int:
    """The number of files this process may open; each live page needs one."""
    if sys.platform == "win32":
        return sys.maxsize
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if files == resource.RLIM_INFINITY else files
