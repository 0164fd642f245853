"""People who look at a game together."""

from __future__ import annotations

from tamaya.record import native
from tests.record.games import a_record
from tests.web.client import Answer, Browser

RECORD = a_record()


async def a_replay(who: Browser) -> str:
    """The code of a game that somebody has brought."""
    answer = await who.post("/bring", {"text": native.write(RECORD)})
    return answer.headers["location"].split("/")[2]


async def does(who: Browser, code: str, command: str, query: str = "", **fields: object) -> Answer:
    """What the page there does; the answer is the new bar."""
    return await who.post(f"/t/{code}/replay/together/{command}?{query}", fields, hx_request="true")


def page_of(code: str) -> str:
    return f"/t/{code}/replay/together"
