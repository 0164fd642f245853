"""Games with a stored analysis, without the time it takes."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from tamaya.record import from_text
from tamaya.review.analysis import GameAnalysis
from tests.browser.player import Player
from tests.browser.server import Server
from tests.support.analyses import made_up_analysis


def coach(player: Player, server: Server, path: str) -> GameAnalysis:
    """Store an invented analysis of the game at a table's address."""
    code = path.removeprefix("/t/").partition("/")[0]
    answer = player.context.request.get(f"{server.address}/t/{code}/record/tamaya")
    assert answer.ok, answer.text()
    coaching = made_up_analysis(from_text(answer.text()).record)
    with closing(sqlite3.connect(server.folder / "data" / "tables.sqlite", timeout=20)) as store, store:
        store.execute("INSERT OR REPLACE INTO coachings (code, text) VALUES (?, ?)", (code, coaching.to_text()))
    return coaching
