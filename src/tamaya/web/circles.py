"""Circles of people who look at a game together: who leads, where to, and who is there.

Who leads is a matter of who is there, and is kept where that is, in this process: it is no part of the game, whose log it would
make longer and newer with every look. After a restart the leader's page takes the lead again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from tamaya.rules import IllegalError, MalformedError, say
from tamaya.web.limits import Caller
from tamaya.web.presence import Presence

ARRIVING = 30.0
"""How many seconds somebody who takes the lead has until their page is open."""
NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody in a circle: the number by which others choose them, and what they are called."""

    number: int
    name: str


@dataclass
class Circle:
    """People who look at the game of a table. `shown` is what the leader shows, as the query of an address."""

    leader: str = ""
    shown: str = ""
    since: float = NEVER
    known: dict[str, Companion] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))


class Circles:
    """All circles, each for as long as somebody is in it."""

    def __init__(self, presence: Presence, clock: Callable[[], float] = time.monotonic) -> None:
        self._presence, self._clock = presence, clock
        self._circles: dict[str, Circle] = {}

    @staticmethod
    def channel(code: str) -> str:
        """Where the bus has news of a circle."""
        return f"{code} together"

    @contextmanager
    def page_open(self, code: str, person: str, name: str, caller: Caller) -> Iterator[None]:
        """Count somebody to a circle while their page is open."""
        with self._presence.page_open(self.channel(code), person, caller):
            circle = self._join(code, person, name)
            if circle.leader == person:
                circle.since = NEVER
            yield

    def _join(self, code: str, person: str, name: str) -> Circle:
        circle = self._circles.setdefault(code, Circle())
        here = self._presence.here(self.channel(code)) | {person, circle.leader}
        number = circle.known[person].number if person in circle.known else next(circle.numbers)
        circle.known = {one: who for one, who in circle.known.items() if one in here} | {person: Companion(number, name)}
        return circle

    def leader(self, code: str) -> str:
        """Who leads: nobody any more once the leader's page is closed."""
        circle = self._circles.get(code, Circle())
        arriving = self._clock() < circle.since + ARRIVING
        return circle.leader if arriving or circle.leader in self._presence.here(self.channel(code)) else ""

    def shown(self, code: str) -> str:
        """What was shown last."""
        return self._circles.get(code, Circle()).shown

    def companions(self, code: str) -> dict[str, Companion]:
        """Who is there, by person, in the order in which they came."""
        here = self._presence.here(self.channel(code)) | {self.leader(code)}
        known = self._circles.get(code, Circle()).known
        return {person: who for person, who in sorted(known.items(), key=lambda one: one[1].number) if person in here}

    def lead(self, code: str, person: str, name: str, shown: str, may_always: bool) -> None:
        """Take the lead: of a circle that nobody leads, or as somebody who may always do so."""
        leader = self.leader(code)
        if leader not in ("", person) and not may_always:
            raise IllegalError("is_led", say("{name} leads; ask for the lead.", name=self._circles[code].known[leader].name))
        self._forget_the_empty()
        circle = self._join(code, person, name)
        circle.leader, circle.shown, circle.since = person, shown or circle.shown, self._clock()
        asyncio.get_running_loop().call_later(ARRIVING, self._presence.tell, self.channel(code))
        self._presence.tell(self.channel(code))

    def show(self, code: str, person: str, shown: str) -> None:
        """Let everybody see this."""
        self._led_by(code, person).shown = shown
        self._presence.tell(self.channel(code))

    def give(self, code: str, person: str, number: int) -> None:
        """Let somebody else lead."""
        circle = self._led_by(code, person)
        found = [one for one, who in self.companions(code).items() if who.number == number]
        if not found:
            raise MalformedError("not_here", say("They have left; choose somebody who is there."))
        circle.leader, circle.since = found[0], NEVER
        self._presence.tell(self.channel(code))

    def stop(self, code: str, person: str) -> None:
        """Lead no more."""
        circle = self._led_by(code, person)
        circle.leader, circle.since = "", NEVER
        self._presence.tell(self.channel(code))

    def _led_by(self, code: str, person: str) -> Circle:
        if self.leader(code) != person:
            raise IllegalError("not_leading", say("You do not lead."))
        return self._circles[code]

    def _forget_the_empty(self) -> None:
        for code in [code for code in self._circles if not self.companions(code)]:
            del self._circles[code]
