"""Circles of people who look at a game together: who leads, where to, and who is there.

Who leads is a matter of who is there, and is kept where that is, in the memory of the processes, which tell each other: it is
no part of the game, whose log it would make longer and newer with every look. After a restart the leader's page takes the lead
again.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

import msgspec

from tamaya.rules import IllegalError, MalformedError, say
from tamaya.table import Bus
from tamaya.web.limits import Caller
from tamaya.web.presence import Presence

TOPIC = "circle"
ARRIVING = 30.0
"""How many seconds somebody who takes the lead has until their page is open."""
MOST = 20
"""How many companions of a circle are named: what is said of one has to fit into a message, with the longest names and as many
moves as can be tried."""
NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody in a circle: the number by which others choose them, and what they are called."""

    number: int
    name: str


class Circle(msgspec.Struct, frozen=True):
    """People who look at the game of a table, in the order in which they came, by what they are called. `shown` is what the
    leader shows, as the query of an address; `arriving` says that the leader's page is not open yet. Of two states of a circle
    the one with the higher `age` counts."""

    code: str
    age: tuple[int, str] = (0, "")
    leader: str = ""
    shown: str = ""
    arriving: bool = False
    known: dict[str, str] = {}


class Circles:
    """All circles, each for as long as somebody is in it."""

    def __init__(
        self,
        presence: Presence,
        bus: Bus,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._presence, self._bus, self._clock, self._now = presence, bus, clock, now
        self._circles: dict[str, Circle] = {}
        self._arrivals: dict[str, float] = {}
        self._process = secrets.token_hex(4)
        bus.hear(TOPIC, self._hear)
        bus.hear("gap", lambda sender, text: self._ask())
        self._ask()

    @staticmethod
    def channel(code: str) -> str:
        """Where the bus has news of a circle."""
        return f"{code} together"

    @contextmanager
    def page_open(self, code: str, person: str, name: str, caller: Caller) -> Iterator[None]:
        """Count somebody to a circle while their page is open."""
        with self._presence.page_open(self.channel(code), person, caller):
            circle = self._with(code, person, name)
            self._change(circle, arriving=circle.arriving and circle.leader != person)
            yield

    def _with(self, code: str, person: str, name: str) -> Circle:
        """A circle that somebody has joined, without those who have left."""
        circle = self._circle(code)
        here = self._presence.here(self.channel(code)) | {person, circle.leader}
        known = {one: called for one, called in circle.known.items() if one in here}
        spare = [one for one in known if one not in (person, circle.leader)]
        unnamed = spare[: max(0, len(spare) + 2 - MOST)]
        named = {one: called for one, called in known.items() if one not in unnamed}
        return msgspec.structs.replace(circle, known=named | {person: name})

    def _circle(self, code: str) -> Circle:
        return self._circles.get(code) or Circle(code)

    def leader(self, code: str) -> str:
        """Who leads: nobody any more once the leader's page is closed."""
        circle = self._circle(code)
        arriving = circle.arriving and self._clock() < self._arrivals.get(code, NEVER) + ARRIVING
        return circle.leader if arriving or circle.leader in self._presence.here(self.channel(code)) else ""

    def shown(self, code: str) -> str:
        """What was shown last."""
        return self._circle(code).shown

    def companions(self, code: str) -> dict[str, Companion]:
        """Who is there, by person, in the order in which they came."""
        here = self._presence.here(self.channel(code)) | {self.leader(code)}
        return {one: Companion(_number(one), name) for one, name in self._circle(code).known.items() if one in here}

    def lead(self, code: str, person: str, name: str, shown: str, may_always: bool) -> None:
        """Take the lead: of a circle that nobody leads, or as somebody who may always do so."""
        leader = self.leader(code)
        if leader not in ("", person) and not may_always:
            known = self._circle(code).known
            raise IllegalError("is_led", say("{name} leads; ask for the lead.", name=known.get(leader, "")))
        self._forget_the_empty()
        circle, arriving = self._with(code, person, name), person not in self._presence.here(self.channel(code))
        self._change(circle, leader=person, shown=shown or circle.shown, arriving=arriving)
        if arriving:
            asyncio.get_running_loop().call_later(ARRIVING, self._presence.tell, self.channel(code))

    def show(self, code: str, person: str, shown: str) -> None:
        """Let everybody see this."""
        self._change(self._led_by(code, person), shown=shown)

    def give(self, code: str, person: str, number: int) -> None:
        """Let somebody else lead."""
        circle = self._led_by(code, person)
        found = [one for one, who in self.companions(code).items() if who.number == number]
        if not found:
            raise MalformedError("not_here", say("They have left; choose somebody who is there."))
        self._change(circle, leader=found[0], arriving=False)

    def stop(self, code: str, person: str) -> None:
        """Lead no more."""
        self._change(self._led_by(code, person), leader="", arriving=False)

    def _led_by(self, code: str, person: str) -> Circle:
        if self.leader(code) != person:
            raise IllegalError("not_leading", say("You do not lead."))
        return self._circle(code)

    def _change(self, circle: Circle, **changes: object) -> None:
        """Let a circle be otherwise from now on, here and in the other processes, and everybody see it."""
        changed = msgspec.structs.replace(circle, **changes)
        if changed == self._circle(circle.code):
            return
        age = max(circle.age[0] + 1, int(self._now() * 1000))  # a circle that was forgotten here may be remembered elsewhere
        changed = msgspec.structs.replace(changed, age=(age, self._process))
        self._keep(changed)
        self._tell(changed)
        self._presence.tell(self.channel(circle.code))

    def _keep(self, circle: Circle) -> None:
        awaited = self._circle(circle.code).arriving and self.leader(circle.code) == circle.leader
        if circle.arriving and not awaited:
            self._arrivals[circle.code] = self._clock()
        self._circles[circle.code] = circle

    def _forget_the_empty(self) -> None:
        for code in [code for code in self._circles if not self.companions(code)]:
            del self._circles[code]
            self._arrivals.pop(code, None)

    # Other processes.

    def _ask(self) -> None:
        """Want to know of the circles that others know of."""
        if self._bus.shared:
            self._bus.tell(TOPIC, "")

    def _tell(self, circle: Circle) -> None:
        if self._bus.shared:
            self._bus.tell(TOPIC, msgspec.json.encode(circle).decode())

    def _hear(self, sender: str, text: str) -> None:
        if not text:
            for circle in self._circles.values():
                self._tell(circle)
            return
        told = msgspec.json.decode(text, type=Circle)
        if told.age > self._circle(told.code).age:
            self._keep(told)
            self._bus.tell_here(self.channel(told.code), 0)


def _number(person: str) -> int:
    """The number of somebody, the same in every process, which says nothing about who they are."""
    return int.from_bytes(sha256(person.encode()).digest()[:2])
