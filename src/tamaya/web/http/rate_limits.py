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
"""How many seconds somebody with a new cookie is a stranger. Cookies cost nothing, so that strangers behind one address are
counted together; waiting for cookies to settle costs time, and `Limits.NEWCOMERS` says how many do."""
MAX_SHARES = 5
"""So many times what an address has is the most that the shares of all its people can add up to: cookies can be gathered."""
MAX_COUNTERS = 20_000
"""How many people and addresses are counted at a time for one limit."""


class TooOftenError(IllegalError):
    """Somebody who asks faster than people can."""

    def __init__(self) -> None:
        super().__init__("too_often", say("That was too fast; wait a moment and try again."))


def is_settled(since: int, now: float) -> bool:
    """Whether somebody who came at that time is no stranger any more; a clock that was put back makes nobody one."""
    return since == 0 or (since > 0 and not 0 <= now - since < SETTLING_SECONDS)


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks. Somebody without a cookie is no `person`, only one of an `address`. Whoever has been known for a while, or has
    a seat at the table that it is about, is counted apart from strangers behind the same address."""

    person: str
    address: str
    is_settled: bool = False
    is_seated: bool = False

    @property
    def is_known(self) -> bool:
        """Whether this is no stranger."""
        return self.is_settled or self.is_seated

    @property
    def keys(self) -> tuple[str, str]:
        """Under which names they are counted: their own, and that of their like behind the same address."""
        like = "settled" if self.is_settled else "seated" if self.is_seated else "strangers"
        return f"person {self.person}", f"{like} {self.address}"


@dataclass(frozen=True, eq=False)
class Limit:
    """So many times in so many seconds, for one person and for all behind an address; two limits of the same numbers are
    counted apart. Strangers share what their `address` has. Those who are known have as much together, and beyond that a
    `share` each, until all of them have had `SHARES` times as much. Those who are known for their seat alone are counted apart
    from those who have been known for a while: anybody can have a seat at a table of their own."""

    person: int
    address: int
    seconds: int = 0
    strangers: int = 0
    """What all strangers of an address have, where it is less."""

    @property
    def share(self) -> int:
        """What is left to each who is known, however many others there are."""
        return max(1, self.person // 10)

    def allows(self, counts: Counter[str], caller: Client, times: int) -> bool:
        """Whether somebody may so many times more."""
        name, group = caller.keys
        own = times + (counts[name] if caller.person else 0)
        together = times + counts[group]
        if not caller.is_known:
            return own <= self.person and together <= (self.strangers or self.address)
        return own <= self.person and (
            together <= self.address or (own <= self.share and together <= MAX_SHARES * self.address)
        )

    def allows_visitor(self, counts: Counter[str], caller: Client) -> bool:
        """Whether somebody may once more, whatever others of their address have done."""
        return not caller.person or counts[caller.keys[0]] < self.person


class RateLimiter:
    """How often somebody may ask, counted in windows of fixed length, by each process for itself."""

    CHANGES = Limit(60, 600, 10)
    """Changes."""
    EXPENSIVE = Limit(30, 150, 10)
    """Pages that take the server long: the form for a table, what cards can be."""
    QR_CODES = Limit(20, 20, 10)
    """QR codes that have to be drawn."""
    NEW_TABLES = Limit(10, 30, 60)
    """New tables."""
    FIRST_TABLES = Limit(10, 100, 60)
    """New tables of people who have opened none within the hour, so that those who open many leave some to them."""
    OPENED_TABLE = Limit(1, 0, 3600)
    """Who has opened a table."""
    SESSIONS = Limit(30, 30, 60)
    """Sessions that begin, and personal links."""
    IMPORTS = Limit(200, 200, 600)
    """Games brought from elsewhere."""
    REPLAY_STEPS = Limit(400, 4000, 10)
    """Moments of replays: a slider that is dragged asks for many."""
    SEARCHES = Limit(6, 6, 60)
    """Games that the solver or the coach is set to work on."""
    TRIED_MOVES = Limit(20, 60, 60)
    """Tried moves that the coach is set to weigh."""
    UNKNOWN_CODES = Limit(60, 6000, 60)
    """Tables asked for that do not exist: of so many codes, that is nothing."""
    EXPORTS = Limit(3, 30, 60)
    """Files of all games of one person."""
    RETURNING_VISITORS = Limit(60, 60, 3600)
    """New people who have come again and whose cookies begin to settle; others begin later."""
    STREAMS = Limit(20, 500, strangers=50)
    """Live pages at the same time."""

    def __init__(
        self, active: bool, clock: Callable[[], float] = time.monotonic, max_files: Callable[[], int] | None = None
    ) -> None:
        self.active, self._clock = active, clock
        self._max_files = max_files or open_file_limit
        self._windows: dict[Limit, tuple[float, Counter[str]]] = {}
        self._streams: Counter[str] = Counter()
        self._spectators = 0

    def check(self, limit: Limit, caller: Client, times: int = 1) -> None:
        """Count this, or refuse it if it is too much, and count nothing: whoever has used up their own takes nobody else's."""
        self.check_only(limit, caller, times)
        self._count(limit, caller.keys if caller.person else caller.keys[1:], times)

    def _count(self, limit: Limit, names: Sequence[str], times: int = 1) -> None:
        counts = self._counts(limit)
        for name in names:
            if name not in counts and len(counts) >= MAX_COUNTERS:
                _forget_half(counts)
            counts[name] += times

    def check_only(self, limit: Limit, caller: Client, times: int = 1) -> None:
        """Refuse somebody who has asked too much, without counting this."""
        if self.active and not limit.allows(self._counts(limit), caller, times):
            raise TooOftenError

    def check_own(self, limit: Limit, caller: Client) -> None:
        """Refuse somebody who has asked too much themselves, without counting this; nobody is refused for what others did."""
        if self.active and not limit.allows_visitor(self._counts(limit), caller):
            raise TooOftenError

    def check_new_table(self, caller: Client) -> None:
        """Count a new table, or refuse it. Those who open many leave room to whoever opens their first within the hour."""
        own = caller.keys[:1] if caller.person else ()
        first = self.OPENED_TABLE.allows_visitor(self._counts(self.OPENED_TABLE), caller) and bool(own)
        if first and self.try_acquire(self.FIRST_TABLES, caller):
            self._count(self.NEW_TABLES, own)
        else:
            self.check(self.NEW_TABLES, caller)
        self._count(self.OPENED_TABLE, own)

    def try_acquire(self, limit: Limit, caller: Client, always: bool = False) -> bool:
        """Whether this is not too much; if so, it is counted. What can wait, so that nobody has to be refused, is bounded
        `always`, even where limits are off."""
        if (self.active or always) and not limit.allows(self._counts(limit), caller, 1):
            return False
        self._count(limit, caller.keys if caller.person else caller.keys[1:])
        return True

    def check_stream(self, caller: Client) -> None:
        """Refuse one more live page to somebody who has too many. Spectators leave room for those who play, and all people of
        an address for those of others, however many seats and cookies they have."""
        files = self._max_files()
        crowded = not caller.is_seated and self._spectators >= files // 2
        greedy = self._streams[f"all {caller.address}"] >= files // 4
        if self.active and (crowded or greedy or not self.STREAMS.allows(self._streams, caller, 1)):
            raise TooOftenError

    @contextmanager
    def stream(self, caller: Client) -> Iterator[Callable[[Client], None]]:
        """Count a live page while it is open. Whoever sits down or stands up meanwhile is counted anew by what this yields."""
        self.check_stream(caller)
        self._count_stream(caller, 1)

        def recount(now: Client) -> None:
            nonlocal caller
            if now == caller:
                return
            self._count_stream(caller, -1)
            try:
                self.check_stream(now)
                caller = now
            finally:
                self._count_stream(caller, 1)

        try:
            yield recount
        finally:
            self._count_stream(caller, -1)

    def _count_stream(self, caller: Client, pages: int) -> None:
        self._spectators += pages * (not caller.is_seated)
        for name in (*(caller.keys if caller.person else caller.keys[1:]), f"all {caller.address}"):
            self._streams[name] += pages
            if self._streams[name] <= 0:
                del self._streams[name]

    def _counts(self, limit: Limit) -> Counter[str]:
        """How often everybody asked in the window that is open now."""
        now = self._clock()
        start, counts = self._windows.get(limit, (0.0, Counter[str]()))
        if not start <= now < start + limit.seconds:
            start, counts = now, Counter()
        self._windows[limit] = start, counts
        return counts


def _forget_half(counts: Counter[str]) -> None:
    """Make room for others by forgetting those who asked least."""
    most = nlargest(MAX_COUNTERS // 2, counts.items(), key=lambda counted: counted[1])
    counts.clear()
    counts.update(dict(most))


def open_file_limit() -> int:
    """How many files this process may open, for all purposes; each live page needs one."""
    if sys.platform == "win32":
        return sys.maxsize
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if files == resource.RLIM_INFINITY else files
