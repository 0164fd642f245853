"""A place to search in where nothing is weighed, tables with games for the coach, and what it says of one of them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable
from typing import Any

from starlette.applications import Starlette

from tamaya import Rules
from tamaya.record import Record
from tamaya.review.analysis import Coaching, Judgement, MoveVerdict
from tamaya.table import Table, bring
from tamaya.workers.search_pool import SearchPool, Warmth
from tests.review.coached import a_judgement
from tests.review.games import played_game, record_of
from tests.review.made_up import made_up
from tests.table.fakes import tables_over
from tests.table.memory_store import MemoryStore
from tests.web.client import Browser, brought

RECORD = record_of(played_game(Rules(players=2), 12))
COACHING = made_up(RECORD)
RECORDS = [record_of(played_game(Rules(players=2), seed)) for seed in range(2)]


class Pool(SearchPool):
    """Judges without thinking, so many turns as the test lets it; its process may have `ended` once. It remembers which game it
    was `given` with which turn."""

    def __init__(self, warmth: Warmth = Warmth.READY, most: int = 10**6, ended: bool = False) -> None:
        super().__init__()
        self.now, self.left, self.wanted, self.choice = warmth, most, 0, random.Random(5)
        self.ended, self.given = ended, list[tuple[Record, int]]()

    def warmth(self, rules: Rules, policies: Iterable[str]) -> Warmth:
        return self.now

    def want(self, rules: Rules, policies: Iterable[str]) -> None:
        self.wanted += 1

    async def run(self, function: Callable[..., Any], *arguments: object, **how: Any) -> Any:
        await asyncio.sleep(0)
        if not self.left or self.ended:
            self.ended = False
            return None
        self.left -= 1
        record, turn, *_ = arguments
        assert isinstance(record, Record)
        assert isinstance(turn, int)
        self.given.append((record, turn))
        return a_judgement(record, turn, self.choice)


async def ended(store: MemoryStore, *records: Record) -> list[Table]:
    """Tables with games that are over."""
    tables = tables_over(store)
    return [await tables.begin(bring(record, "p-ann")) for record in records]


def of_kind(verdict: MoveVerdict, coaching: Coaching = COACHING) -> Judgement:
    """The first move of a kind."""
    return next(one for one in coaching.judgements if one.verdict is verdict)


async def coached(app: Starlette, record: Record = RECORD) -> str:
    """The code of a table with this game, which the coach has judged."""
    code = await brought(app, record)
    await app.state.house.tables.store.keep_coaching(code, made_up(record).to_text())
    return code


async def at(who: Browser, code: str, query: str) -> str:
    """What a page shows at a place of a replay."""
    answer = await who.get(f"/t/{code}/replay?{query}")
    assert answer.status == 200, answer.text
    return answer.words
