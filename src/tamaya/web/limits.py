"""How often anybody may ask, and how many live pages they may have: people are counted before addresses."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import nlargest
from ipaddress import IPv6Address, ip_address

from tamaya.rules import IllegalError, say

SETTLING = 600
"""How many seconds somebody with a new cookie is a stranger. Cookies cost nothing, so that strangers behind one address are
counted together; waiting for cookies to settle costs time, and `Limits.NEWCOMERS` says how many do."""
NETWORK = 64
"""How many bits of an IPv6 address say whose it is; with the rest, one machine can have any number of addresses."""
LONGEST_ADDRESS = 64
MOST_COUNTED = 20_000
"""How many people and addresses are counted at a time for one limit."""


class TooOftenError(IllegalError):
    """Somebody who asks faster than people can."""

    def __init__(self) -> None:
        super().__init__("too_often", say("That was too fast; wait a moment and try again."))


def address_of(host: str) -> str:
    """What counts as one address: an IPv4 address, however it is written, or an IPv6 network."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:LONGEST_ADDRESS]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(int(address) >> NETWORK << NETWORK)}/{NETWORK}"


def is_settled(since: int, now: float) -> bool:
    """Whether somebody who came at that time is no stranger any more; a clock that was put back makes nobody one."""
    return since == 0 or (since > 0 and not 0 <= now - since < SETTLING)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. Somebody without a cookie is no `person`, only one of an `address`. Whoever has been known for a while, or has
    a seat at the table that it is about, is counted apart from strangers behind the same address."""

    person: str
    address: str
    settled: bool = False
    seated: bool = False

    @property
    def known(self) -> bool:
        """Whether this is no stranger."""
        return self.settled or self.seated

    @property
    def names(self) -> tuple[str, str]:
        """Under which names they are counted: their own, and that of their like behind the same address."""
        return f"person {self.person}", f"{'known' if self.known else 'strangers'} {self.address}"


@dataclass(frozen=True, eq=False)
class Limit:
    """So many times in so many seconds, for one person and for all behind an address; two limits of the same numbers are
    counted apart. Strangers share what their `address` has. Those who are known have as much together, and beyond that a
    `share` each, which nobody else can use up."""

    person: int
    address: int
    seconds: int = 0
    strangers: int = 0
    """What all strangers of an address have, where it is less."""

    @property
    def share(self) -> int:
        """What is left to each who is known, however many others there are."""
        return max(1, self.person // 10)

    def has_room(self, counts: Counter[str], caller: Caller, times: int) -> bool:
        """Whether somebody may so many times more."""
        name, group = caller.names
        own = times + (counts[name] if caller.person else 0)
        together = times + counts[group]
        if not caller.known:
            return own <= self.person and together <= (self.strangers or self.address)
        return own <= self.person and (together <= self.address or own <= self.share)


class Limits:
    """How often somebody may ask, counted in windows of fixed length, by each process for itself."""

    CHANGES = Limit(60, 600, 10)
    """Changes."""
    COSTLY = Limit(30, 150, 10)
    """Pages that take the server long: the form for a table, what cards can be."""
    DRAWINGS = Limit(20, 20, 10)
    """QR codes that have to be drawn."""
    OPENINGS = Limit(10, 30, 60)
    """New tables."""
    SESSIONS = Limit(30, 30, 60)
    """Sessions that begin, and personal links."""
    BROUGHT = Limit(200, 200, 600)
    """Games brought from elsewhere."""
    STEPS = Limit(400, 4000, 10)
    """Moments of replays: a slider that is dragged asks for many."""
    SEARCHES = Limit(6, 6, 60)
    """Games that the solver or the coach is set to work on."""
    TRIED = Limit(20, 60, 60)
    """Tried moves that the coach is set to weigh."""
    GUESSES = Limit(60, 60, 60)
    """Tables asked for that do not exist."""
    EXPORTS = Limit(3, 30, 60)
    """Files of all games of one person."""
    NEWCOMERS = Limit(60, 60, 3600)
    """New people whose cookies begin to settle; others begin when they come again later."""
    STREAMS = Limit(20, 500, strangers=50)
    """Live pages at the same time."""

    def __init__(
        self, active: bool, clock: Callable[[], float] = time.monotonic, most_spectators: Callable[[], int] | None = None
    ) -> None:
        self.active, self._clock = active, clock
        self._most_spectators = most_spectators or half_of_all_files
        self._windows: dict[Limit, tuple[float, Counter[str]]] = {}
        self._streams: Counter[str] = Counter()
        self._spectators = 0

    def check(self, limit: Limit, caller: Caller, times: int = 1) -> None:
        """Count this, or refuse it if it is too much, and count nothing: whoever has used up their own takes nobody else's."""
        self.check_only(limit, caller, times)
        self._count(limit, caller, times)

    def _count(self, limit: Limit, caller: Caller, times: int) -> None:
        counts = self._counts(limit)
        for name in caller.names if caller.person else caller.names[1:]:
            if name not in counts and len(counts) >= MOST_COUNTED:
                _forget_half(counts)
            counts[name] += times

    def check_only(self, limit: Limit, caller: Caller, times: int = 1) -> None:
        """Refuse somebody who has asked too much, without counting this."""
        if self.active and not limit.has_room(self._counts(limit), caller, times):
            raise TooOftenError

    def admits(self, limit: Limit, caller: Caller) -> bool:
        """Whether this is not too much; if so, it is counted."""
        try:
            self.check(limit, caller)
        except TooOftenError:
            return False
        return True

    def has_room(self, limit: Limit, caller: Caller) -> bool:
        """The same for what can wait, so that nobody has to be refused; it counts even where limits are off."""
        if not limit.has_room(self._counts(limit), caller, 1):
            return False
        self._count(limit, caller, 1)
        return True

    def check_stream(self, caller: Caller) -> None:
        """Refuse one more live page to somebody who has too many. Spectators leave room for those who play."""
        crowded = not caller.seated and self._spectators >= self._most_spectators()
        if self.active and (crowded or not self.STREAMS.has_room(self._streams, caller, 1)):
            raise TooOftenError

    @contextmanager
    def stream(self, caller: Caller) -> Iterator[None]:
        """Count a live page while it is open."""
        self.check_stream(caller)
        names = caller.names if caller.person else caller.names[1:]
        self._streams.update(names)
        self._spectators += not caller.seated
        try:
            yield
        finally:
            self._spectators -= not caller.seated
            self._streams.subtract(names)
            for name in names:
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
    most = nlargest(MOST_COUNTED // 2, counts.items(), key=lambda counted: counted[1])
    counts.clear()
    counts.update(dict(most))


def half_of_all_files() -> int:
    """How many spectators' pages may be live: each needs a file, of which this process may open so many, for all purposes."""
    if sys.platform == "win32":
        return sys.maxsize
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if files == resource.RLIM_INFINITY else files // 2
