"""Upgrades from schemas without results of games, which the migration computes."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

from tamaya import EDITIONS, Rules
from tamaya.storage import SqliteStore
from tamaya.table import EventBatch, GameKind, GameProgress, Phase, Settings, TableSummary
from tamaya.table.events import AnyEvent, BotSat, Opened, Said, Sat, SeatFreed, encode
from tests.support.fakes import run

THE_THIRD = """
DROP TABLE sessions;
DROP TABLE links;
DROP TABLE closings;
DROP TABLE coachings;
DROP INDEX tables_on_offer;
ALTER TABLE tables DROP COLUMN offered;
DROP TABLE partners;
DROP TABLE people;
UPDATE alembic_version SET version_num = '0003';
CREATE TABLE people (code VARCHAR NOT NULL REFERENCES tables (code) ON DELETE CASCADE, person VARCHAR NOT NULL,
    PRIMARY KEY (code, person)) WITHOUT ROWID;
CREATE INDEX people_by_person ON people (person);
INSERT INTO people SELECT code, one.value FROM tables, json_each(tables.people) AS one;
ALTER TABLE tables DROP COLUMN called;
ALTER TABLE tables DROP COLUMN bots;
ALTER TABLE tables DROP COLUMN kind;
ALTER TABLE tables DROP COLUMN ended;
UPDATE tables SET progress = json_remove(progress, '$.perfect') WHERE progress IS NOT NULL;
"""
"""Downgrades a database to the schema with the progress of games but not their results."""


def a_game(choice: random.Random, number: int) -> EventBatch:
    """A table with random players and progress, and its first events."""
    players, edition = choice.randrange(2, 6), choice.choice(list(EDITIONS))
    rules: Rules = EDITIONS[edition].rules(players, choice.choice(((), ("multicolour-ten",))))
    lesson, phase = choice.random() < 0.1, choice.choice((Phase.OPEN, Phase.PLAYING, *[Phase.ENDED] * 5))
    events: list[AnyEvent] = [Opened("p-ann", Settings(str(rules), edition, lesson=lesson))]
    seats = [("p-ann", choice.choice(("Ann", 'An"n')), "")]
    for place in range(1, players):
        bot = choice.choice(("", "hat", "simple"))
        seats.append(("", f"Bot{place}", bot) if bot else (f"p-{place}", f"P{place}", ""))
    choice.shuffle(seats)
    for place, (person, name, bot) in enumerate(seats):
        if choice.random() < 0.3:
            again = "simple" if bot == "hat" else "hat"
            events += [BotSat(place, again, name), SeatFreed(place), Said(0, text='{"event":"bot","name":"Bot2","bot":"x"}')]
        events.append(BotSat(place, bot, name) if bot else Sat(place, person, name))
    lost, points = choice.random() < 0.2, choice.choice((rules.maximum, choice.randrange(rules.maximum)))
    won = phase is Phase.ENDED and points == rules.maximum and not lost
    touched = choice.uniform(0, 9e6)
    people = [(person, name) for person, name, _ in seats if person]
    summary = TableSummary(
        code=f"table{number:05}",
        phase=phase,
        listed=False,
        edition=edition,
        players=players,
        names=tuple(name for _, name, _ in seats),
        player_ids=tuple(person for person, _ in people),
        updated_at=touched,
        progress=None if phase is Phase.OPEN else GameProgress(points, lost and phase is Phase.ENDED, perfect=won),
        player_names=tuple(name for _, name in people),
        bots=tuple(bot for _, _, bot in seats),
        kind=GameKind.LESSON if lesson else GameKind.PLAIN,
        ended=touched if phase is Phase.ENDED else None,
    )
    return EventBatch(summary, 1, tuple(map(encode, events)))


def test_the_results_of_older_games_are_computed(tmp_path: Path) -> None:
    path, choice = tmp_path / "tables.db", random.Random(8)
    games = [a_game(choice, number) for number in range(300)]

    async def found() -> list[object]:
        store = await SqliteStore.open(path)
        try:
            if not await store.last_sequence(games[0].summary.code):
                await store.append(games)
            people = ("p-ann", "p-1", "p-4")
            told: list[object] = [await store.tables_of(person, limit=1000) for person in people]
            told += [await store.summary_of(person) for person in people]
            return told + [await store.partners_of(person) for person in people]
        finally:
            await store.close()

    before = run(found())
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(THE_THIRD)
    assert run(found()) == before


def test_an_older_game_with_too_little_data_is_listed_but_not_counted(tmp_path: Path) -> None:
    path, game = tmp_path / "tables.db", a_game(random.Random(2), 1)

    async def found() -> None:
        store = await SqliteStore.open(path)
        try:
            if not await store.last_sequence(game.summary.code):
                await store.append([game])
                return
            assert (
                [one.code for one in await store.tables_of("p-ann")]
                == await store.finished_codes("p-ann")
                == [game.summary.code]
            )
            summary = await store.summary_of("p-ann")
            assert (summary.found, summary.total.games) == (1, 0)
        finally:
            await store.close()

    run(found())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(THE_THIRD)
        connection.execute("UPDATE tables SET progress = NULL, phase = 'ended'")
        connection.execute("UPDATE events SET line = 'damaged'")
    run(found())
