"""Advice that a test knows beforehand, and people who ask for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from starlette.applications import Starlette

from tamaya.bots import Advice
from tamaya.engine import View
from tamaya.rules import Discard, say
from tests.web.client import Answer, Browser, member

IDEA, REASON = say("This is a moment to discard."), say("There is no better choice.")


class FixedAdviser:
    """Always says the same, and counts how often it was asked; a test can let it wait."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.answer = asyncio.Event()
        self.answer.set()

    async def advise(self, view: View, seats: Sequence[str]) -> Advice:
        self.asked.append(tuple(seats))
        await self.answer.wait()
        return Advice(IDEA, Discard(1), (REASON,))


async def asks(who: Browser, code: str, step: int, turn: int = 0, line: int = 0) -> Answer:
    return await who.act(code, "advice", turn=turn, line=line, step=step)


async def alone(app: Starlette, **fields: object) -> tuple[str, Browser]:
    """Ann at a table with bots, to move."""
    ann = member(app, "Ann")
    answer = await ann.post("/new", {"edition": "standard", "players": 3, "who": "bots", "starter": "1", **fields})
    assert answer.status == 303, answer.text
    return answer.headers["location"].rpartition("/")[2], ann
