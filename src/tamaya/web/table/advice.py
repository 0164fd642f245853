"""Advice on request: the service that asks the adviser, and the note on the page."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from dataclasses import dataclass

import msgspec

from tamaya.bots import Advice
from tamaya.bus import LocalBus
from tamaya.i18n import catalogue, reason_in_words
from tamaya.rules import Clue, Message, read_action, say, say_n
from tamaya.table import Adviser, Bus, Table
from tamaya.table.events import StoredMessage
from tamaya.web.table.snapshot import GameSnapshot, ShownAdvice


@dataclass(frozen=True, slots=True)
class AdviceNote:
    """The next `step` that the player can ask for, and what they were told so far: the move, the part of the page it is about,
    and the reasons."""

    step: int
    move: str = ""
    about: str = ""
    reasons: str = ""


def advice_note(snapshot: GameSnapshot, language: str) -> AdviceNote | None:
    """The viewer's advice, or None if they cannot ask for any."""
    if not snapshot.live or not snapshot.table.may_ask_advice:
        return None
    shown = snapshot.advice
    if shown is None or shown.steps == 1:
        return AdviceNote(step=2 if shown else 1)
    action, speak = shown.advice.action, catalogue(language)
    about = f"clue-{action.seat}" if isinstance(action, Clue) else f"card-{snapshot.view.hand[action.slot].number}"
    reasons = (reason_in_words(speak, reason, snapshot.names, snapshot.seat) for reason in shown.advice.reasons)
    return AdviceNote(3, str(action), about, speak.paragraph(reasons) if shown.steps == 3 else "")


def advice_words(snapshot: GameSnapshot) -> tuple[Message, ...]:
    """Who took advice, and how often."""
    times = Counter(taken.seat for taken in snapshot.advised)
    return tuple(
        say_n("You took advice once.", "You took advice {n} times.", times[seat])
        if seat == snapshot.seat
        else say_n("{player} took advice once.", "{player} took advice {n} times.", times[seat], player=snapshot.names[seat])
        for seat in sorted(times)
    )


WITH_ADVICE = say("with advice")
"""Beside the result of a game, or the terms of a table, with advice."""


TOPIC = "advice"
AdviceKey = tuple[str, int, int, int, tuple[int, ...]]
"""Table, seat, turn, branch, and the hand in its order: to a rearranged hand, advice no longer applies."""

CACHE_SIZE = 500
"""Pieces of advice kept; one that was evicted is worked out again, with the same result."""


class _AdviceMessage(msgspec.Struct, array_like=True):
    """Advice shown to a player, as sent to the other processes, which may render that player's page; no other page
    shows it."""

    place: AdviceKey
    steps: int
    idea: StoredMessage
    action: str
    reasons: tuple[StoredMessage, ...]


class AdviceService:
    """Works out each piece of advice once, and remembers how many steps of it the player has read."""

    def __init__(self, adviser: Adviser, bus: Bus | None = None) -> None:
        self._adviser, self._bus = adviser, bus or LocalBus()
        self._tasks: OrderedDict[AdviceKey, asyncio.Task[Advice]] = OrderedDict()
        self._shown: OrderedDict[AdviceKey, ShownAdvice] = OrderedDict()
        self._bus.on_broadcast(TOPIC, self._on_message)

    def shown(self, table: Table, person: str) -> ShownAdvice | None:
        """The part of the current advice that a person has read, if it is their turn."""
        seat = table.seat_of(person)
        return None if seat is None or table.to_move != seat else self._shown.get(_key_of(table, seat))

    async def think(self, table: Table, seat: int) -> Advice:
        """The advice for the player whose turn it is."""
        key = _key_of(table, seat)
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._adviser.advise(table.view_of_seat(seat), table.bots))
            if len(self._tasks) > CACHE_SIZE:
                self._tasks.popitem(last=False)
        return await asyncio.shield(self._tasks[key])

    def show(self, table: Table, seat: int, advice: Advice, step: int) -> None:
        """Show the player this many steps from now on."""
        key = _key_of(table, seat)
        self._remember(key, ShownAdvice(advice, step))
        if self._bus.shared:
            reasons = tuple(map(StoredMessage.of, advice.reasons))
            message = _AdviceMessage(key, step, StoredMessage.of(advice.idea), str(advice.action), reasons)
            self._bus.broadcast(TOPIC, msgspec.json.encode(message).decode())

    def _on_message(self, sender: str, text: str) -> None:
        """Remember what another process has shown."""
        message = msgspec.json.decode(text, type=_AdviceMessage)
        reasons = tuple(reason.message for reason in message.reasons)
        self._remember(
            message.place, ShownAdvice(Advice(message.idea.message, read_action(message.action), reasons), message.steps)
        )
        self._bus.tell_here(message.place[0], 0)

    def _remember(self, key: AdviceKey, shown: ShownAdvice) -> None:
        before = self._shown.get(key)
        self._shown[key] = ShownAdvice(shown.advice, max(shown.steps, before.steps if before else 0))
        if len(self._shown) > CACHE_SIZE:
            self._shown.popitem(last=False)

    async def close(self) -> None:
        """Cancel unfinished work."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


def _key_of(table: Table, seat: int) -> AdviceKey:
    return table.code, seat, table.turn, table.branch, table.hand_numbers(seat)
