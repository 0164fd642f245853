"""Where players ask what a good player would do: who was told what, and how much of it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable

from tamaya.bots import Advice
from tamaya.table import Adviser, Table
from tamaya.web.moment import ShownAdvice

KEPT = 500
"""Pieces of advice that are remembered. Whoever asks again for one that is not gets the same once more."""


class AdviceDesk:
    """Gives advice, each piece thought out once, and remembers how much of it its player has read. It stays with the hand as
    it lies: to a hand that was rearranged it no longer applies."""

    def __init__(self, adviser: Adviser) -> None:
        self._adviser = adviser
        self._thoughts: OrderedDict[Hashable, asyncio.Task[Advice]] = OrderedDict()
        self._shown: OrderedDict[Hashable, ShownAdvice] = OrderedDict()

    def shown(self, table: Table, person: str) -> ShownAdvice | None:
        """What a person has read of the advice on the action that they are to take now."""
        seat = table.seat_of(person)
        return None if seat is None or table.to_move != seat else self._shown.get(_place(table, seat))

    async def think(self, table: Table, seat: int) -> Advice:
        """Advice for the player whose turn it is."""
        place = _place(table, seat)
        if place not in self._thoughts:
            self._thoughts[place] = asyncio.create_task(self._adviser.advise(table.view_of_seat(seat), table.bots))
            if len(self._thoughts) > KEPT:
                self._thoughts.popitem(last=False)
        return await asyncio.shield(self._thoughts[place])

    def show(self, table: Table, seat: int, advice: Advice, step: int) -> None:
        """Let the player read so much of it from now on."""
        place = _place(table, seat)
        before = self._shown.get(place)
        self._shown[place] = ShownAdvice(advice, max(step, before.steps if before else 0))
        if len(self._shown) > KEPT:
            self._shown.popitem(last=False)

    async def close(self) -> None:
        """Give up what nobody will read any more."""
        for thought in self._thoughts.values():
            thought.cancel()
        await asyncio.gather(*self._thoughts.values(), return_exceptions=True)


def _place(table: Table, seat: int) -> Hashable:
    """Where advice belongs: to a turn on its line of play, and to the hand as it lies."""
    return table.code, seat, table.turn, table.line, table.hand_numbers(seat)
