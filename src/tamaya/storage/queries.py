"""Queries about a player's games and about open tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Float, Integer, Select, Table, and_, case, cast, exists, func, literal, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from tamaya.storage.schema import partners, people, tables
from tamaya.table.store import MAX_OFFERS, GameCount, GameFilter, GameState, Partner, Period

DAY = 24 * 3600.0
MONDAY = 4 * DAY
"""The first Monday of Unix time."""
MAX_PERIODS = 120
"""How many points a plot can show."""
PERIOD_LENGTHS = (1, 7, 28, 91, 364)
"""Lengths of a period in days, where there are more games than points."""
MAX_PARTNERS = 12
"""How many partners the statistics list."""

_partners = partners.alias()


class _Truncated(FunctionElement[float]):
    """A number without its fraction, which SQLite and PostgreSQL write differently."""

    type = Float()
    inherit_cache = True


@compiles(_Truncated, "sqlite")
def _truncate_in_sqlite(element: _Truncated, compiler: SQLCompiler, **how: Any) -> str:
    return f"CAST({compiler.process(element.clauses, **how)} AS INTEGER)"


@compiles(_Truncated, "postgresql")
def _truncate_in_postgresql(element: _Truncated, compiler: SQLCompiler, **how: Any) -> str:
    return f"trunc({compiler.process(element.clauses, **how)})"


def _sums(games: Table) -> tuple[ColumnElement[int], ...]:
    return (
        func.count(),
        func.sum(games.c.score),
        func.max(games.c.score),
        func.sum(cast(games.c.perfect, Integer)),
        func.sum(cast(games.c.lost, Integer)),
    )


def matches(person: str, wanted: GameFilter, games: Table = people) -> ColumnElement[bool]:
    """The condition that a row of `people` or `partners` belongs to one of the person's games and passes the filter."""
    conditions: list[ColumnElement[bool]] = [games.c.person == person]
    if wanted.edition:
        conditions.append(games.c.edition == wanted.edition)
    if wanted.players:
        conditions.append(games.c.players == wanted.players)
    if wanted.partner:
        conditions.append(games.c.code.in_(_games_with(person, bot="", name=wanted.partner)))
    if wanted.bot:
        conditions.append(games.c.code.in_(_games_with(person, bot=wanted.bot, name="")))
    if wanted.since is not None:
        conditions.append(games.c.ended >= wanted.since)
    if wanted.before is not None:
        conditions.append(games.c.ended < wanted.before)
    if wanted.state:
        conditions.append(_has_state(wanted.state, games))
    return and_(*conditions)


def _has_state(state: GameState, games: Table) -> ColumnElement[bool]:
    return {
        GameState.GOING: games.c.ended.is_(None),
        GameState.OVER: games.c.ended.is_not(None),
        GameState.PERFECT: games.c.perfect,
        GameState.LOST: games.c.lost,
    }[state]


def _games_with(person: str, bot: str, name: str) -> Select[Any]:
    return select(_partners.c.code).where(_partners.c.person == person, _partners.c.bot == bot, _partners.c.name == name)


def by_setting(chosen: ColumnElement[bool]) -> Select[Any]:
    """Sums by edition and number of players, apart for games that count and others; also when the first and the last ended."""
    keys = (people.c.counted, people.c.edition, people.c.players)
    return select(*keys, func.min(people.c.ended), func.max(people.c.ended), *_sums(people)).where(chosen).group_by(*keys)


def by_partner(person: str, wanted: GameFilter) -> Select[Any]:
    """Sums of counted games by partner, the most frequent first."""
    keys, chosen = (partners.c.bot, partners.c.name), matches(person, wanted, partners)
    grouped = select(*keys, *_sums(partners)).where(chosen, partners.c.counted).group_by(*keys)
    return grouped.order_by(func.count().desc(), *keys).limit(MAX_PARTNERS)


def all_partners(person: str, limit: int) -> Select[Any]:
    """The partners of a person's finished games, the most frequent first."""
    keys = (partners.c.bot, partners.c.name)
    ended = select(*keys).where(partners.c.person == person, partners.c.ended.is_not(None)).group_by(*keys)
    return ended.order_by(func.count().desc(), *keys).limit(limit)


def period_days(games: int, first: float, last: float) -> int:
    """The length of a period in days with which this many games fit into a plot; 0 for single games."""
    if games <= MAX_PERIODS:
        return 0
    fitting = (days for days in PERIOD_LENGTHS if (last - first) / (days * DAY) < MAX_PERIODS)
    return next(fitting, PERIOD_LENGTHS[-1])


def over_time(chosen: ColumnElement[bool], days: int) -> Select[Any]:
    """Counted games in the order in which they ended, grouped by periods of `days`; weeks begin on Mondays."""
    score, ended = people.c.score, people.c.ended
    counted = (chosen, people.c.counted)
    if not days:
        single = (ended, literal(1), score, score, score)
        return select(*single).where(*counted).order_by(ended, people.c.code)
    length, offset = days * DAY, MONDAY if days % 7 == 0 else 0.0
    # Truncation would round negative numbers up, before the first Monday.
    begins = _Truncated(case((ended < offset, -1.0), else_=(ended - offset) / length)) * length + offset
    together: tuple[ColumnElement[Any], ...] = (
        begins.label("begins"),
        func.count(),
        func.sum(score),
        func.min(score),
        func.max(score),
    )
    return select(*together).where(*counted).group_by("begins").order_by("begins")


def read_count(row: Sequence[Any]) -> GameCount:
    """The sums at the end of a row."""
    games, points, best, perfect, lost = row[-5:]
    return GameCount(games, points or 0, best or 0, perfect, lost)


def sum_by_key(rows: Iterable[tuple[Any, GameCount]]) -> Mapping[Any, GameCount]:
    """The sum of the counts of each key, sorted by key."""
    found: dict[Any, GameCount] = {}
    for key, count in rows:
        found[key] = found.get(key, GameCount()) + count
    return dict(sorted(found.items()))


def read_partner(row: Sequence[Any]) -> Partner:
    """The partner at the start of a row."""
    return Partner(name=row[1], bot=row[0])


def read_period(row: Sequence[Any]) -> Period:
    """The period in a row."""
    return Period(*row)


def is_offered_to(person: str) -> ColumnElement[bool]:
    """The condition that a person without a seat there can join a table; only the last tables of each host.

    The query filters, because rows dropped after its limit would leave the list short.
    """
    own = exists().where(people.c.code == tables.c.code, people.c.person == person)
    newest = func.row_number().over(partition_by=tables.c.offered, order_by=(tables.c.updated_at.desc(), tables.c.code))
    offers = select(tables.c.code, newest.label("place")).where(tables.c.offered.is_not(None), ~own).subquery()
    return tables.c.code.in_(select(offers.c.code).where(offers.c.place <= MAX_OFFERS))
